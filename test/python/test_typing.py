"""Scripts of users are checked by mypy --strict against the installed package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import forge_mlir

SCRIPT = """
from __future__ import annotations

import numpy as np

import forge_mlir
from forge_mlir import CompilationCancelled, Diagnostic, ForgeError, Lowering
from forge_mlir._native import PassRun
from forge_mlir.lowerings import Builder, Node, Value


@forge_mlir.lowering("my.domain", "Swish", since=1)
def swish(node: Node, b: Builder) -> Value:
    x = node.input(0)
    beta: float = node.float_attr("beta", 1.0)
    rows: int = x.shape[0]
    known = x.known()
    if known is not None and rows:
        return b.constant(known)
    return b.multiply(x, b.sigmoid(b.multiply(x, b.scalar_like(x, beta))))


@forge_mlir.lowering("my.domain", "SplitHalf")
def halves(node: Node, b: Builder) -> list[Value]:
    return b.split(node.input(0), dim=0, sizes=[1, 1])


def watch(run: PassRun) -> None:
    if run.seconds > 10 or run.statistics.get("converted", 0) > 5:
        raise CompilationCancelled(run.name + run.ir()[: run.ops_after])


own: list[Lowering] = [swish, halves]
try:
    artifact = forge_mlir.compile("m.onnx", "out", lowerings=own, on_pass=watch, fallback="cpu")
    results: dict[str, np.ndarray] = dict(forge_mlir.run(artifact, {"x": np.zeros(3, np.float32)}))
    for warning in artifact.warnings:
        code: str = warning.code
except ForgeError as error:
    found: tuple[Diagnostic, ...] = error.diagnostics
"""


WRONG = (
    ("beta: float = node.float_attr", "beta: str = node.float_attr"),
    ("b.sigmoid(", "b.sparkle("),
    ("dim=0, ", "dim=0.5, "),
    ('fallback="cpu"', "fallback=1"),
)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What mypy reports for the script as it is, and with wrong types. Most of the time is for what both import."""
    folder, wrong = tmp_path_factory.mktemp("typed"), SCRIPT
    for right, other in WRONG:
        assert right in wrong
        wrong = wrong.replace(right, other)
    (folder / "right.py").write_text(SCRIPT)
    (folder / "wrong.py").write_text(wrong)
    (folder / "mypy.ini").write_text("[mypy]\n[mypy-torch_mlir.*,onnx.*]\nignore_missing_imports = True\n")
    line = [sys.executable, "-m", "mypy", "--strict", "--config-file", "mypy.ini", "right.py", "wrong.py"]
    said = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False).stdout
    assert "checked 2 source files" in said, said
    lines = said.splitlines()
    return {name: "\n".join(line for line in lines if f"{name}:" in line) for name in ("right.py", "wrong.py")}


@pytest.mark.slow
def test_a_script_of_a_user(found: dict[str, str]) -> None:
    assert (Path(forge_mlir.__file__).parent / "py.typed").is_file()
    assert found["right.py"] == ""


@pytest.mark.slow
def test_wrong_types_are_found(found: dict[str, str]) -> None:
    said = found["wrong.py"]
    assert 'has type "float", variable has type "str"' in said
    assert '"Builder" has no attribute "sparkle"' in said
    assert 'Argument "dim" to "split"' in said
    assert 'Argument "fallback" to "compile" has incompatible type' in said


def test_the_stub_of_the_native_module_is_complete() -> None:
    import ast

    from forge_mlir import _native

    stub = Path(forge_mlir.__file__).parent / "_native.pyi"
    defined: dict[str, set[str]] = {}
    for node in ast.parse(stub.read_text()).body:
        if isinstance(node, ast.ClassDef):
            defined[node.name] = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            defined[node.name] = set()
    public = {name: thing for name, thing in vars(_native).items() if not name.startswith("_")}
    missing = sorted(name for name in public if name not in defined and name != "ItdError")
    for name, thing in public.items():
        if isinstance(thing, type) and name in defined and not issubclass(thing, Exception):
            missing += [
                f"{name}.{method}" for method in vars(thing) if method[0] != "_" and method not in defined[name]
            ]
    assert missing == []
    assert len(public) > 30

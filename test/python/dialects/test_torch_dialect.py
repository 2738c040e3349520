"""Our LLVM and the torch-mlir wheel read each other's torch dialect, tested on onnx's node tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect

from forge_mlir import ForgeError, _native, import_onnx
from forge_mlir.dialects.crossing import bytecode
from node_cases import node_cases

_SEPARATOR = "\n// -----\n"
_EMPTY = "builtin.module()"

# Text of LLVM 24 that LLVM 22 cannot read, and vice versa.


@dataclass(frozen=True)
class Case:
    """A model as torch_mlir prints it and writes it as bytecode."""

    name: str
    text: str
    located: str
    bytecode: bytes


def _cases(every: int) -> list[Case]:
    """Each `every`th node test that the importer accepts."""
    models = [(case.name, case.model) for case in node_cases() if case.model is not None]
    cases = []
    for name, model in models[::every]:
        try:
            module = import_onnx(model).module
        except ForgeError:
            continue
        located = module.operation.get_asm(enable_debug_info=True)
        cases.append(Case(name, str(module), located, bytecode(module)))
    return cases


def _read_by_wheel(source: str | bytes) -> str:
    context = ir.Context()
    torch_dialect.register_dialect(context)
    return str(ir.Module.parse(source, context))


def _through_native(source: bytes) -> str | None:
    """The text that torch_mlir prints of the bytecode that our MLIR writes for `source`; None if ours cannot read
    it."""
    result, _ = _native.run_pipeline(source, _EMPTY)
    return None if result is None else _read_by_wheel(result)


def _opt(tool: str, texts: list[str]) -> list[str]:
    done = subprocess.run(
        [tool, "-split-input-file", "-"], input=_SEPARATOR.join(texts), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:2000]
    return [text.strip() for text in done.stdout.split("// -----")]


def _tool(name: str) -> str:
    built = Path(__file__).parents[3] / "build" / "tools" / name / name
    found = shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))
    assert built.exists() or found, f"{name} is not built"
    return str(built) if built.exists() else str(found)


def _check(every: int) -> int:
    """The number of models whose text and bytecode, ours and torch-mlir's, were compared."""
    cases = _cases(every)
    for case in cases:
        for form in (case.located.encode(), case.bytecode):
            assert _through_native(form) == case.text, case.name
    written = _opt(_tool("forge-opt"), [case.text for case in cases])
    assert len(written) == len(cases)
    for text, read, case in zip(written, _opt(_tool("torch-mlir-opt"), written), cases, strict=True):
        assert read == case.text.strip(), (case.name, text)
    return len(cases)


def test_sample_of_the_node_tests() -> None:
    assert _check(every=20) > 80


@pytest.mark.slow
def test_all_node_tests() -> None:
    assert _check(every=1) > 1800

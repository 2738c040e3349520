"""torch-mlir's op classes are not loaded, by means of its private names; if these do not exist, the classes are
loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import onnx
import pytest

from sample_models.probe import mixed

CLASSES = "torch_mlir.dialects._torch_ops_gen"

# Imports a model in a separate process; prints whether the classes were loaded, and the IR.
SCRIPT = f"""
import sys
{{planted}}
from forge_mlir.importer import import_onnx
module = import_onnx(sys.argv[1]).module
print({CLASSES!r} in sys.modules)
print(module.operation.get_asm(enable_debug_info=True))
"""

# A change that another version of torch-mlir might make: `{attribute}` replaces a list that can be set.
GLOBALS = """
import torch_mlir.ir, torch_mlir._mlir_libs._mlir as m

class Globals:
    dialect_search_modules = {attribute}

    def __getattr__(self, name, known=m.globals):
        return getattr(known, name)

m.globals = Globals()
"""
CHANGES = {
    "no such list": GLOBALS.format(attribute="property()"),
    "nothing there": GLOBALS.format(attribute="None"),
    "a function": GLOBALS.format(attribute="print"),
    "a list that stays": GLOBALS.format(attribute="property(lambda self: [])"),
    "no such function": """
import torch_mlir.dialects.torch, torch_mlir._mlir_libs._torchMlir as m
del m.register_dialect
""",
}


def imported(model: Path, planted: str = "") -> tuple[bool, str]:
    command = [sys.executable, "-c", SCRIPT.format(planted=planted), str(model)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    loaded, _, text = done.stdout.partition("\n")
    return loaded == "True", text


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "model.onnx"
    onnx.save(mixed(), path)
    return path


@pytest.fixture(scope="module")
def plain(model: Path) -> str:
    loaded, text = imported(model)
    assert not loaded, (
        f"{CLASSES} is loaded, so that each command starts slower: this torch-mlir looks for classes of ops in another "
        "way; see _registration in importer/torch_nodes.py"
    )
    return text


@pytest.mark.parametrize("change", CHANGES)
def test_another_torch_mlir_gives_the_same(change: str, model: Path, plain: str) -> None:
    assert imported(model, CHANGES[change]) == (True, plain)

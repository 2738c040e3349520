"""Objects of the extension do not outlive the interpreter, and a leak is reported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import onnx
import pytest

from sample_models.probe import mixed

# A lowering that fails, and leaves its node in a reference cycle.
PLUGIN = """
import forge_mlir

@forge_mlir.lowering("", "MatMul")
def matmul(node, b):
    held = [node, b]
    held.append(held)
    raise ValueError("broken")
"""

# Every function that returns objects of the extension to Python, which keeps them to the end.
LIBRARY = """
import sys
import forge_mlir, plugin
from forge_mlir.iterdomain import Domain
domain, runs = Domain([4, 8]), []
forge_mlir.compile(sys.argv[1], "out", on_pass=runs.append)
try:
    forge_mlir.compile(sys.argv[1], "refused", lowerings=[plugin.matmul])
except forge_mlir.ForgeError as error:
    kept = error
print(len(runs) > 0, "FM1022" in str(kept.diagnostics))
"""

PLANTED = """
import gc
cycle = [runs]
cycle.append(cycle)
gc.freeze()
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    onnx.save(mixed(), tmp_path / "model.onnx")
    (tmp_path / "plugin.py").write_text(PLUGIN)
    return tmp_path / "model.onnx"


def finished(model: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=model.parent, capture_output=True, text=True, check=False)


def test_the_library_has_no_leaks(model: Path) -> None:
    done = finished(model, "-c", LIBRARY, model.name)
    assert (done.stdout, done.stderr) == ("True True\n", "")


def test_a_planted_leak_is_reported(model: Path) -> None:
    done = finished(model, "-c", LIBRARY + PLANTED, model.name)
    assert done.stdout == "True True\n"
    assert "nanobind: leaked" in done.stderr
    assert "PassRun" in done.stderr


def test_objects_left_at_exit_of_the_command_are_not_reported(model: Path) -> None:
    command = ("-c", "from forge_mlir.cli.main import main; main()")
    done = finished(model, *command, "compile", model.name, "--plugin", "plugin.py")
    assert done.returncode == 3
    assert "FM1022" in done.stderr
    assert "nanobind" not in done.stderr

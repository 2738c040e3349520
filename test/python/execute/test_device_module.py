"""Emitted modules run on Tenstorrent's package if Python finds it, otherwise on the CPU reference."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto

from forge_mlir import runtime
from forge_mlir.compiler.driver import compile
from forge_mlir.errors import ForgeError
from forge_mlir.execute.device_module import _forge
from forge_mlir.execute.run import run
from sample_models.small import one_node

pytestmark = pytest.mark.skipif(find_spec("forge") is not None, reason="the package is installed")


@pytest.mark.parametrize("by", ["path", "directory"])
def test_a_package_that_is_installed_later_is_found(by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result of the search is cached per `sys.path`, and if that has the current directory, per directory."""
    monkeypatch.setattr(sys, "path", ["", *sys.path] if by == "directory" else [*sys.path])
    monkeypatch.chdir(tmp_path)
    assert _forge() is runtime
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "forge.py").write_text("")
    importlib.invalidate_caches()
    if by == "path":
        sys.path.append(str(tmp_path / "elsewhere"))
    else:
        monkeypatch.chdir(tmp_path / "elsewhere")
    try:
        assert _forge().__file__ == str(tmp_path / "elsewhere" / "forge.py")
    finally:
        sys.modules.pop("forge", None)
    monkeypatch.undo()
    assert _forge() is runtime


def test_without_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    gone.rmdir()
    assert _forge() is runtime


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "expected inputs 'x'"),
        ({"x": np.zeros((2, 3), np.float32), "z": np.zeros(1, np.float32)}, "expected inputs 'x'"),
        ({"x": np.zeros((3, 2), np.float32)}, r"input 'x': expected shape \[2, 3\]"),
        ({"x": np.zeros((2, 3), np.float64)}, "input 'x': expected dtype float32"),
    ],
)
def test_wrong_inputs_are_named(inputs: dict[str, np.ndarray], message: str, tmp_path: Path) -> None:
    artifact = compile(one_node("Relu", [2, 3]), tmp_path)
    with pytest.raises(ForgeError, match=message):
        run(artifact, inputs)


def test_integer_inputs_must_fit(tmp_path: Path) -> None:
    artifact = compile(one_node("Abs", [2], dtype=TensorProto.INT64), tmp_path)
    np.testing.assert_array_equal(run(artifact, {"x": np.array([-5, 7])})["y"], [5, 7])
    with pytest.raises(ForgeError, match="does not fit Int32"):
        run(artifact, {"x": np.array([1, 2**40])})

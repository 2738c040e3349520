"""`forge_mlir.verify` is a function, too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.artifact.reseal import reseal
from forge_mlir.verify import verify_model
from sample_models.probe import FLOAT, INT64, build, node
from sample_models.small import one_node


def test_verify_is_a_function_too(tmp_path: Path) -> None:
    model = one_node("Relu", [2, 3])
    result = forge_mlir.verify(model)
    assert result.passed
    assert len(result.nodes) == 1
    artifact = forge_mlir.compile(model, tmp_path, name="relu")
    x = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
    for source in (artifact, tmp_path):
        assert forge_mlir.verify(source, model=model).passed
        assert forge_mlir.verify(source, {"x": x}, {"y": np.maximum(x, 0)}).passed
        assert not forge_mlir.verify(source, {"x": x}, {"y": x}).passed
    with pytest.raises(ValueError, match="compared with goldens, or with the model"):
        forge_mlir.verify(artifact)


def test_outputs_alone_do_not_show_what_rounding_explains(tmp_path: Path) -> None:
    """The nodes are not compared, so that a small error is undecided, and a large one is wrong."""
    model, artifact = one_node("Relu", [2, 3]), forge_mlir.compile(one_node("Relu", [2, 3]), tmp_path, name="relu")
    source = artifact.module_path.read_text()
    call = 'forge.op.Relu("", x)'
    assert call in source
    for factor, verdict in ((1.01, "undecided"), (1.5, "wrong")):
        changed = f'forge.op.Multiply("", {call}, forge.op.Constant("", constant={factor}))'
        artifact.module_path.write_text(source.replace(call, changed))
        reseal(artifact.manifest_path)
        assert forge_mlir.verify(artifact, model=model).verdict == verdict
        x = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
        assert forge_mlir.verify(artifact, {"x": x}, {"y": np.maximum(x, 0)}).verdict == "wrong"


def test_a_model_that_cannot_be_opened(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(one_node("Relu", [2, 3]), tmp_path, name="relu")
    with pytest.raises(ForgeError, match=r"none\.onnx: cannot be opened: No such file or directory"):
        forge_mlir.verify(artifact, model=tmp_path / "none.onnx")


def test_outputs_of_no_profile(tmp_path: Path) -> None:
    """They were ignored."""
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "m.onnx")
    wrong = {"y": np.full((2, 3), -1, np.float32)}
    assert verify_model(tmp_path / "m.onnx", goldens=wrong).verdict == "wrong"
    with pytest.raises(ForgeError, match=r"FM2006.*outputs without inputs are those of profile 'normal'"):
        verify_model(tmp_path / "m.onnx", goldens=wrong, profiles=["mixed"])
    with pytest.raises(ForgeError, match="profiles 'none': give some of normal, "):
        verify_model(tmp_path / "m.onnx", profiles=["none"])  # type: ignore[list-item]


def test_profiles_that_onnx_rejects(tmp_path: Path) -> None:
    """Nothing was compared. It was an error of expected outputs, FM6008."""
    nodes = [node("Cast", ["x"], ["i"], to=INT64), node("Gather", ["table", "i"], ["y"])]
    onnx.save(build(nodes, {"x": (FLOAT, [64])}, {"y": FLOAT}, table=np.eye(2, dtype=np.float32)), tmp_path / "m.onnx")
    with pytest.raises(ForgeError, match=r"FM6009.*ONNX takes no inputs of the profiles"):
        verify_model(tmp_path / "m.onnx", profiles=["wide"])

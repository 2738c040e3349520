"""On request, an initializer that is also an input of the graph remains an input, with its value as default."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.errors import ForgeError
from forge_mlir.execute.run import run
from forge_mlir.importer import OnnxImportError
from forge_mlir.report.check import check
from forge_mlir.verify import verify_model
from sample_models.tools import run_command

X = np.arange(6, dtype=np.float32).reshape(2, 3)
SCALE = np.array([1, 10, 100], np.float32)


def scaled(scale: np.ndarray[Any, Any] = SCALE, *nodes: onnx.NodeProto) -> ModelProto:
    """x * scale, where `scale` is an initializer and an input of open size; `kept` is only an initializer."""
    made = nodes or (helper.make_node("Mul", ["x", "scale"], ["s"]), helper.make_node("Add", ["s", "kept"], ["y"]))
    infos = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, scale.shape[-1]]),
        helper.make_tensor_value_info("scale", TensorProto.FLOAT, ["n"]),
    ]
    tensors = [numpy_helper.from_array(scale, "scale"), numpy_helper.from_array(np.float32(0.5), "kept")]
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(list(made), "g", infos, [y], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def test_the_input_is_optional(tmp_path: Path) -> None:
    artifact = compile(scaled(), tmp_path, overridable=["scale"])
    np.testing.assert_array_equal(run(artifact, {"x": X})["y"], X * SCALE + 0.5)
    np.testing.assert_array_equal(run(artifact, {"x": X, "scale": -SCALE})["y"], X * -SCALE + 0.5)
    (given,) = [info for info in artifact.manifest()["onnx"]["inputs"] if info["name"] == "scale"]
    assert given["shape"] == [3]
    assert "default" in given
    with pytest.raises(ForgeError, match="expected inputs 'x', 'scale'"):
        run(artifact, {"scale": SCALE})


def test_without_the_option_it_is_a_constant(tmp_path: Path) -> None:
    artifact = compile(scaled(), tmp_path)
    with pytest.raises(ForgeError, match="expected inputs 'x'"):
        run(artifact, {"x": X, "scale": SCALE})


def test_a_default_in_external_data(tmp_path: Path) -> None:
    scale = np.arange(4096, dtype=np.float32)
    onnx.save(scaled(scale), tmp_path / "m.onnx", save_as_external_data=True, size_threshold=0)
    artifact = compile(tmp_path / "m.onnx", tmp_path / "out", overridable=["scale"])
    x = np.ones((2, 4096), np.float32)
    np.testing.assert_array_equal(run(artifact, {"x": x})["y"], x * scale + 0.5)


def test_a_default_too_large_for_the_manifest(tmp_path: Path) -> None:
    with pytest.raises(OnnxImportError, match="more than the 1048576 that an overridable input may have"):
        compile(scaled(np.zeros(1 << 19, np.float32)), tmp_path, overridable=["scale"])


@pytest.mark.parametrize("name", ["x", "kept", "nothing"])
def test_a_name_that_is_not_an_input_and_an_initializer(tmp_path: Path, name: str) -> None:
    with pytest.raises(OnnxImportError, match="is not both an initializer and an input") as caught:
        compile(scaled(), tmp_path, overridable=[name])
    assert "'scale'" in str(caught.value)


def test_partitioned_models_have_defaults_too(tmp_path: Path) -> None:
    nodes = (
        helper.make_node("Mul", ["x", "scale"], ["s"]),
        helper.make_node("NonZero", ["s"], ["z"]),
        helper.make_node("Cast", ["z"], ["c"], to=TensorProto.FLOAT),
        helper.make_node("ReduceMax", ["c"], ["m"]),
        helper.make_node("Add", ["s", "m"], ["y"]),
    )
    artifact = compile(scaled(SCALE, *nodes), tmp_path, overridable=["scale"], fallback="cpu")
    assert "partitions" in artifact.manifest()
    np.testing.assert_array_equal(run(artifact, {"x": X})["y"], X * SCALE + 2)


def test_verify_and_check(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    onnx.save(scaled(), path)
    for given in ({"x": X}, {"x": X, "scale": -SCALE}, None):
        assert verify_model(path, given, overridable=["scale"]).passed
    assert check(path, overridable=["scale"]).supported
    assert check(path, overridable=["kept"]).errors


def test_the_command(tmp_path: Path) -> None:
    onnx.save(scaled(), tmp_path / "m.onnx")
    np.savez(tmp_path / "x.npz", x=X)
    out = tmp_path / "out"
    assert run_command("compile", tmp_path / "m.onnx", "-o", out, "--overridable", "scale").returncode == 0
    ran = run_command("run", out / "m.py", "--inputs", tmp_path / "x.npz", "--output", tmp_path / "y.npz")
    assert ran.returncode == 0
    np.testing.assert_array_equal(np.load(tmp_path / "y.npz")["y"], X * SCALE + 0.5)
    assert json.loads((out / "m.json").read_text())["compiled"]["flags"] == ["--overridable", "scale"]

"""Weights that remain in the files of the model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import ModelProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.execute.device_module import load_namespace
from sample_models.tools import run_command

WEIGHT = np.random.default_rng(5).standard_normal((64, 64)).astype(np.float32)


def model() -> ModelProto:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 64]) for name in "xy")
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"]),
        helper.make_node("Cast", ["d"], ["f"], to=TensorProto.FLOAT),
        helper.make_node("MatMul", ["a", "f"], ["y"]),
    ]
    weights = [numpy_helper.from_array(WEIGHT, "w"), numpy_helper.from_array(WEIGHT.astype(np.float64), "d")]
    graph = helper.make_graph(nodes, "net", [x], [y], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


@pytest.mark.parametrize("external", [True, False])
def test_weights_stay_where_they_are(external: bool, tmp_path: Path) -> None:
    source = tmp_path / "here" / "net.onnx"
    source.parent.mkdir()
    onnx.save(model(), source, save_as_external_data=external, location="net.data", size_threshold=0)
    artifact = forge_mlir.compile(source, tmp_path / "here" / "out", weights="reference")
    (weight,) = [entry for entry in artifact.manifest()["weights"] if "file" in entry]
    assert weight["file"] == ("../net.data" if external else "../net.onnx")
    assert weight["nbytes"] == WEIGHT.nbytes
    copied = forge_mlir.compile(source, tmp_path / "copied")
    assert artifact.weights_path.stat().st_size <= copied.weights_path.stat().st_size - WEIGHT.nbytes
    (tmp_path / "here").rename(tmp_path / "there")  # The files are found because they were moved together.
    artifact = forge_mlir.Artifact.open(tmp_path / "there" / "out")
    x = np.ones((2, 64), np.float32)
    np.testing.assert_array_equal(forge_mlir.run(artifact, {"x": x})["y"], forge_mlir.run(copied, {"x": x})["y"])
    assert artifact.referenced_weights() == {(weight["file"], weight["offset"], WEIGHT.nbytes)}
    assert not copied.referenced_weights()
    module = load_namespace(artifact.module_path, None)["load"]()
    assert torch.equal(module.get_parameter(weight["name"]).value(), torch.from_numpy(WEIGHT))


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    onnx.save(model(), tmp_path / "net.onnx", save_as_external_data=True, location="net.data", size_threshold=0)
    artifact = forge_mlir.compile(tmp_path / "net.onnx", tmp_path / "out", weights="reference")
    data = bytearray((tmp_path / "net.data").read_bytes())
    data[100] ^= 1
    (tmp_path / "net.data").write_bytes(data)
    with pytest.raises(forge_mlir.ForgeError, match="does not hold the weight"):
        forge_mlir.run(artifact, {"x": np.ones((2, 64), np.float32)})


def test_sets_and_the_summary(tmp_path: Path) -> None:
    proto = model()
    for value in (*proto.graph.input, *proto.graph.output):
        value.type.tensor_type.shape.dim[0].dim_param = "n"
    onnx.save(proto, tmp_path / "net.onnx")
    sets = ["--shapes", "a: x=1x64", "--shapes", "b: x=2x64"]
    done = run_command("compile", "net.onnx", "--weights=reference", "-o", "out", *sets, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"; 1 left in the model's files, {WEIGHT.nbytes:,} bytes; " in done.stderr


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    onnx.save(model(), tmp_path / "net.onnx")
    artifact = forge_mlir.compile(tmp_path / "net.onnx", tmp_path / "out", weights="reference")
    (tmp_path / "net.onnx").unlink()
    with pytest.raises(forge_mlir.ForgeError, match=r"net\.onnx is not there, .*--weights=reference"):
        forge_mlir.run(artifact, {"x": np.ones((2, 64), np.float32)})

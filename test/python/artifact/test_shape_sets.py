"""Several sets of input shapes in one artifact."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import ModelProto, TensorProto, helper, numpy_helper
from safetensors import safe_open

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.artifact.reseal import reseal
from forge_mlir.execute.device_module import load_namespace
from sample_models.goldens import assert_same
from sample_models.tools import run_command

WEIGHT = np.random.default_rng(3).standard_normal((16, 16)).astype(np.float32)
SHAPES = {"prefill": {"x": [1, 8, 16]}, "decode": {"x": [1, 1, 16]}}


def product() -> ModelProto:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, "seq", 16]) for name in "xy")
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"], "product"),
        helper.make_node("Add", ["a", "b"], ["y"], "sum"),
    ]
    weights = [numpy_helper.from_array(WEIGHT, "w"), numpy_helper.from_array(WEIGHT[0], "b")]
    graph = helper.make_graph(nodes, "net", [x], [y], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


def test_sets_share_weights_and_are_chosen_by_shape(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(product(), tmp_path / "here", shapes=SHAPES)
    (tmp_path / "here").rename(tmp_path / "there")
    artifact = forge_mlir.Artifact.open(tmp_path / "there")
    with safe_open(artifact.weights_path, framework="np") as weights:
        assert sorted(weights.keys()) == ["b", "w"]
    for size in (8, 1):
        x = np.random.default_rng(size).standard_normal((1, size, 16)).astype(np.float32)
        expected = x @ WEIGHT + WEIGHT[0]
        assert_same(forge_mlir.run(artifact, {"x": x})["y"], expected)
    load = load_namespace(artifact.module_path, None)["load"]
    module = load("decode")
    assert type(module).__name__ == "NetDecode"
    assert_same(module(torch.from_numpy(x)).value().numpy(), expected)
    assert type(load()).__name__ == "NetPrefill"


def test_wrong_shapes_and_names_are_refused(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(product(), tmp_path, shapes=SHAPES)
    with pytest.raises(ForgeError, match=r"no shape set takes 'x' \[1, 2, 16\]: 'prefill' takes"):
        forge_mlir.run(artifact, {"x": np.zeros((1, 2, 16), np.float32)})
    with pytest.raises(ForgeError, match="no shape set 'other'; there are 'prefill', 'decode'"):
        artifact.shape_set("other")
    with pytest.raises(ForgeError, match="two of the modules would write 'net_a"):
        forge_mlir.compile(product(), tmp_path / "twice", shapes={"a": {"x": (1, 8, 16)}, "A": {"x": (1, 1, 16)}})
    with pytest.raises(ForgeError, match=r"FM2006.*cannot be called"):
        forge_mlir.compile(product(), tmp_path, shapes={"a b": {"x": [1, 1, 16]}})
    (tmp_path / "net_decode.json").write_text("{}")
    with pytest.raises(ForgeError, match="not the file that the manifest describes"):
        artifact.shape_set("decode")


def test_an_artifact_of_sets_is_replaced_and_sealed(tmp_path: Path) -> None:
    for _ in range(2):
        forge_mlir.compile(product(), tmp_path, shapes=SHAPES)
    names = ["net.json", "net.py", "net.safetensors"]
    names += [f"net_{name}.{kind}" for name in ("decode", "prefill") for kind in ("json", "py")]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    x = {"x": np.ones((1, 1, 16), np.float32)}
    for name in ("net_decode.py", "net.py"):
        part = tmp_path / name
        part.write_text(part.read_text() + "# mine\n")
        with pytest.raises(ForgeError, match=f"{name} is not the file"):
            forge_mlir.run(forge_mlir.Artifact.open(tmp_path), x)
        assert reseal(tmp_path) == (name,)
        forge_mlir.run(forge_mlir.Artifact.open(tmp_path), x)


def test_the_command(tmp_path: Path) -> None:
    onnx.save(product(), tmp_path / "net.onnx")
    (tmp_path / "more.json").write_text(json.dumps({"chunk": {"x": [1, 4, 16]}}))

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        return run_command(*words, cwd=tmp_path)

    sets = ["--shapes", "decode: x=1x1x16", "--shapes", "more.json"]
    compiled = run("compile", "net.onnx", "-o", "out", *sets)
    assert compiled.returncode == 0, compiled.stderr
    assert "shape sets decode, chunk" in compiled.stderr
    np.save(tmp_path / "x.npy", np.ones((1, 4, 16), np.float32))
    for words, shape in (((), "[1, 1, 16]"), (("-i", "x.npy"), "[1, 4, 16]")):
        ran = run("run", "out", *words)
        assert ran.stdout == f"y: float32 {shape}\n", ran.stderr
    for wrong in ("decode ids=1", "decode: x=1y1", "missing.json"):
        assert run("compile", "net.onnx", "--shapes", wrong).returncode == 2

"""Partitioned models: the device of each node, and that the results of the sequence are those of onnxruntime."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.execute.partitioned_model import PartitionedModel
from forge_mlir.execute.values.torch_values import to_numpy
from sample_models.goldens import assert_same

X = helper.make_tensor_value_info("x", TensorProto.FLOAT, [8, 8])
node = helper.make_node
rng = np.random.default_rng(7)
WEIGHT = rng.standard_normal((8, 8)).astype(np.float32)


def model(nodes: list[NodeProto], outputs: dict[str, int], *tensors: TensorProto, opset: int = 17) -> ModelProto:
    infos = [helper.make_tensor_value_info(name, dtype, None) for name, dtype in outputs.items()]
    graph = helper.make_graph(nodes, "g", [X], infos, [numpy_helper.from_array(WEIGHT, "w"), *tensors])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)


def products(opset: int = 17) -> ModelProto:
    """Det, which runs on the CPU, between two matrix products that share a weight."""
    nodes = [
        node("MatMul", ["x", "w"], ["a"], "first"),
        node("Det", ["a"], ["d"], "det"),
        node("Mul", ["a", "d"], ["c"], "scale"),
        node("MatMul", ["c", "w"], ["y"], "second"),
    ]
    return model(nodes, {"y": TensorProto.FLOAT}, opset=opset)


def regions(artifact: forge_mlir.Artifact) -> list[tuple[str, list[str]]]:
    return [(region["kind"], [n["op"] for n in region["nodes"]]) for region in artifact.manifest()["partitions"]]


def agrees(proto: ModelProto, artifact: forge_mlir.Artifact, **more: Any) -> None:
    inputs = {"x": rng.standard_normal((8, 8)).astype(np.float32), **more}
    golden = onnxruntime.InferenceSession(proto.SerializeToString()).run(None, inputs)
    got = forge_mlir.run(artifact, inputs)
    for value, expected in zip(got.values(), golden, strict=True):
        assert_same(value, expected)


def test_error_is_the_default(tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match="1 error"):
        forge_mlir.compile(products(), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_cpu_node_between_two_device_partitions(tmp_path: Path) -> None:
    proto = products()
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu", name="net")
    assert regions(artifact) == [("device", []), ("cpu", ["Det"]), ("device", [])]
    agrees(proto, artifact)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "net.json", "net.py", "net.safetensors", "net_cpu1.onnx", "net_cpu1.py", "net_device0.json", "net_device0.py",
        "net_device2.json", "net_device2.py"]  # fmt: skip


def test_a_partitioned_model_is_one_artifact(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(products(), tmp_path, fallback="cpu", name="net")
    assert forge_mlir.Artifact.open(tmp_path) == artifact


def test_the_shared_weight_is_stored_once(tmp_path: Path) -> None:
    proto = weight_on_both_sides()
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu", name="net")
    data = (tmp_path / "net.safetensors").read_bytes()
    header = json.loads(data[8 : 8 + struct.unpack("<Q", data[:8])[0]])
    assert list(header) == ["w"]
    agrees(proto, artifact)


def weight_on_both_sides() -> ModelProto:
    """A weight of 4 KB in both device partitions and, as external data, in the CPU partition."""
    big = np.asarray(rng.standard_normal((32, 32)), np.float32)
    nodes = [
        node("Concat", ["x", "x", "x", "x"], ["wide"], "wide", axis=1),
        node("MatMul", ["wide", "w"], ["a"], "first"),
        node("Det", ["w"], ["d"], "det"),
        node("Mish", ["a"], ["m"], "mish"),
        node("Mul", ["m", "d"], ["c"], "scale"),
        node("MatMul", ["c", "w"], ["y"], "second"),
    ]
    proto = model(nodes, {"y": TensorProto.FLOAT}, opset=18)
    proto.graph.initializer[0].CopyFrom(numpy_helper.from_array(np.eye(32, dtype=np.float32) + big / 64, "w"))
    return proto


def test_dynamic_outputs_come_from_the_last_cpu_partition(tmp_path: Path) -> None:
    nodes = [
        node("MatMul", ["x", "w"], ["a"], "first"),
        node("Relu", ["a"], ["b"], "relu"),
        node("NonZero", ["b"], ["found"], "where"),
        node("Transpose", ["found"], ["y"], "rows", perm=[1, 0]),
    ]
    proto = model(nodes, {"y": TensorProto.INT64})
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu")
    assert regions(artifact) == [("device", []), ("cpu", ["NonZero", "Transpose"])]
    agrees(proto, artifact)


def test_control_flow_on_data(tmp_path: Path) -> None:
    """The branches have results of different shapes, and use a value of the enclosing graph."""

    def branch(op: str, name: str) -> onnx.GraphProto:
        out = helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
        return helper.make_graph([node(op, ["a"], [name], f"{op} inside")], op, [], [out])

    nodes = [
        node("MatMul", ["x", "w"], ["a"], "first"),
        node("ReduceSum", ["a"], ["sum"], "sum", keepdims=0),
        node("Greater", ["sum", "zero"], ["positive"], "positive"),
        node("If", ["positive"], ["y"], "if", then_branch=branch("Relu", "t"), else_branch=branch("ReduceMax", "e")),
    ]
    proto = model(nodes, {"y": TensorProto.FLOAT}, numpy_helper.from_array(np.float32(0), "zero"))
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu")
    assert regions(artifact) == [("device", []), ("cpu", ["If"])]
    for _ in range(4):
        agrees(proto, artifact)


def test_ops_are_sent_to_either_side(tmp_path: Path) -> None:
    odd = "soft, {odd} = 100% 'näme'"
    nodes = [
        node("MatMul", ["x", "w"], ["a"], "first"),
        node("Softmax", ["a"], ["b"], odd),
        node("MatMul", ["b", "w"], ["y"], "second"),
    ]
    proto = model(nodes, {"y": TensorProto.FLOAT})
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu", cpu_ops=["Softmax"], device_ops=["first"])
    assert regions(artifact) == [("device", []), ("cpu", ["Softmax"]), ("device", [])]
    agrees(proto, artifact)
    for wrong, reason in (
        ({"cpu_ops": ["Gelu"]}, "there is no node or op 'Gelu'"),
        ({"cpu_ops": [odd], "max_partitions": 2}, "needs 3 partitions, but at most 2"),
        ({"cpu_ops": ["no, 'such' {node}"]}, "there is no node or op 'no, 'such' {node}'"),
    ):
        with pytest.raises(ForgeError) as caught:
            forge_mlir.compile(proto, tmp_path, fallback="cpu", **wrong)  # type: ignore[arg-type]
        assert reason in "\n".join(map(str, (*caught.value.diagnostics, caught.value.message)))
        assert not any(found.onnx_node for found in caught.value.diagnostics)  # These are no errors of a node.


def only_det() -> ModelProto:
    return model([node("Det", ["x"], ["y"])], {"y": TensorProto.FLOAT})


def test_a_swapped_graph_is_found(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(only_det(), tmp_path, fallback="cpu")
    (tmp_path / "g_cpu0.onnx").write_bytes(products().SerializeToString())
    with pytest.raises(ForgeError, match="not the file that the manifest describes"):
        forge_mlir.run(artifact, {"x": np.ones((8, 8), np.float32)})


def test_inputs_are_checked(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(only_det(), tmp_path, fallback="cpu")
    for inputs, reason in (
        ({}, "expected inputs 'x'"),
        ({"x": np.ones((8, 8))}, "expected dtype float32, but got float64"),
        ({"x": np.ones((8, 7), np.float32)}, "expected shape"),
    ):
        with pytest.raises(ForgeError, match=reason):
            forge_mlir.run(artifact, inputs)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_outputs_of_a_call_are_tensors_if_an_input_is(dtype: torch.dtype, tmp_path: Path) -> None:
    kind = TensorProto.FLOAT if dtype == torch.float32 else TensorProto.BFLOAT16
    x, y = (helper.make_tensor_value_info(name, kind, [8, 8]) for name in "xy")
    graph = helper.make_graph([node("Identity", ["x"], ["y"], "identity")], "g", [x], [y])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu", cpu_ops=["identity"])
    called = PartitionedModel.open(artifact.manifest_path)
    given = torch.eye(8, dtype=dtype)
    found = called(given)
    assert isinstance(found, torch.Tensor)
    assert torch.equal(found, given)
    assert isinstance(called(to_numpy(given)), np.ndarray)


def test_same_bytes_twice(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        forge_mlir.compile(products(), tmp_path / folder, fallback="cpu", name="net")
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()

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
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.execute.values.random_inputs import random_inputs
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


def test_a_model_without_ir_runs_as_a_whole(tmp_path: Path) -> None:
    """2-bit integers have no IR type."""
    graph = helper.make_graph(
        [node("Cast", ["x"], ["y"], to=TensorProto.INT2)],
        "g",
        [X],
        [helper.make_tensor_value_info("y", TensorProto.INT2, [8, 8])],
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)])
    with pytest.raises(ForgeError, match="INT2"):
        forge_mlir.compile(proto, tmp_path)
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu")
    assert regions(artifact) == [("cpu", ["Model"])]
    assert "whole model" in str(artifact.warnings[0])
    (y,) = forge_mlir.run(artifact, {"x": np.ones((8, 8), np.float32)}).values()
    assert np.array_equal(y.astype(np.int8), np.ones((8, 8), np.int8))


def dictionaries() -> ModelProto:
    """The default output of scikit-learn's converter: a ZipMap, whose maps have no IR type."""
    zipped = helper.make_sequence_type_proto(
        helper.make_map_type_proto(TensorProto.INT64, helper.make_tensor_type_proto(TensorProto.FLOAT, []))
    )
    graph = helper.make_graph(
        [helper.make_node("ZipMap", ["x"], ["y"], domain="ai.onnx.ml", classlabels_int64s=[4, 5])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 2])],
        [helper.make_value_info("y", zipped)],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


@pytest.mark.parametrize("given", [{"input_shapes": {"x": (3, 2)}}, {"dims": {"rows": 3}}], ids=["shapes", "dims"])
def test_a_model_without_ir_takes_sizes(given: dict[str, Any], tmp_path: Path) -> None:
    """As in luscinia, which was refused because of such options."""
    artifact = forge_mlir.compile(dictionaries(), tmp_path, fallback="cpu", **given)
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    (y,) = forge_mlir.run(artifact, {"x": x}).values()
    assert list(y) == [dict(zip((4, 5), row, strict=True)) for row in x.tolist()]
    with pytest.raises(ForgeError, match="3"):
        forge_mlir.run(artifact, {"x": x[:2]})


def test_random_inputs_fit_a_model_without_ir(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(dictionaries(), tmp_path, name="some", fallback="cpu")
    with pytest.raises(ForgeError, match="no random values for 'x'"):  # The number of rows is unknown.
        random_inputs(artifact.manifest())
    artifact = forge_mlir.compile(dictionaries(), tmp_path, name="fixed", fallback="cpu", input_shapes={"x": (3, 2)})
    inputs = random_inputs(artifact.manifest())
    assert {name: (value.dtype.name, value.shape) for name, value in inputs.items()} == {"x": ("float32", (3, 2))}
    assert forge_mlir.run(artifact, inputs)
    with pytest.raises(ForgeError, match=r"expected shape \[3, 2\], but got \[2, 2\]"):
        forge_mlir.run(artifact, {"x": np.zeros((2, 2), np.float32)})


def test_declared_sizes_of_outputs_do_not_bind_a_model_without_ir(tmp_path: Path) -> None:
    """As in luscinia: LightGBM's exporter declares the shape [1] for the labels of all rows."""
    proto = dictionaries()
    proto.graph.node.append(helper.make_node("ArgMax", ["x"], ["label"], axis=1, keepdims=0))
    proto.graph.output.append(helper.make_tensor_value_info("label", TensorProto.INT64, [1]))
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu")
    found = forge_mlir.run(artifact, {"x": np.float32([[1, 2], [4, 3], [5, 6]])})
    assert found["label"].tolist() == [1, 0, 1]


def test_a_model_without_ir_takes_values(tmp_path: Path) -> None:
    x = np.ones((1, 2), np.float32)
    artifact = forge_mlir.compile(dictionaries(), tmp_path, fallback="cpu", bind={"x": x})
    (y,) = forge_mlir.run(artifact, {}).values()
    assert list(y) == [{4: 1.0, 5: 1.0}]


def test_sizes_that_do_not_fit_a_model_without_ir_are_refused(tmp_path: Path) -> None:
    for given, reason in (
        ({"input_shapes": {"x": (3, 4)}}, r"shape \[3, 4\] contradicts the model"),
        ({"dims": {"batch": 3}}, "no input has a dimension 'batch'"),
        ({"extract_outputs": ["x"]}, "map type are not supported"),
    ):
        with pytest.raises(ForgeError, match=reason):
            forge_mlir.compile(dictionaries(), tmp_path, fallback="cpu", **given)  # type: ignore[arg-type]


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


def test_same_bytes_twice(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        forge_mlir.compile(products(), tmp_path / folder, fallback="cpu", name="net")
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()

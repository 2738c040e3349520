"""The contents of an ONNX file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from forge_mlir import ForgeError
from forge_mlir.report.inspection import inspect_model
from sample_models.small import one_node


def test_inspection(tmp_path: Path) -> None:
    weight = numpy_helper.from_array(np.ones((3, 5), np.float32), "w")
    values = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 3]),
        helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 5]),
    ]
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"]),
        helper.make_node("Gelu", ["a"], ["b"]),
        helper.make_node("Relu", ["b"], ["c"]),
        helper.make_node("Relu", ["c"], ["y"]),
    ]
    graph = helper.make_graph(nodes, "g", values[:1], values[1:], [weight])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10, producer_name="me")
    onnx.save(model, tmp_path / "net.onnx")
    found = inspect_model(tmp_path / "net.onnx", refusals=False)
    assert (found.nodes, found.opsets, found.producer, found.ir_version) == (4, {"": 20}, "me", 10)
    assert found.inputs["x"].shape == ("batch", 3)
    assert [(row.op, row.count, row.converter) for row in found.ops[:1]] == [("Relu", 2, "yes")]
    assert [(row.dtype, row.tensors, row.elements, row.bytes) for row in found.weights] == [("float32", 1, 15, 60)]
    assert found.largest[0] == ("w", "float32", (3, 5), 60)
    assert found.verdict is None
    assert found.bytes == (tmp_path / "net.onnx").stat().st_size


def test_inspection_counts_nodes_and_weights_outside_the_graph(tmp_path: Path) -> None:
    """A model with external weights, model functions, subgraphs, and ops without a converter."""
    body = helper.make_function("own", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])],
                                [helper.make_opsetid("", 20)])  # fmt: skip
    value = helper.make_tensor_value_info("t", TensorProto.FLOAT, [2])
    branch = helper.make_graph([helper.make_node("Relu", ["x"], ["t"])], "branch", [], [value])
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2]) for name in "xy")
    flag = helper.make_tensor_value_info("flag", TensorProto.BOOL, [])
    nodes = [
        helper.make_node("If", ["flag"], ["c"], then_branch=branch, else_branch=branch),
        helper.make_node("Twice", ["c"], ["d"], domain="own"),
        helper.make_node("NoSuchOp", ["d", "w"], ["y"], domain="other"),
    ]
    weight = numpy_helper.from_array(np.ones(400, np.float64), "w")
    opsets = [helper.make_opsetid(name, version) for name, version in (("", 20), ("own", 1), ("other", 3))]
    graph = helper.make_graph(nodes, "g", [x, flag], [y], [weight])
    model = helper.make_model(graph, opset_imports=opsets, functions=[body], ir_version=10)
    onnx.save(model, tmp_path / "net.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    found = inspect_model(tmp_path / "net.onnx")
    assert {row.op: (row.count, row.converter) for row in found.ops} == {
        "If": (1, "yes"), "Relu": (2, "yes"), "Twice": (1, "model"), "NoSuchOp": (1, "no"),
    }  # fmt: skip
    assert (found.functions, found.weights[0].bytes) == (1, 3200)
    assert found.verdict is not None
    assert not found.verdict.supported


def test_names_that_are_not_utf8_are_refused(tmp_path: Path) -> None:
    data = one_node("Relu", [2]).SerializeToString()
    (tmp_path / "net.onnx").write_bytes(data.replace(b"\x0a\x01y", b"\x0a\x01\xff"))
    with pytest.raises(ForgeError, match=r"FM0102.*net.onnx: a name in it is not valid UTF-8: b'\\xff'"):
        inspect_model(tmp_path / "net.onnx")

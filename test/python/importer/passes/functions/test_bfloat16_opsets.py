"""Ops take bfloat16 in opsets in which ONNX does not allow it yet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import forge_mlir

RANDOM = np.random.default_rng(0)


def _model(node: onnx.NodeProto, opset: int, shape: tuple[int, ...], **weights: Any) -> onnx.ModelProto:
    code = TensorProto.BFLOAT16
    values = {name: np.asarray(value).astype(ml_dtypes.bfloat16) for name, value in weights.items()}
    graph = helper.make_graph(
        [node],
        "g",
        [helper.make_tensor_value_info("x", code, shape)],
        [helper.make_tensor_value_info(name, code, None) for name in node.output if name],
        [helper.make_tensor(name, code, each.shape, each.tobytes(), raw=True) for name, each in values.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def _verdict(model: onnx.ModelProto, x: Any, tmp_path: Path) -> str:
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    return str(forge_mlir.verify(path, {"x": np.asarray(x).astype(ml_dtypes.bfloat16)}).verdict)


def _recurrent(opset: int) -> onnx.ModelProto:
    node = helper.make_node("LSTM", ["x", "w", "r"], ["", "y"], hidden_size=4)
    w, r = RANDOM.standard_normal((1, 16, 3)), RANDOM.standard_normal((1, 16, 4))
    return _model(node, opset, (5, 2, 3), w=w, r=r)


def _convolution(opset: int) -> onnx.ModelProto:
    node = helper.make_node("Conv", ["x", "w"], ["y"])
    return _model(node, opset, (1, 3, 6, 6), w=RANDOM.standard_normal((4, 3, 3, 3)))


def _largest(opset: int) -> onnx.ModelProto:
    node = helper.make_node("TopK", ["x", "k"], ["y", "at"], axis=1)
    model = _model(node, opset, (3, 17))
    model.graph.output.pop()
    model.graph.initializer.append(onnx.numpy_helper.from_array(np.array([5]), "k"))
    return model


def _einsum(opset: int) -> onnx.ModelProto:
    node = helper.make_node("Einsum", ["x", "w"], ["y"], equation="ij,jk->ik")
    return _model(node, opset, (3, 8), w=RANDOM.standard_normal((8, 4)))


@pytest.mark.parametrize("build", [_recurrent, _convolution, _largest, _einsum])
@pytest.mark.parametrize("opset", [18, 20, 22])
def test_ops_accept_bfloat16_in_opsets_before_onnx_does(build: Any, opset: int, tmp_path: Path) -> None:
    model = build(opset)
    shape = [size.dim_value for size in model.graph.input[0].type.tensor_type.shape.dim]
    assert _verdict(model, np.random.default_rng(3).standard_normal(shape), tmp_path) == "right"


def test_an_op_whose_meaning_changed_is_not_read_as_its_successor(tmp_path: Path) -> None:
    node = helper.make_node("AveragePool", ["x"], ["y"], kernel_shape=[2, 2])
    with pytest.raises(forge_mlir.ForgeError, match="bfloat16"):
        _verdict(_model(node, 18, (1, 2, 4, 4)), np.zeros((1, 2, 4, 4)), tmp_path)

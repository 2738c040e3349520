"""Models for which shape inference would take unbounded memory or time are refused."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from sample_models.importing import model, node, refusal, value

X, Y = value("x", 2, 3), value("y", 2, 3)


def shape_vector(*sizes: int) -> onnx.NodeProto:
    return helper.make_node("Constant", [], ["s"], value=numpy_helper.from_array(np.array(sizes)))


def numbers(*values: float) -> list[onnx.NodeProto]:
    arrays = [np.array(number) for number in values]
    return [
        helper.make_node("Constant", [], [f"n{at}"], value=numpy_helper.from_array(array))
        for at, array in enumerate(arrays)
    ]


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ([shape_vector(1 << 60), node("ConstantOfShape", "s", "y", "fill")], ["'fill'", "elements"]),
        ([shape_vector(1 << 31, 1 << 31), node("ConstantOfShape", "s", "y", "fill")], ["'fill'", "elements"]),
        ([shape_vector(1 << 30), node("ConstantOfShape", "s", "t", "fill", value=helper.make_tensor("", 7, [1], [2])),
          node("Expand", "x t", "y")], ["'fill'", "1073741824 elements"]),
        ([shape_vector(1 << 40), node("ConstantOfShape", "s", "t", "fill"), node("Add", "t t", "y")],
         ["'fill'", "1099511627776 elements"]),
        ([*numbers(0, 10**9, 1), node("Range", "n0 n1 n2", "y", "r")], ["'r' (Range)", "1000000000 elements"]),
        ([*numbers(9.0, -1e9, -0.5), node("Range", "n0 n1 n2", "y", "r")], ["'r' (Range)", "2000000018 elements"]),
        ([node("Reshape", "x huge", "y", "r")], ["'r' (Reshape)", "1000000000 dimensions"]),
        ([node("Expand", "x huge", "y", "e")], ["'e' (Expand)", "1000000000 dimensions"]),
        ([node("Einsum", "x x", "y", "q", equation="i.j,jk->ik")], ["'q' (Einsum)", "'i.j,jk->ik'", "ellipsis"]),
        ([node("Einsum", "x x", "y", "q", equation="....,jk->")], ["'q' (Einsum)", "ellipsis"]),
    ],
)  # fmt: skip
def test_endless_models(nodes: list[onnx.NodeProto], words: list[str]) -> None:
    huge = value("huge", 10**9, dtype=TensorProto.INT64)
    proto = model(nodes, [X, huge], [Y])
    proto.graph.output[0].type.tensor_type.ClearField("shape")
    refusal(proto, *words)

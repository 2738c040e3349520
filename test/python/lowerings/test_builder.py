"""Numbers and texts of lowerings that the native module cannot take."""

from __future__ import annotations

from pathlib import Path

import pytest
from onnx import TensorProto, helper

import forge_mlir
from forge_mlir.errors import ForgeError
from forge_mlir.lowerings import Builder, Node, Value


def compiled(function: object, tmp_path: Path) -> None:
    x, y = (helper.make_tensor_value_info(name, TensorProto.INT32, [2]) for name in "xy")
    graph = helper.make_graph([helper.make_node("Op", ["x"], ["y"], domain="d")], "g", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("d", 1)], ir_version=8)
    lowering = forge_mlir.lowering("d", "Op")(function)  # type: ignore[arg-type]
    forge_mlir.compile(model, tmp_path, lowerings=[lowering])


@pytest.mark.parametrize("number", [2.5, 3e9, float("nan"), float("inf"), -(2.0**31) - 1])
def test_a_scalar_that_is_no_integer(number: float, tmp_path: Path) -> None:
    """It was cut off, or wrapped around."""

    def op(node: Node, b: Builder) -> Value:
        return b.add(node.input(0), b.scalar_like(node.input(0), number))

    with pytest.raises(ForgeError, match="is no number of type int32"):
        compiled(op, tmp_path)


def test_an_error_whose_text_is_no_utf8(tmp_path: Path) -> None:
    def op(_node: Node, _b: Builder) -> Value:
        raise ValueError("\ud800")

    with pytest.raises(ForgeError, match=r"ValueError: .*ud800"):
        compiled(op, tmp_path)

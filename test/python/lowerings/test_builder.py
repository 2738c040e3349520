"""Numbers and texts of lowerings that the native module cannot take."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
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


def test_integers_of_64_bits_are_exact(tmp_path: Path) -> None:
    """They were rounded to doubles, so that the largest one became the smallest."""
    numbers = [2**53 + 1, 2**63 - 1, 1 - 2**63, 7.0]

    def op(node: Node, b: Builder) -> Value:
        like = b.constant(0, "int64")
        found = [b.scalar_like(like, number).known() for number in numbers]
        assert [each.tolist() for each in found if each is not None] == numbers
        return node.input(0)

    compiled(op, tmp_path)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int64", "uint8", "bool", "bfloat16"])
@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (0, 3)])
def test_elements_that_are_all_equal_are_known(dtype: str, shape: tuple[int, ...], tmp_path: Path) -> None:
    """MLIR stores one of them."""
    ones = np.ones(shape, np.dtype(getattr(ml_dtypes, dtype, dtype)))

    def op(node: Node, b: Builder) -> Value:
        found = b.constant(ones).known()
        assert found is not None
        assert (found.dtype, found.shape, found.tolist()) == (ones.dtype, ones.shape, ones.tolist())
        return node.input(0)

    compiled(op, tmp_path)


def test_an_error_whose_text_is_no_utf8(tmp_path: Path) -> None:
    def op(_node: Node, _b: Builder) -> Value:
        raise ValueError("\ud800")

    with pytest.raises(ForgeError, match=r"ValueError: .*ud800"):
        compiled(op, tmp_path)

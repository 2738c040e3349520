"""Values with several users, next to scales and biases that could be folded into weights: the results are those of
onnxruntime."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from onnx import NodeProto

from sample_models.node_models import assert_right, node, random

SQUARE = [node("MatMul", "x w", "p"), node("MatMul", "p p", "s"), node("Mul", "s c", "y")]
TRANSPOSED = [
    node("MatMul", "x w", "p"),
    node("Transpose", "p", "t", perm=[0, 2, 1]),
    node("MatMul", "p t", "s"),
    node("Mul", "s c", "y"),
]
HEADS = [
    node("MatMul", "x w", "p"),
    node("Reshape", "p heads", "h"),
    node("Transpose", "h", "q", perm=[0, 2, 1, 3]),
    node("Transpose", "h", "k", perm=[0, 2, 3, 1]),
]
SCALED_SCORES = [*HEADS, node("MatMul", "q k", "s"), node("Mul", "s c", "y")]
SCALED_QUERIES = [*HEADS, node("Mul", "q c", "s"), node("MatMul", "s k", "y")]
RESIDUAL = [
    node("MatMul", "x w", "p"),
    node("MatMul", "p w2", "q"),
    node("Add", "p q", "s"),
    node("Mul", "s c", "y"),
]


@pytest.mark.parametrize("nodes", [SQUARE, TRANSPOSED, SCALED_SCORES, SCALED_QUERIES, RESIDUAL])
@pytest.mark.parametrize("shape", [(), (1,), (1, 1, 1)])
def test_a_projection_that_a_scaled_value_uses_twice(
    nodes: list[NodeProto], shape: tuple[int, ...], tmp_path: Path
) -> None:
    weights = {"w": random(8, 8), "w2": random(8, 8), "c": np.full(shape, 0.25, np.float32)}
    assert_right(nodes, {"x": random(2, 8, 8)}, weights | {"heads": np.array([2, 8, 2, 4])}, tmp_path)


def test_a_sum_with_an_addend_that_is_a_product_of_weights(tmp_path: Path) -> None:
    """The square root of a scale is folded into tables only if each addend has one. These tables are too large to be
    constants."""
    nodes = [
        node("Mul", "x z", "xz"),
        node("Mul", "a b", "ab"),
        node("Add", "xz ab", "q"),
        node("Mul", "u c", "uc"),
        node("Mul", "v d", "vd"),
        node("Add", "uc vd", "k"),
        node("Transpose", "k", "t", perm=[0, 2, 1]),
        node("MatMul", "q t", "s"),
        node("Mul", "s scale", "y"),
    ]
    weights: dict[str, npt.ArrayLike] = {name: random(40, 48) for name in "abcd"}
    inputs = {name: random(2, 40, 48) for name in "xzuv"}
    assert_right(nodes, inputs, weights | {"scale": np.float32(0.25)}, tmp_path)


@pytest.mark.parametrize("given", ["b", "g"])
def test_a_norm_of_which_scale_or_bias_is_an_input(given: str, tmp_path: Path) -> None:
    nodes = [node("LayerNormalization", "x g b", "n"), node("MatMul", "n w", "y")]
    weights: dict[str, npt.ArrayLike] = {"g": random(8), "b": random(8), "w": random(8, 5)}
    del weights[given]
    assert_right(nodes, {"x": random(2, 6, 8), given: random(8)}, weights, tmp_path)


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (1, 1, 1, 1)])
@pytest.mark.parametrize(
    ("x", "columns", "heads", "order"),
    [((1, 6, 8), 8, [1, 6, 2, 4], [0, 2, 1, 3]), ((30, 4), 1, [1, 1, 6, 5], [0, 1, 3, 2])],
)
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("op", ["Mul", "Div"])
def test_a_scale_with_more_axes_than_the_bias(
    shape: tuple[int, ...],
    x: tuple[int, ...],
    columns: int,
    heads: list[int],
    order: list[int],
    turned: bool,
    op: str,
    tmp_path: Path,
) -> None:
    nodes = [node("MatMul", "x w", "p"), node("Add", "p b", "q"), node("Reshape", "q heads", "h")]
    nodes += [node("Transpose", "h", "t", perm=order)] if turned else []
    nodes += [node(op, f"{'t' if turned else 'h'} c", "y")]
    weights: dict[str, npt.ArrayLike] = {"w": random(x[-1], columns), "b": random(columns), "heads": np.array(heads)}
    text = assert_right(nodes, {"x": random(*x)}, weights | {"c": np.full(shape, 0.25, np.float32)}, tmp_path)
    assert "forge.op.Multiply" not in text
    assert "forge.op.Divide" not in text


@pytest.mark.parametrize("op", ["Conv", "MatMul"])
@pytest.mark.parametrize("count", [8, 320])
@pytest.mark.parametrize("number", [0, np.inf])
def test_a_scale_of_which_one_element_is_zero_or_infinite(op: str, count: int, number: float, tmp_path: Path) -> None:
    """Folded into weights, it would make a sum of infinities of both signs, which is NaN. Of 320 elements the values
    are unknown at compile time."""
    x, w = (random(1, 4, 6, 6), random(count, 4, 3, 3)) if op == "Conv" else (random(2, 6, 8), random(8, count))
    scale = np.abs(random(count)) + 0.5
    scale[2] = number
    shape = (count, 1, 1) if op == "Conv" else (count,)
    nodes = [node(op, "x w", "p"), node("Mul" if number and count == 8 else "Div", "p s", "y")]
    assert_right(nodes, {"x": x}, {"w": w, "s": scale.reshape(shape)}, tmp_path)


@pytest.mark.parametrize("count", [8, 320])
def test_a_quotient_of_ordinary_weights(count: int, tmp_path: Path) -> None:
    """If elements may be zero, the reciprocal is folded into weights with --fast-math=reciprocal only."""
    weights = {"w": random(8, count), "s": np.abs(random(count)) + 0.5}
    nodes = [node("MatMul", "x w", "p"), node("Div", "p s", "y")]
    exact = assert_right(nodes, {"x": random(2, 6, 8)}, weights, tmp_path / "exact")
    assert ("forge.op.Divide" in exact) == (count == 320)
    fast = assert_right(nodes, {"x": random(2, 6, 8)}, weights, tmp_path / "fast", fast_math=["reciprocal"])
    assert "forge.op.Divide" not in fast

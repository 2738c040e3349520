"""x + c - c with a large c rounds x. It is not changed by folds of adjacent scales and biases, and rounds to the same
steps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from onnx import NodeProto

from sample_models.node_models import assert_right, node, random

LARGE = np.float32(12582912)
ROUNDINGS = {
    "difference": [node("Add", "p m", "s"), node("Sub", "s m", "r")],
    "sum": [node("Add", "p m", "s"), node("Add", "s minus", "r")],
}
ROWS = {
    "scale": [node("MatMul", "x w", "p"), "r", node("Mul", "r c", "y")],
    "scale_per_column": [node("MatMul", "x w", "p"), "r", node("Mul", "r g", "y")],
    "product": [node("Mul", "x g", "p"), "r", node("MatMul", "r w", "y")],
    "norm": [node("MatMul", "x w", "p"), "r", node("LayerNormalization", "r g b", "y")],
    "normed": [node("LayerNormalization", "x g b", "p"), "r", node("MatMul", "r w", "y")],
    "scores": [
        node("MatMul", "x w", "p"),
        "r",
        node("Transpose", "r", "t", perm=[0, 2, 1]),
        node("MatMul", "x t", "q"),
        node("Mul", "q c", "y"),
    ],
    "residual": [node("MatMul", "x w", "p"), "r", node("Add", "x r", "z"), node("LayerNormalization", "z g b", "y")],
}
IMAGES = {
    "scale": [node("Conv", "x w", "p"), "r", node("Mul", "r c", "y")],
    "scale_per_channel": [node("Conv", "x w", "p"), "r", node("Mul", "r g", "y")],
    "convolution": [node("Mul", "x g", "p"), "r", node("Conv", "r w", "y")],
    "sum": [node("Conv", "x w b", "p"), "r", node("Conv", "x v", "q", pads=[1] * 4), node("Add", "r q", "y")],
}


def with_rounding(steps: list[NodeProto | str], rounding: str) -> list[NodeProto]:
    """`steps`, with the nodes of `rounding` from p to r in place of the string "r"."""
    return [each for step in steps for each in (ROUNDINGS[rounding] if isinstance(step, str) else [step])]


@pytest.mark.parametrize("shape", [(), (8,), (1, 1, 1)])
@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("form", ROWS)
def test_rows(form: str, rounding: str, shape: tuple[int, ...], tmp_path: Path) -> None:
    large = np.full(shape, LARGE)
    weights: dict[str, npt.ArrayLike] = {"w": random(8, 8), "g": random(8), "b": random(8), "c": np.float32(0.3)}
    weights |= {"m": large, "minus": -large}
    assert_right(with_rounding(ROWS[form], rounding), {"x": 3 * random(2, 6, 8)}, weights, tmp_path)


@pytest.mark.parametrize("shape", [(), (4, 1, 1), (1, 1, 1, 1)])
@pytest.mark.parametrize("rounding", ROUNDINGS)
@pytest.mark.parametrize("form", IMAGES)
def test_images(form: str, rounding: str, shape: tuple[int, ...], tmp_path: Path) -> None:
    large = np.full(shape, LARGE)
    weights: dict[str, npt.ArrayLike] = {"w": random(4, 4, 1, 1), "v": random(4, 4, 3, 3), "b": random(4)}
    weights |= {"g": random(4, 1, 1), "c": np.float32(0.3), "m": large, "minus": -large}
    assert_right(with_rounding(IMAGES[form], rounding), {"x": 3 * random(1, 4, 6, 6)}, weights, tmp_path)


@pytest.mark.parametrize("size", [8, 64])
@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_weights(rounding: str, size: int, tmp_path: Path) -> None:
    nodes = [*ROUNDINGS[rounding], node("MatMul", "x r", "y")]
    weights: dict[str, npt.ArrayLike] = {"p": 3 * random(size, size), "m": LARGE, "minus": -LARGE}
    assert_right(nodes, {"x": random(2, size)}, weights, tmp_path)


def test_weights_of_float64(tmp_path: Path) -> None:
    large = np.float64(1.5 * 2**52)
    nodes = [*ROUNDINGS["difference"], node("Cast", "r", "rounded", to=1), node("MatMul", "x rounded", "y")]
    weights: dict[str, npt.ArrayLike] = {"p": 3 * random(64, 64).astype(np.float64), "m": large}
    assert_right(nodes, {"x": random(2, 64)}, weights, tmp_path)


@pytest.mark.parametrize("op", ["Conv", "MatMul"])
def test_the_scale_of_a_quantiser_is_not_folded_into_weights(op: str, tmp_path: Path) -> None:
    """If the inverse of the scale were folded into the weights, values near the middle between two steps would be
    rounded to the other one."""
    nodes = [
        node(op, "x w", "p"),
        node("QuantizeLinear", "p scale zero", "q"),
        node("DequantizeLinear", "q scale zero", "y"),
    ]
    x, w = (random(1, 4, 64, 64), random(16, 4, 1, 1)) if op == "Conv" else (random(1, 400, 8), random(8, 64))
    weights: dict[str, npt.ArrayLike] = {"w": w, "scale": np.float32(0.037), "zero": np.int8(3)}
    text = assert_right(nodes, {"x": x}, weights, tmp_path / "exact", limit=1e-6)
    assert "forge.op.Divide" in text
    allowed = assert_right(nodes, {"x": x}, weights, tmp_path / "fast", limit=0.05, fast_math=["reassociate"])
    assert "forge.op.Divide" not in allowed

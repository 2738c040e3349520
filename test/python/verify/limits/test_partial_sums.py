"""Summands that are added one by one: the error grows with the partial sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sample_models.bounds import EPS, bound


def bound_by_orders(op: str, x: np.ndarray, w: np.ndarray, **attributes: Any) -> float:
    """The increase of the bound of the first element by the partial sums of a product."""
    return float((bound(op, x, w, orders=True, **attributes) - bound(op, x, w, **attributes)).flat[0])


def test_partial_sums() -> None:
    """The partial sums rise to 32 and fall again: the root of the sum of their squares is that of a ramp. So
    do those of terms of alternating signs in each of eight separate sums, up to 8."""
    ramp = np.concatenate([np.ones(32), -np.ones(32)]).astype(np.float32)
    expected = EPS * 32 * np.sqrt(64 / 3)
    assert np.isclose(bound_by_orders("MatMul", np.float32([[1] * 64]), ramp[:, None]), expected, rtol=1e-3)
    assert np.isclose(bound_by_orders("MatMul", np.float32([[1] * 64]), ramp), expected, rtol=1e-3)
    assert np.isclose(bound_by_orders("Gemm", np.float32([[1] * 64]), ramp[None], transB=1), expected, rtol=1e-3)
    assert np.isclose(bound_by_orders("Gemm", np.float32([[1] * 64]), ramp[:, None]), expected, rtol=1e-3)
    image = np.ones((1, 4, 4, 4), np.float32)
    by_channel, by_tap = ramp.reshape(1, 4, 4, 4), ramp.reshape(4, 4, 4).transpose(2, 0, 1)[None]
    for kernel in (by_channel, by_tap):
        assert np.isclose(bound_by_orders("Conv", image, kernel), expected, rtol=1e-3)
    alternating = np.resize([1, -1], 64).astype(np.float32)
    separate = EPS * 8 * np.sqrt(64 / 3)
    assert np.isclose(bound_by_orders("MatMul", np.float32([[1] * 64]), alternating), separate, rtol=1e-3)
    short = np.ones((1, 8), np.float32)
    assert bound_by_orders("MatMul", short, short.T) == 0


@pytest.mark.parametrize(
    ("equation", "turned", "split"),
    [
        ("ij,jk->ik", False, False),
        ("ij, jk", False, False),
        ("...ij,...jk->...ik", False, False),
        ("ij,kj->ik", True, False),
        ("iab,abk->ik", False, True),
        ("iab,kba->ik", True, True),
    ],
)
def test_partial_sums_of_an_einsum(equation: str, turned: bool, split: bool) -> None:
    """As for the matrix product that it is."""
    x, w = np.ones((4, 64), np.float32), np.repeat(np.float32([[1, 1], [-1, -1]]), 32, axis=0)
    expected = bound("MatMul", x, w, orders=True)
    if split:
        x, w = x.reshape(4, 8, 8), w.reshape(8, 8, 2)
    w = w.T if turned else w
    np.testing.assert_allclose(bound("Einsum", x, w, orders=True, equation=equation), expected, rtol=1e-6)


def test_partial_sums_of_groups() -> None:
    """The channels of a group begin with the first one of the group."""
    ramp = np.concatenate([np.ones(8), -np.ones(8)]).astype(np.float32)
    x, kernel = np.ones((1, 32, 2, 2), np.float32), np.concatenate([ramp, ramp]).reshape(32, 1, 1, 1)
    found = bound_by_orders("ConvTranspose", x, kernel, group=2)
    assert np.isclose(found, EPS * 8 * np.sqrt(16 / 3), rtol=1e-3)


def test_means_of_equal_elements_have_a_rounding_bias() -> None:
    """The bound covers the error of adding in order in float32. Summands of alternating signs have no large partial
    sums."""
    even = np.full((1, 1, 60, 80), 1.1, np.float32)
    off = abs(np.cumsum(even, dtype=np.float32)[-1] / 4800 - np.float64(np.float32(1.1)))
    for op, attributes in (("GlobalAveragePool", {}), ("ReduceMean", {"axes": [2, 3]})):
        x = even if op == "GlobalAveragePool" else even + np.float32(0)
        operands = (x,) if not attributes else (x, np.array(attributes["axes"]))
        orders = bound(op, *operands, orders=True) - bound(op, *operands)
        assert (orders > 2 * off).all()
        assert (orders < 3 * off + 1e-4).all()
    alternating = even * np.where(np.arange(80) % 2, -1, 1).astype(np.float32)
    found = bound("GlobalAveragePool", alternating, orders=True) - bound("GlobalAveragePool", alternating)
    assert (found < 1e-8).all()

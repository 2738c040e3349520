"""The bounds of single ops: the error that each element of a correct result may have, derived from its own summands."""

from __future__ import annotations

import numpy as np
import pytest

from sample_models.bounds import EPS, bound
from sample_models.probe import weights


def test_movement_is_exact() -> None:
    x = weights(2, 3)
    assert not bound("Transpose", x).any()
    moved = bound("Transpose", x, errors={0: 1e-3})
    assert np.allclose(moved, 1e-3)


def test_each_element_has_its_own_unit() -> None:
    x = np.float32([1e-6, 1, 1e6])
    assert np.allclose(bound("Mul", x, np.ones_like(x)) / x, 2 * EPS, rtol=1e-3)


def test_a_step_function_is_discontinuous_only_at_its_threshold() -> None:
    x = np.float32([0.9999999, 0.5, 1.5])
    assert bound("Floor", x, errors={0: 1e-6}).tolist() == [1, 0, 0]
    assert not bound("Floor", x).any()


def test_the_square_root_of_a_tiny_value_has_its_relative_error() -> None:
    found = bound("Sqrt", np.float32([1e-8, 1.0]), errors={0: 1e-8})
    assert found[0] > 1e-5
    assert found[1] < 1e-6


def test_operands_that_are_added_do_not_multiply_errors() -> None:
    """The bias of a Gemm does not scale the error of an operand of the product."""
    a, b, c = weights(4, 8), weights(8, 4), 1e3 * weights(4)
    alone = bound("Gemm", a, b, c)
    assert (bound("Gemm", a, b, c, errors={0: 1e-7}) < alone + 1e-4).all()


@pytest.mark.parametrize("op", ["MatMul", "Gemm", "Conv"])
def test_small_summands_have_their_own_bound_next_to_large_ones(op: str) -> None:
    """Their squares are too small for float32."""
    x, w, scale = weights(2, 6), weights(6, 6), np.float32([[1], [1e-24]])
    if op == "Conv":
        x, w, scale = weights(1, 2, 6), weights(2, 1, 3), scale[None]
        whole, small = (bound(op, x * by, w, group=2) for by in (np.float32(1), scale))
    else:
        whole, small = (bound(op, x * by, w) for by in (np.float32(1), scale))
    assert np.allclose(small, whole * scale, rtol=1e-3, atol=0)


def test_a_value_that_is_both_factors_has_the_bound_of_two_equal_values() -> None:
    x = weights(6, 6)
    x[0] *= 1e-24
    for errors in ({}, {0: 1e-3}):
        twice = bound("MatMul", x, x, names=["x", "x"], errors=errors)
        separate = bound("MatMul", x, x.copy(), errors={at: 1e-3 for at in (0, 1) if errors})
        assert np.allclose(twice, separate, rtol=1e-6, atol=0)


def test_small_summands_do_not_count_the_bias_twice() -> None:
    a, b, c = weights(2, 6), weights(6, 6), 1e3 * weights(6)
    alone = bound("Gemm", a, b, c)
    a[0, 0] = 1e-24
    assert np.allclose(bound("Gemm", a, b, c), alone, rtol=1e-2, atol=0)


def test_an_interpolation_is_as_exact_as_adjacent_elements() -> None:
    x = np.ones((1, 1, 64, 16), np.float32)
    x[:, :, 2] = 1e6
    sizes = np.array([1, 1, 128, 16])
    found = bound("Resize", x, np.zeros(0, np.float32), np.zeros(0, np.float32), sizes, mode="linear")
    assert (found[:, :, :8] > 1).all()
    assert (found[:, :, 16:] < 1e-4).all()
    nearest = bound("Resize", x, np.zeros(0, np.float32), np.zeros(0, np.float32), sizes, mode="nearest")
    assert (nearest[:, :, 16:] < 1e-4).all()


def test_a_state_carries_its_rounding_through_a_sequence() -> None:
    """The error grows as far as the recurrence lets it."""
    x, w, r = weights(40, 1, 16), weights(1, 16, 16), weights(1, 16, 16)
    growing, fading = (bound("RNN", x, w, np.float32(by) * r, hidden_size=16) for by in (4, 0.1))
    assert growing[20:].max() > 1e-4
    assert fading[20:].max() < 3e-5


def test_cancellation_in_a_sampled_grid_has_the_rounding_of_its_summands() -> None:
    x = np.float32([[[[1e6, -1e6], [1e6, -1e6]], [[1, -1], [1, -1]]]])
    found = bound("GridSample", x, np.zeros((1, 1, 1, 2), np.float32))
    assert found[0, 0, 0, 0] > 0.1
    assert found[0, 1, 0, 0] < 1e-4


def test_a_product_of_one_row_may_be_summed_in_order() -> None:
    """BLAS does so. A missing summand is still larger than the bound, and products of several rows are summed in
    blocks."""
    x, w = weights(1, 4096), weights(4096, 16)
    terms = x.T * w
    step_by_step = np.add.accumulate(terms, axis=0, dtype=np.float32)[-1]
    exact, allowed = terms.sum(axis=0, dtype=np.float64), bound("MatMul", x, w)
    assert (np.abs(step_by_step - exact) < allowed).all()
    assert np.median(np.abs(terms) / allowed) > 5
    assert (bound("MatMul", np.repeat(x, 4, axis=0), w) < allowed / 2).all()


def test_updates_of_one_element_in_a_scatter_are_a_sum() -> None:
    data, indices = np.float32([0, 0, 2, 5]), np.array([0, 0, 2, 0])
    updates = np.float32([1000, -999, 3, 1])
    found = bound("ScatterElements", data, indices, updates, reduction="add")
    assert np.allclose(found, [EPS * np.sqrt(4) * 2000, 0, EPS * np.sqrt(2) * 5, 0])
    assert not bound("ScatterElements", data, indices[:1], updates[:1]).any()
    carried = bound("ScatterElements", data, indices, updates, errors={2: 1e-2}, reduction="add")
    assert np.allclose(carried - found, [3e-2, 0, 1e-2, 0])


def test_the_smaller_of_two_updates_may_have_the_error_of_the_larger_one() -> None:
    data, indices = np.float32([3, 4, 5]), np.array([0, 2])
    updates = np.float32([3, 1])
    found = bound("ScatterElements", data, indices, updates, errors={2: 1e-2}, reduction="min")
    assert np.allclose(found, [1e-2, 0, 1e-2])


def test_the_number_that_a_pad_writes_has_no_error() -> None:
    found = bound("Pad", weights(2, 3), errors={0: 1e-3}, opset=10, pads=[0, 1, 0, 0], value=5.0)
    assert np.allclose(found, [[0, 1e-3, 1e-3, 1e-3]] * 2)

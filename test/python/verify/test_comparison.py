"""The comparison of two arrays: elements, correlation, units in the last place, shapes and dtypes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from forge_mlir.verify import compare, compare_values
from forge_mlir.verify.comparison import Limits


def test_comparison() -> None:
    golden = np.array([1.0, -2.0, np.nan, np.inf], np.float32)
    assert compare("v", golden.copy(), golden).passed
    assert compare("v", np.array([1.0, -2.0, np.nan, -np.inf], np.float32), golden).reason
    assert compare("v", np.array([1.0, np.nan, np.nan, np.inf], np.float32), golden).reason
    near = golden.copy()
    near[0] = np.nextafter(np.float32(1), np.float32(2))
    row = compare("v", near, golden)
    assert (row.ulp, row.passed) == (1, True)
    assert row.max_abs == pytest.approx(1.19e-7, rel=1e-2)
    assert compare("v", np.array([-0.0], np.float32), np.array([0.0], np.float32)).ulp == 0
    halves = np.array([1, 2], ml_dtypes.bfloat16)
    assert compare("v", halves, halves).passed
    assert not compare("v", (halves * 2).astype(ml_dtypes.bfloat16), halves).passed
    assert compare("v", np.array([1, 2]), np.array([1, 3])).reason == "1 of 2 values differ"
    assert "shape" in compare("v", np.zeros((2, 1)), np.zeros(2)).reason
    assert "dtype" in compare("v", np.zeros(2, np.int32), np.zeros(2, np.int64)).reason


@pytest.mark.parametrize("kind", ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "bfloat16"])
def test_types_that_numpy_does_not_call_floats(kind: str) -> None:
    """NaN is equal to NaN, and a difference of subnormal numbers counts."""
    dtype = np.dtype(getattr(ml_dtypes, kind))
    tiny = float(ml_dtypes.finfo(dtype).smallest_subnormal)  # type: ignore[no-untyped-call]
    golden = np.array([1, np.nan, tiny], dtype)
    assert compare("v", golden.copy(), golden).passed
    assert not compare("v", np.array([1, 1, tiny], dtype), golden).passed
    if dtype.itemsize == 1:
        assert not compare("v", np.array([0], dtype), np.array([2 * tiny], dtype)).passed


def test_correlation_counts_where_values_vary_by_more_than_rounding() -> None:
    spread = np.linspace(-1, 1, 100, dtype=np.float32)
    for variation, counts in ((1e-2, True), (1e-6, False)):
        golden = 1 + variation * spread
        mirrored = 1 - variation * spread
        assert compare("v", mirrored, golden, Limits(1, 0.9999)).passed != counts


@pytest.mark.parametrize("kind", [np.float16, ml_dtypes.bfloat16])
def test_a_correlation_of_16_bits_is_not_significant(kind: type) -> None:
    """It was 0 for outputs slightly beyond their limits, which looked a hundred times worse."""
    golden = np.linspace(-1, 1, 100).astype(kind)
    other = golden.copy()
    other[0] += kind(0.125)
    row = compare("v", other, golden)
    assert not row.passed
    assert row.pcc == 1
    assert row.excess < 100
    constant = compare("v", np.zeros(100, np.float32), golden.astype(np.float32))
    assert constant.pcc == 0


def test_integers_that_are_equal_in_float64() -> None:
    row = compare("v", np.array([2**53 + 1]), np.array([2**53]), allowed=np.zeros(()))
    assert row.reason == "1 of 1 values differ"
    assert compare("v", np.array([2**53 + 1]), np.array([2**53]), allowed=np.ones(())).passed


def test_an_absent_optional_is_no_empty_sequence() -> None:
    part = np.zeros(2, np.float32)
    for value, golden in ((None, []), ([], None), ([[part], []], [[part]])):
        (row,) = compare_values({"v": value}, {"v": golden})
        assert not row.passed
    assert all(row.passed for value in (None, [], [[part], []]) for row in compare_values({"v": value}, {"v": value}))

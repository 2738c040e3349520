"""Limits of elements about which nothing else is known."""

from __future__ import annotations

import numpy as np

from forge_mlir.verify.comparison import OUTPUT_LIMITS, compare
from forge_mlir.verify.limits.units import is_another_meaning, last_bit, of_the_largest

EPS = float(np.finfo(np.float32).eps)


def test_each_element_may_be_off_by_its_unit() -> None:
    assert last_bit(np.float32([2, -0.5, np.inf])).tolist() == [2 * EPS, 0.5 * EPS, 0]
    assert last_bit(np.array([7])) == 0


def test_elements_of_whole_models() -> None:
    assert of_the_largest(np.float32([10, np.nan])).tolist() == [OUTPUT_LIMITS.relative, 0]
    assert of_the_largest(np.array([7])) == 0


def test_an_engine_that_computes_something_else() -> None:
    exact = np.array([1, 2, 3], np.float32)
    for value, is_other in ((exact * np.float32(1.01), True), (exact * np.float32(1 + 2 * EPS), False)):
        assert is_another_meaning(compare("y", value, exact), exact) == is_other

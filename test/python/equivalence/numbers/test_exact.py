"""Numbers of the exact layer that are rounded."""

from __future__ import annotations

import numpy as np
import pytest

from forge_mlir.equivalence.numbers.exact import Exact, ExactNumbers
from forge_mlir.equivalence.numbers.readings import Readings

LARGE = 12582912.0
# Two numbers that are no integers in the field.
NUMBERS = np.array([987654321987654321, 123456789123456789], dtype=np.uint64)


@pytest.fixture
def numbers() -> ExactNumbers:
    return ExactNumbers(Readings(seed=1))


def rounded(numbers: ExactNumbers, reals: list[float], large: float = LARGE) -> list[float]:
    """x + large - large"""
    constant = numbers.number(large)
    total = numbers.add_constant(Exact(NUMBERS[: len(reals)], np.array(reals)), constant)
    return [float(real) for real in numbers.subtract(total, constant).real]


def test_a_small_negative_number_does_not_round_to_above_zero(numbers: ExactNumbers) -> None:
    found = rounded(numbers, [-1e-34, -1e-34])
    assert set(found) <= {-1.0, 0.0}


def test_a_number_rounds_alike_with_another_rounding_error(numbers: ExactNumbers) -> None:
    assert rounded(numbers, [3 - 1e-7]) == rounded(numbers, [3 + 1e-7])


def test_a_sum_of_large_numbers_that_cancels_rounds_alike(numbers: ExactNumbers) -> None:
    assert rounded(numbers, [60000.5, 3 - 1e-3]) == rounded(numbers, [60000.5, 3 + 1e-3])


def test_a_number_rounds_to_multiples_of_each_step(numbers: ExactNumbers) -> None:
    """The numbers next to 2^23 are 1 apart, those next to 2^25 are 4 apart."""
    assert set(rounded(numbers, [8 - 1e-7])) <= {7.0, 8.0, 9.0}
    assert set(rounded(numbers, [8 - 1e-7], 1.5 * 2**25)) <= {4.0, 8.0, 12.0}


def test_exponents_of_large_numbers_have_finite_quotients(numbers: ExactNumbers) -> None:
    large = numbers.function("exp", Exact(NUMBERS[:1], np.array([5e33])))
    assert np.isfinite(numbers.divide(large, large).real).all()

"""The exact value that the exact layer assigns to a float constant."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from forge_mlir.equivalence.numbers import field
from forge_mlir.equivalence.numbers.field import P
from forge_mlir.equivalence.numbers.readings import Readings

A, B, C = (float(np.float32(number)) for number in (0.352421075, 1.7071823, -3.3141592))


def read(readings: Readings, number: float) -> int:
    return int(readings.of(np.array([number]))[0])


def rounded(number: float) -> float:
    return float(np.float32(number))


@pytest.fixture
def readings() -> Readings:
    """Readings with three constants that were read before any pass ran."""
    readings = Readings(seed=1)
    for number in (A, B, C):
        read(readings, number)
    readings.know_sizes([48, 1, 7])
    readings.derives = True
    return readings


@pytest.mark.parametrize("number", [0, 1, -3, 255, 12582777, 2**-20, 0.625, -768.5])
def test_integers_and_short_fractions_are_exact(readings: Readings, number: float) -> None:
    numerator, denominator = float(number).as_integer_ratio()
    assert read(readings, number) * denominator % P == numerator % P


def test_signs_and_powers_of_two_are_free(readings: Readings) -> None:
    assert read(readings, -8 * A) == -8 * read(readings, A) % P


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1 / A, lambda x: pow(x[0], -1, P)),
        (A * B, lambda x: x[0] * x[1]),
        (A / C, lambda x: x[0] * pow(x[2], -1, P)),
        (B - A, lambda x: x[1] - x[0]),
        (A + C, lambda x: x[0] + x[2]),
        (A * B * C, lambda x: x[0] * x[1] * x[2]),
        (1 / 48, lambda _: pow(48, -1, P)),
        (A * 7, lambda x: x[0] * 7),
        (0.1, lambda _: pow(10, -1, P)),
    ],
)
def test_the_rounded_result_of_an_expression_is_read_as_the_expression(
    readings: Readings, number: float, expected: Callable[[list[int]], int]
) -> None:
    assert read(readings, rounded(number)) == expected([read(readings, known) for known in (A, B, C)]) % P


def test_roots(readings: Readings) -> None:
    assert pow(read(readings, rounded(0.5**0.5)), 2, P) * 2 % P == 1
    root = read(readings, rounded(A**0.5))
    assert root == int(field.root(np.array([read(readings, A)], dtype=np.uint64))[0])
    assert pow(root, 2, P) == read(readings, A), "constants that are positive are squares"


def test_the_nearest_expression_comes_before_a_close_one() -> None:
    """One attention multiplies queries and keys by 2^-1.25 each, another their product by 2^-2.5. The square of the
    former float32 is not the latter, but close to it."""
    readings = Readings(seed=1)
    each = rounded(2**-1.25)
    assert rounded(each * each) != rounded(2**-2.5)
    number = read(readings, each)
    read(readings, rounded(2**-2.5))
    readings.derives = True
    assert read(readings, rounded(each * each)) == number * number % P


@pytest.mark.parametrize("factor", [1.0005, 0.9999, 1.000003])
def test_a_wrong_result_is_not_read_as_the_expression(readings: Readings, factor: float) -> None:
    product = read(readings, A) * read(readings, B) % P
    assert read(readings, rounded(A * B * factor)) != product


def test_an_unrecognised_constant_gets_a_new_value() -> None:
    readings = Readings(seed=1)
    a, b, product = (read(readings, number) for number in (A, B, rounded(A * B)))
    assert product != a * b % P


def test_constants_that_a_pass_may_have_computed_are_uncertain(readings: Readings) -> None:
    later = [rounded(A * B), -rounded(A * B), 1.23456789, A, 0.5, 3.0]
    for number in later:
        read(readings, number)
    assert readings.uncertain(np.array(later)).tolist() == [True, True, True, False, False, False]


def test_products_of_many_numbers() -> None:
    """As many as a quantised transformer has scales."""
    readings = Readings(seed=1)
    scales = [float(scale) for scale in np.random.default_rng(0).uniform(0.01, 0.1, 200).astype(np.float32)]
    numbers = [read(readings, scale) for scale in scales]
    readings.derives = True
    product = rounded(scales[3] * scales[70])
    assert read(readings, product) == numbers[3] * numbers[70] % P

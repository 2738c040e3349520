"""Arithmetic modulo the prime, compared with Python's integers."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from forge_mlir.equivalence.numbers import field
from forge_mlir.equivalence.numbers.field import Numbers, P

DRAWN = random.Random(5)
EDGES = [0, 1, 2, P - 1, P - 2, 1 << 60, (1 << 31) - 1, 1 << 31, 1 << 32]
A = EDGES + [DRAWN.randrange(P) for _ in range(300)]
B = EDGES[::-1] + [DRAWN.randrange(P) for _ in range(300)]


def array(numbers: list[int]) -> Numbers:
    return np.array(numbers, dtype=np.uint64)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("add", lambda a, b: (a + b) % P),
        ("subtract", lambda a, b: (a - b) % P),
        ("multiply", lambda a, b: a * b % P),
    ],
)
def test_two_numbers(name: str, expected: Callable[[int, int], int]) -> None:
    found = getattr(field, name)(array(A)[:, None], array(B))
    assert found.tolist() == [[expected(a, b) for b in B] for a in A]


def test_operations_on_one_operand() -> None:
    assert field.negate(array(A)).tolist() == [-a % P for a in A]
    for some in (A, A[:40], []):  # All elements, a few, and none.
        assert field.inverse(array(some)).tolist() == [pow(a, P - 2, P) for a in some]
        assert field.root(array(some)).tolist() == [pow(a, (P + 1) // 4, P) for a in some]
        assert field.power(array(some), 13).tolist() == [pow(a, 13, P) for a in some]
    integers = [0, -1, 5, -(2**62), 2**63 - 1]
    assert field.of_ints(np.array(integers)).tolist() == [value % P for value in integers]
    assert field.of_fraction(Fraction(-3, 7)) * 7 % P == P - 3


@pytest.mark.parametrize("depth", [1, 300, 5000])
def test_sums(depth: int) -> None:
    left = [[DRAWN.randrange(P) for _ in range(depth)] for _ in range(2)] + [[P - 1] * depth]
    right = [[DRAWN.randrange(P) for _ in range(2)] for _ in range(depth)]
    expected = [
        [sum(a * b for a, b in zip(row, column, strict=True)) % P for column in zip(*right, strict=True)]
        for row in left
    ]
    found = field.matmul(np.array(left, dtype=np.uint64), np.array(right, dtype=np.uint64))
    assert found.tolist() == expected
    assert field.sum_along(np.array(left, dtype=np.uint64), 1).tolist() == [sum(row) % P for row in left]
    running = field.running_sum(np.array(left, dtype=np.uint64), 1)
    assert running[:, -1].tolist() == [sum(row) % P for row in left]


def test_products_over_an_empty_axis() -> None:
    found = field.matmul(np.zeros((2, 3, 0), dtype=np.uint64), np.zeros((0, 4), dtype=np.uint64))
    assert found.tolist() == [[[0] * 4] * 3] * 2


def test_hashes_differ_by_key_and_by_each_part() -> None:
    a, b = array(A), array(B)
    seen = [field.hashed(1, a), field.hashed(2, a), field.hashed(1, a, b), field.hashed(1, b, a)]
    assert len({number for each in seen for number in each.tolist()}) > 3.9 * len(A)


def test_the_root_of_a_square_is_positive() -> None:
    """Of integers whose prime factors are at most 83."""
    positive = [*range(1, 89), 1 << 20, 3 * 5 * 83, 71**5]
    assert field.root(array([number**2 % P for number in positive])).tolist() == [number % P for number in positive]
    assert field.root(array([P - 4])).tolist() == [2], "not -2: neither of them is the root"

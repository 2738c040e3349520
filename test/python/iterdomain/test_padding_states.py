"""Padding states: the values that an operation leaves in tile padding must be among those of the predicted state."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np
import pytest

from forge_mlir import iterdomain as itd
from forge_mlir.iterdomain import PaddingState, PaddingValue
from itd_oracle.enumeration import Array

VALID, PADDED = 2, 4
ROWS = np.s_[VALID:, :VALID]
COLS = np.s_[:VALID, VALID:]
CORNER = np.s_[VALID:, VALID:]

VALUES = [
    PaddingValue.of(0.0),
    PaddingValue.of(1.0),
    PaddingValue.of(-math.inf),
    PaddingValue.finite(),
    PaddingValue.undef(),
]
POISON = (math.nan, math.inf, -math.inf, 1e30, 0.0, -2.0)


def samples(value: PaddingValue) -> list[float]:
    return [number for number in (*POISON, 1.0) if value.contains(number)]


def states() -> Iterator[PaddingState]:
    return (PaddingState(*values) for values in product(VALUES, repeat=3))


def matrix(state: PaddingState, random: Random) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Elements are small; the padding has values that the state allows."""
    result = np.array([[random.uniform(-2, 2) for _ in range(PADDED)] for _ in range(PADDED)])
    for region, value in ((ROWS, state.rows), (COLS, state.cols), (CORNER, state.corner)):
        for place in np.ndindex(2, 2):
            result[region][place] = random.choice(samples(value))
    return result


def assert_allowed(result: Array, state: PaddingState) -> None:
    for region, value in ((ROWS, state.rows), (COLS, state.cols), (CORNER, state.corner)):
        assert all(value.contains(number) for number in result[region].ravel()), (result, state)


def softmax(x: Array) -> Array:
    shifted = np.exp(x - x.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_transfer() -> None:
    random = Random(1)
    for state in states():
        for _ in range(5):
            x = matrix(state, random)
            assert_allowed(x, state)
            assert_allowed(x.T, state.transpose())
            assert_allowed(np.exp(x), state.map(math.exp, False))
            assert_allowed(np.tanh(x), state.map(math.tanh, True))
            assert_allowed(softmax(x), state.softmax())
            if state.cols == PaddingValue.of(-math.inf):
                assert (softmax(x)[COLS] == 0).all()
                np.testing.assert_allclose(softmax(x)[:VALID, :VALID], softmax(x[:VALID, :VALID]))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_matmul() -> None:
    random = Random(2)
    every = list(states())
    safe = 0
    for _ in range(4000):
        a, b = random.choice(every), random.choice(every)
        x, y = matrix(a, random), matrix(b, random)
        assert_allowed(x @ y, a.matmul(b))
        assert_allowed(x + y, a.map(b, lambda p, q: p + q, False))
        if a.matmul_safe(b):
            safe += 1
            np.testing.assert_allclose((x @ y)[:VALID, :VALID], x[:VALID, :VALID] @ y[:VALID, :VALID])
    assert safe > 100


def test_zero_padding_of_one_operand_is_not_enough() -> None:
    zero = PaddingState.all(PaddingValue.of(0.0), (31, 31))
    assert not zero.matmul_safe(PaddingState.all(PaddingValue.undef(), (31, 31)))
    assert zero.matmul_safe(PaddingState.all(PaddingValue.finite(), (31, 31)))
    assert zero.matmul_safe(PaddingState.all(PaddingValue.undef(), (64, 31)))
    # The padding of the result's columns may be NaN, although the left operand is zero there.
    assert zero.matmul(PaddingState.all(PaddingValue.undef(), (64, 31))).cols == PaddingValue.undef()


def test_lattice() -> None:
    order = [PaddingValue.none(), *VALUES]
    for a, b in product(order, order):
        least = a.join(b)
        assert a.implies(least)
        assert b.implies(least)
        assert all(least.implies(c) for c in order if a.implies(c) and b.implies(c))
        assert a.implies(b) == all(b.contains(number) for number in samples(a))


def test_regions() -> None:
    state = PaddingState.all(PaddingValue.undef(), (1, 50, 64))
    assert repr(state) == "rows undef, cols none, corner none"
    assert repr(PaddingState.all(PaddingValue.of(-math.inf), (7,))) == "rows -inf, cols -inf, corner -inf"
    assert itd.PaddingValue.of(math.nan) == PaddingValue.undef()

"""Arithmetic modulo a prime of 61 bits on numpy arrays of uint64.

Arguments and results are reduced: 0 <= x < P. Products have 122 bits, which are reduced by 2^61 = FOLD. Matrix products
use float64 on three parts of 21 bits, for which sums of 2048 products are exact.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

import numpy as np
import numpy.typing as npt

FOLD = 139_666_593
P = (1 << 61) - FOLD
"""All primes up to 83 are squares modulo this prime, and -1 is not, so that roots of squares are positive: the root of
9 is 3, and not -3. It is the largest prime of 61 bits with this property."""

Numbers = npt.NDArray[np.uint64]

_P, _FOLD = np.uint64(P), np.uint64(FOLD)
_LOW31, _LOW30 = np.uint64((1 << 31) - 1), np.uint64((1 << 30) - 1)
_LOW32, _LOW21 = np.uint64((1 << 32) - 1), np.uint64((1 << 21) - 1)
_LOW61 = np.uint64((1 << 61) - 1)
_BITS = {count: np.uint64(count) for count in (21, 27, 30, 31, 32, 33, 42, 61)}
_ONE = np.uint64(1)
_FEW = 64


def reduced(x: Numbers) -> Numbers:
    """Reduces any uint64."""
    x = (x & _LOW61) + (x >> _BITS[61]) * _FOLD
    return np.where(x >= _P, x - _P, x)


def of_ints(x: npt.NDArray[np.int64]) -> Numbers:
    """Converts signed integers."""
    return np.mod(x, np.int64(P)).astype(np.uint64)


def of_fraction(number: Fraction) -> int:
    """Converts a rational number; 0 if the denominator is a multiple of P."""
    return number.numerator % P * pow(number.denominator, P - 2, P) % P


def add(a: Numbers, b: Numbers) -> Numbers:
    """a + b"""
    total = a + b
    return np.where(total >= _P, total - _P, total)


def negate(a: Numbers) -> Numbers:
    """-a"""
    return np.where(a == 0, a, _P - a)


def subtract(a: Numbers, b: Numbers) -> Numbers:
    """a - b"""
    return np.where(a >= b, a - b, a + (_P - b))


def multiply(a: Numbers, b: Numbers) -> Numbers:
    """a * b"""
    a1, a0, b1, b0 = a >> _BITS[31], a & _LOW31, b >> _BITS[31], b & _LOW31
    middle, low = a1 * b0 + a0 * b1, a0 * b0
    # The product is high * 2^61 + low.
    high = ((a1 * b1) << _ONE) + (middle >> _BITS[30]) + (low >> _BITS[61])
    low = (low & _LOW61) + ((middle & _LOW30) << _BITS[31])
    # high * FOLD has 89 bits: it is (upper * 2^31 + lower) * FOLD, and bits from 2^61 on are reduced again.
    upper = (high >> _BITS[31]) * _FOLD
    return reduced(low + (high & _LOW31) * _FOLD + ((upper & _LOW30) << _BITS[31]) + (upper >> _BITS[30]) * _FOLD)


def power(a: Numbers, exponent: int) -> Numbers:
    """a^exponent for an exponent that is not negative."""
    if a.size <= _FEW:
        return _each_power(a, exponent)
    result = np.ones_like(a)
    for bit in bin(exponent)[2:]:
        result = multiply(result, result)
        if bit == "1":
            result = multiply(result, a)
    return result


def _each_power(a: Numbers, exponent: int) -> Numbers:
    """Computes powers one by one, which is faster for few elements than a hundred array products."""
    return np.array([pow(each, exponent, P) for each in a.reshape(-1).tolist()], np.uint64).reshape(a.shape)


def inverse(a: Numbers) -> Numbers:
    """1 / a, and 0 for 0. Takes three products per element, by inverting products of pairs."""
    flat = np.where(a == 0, _ONE, a).reshape(-1)
    levels = []
    while flat.size > _FEW:
        if flat.size % 2:
            flat = np.append(flat, _ONE)
        levels.append(flat)
        flat = multiply(flat[0::2], flat[1::2])
    found = _each_power(flat, -1)
    for level in reversed(levels):
        wider = np.empty_like(level)
        found = found[: level.size // 2]
        wider[0::2], wider[1::2] = multiply(found, level[1::2]), multiply(found, level[0::2])
        found = wider
    return np.where(a == 0, np.uint64(0), found[: a.size].reshape(a.shape))


def root(a: Numbers) -> Numbers:
    """A function r with r(a * b) = r(a) * r(b); r(a)^2 = a if a is a square, which half of the elements are, otherwise
    -a. It is a square itself, so that r(a^2) = a if a is a square."""
    return power(a, (P + 1) // 4)


def sum_along(a: Numbers, axis: int) -> Numbers:
    """Sums of up to 2^31 elements."""
    return _whole((a >> _BITS[32]).sum(axis), (a & _LOW32).sum(axis))


def running_sum(a: Numbers, axis: int) -> Numbers:
    """Inclusive sums along an axis."""
    return _whole(np.cumsum(a >> _BITS[32], axis, dtype=np.uint64), np.cumsum(a & _LOW32, axis, dtype=np.uint64))


def _whole(high: Numbers, low: Numbers) -> Numbers:
    """high * 2^32 + low."""
    return add(multiply(reduced(high), np.uint64(1 << 32)), reduced(low))  # type: ignore[arg-type]


def matmul(a: Numbers, b: Numbers) -> Numbers:
    """Matrix products, with batches that broadcast as numpy's do. Over an axis of size 0 they are 0."""
    depth = 2048
    parts = [
        _short_matmul(a[..., first : first + depth], b[..., first : first + depth, :])
        for first in range(0, max(a.shape[-1], 1), depth)
    ]
    return reduce(add, parts)


def _short_matmul(a: Numbers, b: Numbers) -> Numbers:
    limbs, others = _limbs(a), _limbs(b)
    # The coefficients of 2^0, 2^21, 2^42, 2^63 and 2^84; each sum of them has less than 2^55.
    columns: list[Numbers | None] = [None] * 5
    for i, left in enumerate(limbs):
        for j, right in enumerate(others):
            product = np.matmul(left, right).astype(np.uint64)
            known = columns[i + j]
            columns[i + j] = product if known is None else known + product
    total: Numbers | None = None
    for at, column in enumerate(columns):
        assert column is not None
        term = multiply(reduced(column), np.uint64(pow(2, 21 * at, P)))  # type: ignore[arg-type]
        total = term if total is None else add(total, term)
    assert total is not None
    return total


def _limbs(a: Numbers) -> list[npt.NDArray[np.float64]]:
    return [((a >> np.uint64(shift)) & _LOW21).astype(np.float64) for shift in (0, 21, 42)]


def hashed(key: int, *parts: Numbers) -> Numbers:
    """A field element for each tuple of elements: a pseudo-random function."""
    state = np.uint64(key & 0xFFFFFFFFFFFFFFFF)
    mixed = _mix(np.broadcast_to(state, np.broadcast_shapes(*(part.shape for part in parts))))
    for part in parts:
        mixed = _mix(mixed ^ part)
    return reduced(mixed)


def _mix(x: Numbers) -> Numbers:
    """The finaliser of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> _BITS[30])) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> _BITS[27])) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> _BITS[31])

"""Interprets constants: finds the exact number that was rounded.

A pass that folds 0.1f * 0.3f writes the float32 nearest to the product. The exact engine has to use the exact product
for that constant, or every fold would be a difference. A constant is therefore read as an expression that rounds to it.
These are tried in order: an integer or a short binary fraction, which are exact; a constant that was read before; an
expression of a few of those (`derived`); a fraction or root of small integers. Otherwise it becomes a new number with
no relation to others.

Every reading is within rounding of the constant. Two programs that are equal with their readings are therefore equal up
to the rounding of constants; a wrong reading can only make equal programs look different. A constant that a pass may
have computed is `uncertain`: its expression may have more steps than are tried, or it is close to another expression by
chance. A difference that roundings of such constants explain is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from forge_mlir.equivalence.numbers import field as modular
from forge_mlir.equivalence.numbers.derived import Known, derived, derived_of_three
from forge_mlir.equivalence.numbers.field import Numbers, P
from forge_mlir.equivalence.program import Array

_EXACT_BITS = 11
_MOST_KNOWN = 16
_LARGEST = float(np.finfo(np.float32).max)


@dataclass
class Readings:
    """Readings by the significand of the constant in float32, in [0.5, 1); sign and power of two are handled
    separately. `derives`: constants that follow may be computed from earlier ones."""

    seed: int
    derives: bool = False
    floors: dict[tuple[int, float], float] = field(default_factory=dict)
    """The integers below quotients that are close to an integer, by number and divisor."""
    _later: set[float] = field(default_factory=set)
    """The significands of constants that were first read in the latest of several modules."""
    _rounded: set[float] = field(default_factory=set)
    """The significands of exact numbers to which a computed constant rounds, as 1 + 1e-8 does to 1."""
    _significands: dict[float, int] = field(default_factory=dict)
    _known: Known = field(default_factory=Known)

    def of(self, elements: Array) -> Numbers:
        """The readings of elements, as field elements."""
        values, indices = np.unique(elements, return_inverse=True)
        numbers = np.array([self._number(value) for value in values.tolist()], dtype=np.uint64)
        if len(values) <= _MOST_KNOWN:
            for value, number in zip(values.tolist(), numbers.tolist(), strict=True):
                self._known.add(value, number)
        return numbers[indices].reshape(elements.shape)

    def learn(self, numbers: Numbers, values: Array) -> None:
        """What was computed from constants, and may be one in a module that is read later."""
        unique, indices = np.unique(values, return_index=True)
        computed = numbers.reshape(-1)[indices]
        significands = _significands(unique)
        single = np.where(np.abs(unique) <= _LARGEST, unique, 0.0).astype(np.float32).astype(np.float64)
        for at in np.flatnonzero((single != 0) & (_is_short(significands) | _is_whole(single))).tolist():
            if self._number(single[at]) != computed[at]:
                self._rounded.add(significands[at])
        if len(unique) <= _MOST_KNOWN:
            for value, number in zip(unique.tolist(), computed.tolist(), strict=True):
                self._known.add(value, number)

    def uncertain(self, elements: Array, *, in_16_bits: bool = False) -> Array:
        """Which elements are constants that a pass may have computed. Short fractions are exact, except in 16 bits, and
        if a computed constant rounds to one."""
        significands = _significands(elements)
        found = np.isin(significands, [*self._later])
        found = found if in_16_bits else found & ~_is_short(significands)
        return np.asarray(found | np.isin(significands, [*self._rounded]))

    def begin(self) -> None:
        """Begins the next module."""
        self._later.clear()

    def know_sizes(self, sizes: Iterable[int]) -> None:
        """Adds the tensor sizes of the module that is read next."""
        self._known.sizes.update(size for size in sizes if size > 1)

    def _number(self, value: float) -> int:
        if value == 0:
            return 0
        if not np.isfinite(value):
            unsigned = int(modular.hashed(7, np.array([1 + np.isnan(value)], dtype=np.uint64))[0])
            return unsigned if not value < 0 else P - unsigned
        with np.errstate(over="ignore", under="ignore"):
            rounded = float(np.float32(value))
        if rounded == 0 or not np.isfinite(rounded):
            rounded = value  # a double out of the range of float32
        if _is_whole(rounded):
            return int(rounded) % P
        significand, exponent = np.frexp(abs(rounded))
        unsigned = self._significand(float(significand), abs(rounded)) * _power_of_two(int(exponent)) % P
        return unsigned if value > 0 else P - unsigned

    def _significand(self, significand: float, value: float) -> int:
        if significand not in self._significands:
            if self.derives:
                self._later.add(significand)
            self._significands[significand] = self._read(significand, value)
        return self._significands[significand]

    def _read(self, significand: float, value: float) -> int:
        if _is_short(significand):
            return modular.of_fraction(Fraction(significand))
        if self.derives and (found := derived(value, self._known)) is not None:
            return found * _power_of_two(-int(np.frexp(value)[1])) % P
        if (number := _small().get(significand)) is not None:
            return number
        if self.derives and (found := derived_of_three(value, self._known)) is not None:
            return found * _power_of_two(-int(np.frexp(value)[1])) % P
        bits = np.array([significand]).view(np.uint64)
        symbol = modular.hashed(self.seed, bits)
        # Positive numbers are squares in the field, so that their roots can be multiplied.
        return int(modular.multiply(symbol, symbol)[0])


def _significands(values: Array) -> Array:
    """The significands in float32."""
    with np.errstate(over="ignore", under="ignore"):
        return np.frexp(np.abs(values.astype(np.float32)))[0].astype(np.float64)


def _is_whole(value: Any) -> Any:
    """Whether a number is an integer that float32 has exactly, with all smaller ones."""
    return (value == np.floor(value)) & (abs(value) <= 1 << 24)


def _is_short(significand: Any) -> Any:
    """Whether a significand has few bits, so that the constant is taken for exact."""
    return significand * 2**_EXACT_BITS % 1 == 0


def _power_of_two(exponent: int) -> int:
    return pow(2, exponent, P)


@lru_cache(maxsize=1)
def _small() -> dict[float, int]:
    """Fractions of small integers and their roots, by their float32 significands."""
    found: dict[float, int] = {}
    small, many = np.arange(1, 65), np.arange(1, 4097)
    tops = np.concatenate([np.repeat(small, 64), np.ones(4096, dtype=np.int64)])
    bottoms = np.concatenate([np.tile(small, 64), many])
    numbers = modular.multiply(tops.astype(np.uint64), modular.inverse(bottoms.astype(np.uint64)))
    for values, elements in (
        (tops / bottoms, numbers),
        (np.sqrt(tops / bottoms), modular.root(numbers)),
    ):
        significands, exponents = np.frexp(values.astype(np.float32).astype(np.float64))
        for significand, exponent, number in zip(
            significands.tolist(), exponents.tolist(), elements.tolist(), strict=True
        ):
            found.setdefault(significand, number * _power_of_two(-exponent) % P)
    return found

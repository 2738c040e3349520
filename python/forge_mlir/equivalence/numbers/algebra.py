"""The number operations that the definitions of ops need, implemented for float64 and for integers."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol, TypeVar

import numpy as np

from forge_mlir.equivalence.program import Array, NotCovered

V = TypeVar("V")

FUNCTIONS = ("exp", "log", "erf", "sine", "cosine", "atan", "tanh", "sigmoid", "sqrt")
"""Functions of one number."""


class Algebra(Protocol[V]):
    """Operations on tensors of numbers, which broadcast as in numpy. Booleans are arrays of bool."""

    def number(self, value: float) -> V:
        """An attribute of an op, as a scalar."""
        ...

    def rational(self, values: Array) -> V:
        """Converts an array of Fractions: exact constants in the definition of an op."""
        ...

    def constant(self, elements: Array) -> V:
        """The elements of a constant of the program."""
        ...

    def learn(self, value: V) -> None:
        """A value that is computed from constants alone, which a later module may have as a constant."""
        ...

    def move(self, function: Callable[..., Array], *values: V) -> V:
        """Applies a function that only moves elements."""
        ...

    def add(self, a: V, b: V) -> V: ...

    def add_constant(self, a: V, b: V) -> V:
        """a + b where b is a constant; the sum is rounded if b is large enough to round on purpose."""
        ...

    def subtract(self, a: V, b: V) -> V: ...

    def multiply(self, a: V, b: V) -> V: ...

    def divide(self, a: V, b: V) -> V: ...

    def power(self, a: V, b: V) -> V: ...

    def remainder(self, a: V, b: V) -> V: ...

    def function(self, name: str, x: V) -> V:
        """Applies one of FUNCTIONS."""
        ...

    def equal(self, a: V, b: V) -> Array: ...

    def less(self, a: V, b: V) -> Array: ...

    def maximum(self, a: V, b: V) -> V: ...

    def where(self, condition: Array, a: V, b: V) -> V: ...

    def matmul(self, a: V, b: V) -> V: ...

    def sum(self, x: V, axis: int) -> V:
        """The sum along an axis, which is kept with size 1."""
        ...

    def running_sum(self, x: V, axis: int) -> V: ...

    def largest(self, x: V, axis: int) -> Array:
        """The index of the first largest element along an axis, which is kept with size 1."""
        ...

    def shape(self, x: V) -> tuple[int, ...]: ...

    def of_integers(self, x: Array) -> V: ...

    def to_integers(self, x: V) -> Array:
        """Rounds towards zero."""
        ...


LARGE = 2.0**17
"""A constant of at least this size rounds on purpose when it is added: x + 12582912 - 12582912 rounds x to an
integer."""


class Reals:
    """Numbers as float64 in numpy arrays."""

    def number(self, value: float) -> Array:
        return np.float64(value).reshape(1)

    def rational(self, values: Array) -> Array:
        return values.astype(np.float64)

    def constant(self, elements: Array) -> Array:
        return elements

    def learn(self, value: Array) -> None:
        """Floats need no expressions."""

    def move(self, function: Callable[..., Array], *values: Array) -> Array:
        return function(*values)

    def add(self, a: Array, b: Array) -> Array:
        return np.add(a, b)

    def add_constant(self, a: Array, b: Array) -> Array:
        total = a + b
        rounds = (np.abs(b) >= LARGE) & np.isfinite(b)
        return np.where(rounds, total.astype(np.float32), total) if rounds.any() else total

    def subtract(self, a: Array, b: Array) -> Array:
        return np.subtract(a, b)

    def multiply(self, a: Array, b: Array) -> Array:
        return np.multiply(a, b)

    def divide(self, a: Array, b: Array) -> Array:
        return np.asarray(np.divide(a, b))

    def power(self, a: Array, b: Array) -> Array:
        return np.asarray(np.power(a, b))

    def remainder(self, a: Array, b: Array) -> Array:
        return np.mod(a, b)

    def function(self, name: str, x: Array) -> Array:
        return np.asarray(_FLOAT64[name](x))

    def equal(self, a: Array, b: Array) -> Array:
        return np.asarray(np.equal(a, b))

    def less(self, a: Array, b: Array) -> Array:
        return np.asarray(np.less(a, b))

    def maximum(self, a: Array, b: Array) -> Array:
        return np.maximum(a, b)

    def where(self, condition: Array, a: Array, b: Array) -> Array:
        return np.where(condition, a, b)

    def matmul(self, a: Array, b: Array) -> Array:
        return np.asarray(np.matmul(a, b))

    def sum(self, x: Array, axis: int) -> Array:
        return np.asarray(x.sum(axis, keepdims=True))

    def running_sum(self, x: Array, axis: int) -> Array:
        return np.cumsum(x, axis)

    def largest(self, x: Array, axis: int) -> Array:
        return np.asarray(np.argmax(x, axis, keepdims=True))

    def shape(self, x: Array) -> tuple[int, ...]:
        return x.shape

    def of_integers(self, x: Array) -> Array:
        return x.astype(np.float64)

    def to_integers(self, x: Array) -> Array:
        if not np.isfinite(x).all():
            raise NotCovered("a cast of an infinity or NaN to integers")
        return truncated(x)


def truncated(x: Array) -> Array:
    """Rounds towards zero; values within rounding of an integer become that integer."""
    nearest = np.rint(x)
    return np.where(np.abs(x - nearest) < 1e-9 * np.maximum(1, np.abs(x)), nearest, np.trunc(x)).astype(np.int64)


_FLOAT64: dict[str, Callable[[Any], Any]] = {
    "exp": np.exp,
    "log": np.log,
    "erf": np.vectorize(math.erf, otypes=[np.float64]),
    "sine": np.sin,
    "cosine": np.cos,
    "atan": np.arctan,
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "sqrt": np.sqrt,
}


class Integers(Reals):
    """Integers of up to 64 bits, exactly; results are wrapped to their type when they are stored."""

    def number(self, value: float) -> Array:
        if not math.isfinite(value):
            raise NotCovered("an integer op with an infinity")
        return np.array([int(value)])

    def rational(self, values: Array) -> Array:
        if any(Fraction(value).denominator != 1 for value in values.flat):
            raise NotCovered("an integer op with fractions")
        return values.astype(np.int64)

    def add_constant(self, a: Array, b: Array) -> Array:
        return np.add(a, b)

    def divide(self, _a: Array, _b: Array) -> Array:
        raise NotCovered("a division of integers")

    def power(self, a: Array, b: Array) -> Array:
        if (b < 0).any():
            raise NotCovered("a negative power of integers")
        return np.power(a, b)

    def remainder(self, a: Array, b: Array) -> Array:
        if (b == 0).any():
            raise NotCovered("a remainder of integers by 0")
        return np.mod(a, b)

    def function(self, name: str, _x: Array) -> Array:
        raise NotCovered(f"{name} of integers")

    def of_integers(self, x: Array) -> Array:
        return x

    def to_integers(self, x: Array) -> Array:
        return x

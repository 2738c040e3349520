"""Numbers as elements of a finite field, in which sums and products are exact.

As in Mirage (Wu et al., OSDI 2025): if two programs of sums, products and quotients agree on random elements of a large
field, they are the same polynomial, with a probability of error of degree / 2^61. Any other function is treated as an
unknown function with only the properties in FUNCTIONS: a keyed hash of its operands.

A field has no order. Each element carries the float64 that it represents, which only decides comparisons, maxima and
indices. For example max(c * x, c * y) is c * max(x, y) for c > 0; a wrong c is detected in the field.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from forge_mlir.equivalence.numbers import field
from forge_mlir.equivalence.numbers.algebra import LARGE, Reals, truncated
from forge_mlir.equivalence.numbers.field import Numbers, P
from forge_mlir.equivalence.numbers.readings import Readings
from forge_mlir.equivalence.program import Array, NotCovered

_LARGEST_ROUNDING = 2.0**27
_LARGEST_EXPONENT = 600.0
# Above the relative error of a constant that was folded in float32.
_FOLDED, _MOST_FLOORS = 1e-6, 1 << 20
# Integers up to this limit represent themselves in the field; other elements stand for arbitrary numbers.
_INTEGERS = 1 << 24


@dataclass(frozen=True)
class Exact:
    """`field` and `real` have the same shape. For a root or its reciprocal, `square` is the square of the number: that
    of the element is its negative for the root of a number that is no square in the field, such as most sums."""

    field: Numbers
    real: Array
    square: Numbers | None = None


@dataclass(frozen=True)
class Function:
    """A function of one number in the field, with the properties that rewrites rely on, and why."""

    of: Callable[[Numbers], Numbers]
    laws: str
    reason: str


def _opaque(name: str) -> Callable[[Numbers], Numbers]:
    key = int.from_bytes(name.encode()[:8], "little")
    return lambda x: field.hashed(key, x)


def _odd(name: str) -> Callable[[Numbers], Numbers]:
    """f(-x) = -f(x)"""
    f = _opaque(name)

    def compute(x: Numbers) -> Numbers:
        is_upper = x > P // 2
        value = f(np.where(is_upper, field.negate(x), x))
        return np.where(x == 0, x, np.where(is_upper, field.negate(value), value))

    return compute


def _even(name: str) -> Callable[[Numbers], Numbers]:
    f = _opaque(name)
    return lambda x: f(np.where(x > P // 2, field.negate(x), x))


def _exponential(x: Numbers) -> Numbers:
    """e(-x) = 1 / e(x), e(0) = 1"""
    is_upper = x > P // 2
    value = _opaque("exp")(np.where(is_upper, field.negate(x), x))
    value = np.where(x == 0, np.uint64(1), value)
    return np.where(is_upper, field.inverse(value), value) if is_upper.any() else value


def _sigmoid(x: Numbers) -> Numbers:
    return field.inverse(field.add(np.ones_like(x), _exponential(field.negate(x))))


def _tanh(x: Numbers) -> Numbers:
    twice = _sigmoid(field.add(x, x))
    return field.subtract(field.add(twice, twice), np.ones_like(x))


FUNCTIONS: dict[str, Function] = {
    "exp": Function(
        _exponential,
        "exp(-x) = 1 / exp(x), exp(0) = 1, exp(-inf) = 0",
        "sigmoids have either sign; a softmax is filled with -inf",
    ),
    "sigmoid": Function(_sigmoid, "1 / (1 + exp(-x))", "a / (1 + exp(-x)) is fused to a * sigmoid(x)"),
    "tanh": Function(_tanh, "2 * sigmoid(2 * x) - 1; odd", "signs move through it; gelu's form with tanh"),
    "sqrt": Function(
        field.root,
        "for x, y >= 0: sqrt(x * y) = sqrt(x) * sqrt(y), sqrt(x) * sqrt(x) = x, sqrt(9) = 3",
        "scales move out of norms; x^0.5 is sqrt(x)",
    ),
    "erf": Function(_odd("erf"), "odd", "gelu(x) = x / 2 * (1 + erf(x / sqrt(2)))"),
    "sine": Function(_odd("sine"), "odd", "signs move into the tables of rotary embeddings"),
    "cosine": Function(_even("cosine"), "even", "as for sine"),
    "atan": Function(_odd("atan"), "odd", "asin and acos are spelled with it"),
    "log": Function(_opaque("log"), "none", "no rewrite uses one"),
}
"""The properties of functions that are not polynomials. Softmax, gelu and norms are evaluated by their formulas
(definitions.py), maxima and comparisons by the order. A rewrite that relies on another property needs an entry here."""


class ExactNumbers:
    """The algebra of `Exact`; `readings` interprets constants. With `lands`, special cases that random numbers never
    hit are forced: a quarter of all remainders that are not integers become 0, and half of them half of the divisor;
    the two largest elements of a row count as equal where an index of the maximum is computed, and so do adjacent
    elements where all elements of a row are compared with each other. Monotone functions preserve which elements these
    are. With `ordered`, numbers that float64 cannot order, such as two infinities, are NotCovered. `moved` changes
    the floats of constants."""

    def __init__(
        self,
        readings: Readings,
        *,
        lands: bool = False,
        ordered: bool = False,
        moved: Callable[[Array], Array] | None = None,
    ) -> None:
        self._readings, self._reals, self._lands, self._ordered = readings, Reals(), lands, ordered
        self._moved = moved

    def number(self, value: float) -> Exact:
        return self.constant(np.array([value], dtype=np.float64))

    def rational(self, values: Array) -> Exact:
        numbers = [field.of_fraction(value) for value in values.flat]
        return Exact(np.array(numbers, dtype=np.uint64).reshape(values.shape), values.astype(np.float64))

    def constant(self, elements: Array) -> Exact:
        return Exact(self._readings.of(elements), elements if self._moved is None else self._moved(elements))

    def learn(self, value: Exact) -> None:
        if self._moved is None:
            self._readings.learn(value.field, value.real)

    def move(self, function: Callable[..., Array], *values: Exact) -> Exact:
        return Exact(function(*(value.field for value in values)), function(*(value.real for value in values)))

    def add(self, a: Exact, b: Exact) -> Exact:
        return Exact(field.add(a.field, b.field), a.real + b.real)

    def add_constant(self, a: Exact, b: Exact) -> Exact:
        """If `b` rounds, the sum is one of the two adjacent float32. Which one is a function of `a`, so that any change
        of `a` is detected, not only one that crosses the midpoint."""
        total = self.add(a, b)
        size = np.abs(b.real)
        rounds = (size >= LARGE) & (size <= _LARGEST_ROUNDING) & ~_is_integer(a.field) & np.isfinite(total.real)
        if not rounds.any():
            return total
        step = np.spacing(size.astype(np.float32)).astype(np.float64)
        upper = field.hashed(11, a.field) & np.uint64(1)
        # A small negative `a` is lost in the float64 sum, but the lower one of the adjacent numbers is below `b`.
        whole = np.floor(b.real / step)
        lower = self._floor(a.field, step, (a.real + (b.real - whole * step)) / step, rounds)
        steps = np.where(rounds, whole + lower + upper, 0)
        exact = field.multiply(field.of_ints(steps.astype(np.int64)), self._readings.of(step))
        return Exact(np.where(rounds, exact, total.field), np.where(rounds, steps * step, total.real))

    def _floor(self, numbers: Numbers, step: Array, quotients: Array, rounds: Array) -> Array:
        """The integers below `quotients`, which are `numbers` divided by `step`. In another module, a number may have
        another rounding error, as after a fold of scales: next to an integer, each number keeps the first answer."""
        lower = np.floor(quotients)
        # Relative to the largest one, because a sum of large numbers may cancel.
        error = _FOLDED * np.abs(np.where(rounds, quotients, 1.0)).max(initial=1.0)
        close = rounds & (np.abs(quotients - np.rint(quotients)) <= error)
        if 0 < np.count_nonzero(close) <= _MOST_FLOORS:
            parts = (np.broadcast_to(part, lower.shape)[close].tolist() for part in (numbers, step))
            keys = zip(*parts, strict=True)
            floors = self._readings.floors
            lower[close] = [
                floors.setdefault(key, floor) for key, floor in zip(keys, lower[close].tolist(), strict=True)
            ]
        return lower

    def subtract(self, a: Exact, b: Exact) -> Exact:
        return Exact(field.subtract(a.field, b.field), a.real - b.real)

    def multiply(self, a: Exact, b: Exact) -> Exact:
        if a.square is not None and b.square is not None and np.array_equal(a.field, b.field):
            return Exact(a.square, a.real * b.real)
        return Exact(field.multiply(a.field, b.field), a.real * b.real)

    def divide(self, a: Exact, b: Exact) -> Exact:
        square = None
        if b.square is not None and a.field.size == 1:
            square = field.multiply(field.multiply(a.field, a.field), field.inverse(b.square))
        real = self._reals.divide(a.real, b.real)
        return Exact(field.multiply(a.field, field.inverse(b.field)), real, square)

    def power(self, a: Exact, b: Exact) -> Exact:
        """Integer and half-integer exponents are products and roots; any other power is an unknown function of both
        operands."""
        real = self._reals.power(np.abs(a.real), b.real)
        exponents = np.unique(b.real)
        twice = 2 * float(exponents[0]) if len(exponents) == 1 else np.nan
        if not abs(twice) <= 64 or twice != int(twice):
            return Exact(field.hashed(13, *np.broadcast_arrays(a.field, b.field)), real)
        whole, half = divmod(int(abs(twice)), 2)
        if a.square is not None and whole % 2 == 0 and not half:
            value = field.power(np.broadcast_to(a.square, real.shape), whole // 2)
        else:
            value = field.power(np.broadcast_to(a.field, real.shape), whole)
        if half:
            value = field.multiply(value, _root(a))
        signs = np.where((a.real < 0) & (whole % 2 == 1), -1.0, 1.0)
        return Exact(field.inverse(value) if twice < 0 else value, real * signs)

    def remainder(self, a: Exact, b: Exact) -> Exact:
        real = self._reals.remainder(a.real, b.real)
        whole = _is_integer(a.field) & _is_integer(b.field) & (b.field != 0)
        opaque = field.hashed(17, *np.broadcast_arrays(a.field, b.field))
        if self._lands:
            half = field.multiply(b.field, field.inverse(field.of_ints(np.array([2]))))
            kind = opaque & np.uint64(3)
            ends = ~whole & (kind == 0), ~whole & (kind % 2 == 1)
            opaque = np.where(ends[0], np.uint64(0), np.where(ends[1], half, opaque))
            real = np.where(ends[0], 0.0, np.where(ends[1], b.real / 2, real))
        return Exact(np.where(whole, field.of_ints(np.where(whole, real, 0).astype(np.int64)), opaque), real)

    def function(self, name: str, x: Exact) -> Exact:
        # Random weights may give logarithms or roots of negative numbers, which need some position in the order. If two
        # large numbers count as equal (`lands`), a softmax has large exponents, whose quotient would be NaN.
        operand = np.abs(x.real) if name in ("sqrt", "log") else x.real
        if name == "exp":
            operand = np.where(np.isposinf(operand), operand, np.minimum(operand, _LARGEST_EXPONENT))
        real = self._reals.function(name, operand)
        if name == "sqrt":
            value = _root(x)
            return Exact(value, real, np.where(x.real < 0, field.multiply(value, value), x.field))
        value = FUNCTIONS[name].of(x.field)
        if name == "exp":
            value = np.where(np.isneginf(x.real), np.uint64(0), value)
        return Exact(value, real)

    def equal(self, a: Exact, b: Exact) -> Array:
        if self._lands and (ranks := _ranks_of_pairs(a, b)) is not None:
            return np.asarray(ranks[0] == ranks[1])
        return np.asarray(a.field == b.field)

    def less(self, a: Exact, b: Exact) -> Array:
        if self._lands and (ranks := _ranks_of_pairs(a, b)) is not None:
            return np.asarray(ranks[0] > ranks[1])
        self._check_order(a, b)
        return np.asarray((a.real < b.real) & (a.field != b.field))

    def maximum(self, a: Exact, b: Exact) -> Exact:
        self._check_order(a, b)
        # Different elements with equal floats, such as two tanh(40), are ordered by their field elements.
        takes_b = (a.real < b.real) | ((a.real == b.real) & (a.field < b.field))
        return self.where(takes_b, a=b, b=a)

    def _check_order(self, a: Exact, b: Exact) -> None:
        if self._ordered and (~((a.real < b.real) | (a.real > b.real)) & (a.field != b.field)).any():
            raise NotCovered("numbers too large or too close to be ordered")

    def where(self, condition: Array, a: Exact, b: Exact) -> Exact:
        return Exact(np.where(condition, a.field, b.field), np.where(condition, a.real, b.real))

    def matmul(self, a: Exact, b: Exact) -> Exact:
        return Exact(field.matmul(a.field, b.field), np.matmul(a.real, b.real))

    def sum(self, x: Exact, axis: int) -> Exact:
        return Exact(np.expand_dims(field.sum_along(x.field, axis), axis), x.real.sum(axis, keepdims=True))

    def running_sum(self, x: Exact, axis: int) -> Exact:
        return Exact(field.running_sum(x.field, axis), np.cumsum(x.real, axis))

    def largest(self, x: Exact, axis: int) -> Array:
        if self._ordered and np.isnan(x.real).any():
            raise NotCovered("numbers too large to be ordered")
        found = np.take_along_axis(x.field, np.argmax(x.real, axis, keepdims=True), axis)
        is_largest = x.field == found
        if self._lands:
            rest = np.where(is_largest, -np.inf, x.real)
            second = np.take_along_axis(x.field, np.argmax(rest, axis, keepdims=True), axis)
            # The fill values of masks and of pool padding never count as equal to another element.
            is_largest |= (x.field == second) & ~np.isneginf(x.real)
        return np.asarray(np.argmax(is_largest, axis, keepdims=True))

    def shape(self, x: Exact) -> tuple[int, ...]:
        return x.field.shape

    def of_integers(self, x: Array) -> Exact:
        return Exact(field.of_ints(x), x.astype(np.float64))

    def to_integers(self, x: Exact) -> Array:
        """An element that is an integer in the field is that integer: its float64 may include rounding errors of
        constants."""
        real = np.where(np.isfinite(x.real), x.real, 0)
        whole = np.where(x.field > P // 2, -field.negate(x.field).astype(np.int64), x.field.astype(np.int64))
        return np.where(_is_integer(x.field) & (np.abs(real - whole) < 0.5), whole, truncated(real))


def _root(x: Exact) -> Numbers:
    """Roots, of which those of negative numbers stand for NaN. They have a factor that other numbers do not have,
    because field.root(-x) = field.root(x)."""
    value, is_negative = field.root(x.field), x.real < 0
    factor = field.hashed(19, np.zeros(1, np.uint64))
    return np.where(is_negative, field.multiply(value, factor), value) if is_negative.any() else value


def _is_integer(x: Numbers) -> Array:
    return np.asarray((x < _INTEGERS) | (x > P - _INTEGERS))


def _ranks_of_pairs(a: Exact, b: Exact) -> tuple[Array, Array] | None:
    """For a comparison of all pairs of elements of a row, as in the computation of ranks: for both operands, the
    position of each element among the pairs of adjacent elements, from the largest on. None for other comparisons."""
    rank = max(a.field.ndim, b.field.ndim)
    shapes = [(1,) * (rank - each.field.ndim) + each.field.shape for each in (a, b)]
    axes = [at for at in range(rank) if shapes[0][at] != shapes[1][at]]
    if len(axes) != 2:
        return None
    ends = [at for shape in shapes for at in axes if shape[at] > 1]
    if len(ends) != 2 or ends[0] == ends[1] or shapes[0][ends[0]] != shapes[1][ends[1]]:
        return None
    theirs, ours = (
        np.moveaxis(each.field.reshape(shape), axes, (-2, -1)).reshape(*_others(shape, axes), -1)
        for each, shape in zip((a, b), shapes, strict=True)
    )
    if not np.array_equal(theirs, ours):
        return None
    real = np.moveaxis(a.real.reshape(shapes[0]), axes, (-2, -1)).reshape(ours.shape)
    order = np.lexsort((ours, -real), axis=-1)
    ordered = np.take_along_axis(ours, order, -1)
    steps = np.zeros(ordered.shape, np.int64)
    steps[..., 1:] = np.cumsum(ordered[..., 1:] != ordered[..., :-1], axis=-1)
    ranks = np.empty_like(steps)
    np.put_along_axis(ranks, order, steps // 2, -1)
    first, second = (np.moveaxis(np.expand_dims(ranks, -1 if end == axes[0] else -2), (-2, -1), axes) for end in ends)
    return first, second


def _others(shape: tuple[int, ...], axes: list[int]) -> list[int]:
    return [size for at, size in enumerate(shape) if at not in axes]

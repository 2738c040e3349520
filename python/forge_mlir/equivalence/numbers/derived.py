"""Finds an expression of known constants that rounds to a new constant."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from forge_mlir.equivalence.numbers import field as modular
from forge_mlir.equivalence.numbers.field import Numbers

Floats = npt.NDArray[np.float64]

# The relative error of a rounding to float32 is up to 6e-8, more if operands were rounded before; expressions of three
# constants may have been rounded twice.
_ONE_ROUNDING, _TWO_ROUNDINGS = 1.0e-7, 2.5e-7
# The most factors that are combined in pairs, and with a product of two: among more, wrong products are as close to a
# number as the right one. A quantised transformer has 5 factors for each of several hundred scales.
_MOST_FACTORS, _MOST_OF_THREE = 3000, 150


@dataclass
class Known:
    """Known positive numbers, as floats and as field elements, and sizes of tensors, from which means are computed."""

    numbers: dict[float, int] = field(default_factory=dict)
    sizes: set[int] = field(default_factory=set)
    _table: tuple[Floats, Numbers] | None = None

    def add(self, value: float, number: int) -> None:
        """Adds a number of either sign."""
        if value == 0 or not np.isfinite(value) or abs(value) in self.numbers:
            return
        self.numbers[abs(value)] = number if value > 0 else modular.P - number
        self._table = None

    def table(self) -> tuple[Floats, Numbers]:
        """All known numbers."""
        if self._table is None:
            values = np.array(list(self.numbers), dtype=np.float64)
            self._table = values, np.array(list(self.numbers.values()), dtype=np.uint64)
        return self._table


def derived(value: float, known: Known) -> int | None:
    """The field element of an expression that rounds to the positive `value`: a known number or size, its reciprocal,
    root or square, or a sum or product of two of these, up to a power of two. None if there is none."""
    values, numbers = known.table()
    factors, readings = _factors(values, numbers)
    sizes, of_sizes = _of_sizes(known)
    one, number_one = np.ones(1), np.ones(1, dtype=np.uint64)
    found = None
    # An expression whose nearest float32 this is comes before one that is only close: 0.42044821 squared is the former,
    # sqrt(1 / 32) the latter.
    # Numbers come before reciprocals, because two may round alike (`forge.reciprocal` adds an epsilon), and both before
    # roots: the root of the square of a prime above 83 may be negative in the field.
    half_a_unit = 2.0**-25 / float(np.frexp(value)[0])
    for limit, only in itertools.product((half_a_unit, _ONE_ROUNDING), (1, 2, None)):
        for known_ones, read_ones, count in ((factors, readings, len(values)), (sizes, of_sizes, len(known.sizes))):
            end = None if only is None else only * count
            if found is None:
                found = _product(value, known_ones[:end], read_ones[:end], one, number_one, limit)
    if found is None:
        found = _sum(value, values, numbers)
    if found is None and len(factors) <= _MOST_FACTORS:
        found = _product(value, factors, readings, factors, readings, _ONE_ROUNDING)
    if found is None and len(factors) * len(sizes) <= _MOST_FACTORS**2:
        found = _product(value, factors, readings, sizes, of_sizes, _ONE_ROUNDING)
    return found


def derived_of_three(value: float, known: Known) -> int | None:
    """As `derived`, for products of three factors."""
    values, numbers = known.table()
    factors, readings = _factors(values, numbers)
    if len(factors) > _MOST_OF_THREE:
        return None
    products = (factors[:, None] * values).reshape(-1)
    pairs = modular.multiply(readings[:, None], numbers).reshape(-1)
    return _product(value, products, pairs, values, numbers, _TWO_ROUNDINGS)


def _of_sizes(known: Known) -> tuple[Floats, Numbers]:
    values = np.array(sorted(known.sizes), dtype=np.float64)
    return _factors(values, values.astype(np.uint64))


def _factors(values: Floats, numbers: Numbers) -> tuple[Floats, Numbers]:
    """The known numbers, their reciprocals, roots, reciprocals of roots, and squares."""
    roots = modular.root(numbers)
    factors = np.concatenate([values, 1 / values, np.sqrt(values), 1 / np.sqrt(values), values**2])
    readings = np.concatenate(
        [numbers, modular.inverse(numbers), roots, modular.inverse(roots), modular.multiply(numbers, numbers)]
    )
    usable = np.isfinite(factors) & (factors > 0)
    return factors[usable], readings[usable]


def _product(value: float, a: Floats, a_read: Numbers, b: Floats, b_read: Numbers, limit: float) -> int | None:
    """A product of one factor of each list, times a power of two."""
    if not a.size or not b.size:
        return None
    significands = np.frexp(b)[0]
    order = np.argsort(significands)
    wanted = np.frexp(value / a)[0]
    # A significand just below 1 is close to 0.5 of the next power of two.
    ordered = np.concatenate([significands[order][-1:] / 2, significands[order], significands[order][:1] * 2])
    indices = np.concatenate([order[-1:], order, order[:1]])
    at = np.clip(np.searchsorted(ordered, wanted), 1, len(ordered) - 1)
    best: tuple[float, int, int] | None = None
    for candidate in (at - 1, at):
        error = np.abs(ordered[candidate] / wanted - 1)
        first = int(error.argmin())
        if error[first] <= limit and (best is None or error[first] < best[0]):
            best = float(error[first]), first, int(indices[candidate[first]])
    if best is None:
        return None
    _, i, j = best
    exponent = round(float(np.log2(value / (a[i] * b[j]))))
    product = modular.multiply(a_read[i : i + 1], b_read[j : j + 1])
    return int(product[0]) * pow(2, exponent, modular.P) % modular.P


def _sum(value: float, values: Floats, numbers: Numbers) -> int | None:
    """A sum or difference of two known numbers."""
    for totals, combine in (
        (values[:, None] + values, modular.add),
        (values[:, None] - values, modular.subtract),
    ):
        i, j = np.nonzero(np.abs(totals - value) <= _ONE_ROUNDING * value)
        if i.size:
            return int(combine(numbers[i[:1]], numbers[j[:1]])[0])
    return None

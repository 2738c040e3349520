"""Sizes and integers of the form const + times * n, where n is the length, which is only known at run time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Size:
    """const + times * n. If an axis of positions is merged with others, `times` exceeds 1; `after` is the number of
    adjacent elements per position."""

    const: int
    times: int = 0
    after: int = 1

    def plus(self, other: Size) -> Size:
        return Size(self.const + other.const, self.times + other.times)

    def minus(self, other: Size) -> Size:
        return Size(self.const - other.const, self.times - other.times)

    def scaled(self, factor: int) -> Size:
        return Size(self.const * factor, self.times * factor)

    def at(self, n: int) -> int:
        return self.const + self.times * n

    def __str__(self) -> str:
        if not self.times:
            return str(self.const)
        length = "length" if self.times == 1 else f"{self.times} * length"
        return f"{length} {'-' if self.const < 0 else '+'} {abs(self.const)}" if self.const else length


class Span(NamedTuple):
    """The range of n: lowest to highest value."""

    lowest: int
    highest: int

    def bounds(self, size: Size) -> tuple[int, int]:
        ends = sorted((size.at(self.lowest), size.at(self.highest)))
        return ends[0], ends[1]

    def sign(self, size: Size) -> int | None:
        """-1, 0 or 1 if `size` has this sign for all n, otherwise None."""
        low, high = self.bounds(size)
        if low > 0:
            return 1
        if high < 0:
            return -1
        return 0 if low == high == 0 else None

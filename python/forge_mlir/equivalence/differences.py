"""What an evaluation of a module gives, and how two results differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from forge_mlir.equivalence.program import Array

Layer = Literal["float64", "infinities", "exact"]
"""Results in float64; which results in float64 are finite, if arguments have infinities and NaN; results in a finite
field."""

Outputs = dict[str, list[Any] | str]
"""The values of outputs by function, or the reason why there are none."""


@dataclass(frozen=True)
class Difference:
    """An element of an output that differs between two modules; the worst, or the first, of `count` such elements."""

    layer: Layer
    function: str
    output: str
    index: tuple[int, ...]
    before: float
    after: float
    count: int

    def explain(self) -> str:
        where = f"output {self.output!a}{list(self.index) if self.index else ''}"
        return f"{where} was {self.before:.9g} and is {self.after:.9g} ({self.count} elements differ, {self.layer})"


def difference(layer: Layer, function: str, output: str, wrong: Array, before: Array, after: Array) -> Difference:
    """The worst of the wrong elements."""
    a, b = (np.asarray(value, dtype=np.float64).reshape(wrong.shape) for value in (before, after))
    with np.errstate(all="ignore"):
        size = np.where(wrong, np.nan_to_num(np.abs(a - b), nan=np.inf, posinf=np.inf), -1)
    index = tuple(int(at) for at in np.unravel_index(int(size.argmax()), size.shape))
    return Difference(layer, function, output, index, float(a[index]), float(b[index]), int(wrong.sum()))


_TIMES_MOVED = 4.0
"""By how many times what a rounding changes two results may differ."""


def moved_by(before: Array, moved: Array, unmoved: Array) -> Array:
    """The larger one of `before` and the distances of `moved` from `unmoved`, of which infinite ones are left out."""
    apart = np.abs(np.asarray(moved, np.float64) - unmoved)
    return np.maximum(before, np.where(np.isfinite(apart), apart, 0))


def within_rounding(before: Array, after: Array, moved: Array) -> Array:
    """Which elements differ by no more than a few times what they and their row `moved` by roundings."""
    row = np.sqrt((moved**2).mean(-1, keepdims=True)) if moved.ndim and moved.size else moved
    with np.errstate(invalid="ignore"):
        return np.asarray((moved > 0) & (np.abs(before - after) <= _TIMES_MOVED * (moved + row)))

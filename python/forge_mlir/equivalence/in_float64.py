"""Compares functions by their results in float64."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from forge_mlir.equivalence.differences import Difference, Layer, Outputs, difference, moved_by, within_rounding
from forge_mlir.equivalence.interpreter import Evaluation
from forge_mlir.equivalence.leaves import Leaves
from forge_mlir.equivalence.movement import MOVES
from forge_mlir.equivalence.numbers.algebra import Reals
from forge_mlir.equivalence.program import Array, Function, NotCovered

_ROUNDING, _DRAWS = 2.0**-52, 2
"""A rounding of float64, and how many times results are moved by it."""
_CANCELLED = 1e-13
"""The rounding error in float64 of a sum of random numbers of about 1 that is 0."""
_SHOWN = 1e300
"""What the text of a difference shows instead of NaN and infinities."""

_CONSTANTS = ("forge.scalar_constant", "forge.constant")
_SUMS = {
    *("forge.add", "forge.subtract", "forge.matmul", "forge.conv2d", "forge.conv2d_transpose", "forge.reduce_sum"),
    *(
        "forge.reduce_avg",
        "forge.cum_sum",
        "forge.avg_pool1d",
        "forge.avg_pool2d",
        "forge.layernorm",
        "forge.batchnorm",
    ),
    *("forge.resize1d", "forge.resize2d"),
}


@dataclass
class Float64:
    """Evaluates every op in float64, on normally distributed numbers.

    Two elements are equal if they differ by at most 1e-5 of the element and of the root mean square of its row (the
    trailing axis). The tolerance is larger for functions with half-precision elements, because passes round constants
    to those. A difference that the rounding of float64 explains is none: the mean of numbers of 1e20 that cancel is a
    rounding error, in which an addend of 1 is lost or not, depending on where it is added.
    """

    leaves: Leaves
    layer: Layer = field(default="float64", init=False)

    def outputs(self, functions: Mapping[str, Function]) -> Outputs:
        found: Outputs = {}
        for name, function in functions.items():
            try:
                with np.errstate(all="ignore"):
                    found[name] = _outputs(function, self._evaluation(function), self.leaves)
            except NotCovered as error:
                found[name] = str(error)
        return found

    def _evaluation(self, _: Function) -> Evaluation:
        return Evaluation(Reals(), self.leaves.weight)

    def gaps(self, _function: Function, _before: list[Any], _after: list[Any]) -> list[str]:
        return []

    def differences(self, function: Function, before: list[Any], after: list[Any]) -> Iterable[Difference]:
        for at, (name, a, b) in enumerate(zip(function.outputs, before, after, strict=True)):
            if (wrong := self._unequal(function, at, np.reshape(a, np.shape(b)), np.asarray(b))).any():
                yield difference(self.layer, function.name, name, wrong, a, b)

    def _unequal(self, function: Function, at: int, before: Array, after: Array) -> Array:
        """Which elements of output `at` differ by more than rounding."""
        wrong = unequal(before, after, limit_of(function))
        return wrong & ~self._is_rounding(function, at, before, after) if wrong.any() else wrong

    def _is_rounding(self, function: Function, at: int, before: Array, after: Array) -> Array:
        """Which elements of output `at` differ by no more than they move if the result of each arithmetic op is moved
        by a rounding of float64, and each constant by a rounding of the 16-bit format."""
        moved, unit = np.zeros(np.shape(after)), unit_of_16_bits(function)
        for seed in range(_DRAWS):
            random = np.random.default_rng(seed)

            def move(at: int, _: list[Any], results: list[Any], random: np.random.Generator = random) -> None:
                op = function.ops[at]
                rounding = unit if op.name in _CONSTANTS else _ROUNDING if op.operands else 0.0
                if rounding and op.name not in MOVES and op.type.is_float:
                    signs = random.choice([-1.0, 1.0], np.shape(results[0]))
                    results[0] = results[0] * (1 + rounding * signs)

            evaluation = Evaluation(Reals(), self.leaves.weight, move)
            with np.errstate(all="ignore"):
                other = np.reshape(_outputs(function, evaluation, self.leaves)[at], np.shape(after))
                moved = moved_by(moved, other, after)
        return within_rounding(before, after, moved)


@dataclass
class Infinities(Float64):
    """Evaluates every op in float64. Two results are equal if the same elements are finite, and these are equal as for
    `Float64`: which of NaN and the infinities the others are may depend on the order of a sum (docs/numerics.md).
    Rewrites that add zero terms do not preserve this.

    If the first version of a function adds infinities of both signs, its NaN may be an infinity in another version, of
    which a function such as a sigmoid is finite. Then elements that were not finite may become finite, and those that
    are finite in both are not compared.
    """

    leaves: Leaves
    layer: Layer = field(default="infinities", init=False)
    _adds_both: dict[str, bool] = field(default_factory=dict, init=False)

    def _evaluation(self, function: Function) -> Evaluation:
        is_first = function.name not in self._adds_both
        self._adds_both.setdefault(function.name, False)

        def watch(at: int, operands: list[Any], results: list[Any]) -> None:
            op = function.ops[at]
            if op.name in _SUMS and op.type.is_float and np.isnan(results[0]).any():
                self._adds_both[function.name] |= any(np.isinf(operand).any() for operand in operands)

        return Evaluation(Reals(), self.leaves.weight, watch if is_first else None)

    def differences(self, function: Function, before: list[Any], after: list[Any]) -> Iterable[Difference]:
        for at, (name, a, b) in enumerate(zip(function.outputs, before, after, strict=True)):
            a, b = np.reshape(a, np.shape(b)), np.asarray(b)
            wrong = np.isfinite(a) != np.isfinite(b)
            if self._adds_both.get(function.name):
                wrong &= np.isfinite(a)
            else:
                wrong |= np.isfinite(a) & np.isfinite(b) & self._unequal(function, at, a, b)
            if wrong.any():
                a, b = (np.where(np.isfinite(each), each, _SHOWN) for each in (a, b))
                yield difference(self.layer, function.name, name, wrong, a, b)


def _outputs(function: Function, evaluation: Evaluation, leaves: Leaves) -> list[Any]:
    if function.kind in ("cpu", "driver"):
        return [function.text]
    return evaluation.outputs(function, leaves.arguments(function))


def limit_of(function: Function) -> float:
    """The tolerance of `unequal`."""
    return {2.0**-8: 1e-1, 2.0**-11: 1e-2}.get(unit_of_16_bits(function), 1e-5)


def unit_of_16_bits(function: Function) -> float:
    """The rounding of a number in the 16-bit format of a function, 0 if it has none."""
    elements = {type_.element for op in function.ops for type_ in op.types}
    return 2.0**-8 if "bf16" in elements else 2.0**-11 if "f16" in elements else 0.0


def unequal(before: Array, after: Array, limit: float) -> Array:
    """The elements that differ by more than `limit` of the element and of the root mean square of its row, and by more
    than the rounding error of a sum that is 0."""
    if before.dtype.kind == "i":
        return np.asarray(before != after)
    finite = np.where(np.isfinite(before), before, 0)
    with np.errstate(invalid="ignore", over="ignore"):
        row = np.sqrt((finite**2).mean(-1, keepdims=True)) if before.ndim and before.size else np.abs(finite)
        near = np.isfinite(before) & (np.abs(before - after) <= limit * (np.abs(before) + row) + _CANCELLED)
    return np.asarray(~(near | (before == after) | (np.isnan(before) & np.isnan(after))))

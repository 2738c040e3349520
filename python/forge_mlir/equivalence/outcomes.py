"""Which sides of the decisions of a function the drawn numbers took: what is never chosen is not compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from forge_mlir.equivalence.numbers.exact import Exact
from forge_mlir.equivalence.program import Array, Function, Op

ORDERS = frozenset(f"forge.{name}" for name in ("less", "less_equal", "greater", "greater_equal"))
COMPARISONS = ORDERS | {"forge.equal", "forge.not_equal"}
_BOUNDS = COMPARISONS | {"forge.clip", "forge.max", "forge.min"}
_OF_ZEROS = frozenset(["forge.logical_not", "forge.logical_and"])
"""Ops that compare with 0, as casts to i1 do."""
_OF_SIGNS = frozenset(f"forge.{name}" for name in ("relu", "leaky_relu", "abs", "heaviside", "wrap_index"))


class Hidden(NamedTuple):
    """Why something is not compared, and the outputs that depend on it."""

    reason: str
    outputs: frozenset[str]


@dataclass
class Outcomes:
    """Of one function: `taken` has, by the path of an op, the names of the sides that some element took."""

    function: Function
    taken: dict[int, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Constants, and integers that are the model's own, decide what they do, and nothing here is NaN: a number is
        what it is compared with where that is itself."""
        varying = set(range(len(self.function.arguments)))
        for at, op in enumerate(self.function.ops):
            if op.name in COMPARISONS and op.operands[0] == op.operands[1]:
                continue
            if varying.intersection(op.operands) or (op.name == "forge.parameter" and op.type.is_float):
                varying.update(op.results)
            deciding = op.operands[:1] if op.name == "forge.where" else op.operands
            if varying.intersection(deciding) and sides_of(op):
                self.taken[at] = set()

    def record(self, at: int, operands: list[Any], results: list[Any]) -> set[str]:
        """The sides that an op took in one evaluation."""
        op = self.function.ops[at]
        return {side for side, some in _sides(op, operands, results).items() if some} if at in self.taken else set()

    def add(self, taken: Mapping[int, set[str]]) -> bool:
        """Whether an evaluation took sides that none before it had."""
        found = any(not sides <= self.taken[at] for at, sides in taken.items() if at in self.taken)
        for at, sides in taken.items():
            if at in self.taken:
                self.taken[at] |= sides
        return found

    @property
    def compares(self) -> bool:
        """Whether equal numbers may decide."""
        return any(self.function.ops[at].name in COMPARISONS for at in self.taken)

    def undecided(self) -> list[Op]:
        """Ops of which some side was never taken."""
        ops = self.function.ops
        return [ops[at] for at, sides in self.taken.items() if not sides_of(ops[at]) <= sides]

    def keys(self) -> Counter[str]:
        """The undecided ops with bounds, by their bounds. Integers are left out: their types decide much, such as that
        no ui8 is negative, and passes use that."""
        constants, whole = dict[int, str](), set[int]()
        undecided, found = {id(op) for op in self.undecided()}, Counter[str]()
        for op in self.function.ops:
            if op.name in ("forge.scalar_constant", "forge.constant"):
                value = np.asarray(op.attributes.get("constant", op.attributes.get("value")))
                constants.update((result, str(np.unique(value).tolist())) for result in op.results)
            elif not whole.isdisjoint(op.operands) or any(type_.is_integer for type_ in op.operand_types):
                whole.update(op.results)
            elif op.name in _BOUNDS and id(op) in undecided:
                known = [constants[operand] for operand in op.operands if operand in constants]
                found[" ".join([op.name, *(f"{name} {value}" for name, value in op.attributes.items()), *known])] += 1
        return found

    def hidden(self) -> list[Hidden]:
        """What the undecided ops hide."""
        return self._hidden_by(self.undecided(), "has one outcome in every run")

    def untied(self) -> list[Hidden]:
        """What hides a change of `>` to `>=`: comparisons by order whose operands are never equal."""
        ops = [(self.function.ops[at], sides) for at, sides in self.taken.items()]
        untied = [op for op, sides in ops if op.name in ORDERS and "equal" not in sides]
        return self._hidden_by(untied, "has no equal operands in any run")

    def _hidden_by(self, ops: Sequence[Op], why: str) -> list[Hidden]:
        dependent = self._dependent_outputs() if ops else {}
        return [
            Hidden(
                f"{op.name} at {op.location} {why}",
                frozenset().union(*(dependent.get(result, frozenset()) for result in op.results)),
            )
            for op in ops
        ]

    def _dependent_outputs(self) -> dict[int, frozenset[str]]:
        """The outputs that depend on each value. One backward walk: a walk for each op would be quadratic."""
        outputs = tuple(self.function.outputs)
        masks: dict[int, int] = {}
        for position, value in enumerate(self.function.returned):
            masks[value] = masks.get(value, 0) | 1 << position
        for op in reversed(self.function.ops):
            mask = 0
            for result in op.results:
                mask |= masks.get(result, 0)
            if mask:
                for operand in op.operands:
                    masks[operand] = masks.get(operand, 0) | mask

        @cache
        def names(mask: int) -> frozenset[str]:
            return frozenset(name for position, name in enumerate(outputs) if mask >> position & 1)

        return {value: names(mask) for value, mask in masks.items()}


def sides_of(op: Op) -> set[str]:
    """The sides that an op chooses from; none where it chooses nothing."""
    if op.name in COMPARISONS or op.name == "forge.where" or _compares_with_0(op):
        return {"true", "false"}
    if op.name in ("forge.max", "forge.min"):
        return {"first", "second"} if op.operands[0] != op.operands[1] else set()
    if op.name in _OF_SIGNS:
        return {"negative", "positive", *(["zero"] if op.name == "forge.heaviside" else [])}
    if op.name == "forge.clip":
        bounds = {side for side in ("min", "max") if np.isfinite(op.attributes[side])}
        return {"inside", *bounds}
    return set()


def _sides(op: Op, operands: list[Any], results: list[Any]) -> dict[str, bool]:
    if op.name in COMPARISONS or op.name == "forge.where" or _compares_with_0(op):
        chosen = _exact(operands[0] if op.name == "forge.where" else results[0]) != 0
        is_tied = op.name in ORDERS and bool((_exact(operands[0]) == _exact(operands[1])).any())
        return {"true": bool(chosen.any()), "false": not chosen.all(), "equal": is_tied}
    if op.name in ("forge.max", "forge.min"):
        result, first, second = _exact(results[0]), _exact(operands[0]), _exact(operands[1])
        return {"first": bool((result != second).any()), "second": bool((result != first).any())}
    real = _real(operands[0])
    if op.name == "forge.clip":
        low, high = op.attributes["min"], op.attributes["max"]
        inside = (real > low) & (real < high)
        return {"min": bool((real < low).any()), "max": bool((real > high).any()), "inside": bool(inside.any())}
    zero = bool((_exact(operands[0]) == 0).any())
    return {"negative": bool((real < 0).any()), "positive": bool((real > 0).any()), "zero": zero}


def _compares_with_0(op: Op) -> bool:
    is_truth = op.name == "forge.cast" and op.type.element == "i1" and op.operand_types[0].element != "i1"
    return is_truth or op.name in _OF_ZEROS


def _exact(value: Any) -> Array:
    return value.field if isinstance(value, Exact) else np.asarray(value)


def _real(value: Any) -> Array:
    return value.real if isinstance(value, Exact) else np.asarray(value)

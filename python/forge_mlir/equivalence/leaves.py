"""Values of arguments and weights, drawn by their names, so that the modules of one comparison get the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np

from forge_mlir.equivalence.program import Array, Function, Op, Type
from forge_mlir.onnx_model.weights import WeightRef

_SPREAD = 8


@dataclass
class Leaves:
    """`weights` are those of the model, by the keys in the IR: integers are taken from them, and where all numbers of
    one are positive, as those of a variance, those that are drawn are too. `wide` draws numbers of several sizes."""

    seed: int
    weights: Mapping[str, WeightRef] = field(default_factory=dict)
    wide: bool = False
    _arguments: dict[tuple[str, int], Array] = field(default_factory=dict, init=False)

    def arguments(self, function: Function) -> list[Array]:
        """float64 and int64 arrays of the types that the arguments have here. Those of an earlier module in this
        comparison are kept: a pass may change a type, not what a program is given."""
        values = []
        for at, type_ in enumerate(function.arguments):
            key = (function.name, at)
            if key not in self._arguments:
                between = integers_of(function, at)
                self._arguments[key] = self._drawn(f"{function.name} {at}", type_, between)
            values.append(self._arguments[key].reshape(type_.shape))
        return values

    def weight(self, key: str, type_: Type) -> Array:
        """The elements of one weight."""
        known = self.weights.get(key)
        if known is not None and not type_.is_float:
            return np.asarray(known.array()).astype(np.int64).reshape(type_.shape)
        drawn = self._drawn(key, type_, (0, _SPREAD))
        if not type_.is_float:
            return drawn
        fan = max(1, drawn.size // max(type_.shape, default=1)) if len(type_.shape) > 1 else 1
        positive = known is not None and bool((np.asarray(known.array()).astype(np.float64) > 0).all())
        return np.abs(drawn) + 0.5 if positive else drawn / np.sqrt(fan)

    def _drawn(self, name: str, type_: Type, between: tuple[int, int]) -> Array:
        random = np.random.default_rng([self.seed, crc32(name.encode())])
        if type_.element == "i1":
            return random.integers(0, 2, type_.shape)
        if not type_.is_float:
            return random.integers(*between, type_.shape)
        size = np.exp2(random.integers(-1, 5, type_.shape)) if self.wide else 1.0
        return random.standard_normal(type_.shape) * size


# The operand that is an index, and the operand that it selects from.
_INDEX = {
    "forge.embedding": (0, 1),
    "forge.adv_index": (1, 0),
    "forge.index_copy": (1, 0),
    "forge.update_cache": (2, 0),
}


def integers_of(function: Function, argument: int) -> tuple[int, int]:
    """The least integer that an argument may be, and the first that it may not be: what is computed from it has to stay
    within the axes that it selects from, and what becomes a number is a mask, of 0 and 1."""
    reached, low, high, is_index = {argument}, 0, _SPREAD, False
    for op in function.ops:
        for position, operand in enumerate(op.operands):
            if operand not in reached:
                continue
            if op.name == "forge.wrap_index":
                low, high = -_SPREAD, min(high, op.attributes["size"])
            elif op.name in _INDEX and position == _INDEX[op.name][0]:
                is_index, high = True, min(high, _selected_size(op))
            elif op.name == "forge.cast" and op.type.is_float:
                high = min(high, 2)
            elif op.type.is_integer:
                reached.update(op.results)
    low = 0 if is_index else max(low, -high)
    if argument in function.ranges:
        least, last = function.ranges[argument]
        low, high = max(low, least), min(high, last + 1)
    return low, max(high, low + 1)


def _selected_size(op: Op) -> int:
    """How many slices there are that the index of an op selects from."""
    axis = {"forge.embedding": 0, "forge.update_cache": 2}.get(op.name)
    return op.operand_types[_INDEX[op.name][1]].shape[op.axis() if axis is None else axis]

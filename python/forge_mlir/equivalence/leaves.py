"""Values of arguments and weights, drawn by their names, so that the modules of one comparison get the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np

from forge_mlir.equivalence.program import Array, Function, Type
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
                bound = index_bound(function, at)
                self._arguments[key] = self._drawn(f"{function.name} {at}", type_, bound)
            values.append(self._arguments[key].reshape(type_.shape))
        return values

    def weight(self, key: str, type_: Type) -> Array:
        """The elements of one weight."""
        known = self.weights.get(key)
        if known is not None and not type_.is_float:
            return np.asarray(known.array()).astype(np.int64).reshape(type_.shape)
        drawn = self._drawn(key, type_, _SPREAD)
        if not type_.is_float:
            return drawn
        fan = max(1, drawn.size // max(type_.shape, default=1)) if len(type_.shape) > 1 else 1
        positive = known is not None and bool((np.asarray(known.array()).astype(np.float64) > 0).all())
        return np.abs(drawn) + 0.5 if positive else drawn / np.sqrt(fan)

    def _drawn(self, name: str, type_: Type, bound: int) -> Array:
        random = np.random.default_rng([self.seed, crc32(name.encode())])
        if type_.element == "i1":
            return random.integers(0, 2, type_.shape)
        if not type_.is_float:
            return random.integers(0, bound, type_.shape)
        size = np.exp2(random.integers(-1, 5, type_.shape)) if self.wide else 1.0
        return random.standard_normal(type_.shape) * size


_INDEX = {"forge.embedding": 0, "forge.adv_index": 1, "forge.index_copy": 1, "forge.update_cache": 2}


def index_bound(function: Function, argument: int) -> int:
    """Below what an integer argument stays, so that indices which are computed from it lie within their axes."""
    reached, bound = {argument}, _SPREAD
    for op in function.ops:
        for position, operand in enumerate(op.operands):
            if operand not in reached:
                continue
            if op.name in _INDEX and position == _INDEX[op.name]:
                shape = op.operand_types[1 if op.name == "forge.embedding" else 0].shape
                axis = {"forge.embedding": 0, "forge.update_cache": 2}.get(op.name)
                bound = min(bound, shape[op.axis() if axis is None else axis])
            elif op.name == "forge.cast" and op.type.is_float:
                bound = min(bound, 2)  # A mask, of which an additive one is made.
            elif op.type.is_integer:
                reached.update(op.results)
    return max(bound, 1)

"""Random arguments and weights, seeded by their names, so that all modules of a comparison get the same values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from zlib import crc32

import numpy as np

from forge_mlir.equivalence.outcomes import COMPARISONS
from forge_mlir.equivalence.program import Array, Function, Op, Type
from forge_mlir.onnx_model.storage.weights import WeightRef

_SPREAD = 8
# Exceeds the range of 8-bit integers.
_WIDE = 300
_NARROW = 16
"""The widest integers, in bits, that casts wrap: the device has Int32, whose range inputs may not exceed."""
_LARGEST_FACTOR = 46_000
"""The product of two integers up to this one is within Int32."""
_NUMBERS = 1 << 24

Steer = Literal["bounds", "beside", "rows", "tiny", "small", "spread", "large", "integers"]
"""What arguments are besides: the numbers that a function compares with, exactly; the nearest Float32 numbers to these;
rows of magnitudes from 1e-9 to 1e9; all of one magnitude, which is in `_SCALES`; integers up to `most`."""
_MAGNITUDES = np.array([-9, -6, -3, 0, 3, 6, 9])
_SCALES: dict[Steer, float] = {"tiny": 1e-30, "small": 1e-9, "spread": 8.0, "large": 1e9}
"""A number as small as the first one is below the bounds that keep divisors from 0. Scores that are spread have a
softmax of 1e-7 and less, whose largest element is not yet 1 in float64."""


@dataclass
class Leaves:
    """`weights` are those of the model by key in the IR. Integer weights are used as they are; if all elements of a
    weight are positive, as for a variance, so are the random ones. `wide` draws numbers of various magnitudes. With
    `tied`, each element occurs twice along every axis, as do most computed values. `steer` draws arguments for which
    conditions have another outcome."""

    seed: int
    weights: Mapping[str, WeightRef] = field(default_factory=dict)
    wide: bool = False
    tied: bool = False
    steer: Steer | None = None
    most: int = 0
    _arguments: dict[tuple[str, int], Array] = field(default_factory=dict, init=False)

    def arguments(self, function: Function) -> list[Array]:
        """Arguments as float64 and int64 arrays, in the types of this function. Arguments of an earlier module in the
        comparison are reused, because a pass may change a type but not the input."""
        values = []
        for at, type_ in enumerate(function.arguments):
            key = (function.name, at)
            if key not in self._arguments:
                between = integers_of(function, at, _WIDE if self.wide else 2)
                drawn = self._drawn(f"{function.name} {at}", type_, between)
                if self.steer is not None:
                    drawn = self._steered(drawn, function, at)
                self._arguments[key] = self._near(drawn, bounds_of(function), between) if self.wide else drawn
            values.append(self._arguments[key].reshape(type_.shape))
        return values

    def _near(self, drawn: Array, bounds: Array, between: tuple[int, int]) -> Array:
        """Moves half of the elements (or all, if there are few) to numbers that the function compares with, or close to
        them; floats are not equal to them."""
        random = np.random.default_rng([self.seed, crc32(drawn.tobytes())])
        offsets = np.array([1, -1, 0.01, -0.01] if drawn.dtype.kind == "f" else [0, 1, -1])
        beside = (bounds[:, None] + offsets).reshape(-1)
        near = np.resize(random.permutation(beside), drawn.shape)
        takes = (random.integers(0, 2, drawn.shape) == 1) | (drawn.size < 2 * beside.size)
        if drawn.dtype.kind == "f":
            # All elements are distinct, because the order of equal ones would be arbitrary.
            return np.where(takes, near + random.standard_normal(drawn.shape) * 1e-3, drawn)
        whole = np.rint(near).astype(np.int64)
        return np.where(takes & (whole >= between[0]) & (whole < between[1]), whole, drawn)

    def _steered(self, drawn: Array, function: Function, argument: int) -> Array:
        random = np.random.default_rng([self.seed, crc32(drawn.tobytes())])
        if function.arguments[argument].element == "i1":
            return drawn
        if drawn.dtype.kind == "f" and self.steer in _SCALES:
            return drawn * _SCALES[self.steer]
        if drawn.dtype.kind == "f" and self.steer == "rows":
            rows = math.prod(drawn.shape[:-1])
            powers = random.permutation(np.resize(random.permutation(_MAGNITUDES), rows))
            powers = powers.reshape(*drawn.shape[:-1], 1) if drawn.ndim else powers.reshape(())
            # The elements of every fourth row are of several magnitudes, too.
            among = random.choice(_MAGNITUDES, drawn.shape) * (random.integers(0, 4, powers.shape) == 0)
            return np.asarray(drawn * 10.0 ** np.clip(powers + among, -9, 9))
        if self.steer == "integers":
            between = integers_of(function, argument, 2, most=self.most)
            return drawn if drawn.dtype.kind == "f" else random.integers(*between, drawn.shape)
        takes = random.integers(0, 2, drawn.shape) == 1
        bounds = compared_by(function)
        if drawn.dtype.kind == "f":
            numbers = np.concatenate([bounds, -bounds])
            if self.steer == "beside":
                # The neighbours of 0 are denormal; the runs of magnitudes come close to 0.
                single = numbers[numbers != 0].astype(np.float32)
                numbers = np.concatenate([np.nextafter(single, np.float32(to)) for to in (-np.inf, np.inf)])
            taken = random.choice(numbers.astype(np.float64), drawn.shape) if numbers.size else drawn
            return np.where(takes, taken, drawn)
        low, high = integers_of(function, argument, _WIDE, _NUMBERS, self.steer == "rows")
        whole = np.rint(bounds[np.abs(bounds) < _NUMBERS]).astype(np.int64)
        near = np.unique(np.concatenate([whole - 1, whole, whole + 1, [low]]))
        near = near[(near >= low) & (near < high)]
        return np.where(takes, random.choice(near, drawn.shape), drawn) if near.size else drawn

    def weight(self, key: str, type_: Type) -> Array:
        """The elements of a weight."""
        known = self.weights.get(key)
        if known is not None and not type_.is_float:
            return np.asarray(known.array()).astype(np.int64).reshape(type_.shape)
        drawn = self._drawn(key, type_, (0, _SPREAD))
        if not type_.is_float:
            return drawn
        fan = max(1, drawn.size // max(1, *type_.shape)) if len(type_.shape) > 1 else 1
        positive = known is not None and bool((np.asarray(known.array()).astype(np.float64) > 0).all())
        return np.abs(drawn) + 0.5 if positive else drawn / np.sqrt(fan)

    def _drawn(self, name: str, type_: Type, between: tuple[int, int]) -> Array:
        random = np.random.default_rng([self.seed, crc32(name.encode())])
        if type_.element == "i1":
            return random.integers(0, 2, type_.shape)
        if not type_.is_float:
            return random.integers(*between, type_.shape)
        size = np.exp2(random.integers(-1, 5, type_.shape)) if self.wide else 1.0
        drawn = random.standard_normal(type_.shape) * size
        return np.asarray(drawn.reshape(-1)[self.indices(type_.shape)])

    def indices(self, shape: tuple[int, ...]) -> Array:
        """The index of each element of a tensor, or that of the first element of its pair."""
        indices = np.arange(math.prod(shape), dtype=np.uint64).reshape(shape)
        if self.tied:
            for axis, size in enumerate(shape):
                indices = indices.take(np.arange(size) // 2 * 2, axis)
        return indices


_SPECIAL = (np.inf, -np.inf, np.nan)


class SpecialLeaves(Leaves):
    """Arguments with one to three elements that are infinities or NaN: one of eight elements, but at least one."""

    def arguments(self, function: Function) -> list[Array]:
        return [
            self._with_special(f"{function.name} {at}", value) if value.dtype.kind == "f" and value.size else value
            for at, value in enumerate(super().arguments(function))
        ]

    def _with_special(self, name: str, value: Array) -> Array:
        random = np.random.default_rng([self.seed, crc32(name.encode())])
        elements = value.reshape(-1).copy()
        at = random.permutation(elements.size)[: np.clip(elements.size // 8, 1, len(_SPECIAL))]
        elements[at] = random.permutation(_SPECIAL)[: len(at)]
        return elements.reshape(value.shape)


def bounds_of(function: Function) -> Array:
    """The numbers of moderate size in a function, and 0: bounds of clips and operands of comparisons."""
    found = {0.0}
    for op in function.ops:
        mentioned = [op.attributes.get(name) for name in ("min", "max", "constant")]
        if isinstance(elements := op.attributes.get("value"), np.ndarray) and elements.size == 1:
            mentioned.append(float(elements.reshape(())))
        found.update(number for number in mentioned if number is not None and abs(number) <= 1000)
    return np.array(sorted(found))


_DIVIDES = ("forge.quotient", "forge.remainder")
_DECIDES = COMPARISONS | {f"forge.{name}" for name in ("where", "max", "min", "clip", "remainder")}
_LARGEST = 1e12


def compared_by(function: Function) -> Array:
    """Constants that a function compares with or chooses from, of any size that leaves float64 room, and 0."""
    found, known = {0.0}, dict[int, Array]()
    for op in function.ops:
        if op.name in _DECIDES:
            found.update(float(op.attributes[name]) for name in ("min", "max") if name in op.attributes)
            # Only here, because it sorts them, and most constants are weights.
            for values in (np.unique(known[operand]) for operand in op.operands if operand in known):
                found.update(values.astype(np.float64).tolist() if len(values) <= _SPREAD else [])
        elif op.name == "forge.scalar_constant":
            known[op.results[0]] = np.array([float(op.attributes["constant"])])
        elif op.name == "forge.constant" and isinstance(elements := op.attributes.get("value"), np.ndarray):
            known[op.results[0]] = elements
        elif len(op.operands) == 1 and op.operands[0] in known:
            # Moved, or cast.
            known[op.results[0]] = known[op.operands[0]]
    return np.array(sorted(number for number in found if abs(number) <= _LARGEST))


# The operand that is an index, and the operand that it indexes.
_INDEX = {
    "forge.embedding": (0, 1),
    "forge.adv_index": (1, 0),
    "forge.index_copy": (1, 0),
    "forge.update_cache": (2, 0),
}


def integers_of(
    function: Function, argument: int, number: int, spread: int = _SPREAD, negative: bool = False, most: int = 0
) -> tuple[int, int]:
    """The range [low, high) of an integer argument: indices that are computed from it have to stay within their axes,
    and an integer that becomes a float stays below `number`, which is 2 for masks of 0 and 1. If `number` is larger
    than for masks and small factors, integers that are cast to 8 or 16 bits have values that the cast wraps, and
    dividends have values up to `number`. An index is below `spread`; with `negative`, indices that count from the end
    are drawn too. What is no index has values up to `most`, if that is given."""
    type_ = function.arguments[argument]
    if type_.element == "i1" or type_.is_float:
        return 0, 2
    reached, low, high, far = {argument}, 0, spread, 0
    is_index = is_number = is_wrapped = False
    for op in function.ops:
        for position, operand in enumerate(op.operands):
            if operand not in reached:
                continue
            if op.name == "forge.wrap_index":
                low, high, is_wrapped = -spread, min(high, op.attributes["size"]), True
            elif op.name in _INDEX and position == _INDEX[op.name][0]:
                is_index, high = True, min(high, _selected_size(op))
            elif op.name == "forge.cast" and op.type.is_float:
                is_number = True
            elif op.type.is_integer:
                reached.update(op.results)
                if op.name == "forge.cast" and 1 < op.type.bits <= _NARROW:
                    far = max(far, min(1 << op.type.bits, _LARGEST_FACTOR))
                elif op.name in _DIVIDES and position == 0:
                    far = max(far, number)
    if most and not (is_index or is_wrapped):
        low, high = -most, most
    elif far and number > _SPREAD == spread and not (is_index or is_wrapped):
        low, high = -far, far
    elif is_number and not (is_index or is_wrapped) and spread == _SPREAD:
        low, high = -number if number > _SPREAD else 0, number
    elif number > _SPREAD and not is_index:
        low = -spread
    low = 0 if is_index and not (negative and is_wrapped) else max(low, -high)
    half = 1 << type_.bits - 1
    ends = [(0, 2 * half) if type_.is_unsigned else (-half, half)]
    if argument in function.ranges:
        least, last = function.ranges[argument]
        ends.append((least, last + 1))
    for first, end in ends:
        low, high = max(low, first), min(high, end)
    return low, max(high, low + 1)


def has_large_integers(function: Function) -> bool:
    """Whether an argument is an integer that is no index."""
    return any(
        type_.is_integer
        and integers_of(function, at, 2, most=_NUMBERS)[1] > max(_SPREAD, integers_of(function, at, 2)[1])
        for at, type_ in enumerate(function.arguments)
    )


def _selected_size(op: Op) -> int:
    """The number of slices that the index of an op selects from."""
    axis = {"forge.embedding": 0, "forge.update_cache": 2}.get(op.name)
    return op.operand_types[_INDEX[op.name][1]].shape[op.axis() if axis is None else axis]

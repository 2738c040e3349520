"""Evaluates a function of forge IR by an algebra of `numbers`: float64 (`Reals`) or a finite field (`ExactNumbers`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from forge_mlir.equivalence import movement
from forge_mlir.equivalence.definitions import BIASED, DEFINITIONS
from forge_mlir.equivalence.numbers.algebra import Algebra, Integers
from forge_mlir.equivalence.program import Array, Function, NotCovered, Op, Type

Leaf = Callable[[str, Type], Any]
"""The value of a weight by its key: an element of the algebra for floats, an int64 array for integers."""

Watch = Callable[[int, list[Any], list[Any]], None]
"""Is called with the path of an op, the values of its operands and its results."""

_INTEGERS = Integers()
_DEVICE_BITS = 32
# Larger values and convolution windows are not evaluated: comparisons use models with small weights.
_MOST_ELEMENTS = 1 << 26


@dataclass(frozen=True)
class Evaluation:
    """Evaluates functions; `floats` is the algebra of floating-point values."""

    floats: Algebra[Any]
    weight: Leaf
    watch: Watch | None = None
    stops_at_overflow: bool = False
    """Whether an integer that exceeds Int32, for which the device is not defined, is NotCovered."""

    def outputs(self, function: Function, arguments: Sequence[Any]) -> list[Any]:
        """The results of a function for given arguments. Raises NotCovered, naming the op."""
        values: dict[int, Any] = dict(enumerate(arguments))
        constants: set[int] = set()
        last = {value: at for at, op in enumerate(function.ops) for value in op.operands}
        kept = set(function.returned)
        for at, op in enumerate(function.ops):
            operands = [values[value] for value in op.operands]
            try:
                results = self._results(op, operands, constants)
            except NotCovered as error:
                raise NotCovered(f"{op.name} at {op.location}: {error}") from error
            if self.watch is not None:
                self.watch(at, operands, results)
            del operands
            values.update(zip(op.results, results, strict=True))
            for value in {*op.operands, *op.results} - kept:  # Values are freed after their last use.
                if last.get(value, at) == at:
                    del values[value]
        types = dict(enumerate(function.arguments))
        types.update(pair for op in function.ops for pair in zip(op.results, op.types, strict=True))
        return [_on_device(values[value], types[value]) for value in function.returned]

    def _results(self, op: Op, operands: list[Any], constants: set[int]) -> list[Any]:
        if any(math.prod(type_.shape) > _MOST_ELEMENTS for type_ in op.types):
            raise NotCovered(f"a result of more than {_MOST_ELEMENTS} elements")
        is_constant = op.name != "forge.parameter" and constants.issuperset(op.operands)
        rounds = [value in constants for value in op.operands]
        if is_constant:
            constants.update(op.results)
        if move := movement.MOVES.get(op.name):
            found = self._moved(op, operands, move)
        else:
            found = [self._result(op, operands, rounds)]
            if is_constant and operands and op.type.is_float:
                self.floats.learn(found[0])
        return [self._stored(value, type_) for value, type_ in zip(found, op.types, strict=True)]

    def _algebra(self, type_: Type) -> Algebra[Any]:
        if type_.is_float:
            return self.floats
        if type_.is_integer:
            return _INTEGERS
        raise NotCovered(f"elements of type {type_.element}")

    def _moved(self, op: Op, operands: list[Any], move: movement.Move) -> list[Any]:
        algebra = self._algebra(op.type)
        return [algebra.move(lambda *arrays, at=at: move(op, arrays)[at], *operands) for at in range(len(op.results))]

    def _result(self, op: Op, x: list[Any], constants: Sequence[bool]) -> Any:
        match op.name:
            case "forge.parameter":
                return self.weight(str(op.attributes["key"]), op.type)
            case "forge.constant":
                return self._constant(op)
            case "forge.scalar_constant":
                return self._algebra(op.type).constant(_elements(op.attributes["constant"], op.type))
            case "forge.cast":
                return self._cast(op, x[0])
            case "forge.where":
                conditions = self._algebra(op.operand_types[0])
                condition = ~conditions.equal(x[0], _zero(conditions))
                return self._algebra(op.type).where(condition, x[1], x[2])
            case "forge.logical_not":
                algebra = self._algebra(op.operand_types[0])
                return algebra.equal(x[0], _zero(algebra)).astype(np.int64)
            case "forge.argmax":
                return self._argmax(op, x[0])
            case "forge.add" | "forge.subtract":
                return self._sum(op, x, constants)
            case "forge.pad" | "forge.constant_pad":
                algebra = self._algebra(op.type)
                fill = algebra.number(op.attributes["value"])
                return algebra.move(lambda v, f: movement.pad(op, v, f), x[0], fill)
        if op.name in _BY_INDEX:
            return _BY_INDEX[op.name](self._algebra(op.type), op, x)
        if op.name in _OF_INTEGERS and not op.operand_types[0].is_float:
            return _OF_INTEGERS[op.name](op, x)
        if op.name not in DEFINITIONS | BIASED:
            raise NotCovered("no definition")
        algebra = self._algebra(op.type)
        if any(type_.is_float != op.type.is_float for type_ in op.operand_types):
            raise NotCovered(f"operands of {', '.join(type_.element for type_ in op.operand_types)}")
        if op.name in BIASED:
            return BIASED[op.name](algebra, op, x, algebra.add_constant if constants[-1] else algebra.add)
        return DEFINITIONS[op.name](algebra, op, x)

    def _constant(self, op: Op) -> Any:
        elements = op.attributes["value"]
        if not isinstance(elements, np.ndarray):
            raise NotCovered(f"elements of type {op.type.element}")
        return self._algebra(op.type).constant(elements)

    def _sum(self, op: Op, x: list[Any], constants: Sequence[bool]) -> Any:
        """A sum with a constant may round on purpose."""
        algebra, is_difference = self._algebra(op.type), op.name == "forge.subtract"
        if not any(constants):
            return (algebra.subtract if is_difference else algebra.add)(x[0], x[1])
        # If both are constants, the second one is the rounding constant, as exporters and quantisers write it.
        is_first = constants[0] and not constants[1]
        value, constant = (x[1], x[0]) if is_first else (x[0], x[1])
        negated = algebra.subtract(_zero(algebra), constant) if is_difference else constant
        total = algebra.add_constant(value, negated)
        # c - x is -(x - c), with the same rounding.
        return algebra.subtract(_zero(algebra), total) if is_difference and is_first else total

    def _cast(self, op: Op, x: Any) -> Any:
        source, target = op.operand_types[0], op.type
        algebra = self._algebra(source)
        if target.element == "i1":
            return (~algebra.equal(x, _zero(algebra))).astype(np.int64)
        if source.is_float and target.is_float:
            return x
        return algebra.to_integers(x) if source.is_float else self._algebra(target).of_integers(x)

    def _argmax(self, op: Op, x: Any) -> Any:
        algebra = self._algebra(op.operand_types[0])
        if "dim" in op.attributes:
            indices = algebra.largest(x, op.axis())
        else:
            indices = algebra.largest(algebra.move(lambda v: v.reshape(-1), x), 0)
        return indices.reshape(op.type.shape).astype(np.int64)

    def _stored(self, value: Any, type_: Type) -> Any:
        """Converts a result to the shape and integer type of its op."""
        if type_.is_float:
            if self.floats.shape(value) != type_.shape:
                return self.floats.move(lambda v: _shaped(v, type_.shape), value)
            return value
        if self.stops_at_overflow and type_.bits >= _DEVICE_BITS and _exceeds_int32(value):
            raise NotCovered("an integer exceeds Int32")
        return wrapped(_shaped(value, type_.shape), type_)


def _exceeds_int32(value: Array) -> bool:
    return bool(value.size) and max(int(value.max()), -1 - int(value.min())) >= 1 << _DEVICE_BITS - 1


def _zero(algebra: Algebra[Any]) -> Any:
    return algebra.rational(np.array([0], dtype=object))


def _elements(number: float, type_: Type) -> Array:
    return np.array([number]).astype(np.float64 if type_.is_float else np.int64)


def _shaped(value: Array, shape: tuple[int, ...]) -> Array:
    if value.size == np.prod(shape, dtype=np.int64):
        return value.reshape(shape)
    return np.broadcast_to(value, shape)


def wrapped(value: Array, type_: Type) -> Array:
    """Wraps integers to their type in two's complement; i1 is 0 or 1."""
    bits = type_.bits
    if bits >= 64:
        return value
    mask = (1 << bits) - 1
    low = value & mask
    if type_.is_unsigned or bits == 1:
        return low
    return np.where(low >> (bits - 1) == 1, low - (1 << bits), low)


def _on_device(value: Any, type_: Type) -> Any:
    """An output as the device returns it: an unsigned integer of 32 bits is an Int32 of the same bits."""
    return wrapped(value, replace(type_, element="i32")) if type_.element == "ui32" else value


def _embedding(algebra: Algebra[Any], op: Op, x: list[Any]) -> Any:
    return algebra.move(lambda table: movement.embedding(op, table, x[0]), x[1])


def _adv_index(algebra: Algebra[Any], op: Op, x: list[Any]) -> Any:
    return algebra.move(lambda v: movement.adv_index(op, v, x[1]), x[0])


def _index_copy(algebra: Algebra[Any], op: Op, x: list[Any]) -> Any:
    return algebra.move(lambda v, part: movement.index_copy(op, v, part, x[1]), x[0], x[2])


def _fill_cache(algebra: Algebra[Any], op: Op, x: list[Any]) -> Any:
    return algebra.move(lambda v, part: movement.fill_cache(op, v, part), x[0], x[1])


def _update_cache(algebra: Algebra[Any], op: Op, x: list[Any]) -> Any:
    return algebra.move(lambda v, part: movement.update_cache(op, v, part, x[2]), x[0], x[1])


_BY_INDEX: Mapping[str, Callable[[Algebra[Any], Op, list[Any]], Any]] = {
    "forge.embedding": _embedding,
    "forge.adv_index": _adv_index,
    "forge.index_copy": _index_copy,
    "forge.fill_cache": _fill_cache,
    "forge.update_cache": _update_cache,
}


def _quotient(_: Op, x: list[Any]) -> Array:
    if (x[1] == 0).any():
        raise NotCovered("a quotient of integers by 0")
    quotient: Array = np.sign(x[0]) * np.sign(x[1]) * (np.abs(x[0]) // np.abs(x[1]))
    return quotient


_OF_INTEGERS: Mapping[str, Callable[[Op, list[Any]], Array]] = {
    "forge.bitwise_and": lambda _, x: x[0] & x[1],
    "forge.quotient": _quotient,
    "forge.wrap_index": lambda op, x: np.where(x[0] < 0, x[0] + op.attributes["size"], x[0]),
}

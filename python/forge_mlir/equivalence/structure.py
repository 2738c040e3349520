"""Compares the calls of two functions without evaluating them, independent of tensor sizes."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from typing import Any

import numpy as np

from forge_mlir.equivalence.program import Function, Op

_ELEMENTWISE = ("forge.add", "forge.subtract", "forge.multiply", "forge.divide", "forge.where")
_RESHAPES = ("forge.reshape", "forge.squeeze", "forge.unsqueeze")


def same_calls(a: Function, b: Function) -> bool:
    """Whether the results are the same expressions of arguments, weights and constants. Common subexpressions are
    merged, and consecutive reshapes to the same shape are equal."""
    return not outputs_of_other_calls(a, b)


def outputs_of_other_calls(a: Function, b: Function) -> list[str]:
    """The outputs of `a` that are other expressions in `b`, in the sense of `same_calls`."""
    known: dict[Hashable, int] = {}
    before, after = _results(a, known), _results(b, known)
    if a.arguments != b.arguments or len(before) != len(after):
        return list(a.outputs) or [a.name]
    return [name for name, old, new in zip(a.outputs, before, after, strict=True) if old != new]


def _results(function: Function, known: dict[Hashable, int]) -> list[int]:
    """Numbers the results by value numbering: `known` maps equal expressions to one number."""

    def number(key: Hashable) -> int:
        return known.setdefault(key, len(known))

    values = {at: number(("argument", at)) for at in range(len(function.arguments))}
    splats: dict[int, int] = {}
    for op in function.ops:
        operands = tuple(values[value] for value in op.operands)
        if op.name in _ELEMENTWISE:  # Broadcasting of splats does not matter there.
            operands = tuple(splats.get(value, value) for value in operands)
        key = _key(op, operands)
        for at, result in enumerate(op.results):
            values[result] = number((key, at))
        if (repeated := _repeated(op)) is not None:
            splats[values[op.results[0]]] = number(("splat", repeated, op.type.element))
    return [values[value] for value in function.returned]


def _repeated(op: Op) -> float | None:
    """The value of a splat."""
    if op.name == "forge.scalar_constant":
        return float(op.attributes["constant"])
    elements = op.attributes.get("value") if op.name == "forge.constant" else None
    if not isinstance(elements, np.ndarray) or not elements.size or (elements != elements.flat[0]).any():
        return None
    return float(elements.flat[0])


def _key(op: Op, operands: tuple[int, ...]) -> Hashable:
    if op.name in _RESHAPES:
        return "forge.reshape", operands, op.types
    if op.name == "forge.scalar_constant":
        # Recipes represent a splat by one element.
        return "forge.constant", _frozen(np.array([op.attributes["constant"]], np.float64)), op.types
    attributes = tuple((name, _frozen(value)) for name, value in sorted(op.attributes.items()) if name != "blob")
    if op.name == "forge.constant":
        return op.name, attributes[0][1] if len(attributes) == 1 else attributes, op.types
    return op.name, operands, attributes, op.types


def _frozen(value: Any) -> Hashable:
    if isinstance(value, np.ndarray):
        flat = value.astype(np.float64)
        return hashlib.sha256(np.ascontiguousarray(flat).tobytes()).digest()
    return tuple(value) if isinstance(value, list) else str(value)

# ruff: noqa: ARG001, ARG005 (all rules have one signature)
"""Constant folding on small integer values, from which the sizes in a graph are computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from onnx import NodeProto, TensorProto

from forge_mlir.importer.generation.program import LARGEST_KNOWN, Known, Program, Value, attributes_of, known_of
from forge_mlir.importer.generation.sizes import Size, Span

_INTEGERS = (TensorProto.INT64, TensorProto.INT32)


class _Unknown(Exception):
    """The result depends on n in a way that `Size` cannot represent."""


Element = Any
_Rule = Callable[[NodeProto, list[Known], Mapping[str, Any], Span], Known]


def fold(program: Program, node: NodeProto) -> Known | None:
    """The elements of the node's only result, or None if they are not constant."""
    rule = _RULES.get(node.op_type)
    if rule is None or node.domain or len(node.output) != 1:
        return None
    operands = []
    for name in node.input:
        value = program.value(name)
        if value is None:
            continue
        if value.known is None:
            return None
        operands.append(value.known)
    try:
        made = rule(node, operands, attributes_of(node), program.span)
    except (_Unknown, IndexError, ValueError, TypeError, OverflowError, ZeroDivisionError):
        return None
    return made if made.size <= LARGEST_KNOWN else None


def size_of(element: Element) -> int:
    """A constant integer that does not depend on n."""
    if isinstance(element, Size):
        if element.times:
            raise _Unknown
        return element.const
    return int(element)


def _each(rule: Callable[..., Element]) -> _Rule:
    """An elementwise rule with broadcasting."""

    def apply(_: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
        arrays = np.broadcast_arrays(*operands)
        made = [rule(*each, span=span) for each in zip(*(array.reshape(-1) for array in arrays), strict=True)]
        return known_of(made, arrays[0].shape)

    return apply


def _both(sizes: Callable[[Size, Size], Size], others: Callable[[Any, Any], Any]) -> _Rule:
    def rule(a: Element, b: Element, span: Span) -> Element:
        if isinstance(a, Size) and isinstance(b, Size):
            return sizes(a, b)
        return others(a, b)

    return _each(rule)


def _product(a: Size, b: Size) -> Size:
    if a.times and b.times:
        raise _Unknown
    return b.scaled(a.const) if not a.times else a.scaled(b.const)


def _quotient(a: Size, b: Size) -> Size:
    divisor = size_of(b)
    if a.times:
        if a.times % divisor or a.const % divisor:
            raise _Unknown
        return Size(a.const // divisor, a.times // divisor)
    return Size(int(a.const / divisor) if abs(a.const) < 2**52 else a.const // divisor)


def _remainder(a: Size, b: Size) -> Size:
    return Size(size_of(a) % size_of(b))


def _compare(holds: Callable[[int], bool]) -> _Rule:
    """A comparison, evaluated by the sign of the difference."""

    def rule(a: Element, b: Element, span: Span) -> bool:
        if not (isinstance(a, Size) and isinstance(b, Size)):
            difference = (a > b) - (a < b)
            return holds(difference)
        sign = span.sign(a.minus(b))
        if sign is not None:
            return holds(sign)
        low, high = span.bounds(a.minus(b))
        # The difference is never positive, or never negative.
        answers = {holds(each) for each in ([-1, 0] if high <= 0 else [0, 1] if low >= 0 else [-1, 0, 1])}
        if len(answers) > 1:
            raise _Unknown
        return answers.pop()

    return _each(rule)


def _chosen(smaller: bool) -> _Rule:
    def rule(*elements: Element, span: Span) -> Element:
        best = elements[0]
        for each in elements[1:]:
            low, high = span.bounds(each.minus(best))
            if low < 0 < high:
                raise _Unknown
            if ((high <= 0) == smaller and low != high) or (low == high and (low < 0) == smaller and low != 0):
                best = each
        return best

    return _each(rule)


def _clip(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    """Clip to a minimum; the maximum is optional."""
    if len(operands) != 2 or len(node.input) < 2 or not node.input[1]:
        raise _Unknown
    return _chosen(smaller=False)(node, operands, attributes, span)


def _where(condition: bool, a: Element, b: Element, span: Span) -> Element:
    return a if condition else b


def _cast(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    to, (array,) = attributes["to"], operands

    def rule(each: Element) -> Element:
        if to in _INTEGERS:
            return each if isinstance(each, Size) else Size(int(each))
        value = size_of(each) if isinstance(each, Size) else each
        return bool(value) if to == TensorProto.BOOL else float(value)

    return known_of([rule(each) for each in array.reshape(-1)], array.shape)


def _gather(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    data, indices = operands
    at = np.array([size_of(each) for each in indices.reshape(-1)], np.int64).reshape(indices.shape)
    return np.asarray(np.take(data, at, axis=attributes.get("axis", 0)), dtype=object)


def axes_of(operand: Known | None, attributes: Mapping[str, Any]) -> list[int] | None:
    """The axes, from the attribute or an operand; None if both are absent."""
    if "axes" in attributes:
        return list(attributes["axes"])
    return None if operand is None else [size_of(each) for each in operand.reshape(-1)]


def _second(operands: list[Known]) -> Known | None:
    return operands[1] if len(operands) > 1 else None


def _unsqueeze(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    axes = axes_of(_second(operands), attributes) or []
    rank = operands[0].ndim + len(axes)
    return np.expand_dims(operands[0], tuple(axis % rank for axis in axes))


def _squeeze(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    axes = axes_of(_second(operands), attributes)
    return np.asarray(np.squeeze(operands[0], None if axes is None else tuple(axes)), dtype=object)


def _reshape(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    return operands[0].reshape([size_of(each) for each in operands[1].reshape(-1)])


def _concat(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    return np.concatenate(operands, attributes["axis"])


def _slice(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    if "starts" in attributes:
        lists = [attributes["starts"], attributes["ends"], attributes.get("axes")]
    else:
        lists = [[size_of(each) for each in operand.reshape(-1)] for operand in operands[1:]]
    starts, ends = lists[0], lists[1]
    axes = lists[2] if len(lists) > 2 and lists[2] is not None else list(range(len(starts)))
    steps = lists[3] if len(lists) > 3 else [1] * len(starts)
    parts = [slice(None)] * operands[0].ndim
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        parts[axis] = slice(start, None if step < 0 and end < -(2**31) else end, step)
    return operands[0][tuple(parts)]


def _constant_of_shape(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    from onnx import numpy_helper

    shape = [size_of(each) for each in operands[0].reshape(-1)]
    if int(np.prod(shape, dtype=object)) > LARGEST_KNOWN:
        raise _Unknown
    element: Any = 0.0
    if "value" in attributes:
        array = numpy_helper.to_array(attributes["value"])
        element = array.reshape(-1)[0].item()
        element = Size(element) if array.dtype.kind == "i" else element
    return known_of([element] * int(np.prod(shape, dtype=object)), shape)


def _range(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    start, limit, delta = (operand.reshape(-1)[0] for operand in operands)
    if not isinstance(start, Size) or size_of(delta) != 1:
        raise _Unknown
    count = size_of(limit.minus(start))
    if not 0 <= count <= LARGEST_KNOWN:
        raise _Unknown
    return known_of([start.plus(Size(at)) for at in range(count)], [count])


def _reduced(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    axes = axes_of(_second(operands), attributes)
    if axes not in (None, [0], [-1]) or operands[0].ndim != 1:
        raise _Unknown
    total = Size(1) if node.op_type == "ReduceProd" else Size(0)
    for each in operands[0]:
        total = _product(total, each) if node.op_type == "ReduceProd" else total.plus(each)
    return known_of([total], [1] if attributes.get("keepdims", 1) else [])


def _expand(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    shape = [size_of(each) for each in operands[1].reshape(-1)]
    if int(np.prod(shape, dtype=object)) > LARGEST_KNOWN:
        raise _Unknown
    return np.broadcast_to(operands[0], np.broadcast_shapes(operands[0].shape, tuple(shape)))


def _tile(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    times = [size_of(each) for each in operands[1].reshape(-1)]
    if operands[0].size * int(np.prod(times, dtype=object)) > LARGEST_KNOWN:
        raise _Unknown
    return np.tile(operands[0], times)


def _same(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    return operands[0]


_RULES: dict[str, _Rule] = {
    "Add": _both(Size.plus, lambda a, b: a + b),
    "Sub": _both(Size.minus, lambda a, b: a - b),
    "Mul": _both(_product, lambda a, b: a * b),
    "Div": _both(_quotient, lambda a, b: a / b),
    "Mod": _both(_remainder, lambda a, b: a % b),
    "Neg": _each(lambda a, span: a.scaled(-1) if isinstance(a, Size) else -a),
    "Not": _each(lambda a, span: not a),
    "And": _each(lambda a, b, span: a and b),
    "Or": _each(lambda a, b, span: a or b),
    "Equal": _compare(lambda sign: sign == 0),
    "Greater": _compare(lambda sign: sign > 0),
    "GreaterOrEqual": _compare(lambda sign: sign >= 0),
    "Less": _compare(lambda sign: sign < 0),
    "LessOrEqual": _compare(lambda sign: sign <= 0),
    "Where": _each(_where),
    "Min": _chosen(smaller=True),
    "Max": _chosen(smaller=False),
    "Clip": _clip,
    "Cast": _cast,
    "Gather": _gather,
    "Unsqueeze": _unsqueeze,
    "Squeeze": _squeeze,
    "Reshape": _reshape,
    "Concat": _concat,
    "Slice": _slice,
    "ConstantOfShape": _constant_of_shape,
    "Range": _range,
    "ReduceProd": _reduced,
    "ReduceSum": _reduced,
    "Expand": _expand,
    "Tile": _tile,
    "Identity": _same,
}


def known_value(value: Value) -> list[Size] | None:
    """The elements of a constant list of integers."""
    if value.known is None:
        return None
    flat = value.known.reshape(-1).tolist()
    return flat if all(isinstance(each, Size) for each in flat) else None

# ruff: noqa: ARG001, ARG005 (all rules have one signature)
"""Constant folding on small integer values, from which the sizes in a graph are computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np
from onnx import NodeProto, TensorProto, helper, numpy_helper

from forge_mlir.importer.generation.program import LARGEST_KNOWN, Known, Program, Value, attributes_of, known_of
from forge_mlir.importer.generation.sizes import Size, Span

_INTEGERS = (TensorProto.INT64, TensorProto.INT32)
_FLOATS = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16)
COMPARISONS = ["Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "And", "Or", "Xor", "Not", "IsNaN", "IsInf"]


class Unknown(Exception):
    """The result depends on n in a way that `Size` cannot represent, or on more than is known."""


Element = Any
_Rule = Callable[[NodeProto, list[Known], Mapping[str, Any], Span], Known]
"""A function of a node, the elements of its operands (None for an absent one), its attributes and the range of n."""


def fold(program: Program, node: NodeProto) -> Value | None:
    """The node's only result if its elements are known, otherwise None."""
    rule = _RULES.get(node.op_type)
    if rule is None or node.domain or len(node.output) != 1:
        return None
    operands: Any = []
    for name in node.input:
        value = program.value(name)
        if value is not None and value.known is None:
            return None
        operands.append(None if value is None else value.known)
    dtype = _dtype(program, node)
    try:
        made = _as_type(rule(node, operands, attributes_of(node), program.span), dtype, program.span)
    except (Unknown, IndexError, ValueError, TypeError, AttributeError, OverflowError, ZeroDivisionError):
        return None
    return Value("", dtype, tuple(map(Size, made.shape)), made) if made.size <= LARGEST_KNOWN else None


def _dtype(program: Program, node: NodeProto) -> int:
    """The element type of a node that has a rule here."""
    if node.op_type == "Cast":
        return int(attributes_of(node)["to"])
    if node.op_type in COMPARISONS:
        return int(TensorProto.BOOL)
    if node.op_type == "NonZero":
        return int(TensorProto.INT64)
    if node.op_type == "ConstantOfShape":
        tensor = attributes_of(node).get("value")
        return int(TensorProto.FLOAT if tensor is None else tensor.data_type)
    return program.values[node.input[1 if node.op_type == "Where" else 0]].dtype


def _as_type(made: Known, dtype: int, span: Span) -> Known:
    """`made`, with floats rounded to their type. Raises Unknown for integers that do not fit theirs, and for other
    types."""
    if dtype == TensorProto.BOOL:
        return made
    kind = helper.tensor_dtype_to_np_dtype(dtype)
    if dtype in _FLOATS:
        with np.errstate(over="ignore"):
            rounded = np.array(made.reshape(-1).tolist(), np.float64).astype(kind)
        return known_of(rounded.astype(np.float64).tolist(), made.shape)
    if dtype not in _INTEGERS:
        raise Unknown
    least, most = np.iinfo(kind).min, np.iinfo(kind).max
    for low, high in map(span.bounds, made.reshape(-1)):
        if low < least or high > most:
            raise Unknown
    return made


def size_of(element: Element) -> int:
    """A constant integer that does not depend on n."""
    if isinstance(element, Size):
        if element.times:
            raise Unknown
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


def product(a: Size, b: Size) -> Size:
    if a.times and b.times:
        raise Unknown
    return b.scaled(a.const) if not a.times else a.scaled(b.const)


def _quotient(a: Size, b: Size) -> Size:
    divisor = size_of(b)
    if a.times:
        if a.times % divisor or a.const % divisor:
            raise Unknown
        return Size(a.const // divisor, a.times // divisor)
    quotient = abs(a.const) // abs(divisor)
    return Size(quotient if (a.const < 0) == (divisor < 0) else -quotient)


def _mod(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    """Mod of integers with the sign of the divisor."""
    if attributes.get("fmod"):
        raise Unknown
    return _each(lambda a, b, span: Size(size_of(a) % size_of(b)))(node, operands, attributes, span)


def _compare(holds: Callable[[int], bool]) -> _Rule:
    """A comparison, evaluated by the sign of the difference."""

    def rule(a: Element, b: Element, span: Span) -> bool:
        if not (isinstance(a, Size) and isinstance(b, Size)):
            if a != a or b != b:  # NaN
                raise Unknown
            return holds((a > b) - (a < b))
        sign = span.sign(a.minus(b))
        if sign is not None:
            return holds(sign)
        low, high = span.bounds(a.minus(b))
        # The difference is never positive, or never negative.
        answers = {holds(each) for each in ([-1, 0] if high <= 0 else [0, 1] if low >= 0 else [-1, 0, 1])}
        if len(answers) > 1:
            raise Unknown
        return answers.pop()

    return _each(rule)


def _best(elements: Sequence[Element], smaller: bool, span: Span) -> Element:
    """The smallest or largest element."""
    best = elements[0]
    for each in elements[1:]:
        low, high = span.bounds(each.minus(best))
        if low < 0 < high:
            raise Unknown
        if high <= 0 if smaller else low >= 0:
            best = each
    return best


def _chosen(smaller: bool) -> _Rule:
    return _each(lambda *elements, span: _best(elements, smaller, span))


def _clip(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    """Clip to a minimum."""
    if len(operands) != 2:
        raise Unknown
    return _chosen(smaller=False)(node, operands, attributes, span)


def _where(condition: bool, a: Element, b: Element, span: Span) -> Element:
    return a if condition else b


def _cast(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    to, (array,) = attributes["to"], operands

    def rule(each: Element) -> Element:
        if to in _INTEGERS:
            return each if isinstance(each, Size) else Size(int(each))
        number = size_of(each) if isinstance(each, Size) else each
        return bool(number) if to == TensorProto.BOOL else float(number)

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
        lists = [operand if operand is None else [*map(size_of, operand.reshape(-1))] for operand in operands[1:]]
    starts, ends = lists[0], lists[1]
    axes = lists[2] if len(lists) > 2 and lists[2] is not None else list(range(len(starts)))
    steps = lists[3] if len(lists) > 3 and lists[3] is not None else [1] * len(starts)
    parts = [slice(None)] * operands[0].ndim
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        parts[axis] = slice(start, end, step)
    return operands[0][tuple(parts)]


def _constant_of_shape(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    shape = [size_of(each) for each in operands[0].reshape(-1)]
    if int(np.prod(shape, dtype=object)) > LARGEST_KNOWN:
        raise Unknown
    element: Any = 0.0
    if "value" in attributes:
        array = numpy_helper.to_array(attributes["value"])
        element = array.reshape(-1)[0].item()
        element = Size(element) if array.dtype.kind == "i" else element
    return known_of([element] * int(np.prod(shape, dtype=object)), shape)


def _range(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    start, limit, delta = (operand.reshape(-1)[0] for operand in operands)
    if not isinstance(start, Size) or size_of(delta) != 1:
        raise Unknown
    count = size_of(limit.minus(start))
    if not 0 <= count <= LARGEST_KNOWN:
        raise Unknown
    return known_of([start.plus(Size(at)) for at in range(count)], [count])


_NO_AXES = "noop_with_empty_axes"


def _reduced(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    axes = axes_of(_second(operands), attributes)
    if axes not in (None, [0], [-1]) or operands[0].ndim != 1 or (axes is None and attributes.get(_NO_AXES)):
        raise Unknown
    if node.op_type in ("ReduceMax", "ReduceMin"):
        total = _best(list(operands[0]), node.op_type == "ReduceMin", span)
    else:
        start = Size(1) if node.op_type == "ReduceProd" else Size(0)
        total = reduce(product if node.op_type == "ReduceProd" else Size.plus, operands[0], start)
    return known_of([total], [1] if attributes.get("keepdims", 1) else [])


def _expand(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    shape = [size_of(each) for each in operands[1].reshape(-1)]
    if int(np.prod(shape, dtype=object)) > LARGEST_KNOWN:
        raise Unknown
    return np.broadcast_to(operands[0], np.broadcast_shapes(operands[0].shape, tuple(shape)))


def _tile(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    times = [size_of(each) for each in operands[1].reshape(-1)]
    if operands[0].size * int(np.prod(times, dtype=object)) > LARGEST_KNOWN:
        raise Unknown
    return np.tile(operands[0], times)


def _transpose(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    return np.transpose(operands[0], attributes.get("perm"))


def _nonzero(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    flags = np.array([size_of(each) != 0 for each in operands[0].reshape(-1)]).reshape(operands[0].shape)
    found = np.array(np.nonzero(flags))
    return known_of([Size(each) for each in found.reshape(-1).tolist()], found.shape)


def _same(node: NodeProto, operands: list[Known], attributes: Mapping[str, Any], span: Span) -> Known:
    return operands[0]


_RULES: dict[str, _Rule] = {
    "Add": _both(Size.plus, lambda a, b: a + b),
    "Sub": _both(Size.minus, lambda a, b: a - b),
    "Mul": _both(product, lambda a, b: a * b),
    "Div": _both(_quotient, lambda a, b: a / b),
    "Mod": _mod,
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
    **dict.fromkeys(("ReduceProd", "ReduceSum", "ReduceMax", "ReduceMin"), _reduced),
    "Expand": _expand,
    "Tile": _tile,
    "Transpose": _transpose,
    "NonZero": _nonzero,
    "Identity": _same,
}


def known_value(value: Value) -> list[Size] | None:
    """The elements of a constant list of integers."""
    if value.known is None:
        return None
    flat = value.known.reshape(-1).tolist()
    return flat if all(isinstance(each, Size) for each in flat) else None

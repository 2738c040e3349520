"""The definition of each forge op in terms of an algebra of numbers.

Written from include/forge/Dialect/Forge/IR/Ops/*.td, independently of the code that compiles or executes programs.
Compound ops, such as norms and softmax, are defined by their formulas, because algebras know sums and products exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from forge_mlir.equivalence import movement
from forge_mlir.equivalence.numbers.algebra import FUNCTIONS, Algebra
from forge_mlir.equivalence.program import Array, NotCovered, Op

Values = Sequence[Any]
Definition = Callable[[Algebra[Any], Op, Values], Any]
Add = Callable[[Any, Any], Any]


def _binary(name: str) -> Definition:
    return lambda a, _, x: getattr(a, name)(x[0], x[1])


def _unary(name: str) -> Definition:
    return lambda a, _, x: a.function(name, x[0])


def _fraction(a: Algebra[Any], value: Fraction | int) -> Any:
    return a.rational(np.array([Fraction(value)], dtype=object))


# Elementwise ops


def minimum(a: Algebra[Any], x: Any, y: Any) -> Any:
    """-max(-x, -y)"""
    return negative(a, a.maximum(negative(a, x), negative(a, y)))


def negative(a: Algebra[Any], x: Any) -> Any:
    """-x"""
    return a.subtract(_fraction(a, 0), x)


def _clip(a: Algebra[Any], op: Op, x: Values) -> Any:
    low, high = a.number(op.attributes["min"]), a.number(op.attributes["max"])
    return minimum(a, a.maximum(x[0], low), high)


def _leaky_relu(a: Algebra[Any], op: Op, x: Values) -> Any:
    scaled = a.multiply(x[0], a.number(op.attributes["alpha"]))
    return a.where(a.less(x[0], _fraction(a, 0)), scaled, x[0])


def _gelu(a: Algebra[Any], op: Op, x: Values) -> Any:
    """x / 2 * (1 + erf(x / sqrt(2))), or with tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))."""
    if op.attributes["approximate"] == "none":
        inner = a.function("erf", a.multiply(x[0], a.number(0.5**0.5)))
    else:
        cube = a.multiply(a.multiply(x[0], x[0]), x[0])
        total = a.add(x[0], a.multiply(cube, a.number(0.044715)))
        inner = a.function("tanh", a.multiply(total, a.number((2 / np.pi) ** 0.5)))
    half = a.multiply(x[0], _fraction(a, Fraction(1, 2)))
    return a.multiply(half, a.add(inner, _fraction(a, 1)))


def _heaviside(a: Algebra[Any], _: Op, x: Values) -> Any:
    zero, one = _fraction(a, 0), _fraction(a, 1)
    return a.where(a.less(x[0], zero), zero, a.where(a.less(zero, x[0]), one, x[1]))


def _log(a: Algebra[Any], _: Op, x: Values) -> Any:
    return a.function("log", a.add(x[0], a.number(1e-10)))


def _reciprocal(a: Algebra[Any], _: Op, x: Values) -> Any:
    return a.divide(_fraction(a, 1), a.add(x[0], a.number(1e-10)))


def _dropout(_: Algebra[Any], op: Op, x: Values) -> Any:
    if op.attributes["training"]:
        raise NotCovered("dropout of a training")
    return x[0]


def _truth(condition: Callable[[Algebra[Any], Any, Any], Array]) -> Definition:
    """A comparison whose result is 0 or 1 in the type of the operands."""
    return lambda a, _, x: a.of_integers(condition(a, x[0], x[1]).astype(np.int64))


# Sums of products


def _matmul(a: Algebra[Any], op: Op, x: Values, add: Add) -> Any:
    left, right = x[0], x[1]
    if len(a.shape(left)) == 1:
        left = a.move(lambda v: v[None, :], left)
    if len(a.shape(right)) == 1:
        right = a.move(lambda v: v[:, None], right)
    product = a.matmul(left, right)
    shape = op.type.shape
    if len(x) == 2:
        return a.move(lambda v: v.reshape(shape), product)
    whole = np.broadcast_shapes(shape, a.shape(x[2]))
    batch = (*whole[: len(whole) - 2], *shape[-2:])
    return add(a.move(lambda v: v.reshape(batch) if v.size == np.prod(batch) else v, product), x[2])


def _swapped(a: Algebra[Any], op: Op, x: Any) -> Any:
    """Transposes to channels first."""
    return a.move(lambda v: np.moveaxis(v, -1, 1), x) if op.attributes.get("channel_last") else x


def _swapped_back(a: Algebra[Any], op: Op, x: Any) -> Any:
    return a.move(lambda v: np.moveaxis(v, 1, -1), x) if op.attributes.get("channel_last") else x


def _with_bias(a: Algebra[Any], op: Op, product: Any, x: Values, add: Add) -> Any:
    if len(x) == 3:
        product = add(product, a.move(lambda v: v.reshape(1, -1, 1, 1), x[2]))
    return _swapped_back(a, op, product)


def _correlation(
    a: Algebra[Any], x: Any, weights: Any, step: Sequence[int], dilation: Sequence[int], groups: int
) -> Any:
    """The correlation of [N, C, H, W] with [Cout, C / groups, kH, kW], without padding."""
    count, channels_of_group, *kernel = a.shape(weights)
    length = channels_of_group * kernel[0] * kernel[1]  # -1 would be ambiguous without filters.

    def columns(v: Array) -> Array:
        found = movement.windows(v, kernel, step, dilation)
        batch, channels, height, width = found.shape[:4]
        parts = found.reshape(batch, groups, channels // groups, height * width, kernel[0] * kernel[1])
        return parts.transpose(0, 1, 2, 4, 3).reshape(batch, groups, length, height * width)

    def extent(size: int, axis: int) -> int:
        return (size - (kernel[axis] - 1) * dilation[axis] - 1) // step[axis] + 1

    batch, _, height, width = a.shape(x)
    shape = (batch, count, extent(height, 0), extent(width, 1))
    rows = a.move(lambda v: v.reshape(groups, count // groups, length), weights)
    return a.move(lambda v: v.reshape(shape), a.matmul(rows, a.move(columns, x)))


def _conv2d(a: Algebra[Any], op: Op, x: Values, add: Add) -> Any:
    at = op.attributes
    top, left, bottom, right = at["padding"]
    pads = [(0, 0), (0, 0), (top, bottom), (left, right)]
    activations = a.move(lambda v, fill: movement.padded(v, pads, fill), _swapped(a, op, x[0]), _fraction(a, 0))
    product = _correlation(a, activations, x[1], at["stride"], at.get("dilation", [1, 1]), at.get("groups", 1))
    return _with_bias(a, op, product, x, add)


def _conv2d_transpose(a: Algebra[Any], op: Op, x: Values, add: Add) -> Any:
    """A correlation with mirrored filters, after inserting zeros between the activations and around them."""
    at = op.attributes
    stride, dilation, groups = at["stride"], at.get("dilation", [1, 1]), at.get("groups", 1)
    after, count = at.get("output_padding", [0, 0]), a.shape(x[1])[0] // groups
    around = [dilation[axis] * (a.shape(x[1])[2 + axis] - 1) for axis in (0, 1)]
    pads = [(0, 0), (0, 0), *((size, size + more) for size, more in zip(around, after, strict=True))]

    def mirrored(w: Array) -> Array:
        flipped = w[:, :, ::-1, ::-1].reshape(groups, count, *w.shape[1:])
        return flipped.swapaxes(1, 2).reshape(-1, count, *w.shape[2:])

    activations = a.move(
        lambda v, zero: movement.padded(movement.spread(v, stride, zero), pads, zero),
        _swapped(a, op, x[0]),
        _fraction(a, 0),
    )
    whole = _correlation(a, activations, a.move(mirrored, x[1]), [1, 1], dilation, groups)
    top, left = at["padding"]
    height, width = (size - 2 * cut for size, cut in zip(a.shape(whole)[2:], (top, left), strict=True))
    cropped = a.move(lambda v: v[:, :, top : top + height, left : left + width], whole)
    return _with_bias(a, op, cropped, x, add)


# Along an axis


def _sum(a: Algebra[Any], op: Op, x: Values) -> Any:
    shape = op.type.shape
    return a.move(lambda v: v.reshape(shape), a.sum(x[0], op.axis()))


def _check_not_empty(a: Algebra[Any], x: Any, axis: int) -> None:
    if a.shape(x)[axis] == 0:
        raise NotCovered("a mean or maximum of no elements")


def mean(a: Algebra[Any], x: Any, axis: int) -> Any:
    """The mean along an axis, which is kept with size 1."""
    _check_not_empty(a, x, axis)
    return a.multiply(a.sum(x, axis), _fraction(a, Fraction(1, a.shape(x)[axis])))


def _mean(a: Algebra[Any], op: Op, x: Values) -> Any:
    shape = op.type.shape
    return a.move(lambda v: v.reshape(shape), mean(a, x[0], op.axis()))


def largest(a: Algebra[Any], x: Any, axis: int) -> Any:
    """The maximum along an axis, which is kept with size 1."""
    _check_not_empty(a, x, axis)
    indices = a.largest(x, axis)
    return a.move(lambda v: np.take_along_axis(v, indices, axis), x)


def _largest(a: Algebra[Any], op: Op, x: Values) -> Any:
    shape = op.type.shape
    return a.move(lambda v: v.reshape(shape), largest(a, x[0], op.axis()))


def _shifted(a: Algebra[Any], op: Op, x: Values) -> tuple[Any, Any]:
    """x - max(x), and the sum of its exponentials."""
    difference = a.subtract(x[0], largest(a, x[0], op.axis()))
    return difference, a.sum(a.function("exp", difference), op.axis())


def _softmax(a: Algebra[Any], op: Op, x: Values) -> Any:
    difference, total = _shifted(a, op, x)
    return a.divide(a.function("exp", difference), total)


def _log_softmax(a: Algebra[Any], op: Op, x: Values) -> Any:
    # With the 1e-10 of forge.log, which a sum of at least 1 loses in float32.
    difference, total = _shifted(a, op, x)
    return a.subtract(difference, _log(a, op, [total]))


def _normalised(a: Algebra[Any], x: Any, centre: Any, variance: Any, epsilon: float, scale: Any, bias: Any) -> Any:
    root = a.function("sqrt", a.add(variance, a.number(epsilon)))
    return a.add(a.multiply(a.divide(a.subtract(x, centre), root), scale), bias)


def _layernorm(a: Algebra[Any], op: Op, x: Values) -> Any:
    last = len(op.type.shape) - 1
    centre = mean(a, x[0], last)
    difference = a.subtract(x[0], centre)
    variance = mean(a, a.multiply(difference, difference), last)
    return _normalised(a, x[0], centre, variance, op.attributes["epsilon"], x[1], x[2])


def _batchnorm(a: Algebra[Any], op: Op, x: Values) -> Any:
    shape = [1, -1] + [1] * (len(op.type.shape) - 2)
    scale, bias, centre, variance = (a.move(lambda v: v.reshape(shape), value) for value in x[1:])
    return _normalised(a, x[0], centre, variance, op.attributes["epsilon"], scale, bias)


def _running_sum(a: Algebra[Any], op: Op, x: Values) -> Any:
    return a.running_sum(x[0], op.axis())


# Windows and resampling


def _along(a: Algebra[Any], x: Any, matrix: Array, axis: int) -> Any:
    """The product of a matrix of fractions with the elements of an axis."""
    product = a.matmul(a.move(lambda v: np.moveaxis(v, axis, -1), x), a.rational(matrix.T))
    return a.move(lambda v: np.moveaxis(v, -1, axis), product)


def _spatial(op: Op) -> tuple[int, ...]:
    """The spatial axes of a window or a resampling."""
    rank = len(op.type.shape)
    after = 1 if op.attributes.get("channel_last") else 0
    return (rank - 1 - after,) if op.name.endswith("1d") else (rank - 2 - after, rank - 1 - after)


def _windows_of(op: Op, axis: int) -> tuple[int, int, int, int]:
    """(kernel, stride, pad, count) of a pool along one of its axes."""
    at, which = op.attributes, _spatial(op).index(axis)
    if op.name.endswith("1d"):
        kernel, stride, pad = at["kernel_size"], at["stride"], at["padding"]
    else:
        kernel, stride, pad = at["kernel_size"][which], at["stride"][which], at["padding"][2 * (1 - which)]
    return kernel, stride, pad, op.type.shape[axis]


def _average_pool(a: Algebra[Any], op: Op, x: Values) -> Any:
    result = x[0]
    for axis in _spatial(op):
        kernel, stride, pad, count = _windows_of(op, axis)
        size = a.shape(result)[axis]
        matrix = np.full((count, size), Fraction(0), dtype=object)
        for at in range(count):
            first, last = at * stride - pad, min(at * stride - pad + kernel, size + pad)
            inside = range(max(first, 0), min(last, size))
            divisor = last - first if op.attributes["count_include_pad"] else len(inside)
            for position in inside:
                matrix[at, position] = Fraction(1, divisor)
        result = _along(a, result, matrix, axis)
    return result


def _max_pool(a: Algebra[Any], op: Op, x: Values) -> Any:
    result = x[0]
    for axis in _spatial(op):
        kernel, stride, pad, count = _windows_of(op, axis)
        size = a.shape(result)[axis]
        pads = [(0, 0)] * len(a.shape(result))
        pads[axis] = (pad, max(0, (count - 1) * stride + kernel - pad - size))
        around = a.move(lambda v, fill, pads=pads: movement.padded(v, pads, fill), result, a.number(-np.inf))
        indices = (np.arange(count) * stride)[:, None] + np.arange(kernel)
        windows = a.move(lambda v, indices=indices, axis=axis: np.take(v, indices, axis), around)
        pooled = largest(a, windows, axis + 1)
        result = a.move(lambda v, axis=axis: v.squeeze(axis + 1), pooled)
    return result


def _sizes(op: Op) -> list[int]:
    return [op.type.shape[axis] for axis in _spatial(op)]


def _resize(a: Algebra[Any], op: Op, x: Values) -> Any:
    result, mode = x[0], op.attributes["mode"]
    for axis in _spatial(op):
        size, count = a.shape(result)[axis], op.type.shape[axis]
        if mode == "nearest":
            indices = np.arange(count) * size // count
            result = a.move(lambda v, indices=indices, axis=axis: np.take(v, indices, axis), result)
        elif size != count:
            matrix = _linear(size, count, bool(op.attributes.get("align_corners")))
            result = _along(a, result, matrix, axis)
    return result


def _linear(size: int, count: int, align_corners: bool) -> Array:
    """The matrix of a linear interpolation with half-pixel centres: the weight of each element in each result."""
    matrix = np.full((count, size), Fraction(0), dtype=object)
    for at in range(count):
        if align_corners:
            source = Fraction(at * (size - 1), max(count - 1, 1))
        else:
            source = max(Fraction(2 * at + 1, 2) * Fraction(size, count) - Fraction(1, 2), Fraction(0))
        first = min(int(source), size - 1)
        part = source - first
        matrix[at, first] += 1 - part
        matrix[at, min(first + 1, size - 1)] += part
    return matrix


BIASED: dict[str, Callable[[Algebra[Any], Op, Values, Add], Any]] = {
    "forge.matmul": _matmul,
    "forge.conv2d": _conv2d,
    "forge.conv2d_transpose": _conv2d_transpose,
}
"""Ops with a bias, which is added with `Add`."""

DEFINITIONS: dict[str, Definition] = {
    **{f"forge.{name}": _unary(name) for name in FUNCTIONS if name != "log"},
    "forge.log": _log,
    "forge.reciprocal": _reciprocal,
    "forge.abs": lambda a, _, x: a.maximum(x[0], negative(a, x[0])),
    "forge.relu": lambda a, _, x: a.maximum(x[0], _fraction(a, 0)),
    "forge.leaky_relu": _leaky_relu,
    "forge.gelu": _gelu,
    "forge.clip": _clip,
    "forge.pow": lambda a, op, x: a.power(x[0], a.number(op.attributes["exponent"])),
    "forge.dropout": _dropout,
    "forge.multiply": _binary("multiply"),
    "forge.divide": _binary("divide"),
    "forge.max": _binary("maximum"),
    "forge.min": lambda a, _, x: minimum(a, x[0], x[1]),
    "forge.power": _binary("power"),
    "forge.remainder": _binary("remainder"),
    "forge.heaviside": _heaviside,
    "forge.equal": _truth(lambda a, x, y: a.equal(x, y)),
    "forge.not_equal": _truth(lambda a, x, y: ~a.equal(x, y)),
    "forge.less": _truth(lambda a, x, y: a.less(x, y)),
    "forge.greater": _truth(lambda a, x, y: a.less(y, x)),
    "forge.less_equal": _truth(lambda a, x, y: a.less(x, y) | a.equal(x, y)),
    "forge.greater_equal": _truth(lambda a, x, y: a.less(y, x) | a.equal(x, y)),
    "forge.logical_and": lambda a, _, x: a.of_integers((~a.equal(x[0], _fraction(a, 0))).astype(np.int64)),
    "forge.reduce_sum": _sum,
    "forge.reduce_avg": _mean,
    "forge.reduce_max": _largest,
    "forge.cum_sum": _running_sum,
    "forge.softmax": _softmax,
    "forge.log_softmax": _log_softmax,
    "forge.layernorm": _layernorm,
    "forge.batchnorm": _batchnorm,
    "forge.avg_pool1d": _average_pool,
    "forge.avg_pool2d": _average_pool,
    "forge.max_pool1d": _max_pool,
    "forge.max_pool2d": _max_pool,
    "forge.resize1d": _resize,
    "forge.resize2d": _resize,
    "forge.upsample2d": _resize,
}
"""Ops whose operands and result are all numbers of one kind; evaluation.py has the others."""

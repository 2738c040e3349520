"""Limits for functions of rows: softmax and norms, in which a whole row affects the error of its elements."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.verify.comparison import epsilon
from forge_mlir.verify.limits.partial_sums import one_by_one

if TYPE_CHECKING:
    from forge_mlir.verify.limits.bounds import Case

Array = npt.NDArray[np.float64]
_UNITS = 4


def row_bound(case: Case) -> Array | None:
    """The errors that elements of the first result may have; None if there is no rule for this variant of the op."""
    x = np.asarray(case.operand(0)).astype(np.float64)
    if not x.size:
        return np.zeros(())
    error = np.broadcast_to(case.error(0), x.shape)
    op, result = case.node.op_type, next(iter(case.results.values()))
    # A 16-bit type also rounds between the steps of a formula; integers are not rounded.
    unit = max(epsilon(result.dtype), case.inner_epsilon) if is_floating(result.dtype) else 0.0
    if op in ("Softmax", "LogSoftmax"):
        return _softmax(case, x, error, unit, logarithm=op == "LogSoftmax")
    if op.startswith("Reduce"):
        return _reduced(case, x, error, unit)
    if op == "GlobalLpPool":
        return _global_norm(case, x, error, unit)
    if op == "BatchNormalization":
        return _batch_norm(case, x, error, unit)
    if op == "DFT":
        length = case.operand(1)
        axis = int(case.attribute("axis", 1) if case.opset < 20 else -2 if case.operand(2) is None else case.operand(2))
        inverse, half = bool(case.attribute("inverse", 0)), bool(case.attribute("onesided", 0))
        length = None if length is None else int(length)
        return transform_bound(x, error, axis, length, inverse=inverse, half=half, unit=unit)
    return _norm(case, x, error, unit)


def transform_bound(
    x: Array,
    error: Array,
    axis: int,
    length: int | None,
    *,
    inverse: bool = False,
    half: bool = False,
    unit: float = 0.0,
) -> Array:
    """The bound for a Fourier transform of `x`, whose trailing axis has real and imaginary parts, along `axis`. Each
    element is a sum over that axis, weighted by cosines or sines, and has the rounding error of the sum even if it
    cancels to zero. `length` is that of the transform if it differs from the axis; `half`: an inverse transform of half
    a spectrum; `unit`: the epsilon of the result's type."""
    x = np.where(np.isfinite(x), x, 0.0)
    sizes = np.abs(x)
    axes = (axis % x.ndim, x.ndim - 1)
    terms = x.shape[axes[0]]
    length = max(length or (2 * (terms - 1) if half else terms), 1)
    total, carried = sizes.sum(axis=axes, keepdims=True), np.sqrt((error**2).sum(axis=axes, keepdims=True))
    scale = (2 if half else 1) / length if inverse else 1.0
    # Partial sums of equal terms are rounded in the same direction.
    steps = terms / 3 if x.size and sizes.min() == sizes.max() else 1 + np.log2(max(terms, 2)) / 2
    single = epsilon(np.dtype(np.float32))
    bound = single * steps * total + 3 * carried
    if unit > single:
        # Cosines and sines are weights, which are rounded to 16 bits, and so are the sums over the real and over the
        # imaginary parts, which may be larger than an element.
        sums = np.abs(np.fft.fft(x, length, axis=axes[0])).max(axis=axes, keepdims=True, initial=0.0)
        bound = bound + unit * (sums + 2 * np.sqrt(np.square(x).sum(axis=axes, keepdims=True)))
    return np.asarray(scale * bound)


def _softmax(case: Case, x: Array, error: Array, unit: float, *, logarithm: bool) -> Array:
    axis = case.attribute("axis", 1 if case.opset < 13 else -1)
    shape = x.shape
    axes = tuple(range(axis % max(x.ndim, 1), x.ndim)) if case.opset < 13 else (axis,)
    largest = x.max(axis=axes, keepdims=True)
    away = np.where(x > -np.inf, x - largest, -np.inf)
    powers = np.exp(away)
    total = powers.sum(axis=axes, keepdims=True)
    y = powers / total
    # x - max(x) is rounded relative to its own magnitude, which exp converts to a relative error.
    each = unit * (_UNITS + np.where(y > 0, np.abs(away), 0.0)) + error
    mean = np.where(y > 0, y * each, 0.0).sum(axis=axes, keepdims=True)
    if logarithm:
        finite = np.where(np.isfinite(away), np.abs(away), 0.0)
        return np.asarray(unit * (_UNITS + 2 * finite + np.abs(np.log(total))) + error + mean).reshape(shape)
    return np.asarray(y * (each + mean))


def _reduced(case: Case, x: Array, error: Array, unit: float) -> Array | None:
    result = np.abs(np.asarray(next(iter(case.results.values()))).astype(np.float64))
    axes, keep = axes_of(case, x.ndim), bool(case.attribute("keepdims", 1))

    def total(values: Array) -> Array:
        return np.asarray(values.sum(axis=axes, keepdims=keep)) if axes else np.asarray(values)

    op = case.node.op_type
    size = np.where(np.isfinite(result), result, 0.0)
    if op == "ReduceMin":
        return np.asarray(error.max(axis=axes, keepdims=keep) if axes else error)
    if op == "ReduceL1":
        return _UNITS * unit * size + total(error)
    if op == "ReduceL2":
        return _UNITS * unit * size + total(np.abs(x) * error) / np.maximum(size, 1e-300)
    if op == "ReduceSumSquare":
        return _UNITS * unit * size + total((2 * np.abs(x) + error) * error)
    if op == "ReduceLogSum":
        summed = np.abs(total(x))
        spread = np.sqrt(total(x * x))
        return _UNITS * unit * (1 + size + spread / np.maximum(summed, 1e-300)) + total(error) / np.maximum(
            summed, 1e-300
        )
    if op == "ReduceLogSumExp":
        most = np.abs(x).max(axis=axes, keepdims=keep) if axes else np.abs(x)
        moved = error.max(axis=axes, keepdims=keep) if axes else error
        return np.asarray(_UNITS * unit * (1 + size + np.where(np.isfinite(most), most, 0.0)) + moved)
    return None


def _global_norm(case: Case, x: Array, error: Array, unit: float) -> Array | None:
    """A GlobalLpPool, which onnxruntime adds term by term."""
    p, axes = case.attribute("p", 2), tuple(range(2, x.ndim))
    if p not in (1, 2) or not axes:
        return None
    terms = np.abs(x) ** p
    size = np.maximum(terms.sum(axis=axes, keepdims=True), 1e-300)
    result = size ** (1 / p)
    changed = (error * np.abs(x) ** (p - 1)).sum(axis=axes, keepdims=True) / result ** (p - 1)
    summed = one_by_one(terms, axes) / (p * size) if case.orders else 0.0
    return np.asarray((_UNITS * unit + summed) * result + changed)


def axes_of(case: Case, rank: int) -> tuple[int, ...]:
    """The axes of a reduction."""
    given: Any = case.operand(1) if case.operand(1) is not None else case.attribute("axes", None)
    if given is None or np.size(given) == 0:
        return () if case.attribute("noop_with_empty_axes", 0) else tuple(range(rank))
    return tuple(int(axis) for axis in np.ravel(given))


def _batch_norm(case: Case, x: Array, error: Array, unit: float) -> Array | None:
    if case.attribute("training_mode", 0) or x.ndim < 2 or len(case.node.output) > 1:
        return None
    shape = (1, -1, *(1 for _ in x.shape[2:]))
    scale, bias, mean, variance = (np.asarray(case.operand(at), np.float64).reshape(shape) for at in range(1, 5))
    factor = np.abs(scale / np.sqrt(variance + case.attribute("epsilon", 1e-5)))
    # A product and a sum in either order: each term is rounded separately.
    terms = np.abs(x) * factor + np.abs(mean) * factor + np.abs(bias)
    return np.asarray(_UNITS * unit * terms + error * factor)


def _norm(case: Case, x: Array, error: Array, unit: float) -> Array | None:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, over the axes of the op."""
    op = case.node.op_type
    epsilon_of = 1e-12 if op == "LpNormalization" else 1e-9 if op == "MeanVarianceNormalization" else 1e-5
    small = float(case.attribute("epsilon", epsilon_of))
    shape, centred = x.shape, op not in ("RMSNormalization", "SimplifiedLayerNormalization", "LpNormalization")
    if op == "InstanceNormalization":
        axes: tuple[int, ...] = tuple(range(2, x.ndim))
    elif op == "GroupNormalization":
        x = x.reshape(shape[0], case.attribute("num_groups", 1), -1)
        error, axes = error.reshape(x.shape), (2,)
    elif op == "MeanVarianceNormalization":
        axes = tuple(case.attribute("axes", [0, 2, 3]))
    elif op == "LpNormalization":
        axes = (case.attribute("axis", -1),)
    else:
        axis = case.attribute("axis", -1)
        axes = tuple(range(axis % x.ndim, x.ndim))

    def mean(values: Array) -> Array:
        return np.asarray(values.mean(axis=axes, keepdims=True))

    single = epsilon(np.dtype(np.float32))
    inner = max(single, unit) if error.any() else single
    middle = mean(x) if centred else np.zeros(())
    apart = x - middle
    moved = error + inner * (np.abs(apart) / 2 + np.abs(middle) + np.sqrt(mean(x * x))) if centred else error
    if centred:
        moved = moved + mean(error)
    # The divisor: of a sum of magnitudes, or the root of a sum or mean of squares.
    is_linear, is_sum = op == "LpNormalization" and case.attribute("p", 2) == 1, op == "LpNormalization"
    terms = np.abs(x) if is_linear else apart**2
    power = terms.sum(axis=axes, keepdims=True) if is_sum else mean(terms) + small
    root = np.maximum(power, 1e-300) if is_linear else np.sqrt(np.maximum(power, 1e-300))
    if op == "MeanVarianceNormalization":
        root = np.sqrt(mean(terms)) + small  # which ONNX adds to the deviation instead of the variance
    changed = error if is_linear else np.abs(apart) * moved + moved**2
    relative = (changed.sum(axis=axes, keepdims=True) if is_sum else mean(changed)) / np.maximum(power, 1e-300)
    if case.orders:
        count = max(math.prod(x.shape[axis] for axis in axes), 1)
        summed = one_by_one(terms, axes) / (1 if is_sum else count)
        relative = relative + summed / np.maximum(power, 1e-300) / (1 if is_linear else 2)
        moved = moved + one_by_one(x, axes) / count if centred else moved
    y = apart / root
    bound = (moved + np.abs(apart) * np.minimum(relative, 1e6)) / root + _UNITS * unit * np.abs(y)
    return _scaled(case, bound.reshape(shape), y.reshape(shape), unit)


def statistics_bounds(case: Case) -> dict[str, Array]:
    """The errors of the second and third result of a LayerNormalization: the means of its rows, and the reciprocals of
    their deviations."""
    names = [*case.node.output[1:], "", ""]
    x = np.asarray(case.operand(0)).astype(np.float64)
    if case.node.op_type != "LayerNormalization" or not any(names) or not x.size:
        return {}
    error, single = np.broadcast_to(case.error(0), x.shape), epsilon(np.dtype(np.float32))
    axes = tuple(range(case.attribute("axis", -1) % x.ndim, x.ndim))
    middle = x.mean(axes, keepdims=True)
    moved = error.mean(axes, keepdims=True) + single * (np.abs(middle) + np.sqrt((x * x).mean(axes, keepdims=True)))
    apart = np.abs(x - middle)
    power = (apart**2).mean(axes, keepdims=True) + float(case.attribute("epsilon", 1e-5))
    each = moved + error + single * apart
    relative = (apart * each + each**2).mean(axes, keepdims=True) / np.maximum(power, 1e-300)
    return {names[0]: moved, names[1]: (relative + _UNITS * single) / np.sqrt(np.maximum(power, 1e-300))}


def _scaled(case: Case, bound: Array, y: Array, unit: float) -> Array:
    """After `* scale + bias`, which are per channel in norms of images."""
    op = case.node.op_type
    if op in ("LpNormalization", "MeanVarianceNormalization"):
        return bound
    for at in (1, 2):
        operand = case.operand(at)
        if operand is None:
            continue
        factor = np.abs(np.asarray(operand).astype(np.float64))
        if op in ("InstanceNormalization", "GroupNormalization"):
            if op == "GroupNormalization" and factor.size != y.shape[1]:
                factor = np.repeat(factor, y.shape[1] // factor.size)
            factor = factor.reshape(1, -1, *(1 for _ in y.shape[2:]))
        if at == 1:
            bound, y = bound * factor, y * factor
        else:
            bound = bound + 2 * unit * (np.abs(y) + factor)
        bound = bound + np.broadcast_to(case.error(at), np.shape(operand)).max(initial=0.0)
    return bound

"""The rounding error of long sums with similar terms, from their partial sums.

The error of a sum that is computed term by term is the sum over its partial sums, each times the relative rounding
error of its addition (N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 4.2). If terms
are independent, partial sums are about as large as the root of the sum of their squares, which `verify.limits.bounds`
assumes. If adjacent terms are similar, as pixels under weights of equal sign, partial sums become many times larger
before they cancel. This file computes them in the orders that libraries use.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.verify.comparison import epsilon

if TYPE_CHECKING:
    from forge_mlir.verify.limits.bounds import Case

Array = npt.NDArray[np.float64]

REDUCTIONS = frozenset(["ReduceSum", "ReduceMean", "GlobalAveragePool"])
NORMS = frozenset(
    ["LayerNormalization", "RMSNormalization", "InstanceNormalization", "GroupNormalization", "LpNormalization"]
)
FUSED = frozenset(["FusedMatMul", "TransposeMatMul"])
"""onnxruntime's matrix products with flags."""
ORDERED = (
    frozenset(["MatMul", "MatMulNBits", "Gemm", "Einsum", "Conv", "ConvTranspose", "GlobalLpPool"])
    | FUSED
    | REDUCTIONS
    | NORMS
)
"""Sums whose terms are added in a known order: of products of two operands, of one operand, and of its squares."""

_BLOCKS = 8
"""The number of partial sums that are computed for each order; others are interpolated linearly."""
_SUMS = 8
"""Vector code adds terms in as many separate sums, or in more, whose partial sums are smaller."""
_FEWEST = 16
"""The fewest terms of a sum for which partial sums are considered."""


def reduction_bound(case: Case, axes: tuple[int, ...], result: Array) -> Array:
    """The bound for a sum or mean over `axes` of one operand, whose terms may be equal, as in a uniform image."""
    x = np.asarray(case.operand(0))
    if not axes or x.dtype != np.float32 or not x.size:
        return np.zeros(())
    rows = np.moveaxis(x, axes, range(x.ndim - len(axes), x.ndim))
    rows = rows.reshape(*rows.shape[: x.ndim - len(axes)], -1)
    count = 1 if case.node.op_type == "ReduceSum" else rows.shape[-1]
    partial = np.cumsum(rows, axis=-1, dtype=np.float64)
    walk = epsilon(np.dtype(np.float32)) * np.sqrt((partial**2).sum(axis=-1))
    return np.asarray((walk.reshape(result.shape) + one_by_one(x, axes).reshape(result.shape)) / count)


def one_by_one(terms: Array, axes: tuple[int, ...]) -> Array:
    """Twice the error of float32 addition of `terms` term by term over `axes`, which are kept with size 1. It is large
    for terms that are equal or much smaller than others: each of them is rounded in the same direction."""
    if not terms.size:
        return np.zeros(())
    rows = np.moveaxis(terms, axes, range(terms.ndim - len(axes), terms.ndim))
    rows = rows.reshape(*rows.shape[: terms.ndim - len(axes)], -1).astype(np.float32)
    apart = np.abs(np.cumsum(rows, axis=-1, dtype=np.float32)[..., -1] - rows.sum(axis=-1, dtype=np.float64))
    kept = [1 if axis in [each % terms.ndim for each in axes] else size for axis, size in enumerate(terms.shape)]
    return np.asarray(2 * apart).reshape(kept)


def partial_sum_bound(case: Case) -> Array:
    """The possible error of each element of a product of two operands if its terms are added one by one: a float32 unit
    of the root of the sum of squares of its partial sums, which is about five standard deviations of the sum of
    independent rounding errors. The maximum over the known orders, 0 if none is known. Raises what the evaluation
    raises."""
    most: Array = np.zeros(())
    weight = case.operand(1)
    if not (isinstance(weight, np.ndarray) and is_floating(weight.dtype)):
        return most
    for positions in _orders(case):
        length = -(-(int(positions.max()) + 1) // _SUMS)
        for each in (positions, positions % _SUMS * length + positions // _SUMS):
            most = np.maximum(most, _sum_of_squares(case, each))
    # NaN from partial sums that overflow must not remove the other limits.
    return np.asarray(epsilon(np.dtype(np.float32)) * np.sqrt(np.where(np.isnan(most), 0.0, most)))


def joined_bound(case: Case, at: int, terms: float) -> Array:
    """The additional error of an addition whose operand `at` is a sum of so many terms in the same call. The sum may
    start with the other operand, in whose magnitude each of its additions then rounds. As for the bias of a product: by
    blocks, or one by one if `orders` are considered."""
    other = np.abs(np.asarray(case.operand(1 - at)).astype(np.float64))
    roundings = np.sqrt(terms) if case.orders else 1 + np.log2(max(terms, 2)) / 2
    return np.asarray(epsilon(np.dtype(np.float32)) * roundings * np.where(np.isfinite(other), other, 0.0))


def _sum_of_squares(case: Case, positions: npt.NDArray[np.int64]) -> Array:
    name, weight = case.node.input[1], np.asarray(case.operand(1))
    count = int(positions.max()) + 1
    ends = np.unique(np.linspace(0, count, _BLOCKS + 1).astype(int))
    before: Array = np.zeros(())
    squares: Array = np.zeros(())
    for start, end in itertools.pairwise(ends):
        part = np.where(positions < end, weight, np.zeros((), weight.dtype))
        made = case.own_types(case.node, {**case.values, name: part})
        after = np.asarray(next(iter(made.values()))).astype(np.float64)
        squares = squares + (end - start) / 3 * (before**2 + before * after + after**2)
        before = after
    return np.asarray(squares)


def _orders(case: Case) -> Iterator[npt.NDArray[np.int64]]:
    """The position at which each element of the second operand is added, to broadcast to it: channel by channel, or
    window position by window position. None for ops other than products with one known order, and for short sums."""
    op, shape = case.node.op_type, np.shape(case.operand(1))
    if op in ("MatMul", "Gemm") or (op in FUSED and not case.attribute("transBatchB", 0)):
        axis = -1 if len(shape) < 2 or case.attribute("transB", 0) else -2
        if len(shape) and shape[axis] >= _FEWEST:
            yield np.arange(shape[axis]).reshape([-1, *[1] * (-axis - 1)])
    elif op == "Einsum":
        axes = contracted_axes(case)
        sizes = [shape[axis] for axis in axes]
        if math.prod(sizes) >= _FEWEST:
            kept = [size if axis in axes else 1 for axis, size in enumerate(shape)]
            yield np.arange(math.prod(sizes)).reshape(kept)
            if len(axes) > 1:
                yield np.arange(math.prod(sizes)).reshape(sizes[::-1]).transpose().reshape(kept)
    elif op in ("Conv", "ConvTranspose") and len(shape) > 2:
        axis = 1 if op == "Conv" else 0
        channels = shape[axis] // (1 if op == "Conv" else case.attribute("group", 1))
        channel = np.arange(shape[axis]).reshape([-1 if at == axis else 1 for at in range(len(shape))]) % channels
        tap = np.arange(int(np.prod(shape[2:]))).reshape(1, 1, *shape[2:])
        if channels * tap.size >= _FEWEST:
            yield channel * tap.size + tap
            if channels > 1 and tap.size > 1:
                yield tap * channels + channel


def contracted_axes(case: Case) -> list[int]:
    """The axes of the second of two operands of an Einsum over which it sums; empty for another number of operands."""
    operands, arrow, result = case.attribute("equation", b"").decode().replace(" ", "").partition("->")
    if operands.count(",") != 1:
        return []
    rank, second = np.ndim(case.operand(1)), operands.split(",")[1]
    before, _, after = second.partition("...")
    axes = {letter: axis for axis, letter in enumerate(before)}
    axes |= {letter: rank - len(after) + axis for axis, letter in enumerate(after)}
    is_summed = (lambda letter: letter not in result) if arrow else (lambda letter: operands.count(letter) > 1)
    return sorted(axis for letter, axis in axes.items() if is_summed(letter))

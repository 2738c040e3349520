"""The tolerance for a result, in units in the last place of its dtype, by the ops of the model.

An op that moves, compares or selects gives the same bits. An op that computes each element separately may differ by a
few units of that element, since implementations approximate functions differently. An op that sums may differ by some
units of the magnitude of its row, since the order of summation is not defined. Each further node adds to the tolerance.
The comparison itself is that of `forge-mlir verify`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from onnx import NodeProto

from forge_mlir.verify.comparison import compare, row_scale
from fuzz.coverage import EXACT, ROUNDS, STEPS, SUMS
from fuzz.operands import Array
from fuzz.variants.variant import is_float, nodes_in

_OWN = 8
"""Units of the element itself, for an op that rounds: exp, erf and similar functions differ by up to four in
onnxruntime."""
_LARGEST = {8: 64, 4: 64, 2: 6, 1: 2}
"""Units of the magnitude of the row, for an op that sums, by the bytes of the dtype. Wide types: about a hundred
summands in another order. Narrow types: one rounding of the device's float32 sum, and a few roundings of the
reference's."""
_TIMES = 4
"""Each rounding of an intermediate value changes a result like a rounding of the operands. The spread is measured with
operands that are changed by two units in the last place."""
_PLAIN = EXACT - ROUNDS - SUMS | {"If", "Loop", "Scan", "Constant", "SequenceConstruct", "SequenceAt"}
"""Ops that do not change any number."""


@dataclass(frozen=True)
class Allowance:
    """Units of the element, units of its row, and steps of an integer that was rounded from a float.

    `narrow` is the type of an operand in which the reference may round intermediate values of a wider result.
    """

    own: int = _OWN
    sums: int = 0
    steps: int = 0
    narrow: np.dtype[Any] | None = None

    def is_exact(self) -> bool:
        return not (self.own or self.sums or self.steps)


def allowance(nodes: Iterable[NodeProto], dtypes: Iterable[np.dtype[Any]] = ()) -> Allowance:
    """The tolerance for the results of these nodes: the rounding errors of the nodes add up."""
    narrow = max((dtype for dtype in dtypes if is_float(dtype) and dtype.itemsize == 2), key=ulp, default=None)
    ops = [node.op_type for node in nodes_in(nodes) if node.op_type not in _PLAIN]
    summing = sum(op in SUMS for op in ops)
    return Allowance(_OWN * len(ops), summing, int(any(op in STEPS for op in ops)), narrow if summing else None)


def ulp(dtype: np.dtype[Any]) -> float:
    """The distance from 1 to the next number; for float64 that of float32, since the device computes in Float32."""
    return float(ml_dtypes.finfo(np.float32 if dtype == np.float64 else dtype).eps)


def differs(got: Array, expected: Array, allowed: Allowance = Allowance(), spread: Array | float = 0) -> str:
    """How `got` differs from `expected`; "" when each element is within the tolerance.

    `spread` is how far the elements of `expected` change when the operands change in their last bits; four times this
    is allowed in addition.
    """
    got, expected = np.asarray(got), np.asarray(expected)
    if got.dtype == np.float64:
        # Numbers that exceed the Float32 of the device are infinities.
        with np.errstate(all="ignore"):
            got, expected = (array.astype(np.float32).astype(np.float64) for array in (got, expected))
    with np.errstate(all="ignore"):
        near = _near(_numbers(expected), expected.dtype, allowed) + _TIMES * np.asarray(spread)
    row = compare("result", got, expected, allowed=np.asarray(near, np.float64))
    return "" if row.passed else f"{row.explain()} ({got.dtype}{list(got.shape)})"


def spread_of(expected: Array, moved: Iterable[Array]) -> Array:
    """The largest change of each element; infinity where it became a NaN or an infinity, or was one."""
    b = _numbers(expected)
    most = np.zeros(b.shape)
    for other in moved:
        if other.shape != expected.shape:
            return np.full(b.shape, np.inf)
        a = _numbers(other)
        with np.errstate(all="ignore"):
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            most = np.maximum(most, np.where(same, 0, np.nan_to_num(np.abs(a - b), nan=np.inf, posinf=np.inf)))
    return most


def _numbers(array: Array) -> Array:
    """The numbers as doubles; 64-bit integers as 80-bit floats, which represent them exactly."""
    if is_float(array.dtype) or array.dtype.itemsize < 8:
        return np.asarray(array.astype(np.float64))
    return np.asarray(array.astype(np.longdouble))


def _near(b: Array, dtype: np.dtype[Any], allowed: Allowance) -> Array:
    if not is_float(dtype):
        return np.full(b.shape, allowed.steps if dtype.kind != "b" and dtype.itemsize <= 2 else 0)
    coarse = allowed.narrow if allowed.narrow is not None and dtype.itemsize > 2 else dtype
    unit, size = ulp(coarse), coarse.itemsize
    # The device computes float64 in float32: a double is rounded even if nothing is computed.
    own = max(allowed.own, 1) if dtype == np.float64 else allowed.own
    smallest = float(ml_dtypes.finfo(np.float32 if size == 8 else dtype).smallest_subnormal)
    return np.maximum(
        own * np.maximum(unit * np.where(np.isfinite(b), np.abs(b), 0), smallest),
        allowed.sums * _LARGEST[size] * unit * row_scale(b.astype(np.float64)),
    )

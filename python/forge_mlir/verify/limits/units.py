"""Limits of elements about which nothing else is known, and of engines that compute something else."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.verify.comparison import OUTPUT_LIMITS, Comparison, epsilon

Array = npt.NDArray[Any]

_ANOTHER_MEANING = 1e-3
"""An engine that differs from float64 by more than this, relative to the row, computes something else."""
_ROUNDS_EACH_STEP = 32
"""Except for units of a 16-bit type, to which onnx.reference rounds every partial sum."""
_NOTHING = 1e-6
"""Except for values that are negligible compared with 1 and the largest element, where onnxruntime's functions are
inexact."""


def last_bit(expected: Array) -> npt.NDArray[np.float64]:
    """One unit of each element, which is allowed for every op."""
    if not is_floating(expected.dtype):
        return np.zeros(())
    wide = np.abs(expected.astype(np.float64))
    return np.asarray(np.where(np.isfinite(wide), wide, 0.0) * epsilon(expected.dtype))


def of_the_largest(value: Array) -> npt.NDArray[np.float64]:
    """The limits for whole models, for elements for which nothing else is known."""
    if not is_floating(value.dtype):
        return np.zeros(())
    wide = np.abs(value.astype(np.float64))
    return np.asarray(np.where(np.isfinite(wide), wide, 0.0) * OUTPUT_LIMITS.relative / 10)


def is_another_meaning(theirs: Comparison, exact: Array) -> bool:
    """Whether an engine, which differs from `exact` as `theirs` says, computes something else."""
    wide = np.abs(exact.astype(np.float64)) if is_floating(exact.dtype) else np.zeros(())
    largest = float(np.where(np.isfinite(wide), wide, 0.0).max(initial=0.0))
    meaning = max(_ANOTHER_MEANING, _ROUNDS_EACH_STEP * epsilon(exact.dtype)) if is_floating(exact.dtype) else 0.0
    return theirs.relative > meaning and theirs.max_abs > _NOTHING * max(1.0, largest)

"""Programs in another float format than the model: the differences that rounding explains."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from forge_mlir.compiler.options import Options
from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.verify.comparison import epsilon

_FORMATS: dict[str, Any] = {"bfloat16": ml_dtypes.bfloat16, "mixed": ml_dtypes.bfloat16, "float32": np.float32}


def program_format(options: Options) -> np.dtype[Any] | None:
    """The float format that `options` request; None for that of the model."""
    found = _FORMATS.get(options.get("float_format") or "")
    return None if found is None else np.dtype(found)


def is_narrow(program: np.dtype[Any] | None) -> bool:
    """Whether `program` has a smaller significand than Float32."""
    return program is not None and program.itemsize == 2


def in_format(value: Any, narrow: np.dtype[Any] | None) -> Any:
    """`value` rounded to `narrow` if it is an array of wider floats. Finite numbers stay finite, as
    --forge-float-format does for constants and weights."""
    if narrow is None or not isinstance(value, np.ndarray) or not is_floating(value.dtype):
        return value
    if value.dtype == narrow or value.dtype.itemsize < narrow.itemsize:
        return value
    info: Any = ml_dtypes.finfo  # not typed
    most = float(info(narrow).max)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.where(np.isfinite(value), np.clip(value, -most, most), value).astype(narrow)


def rounded(value: Any, narrow: np.dtype[Any] | None) -> Any:
    """`value` rounded to `narrow`, in its original type."""
    found = in_format(value, narrow)
    return found if found is value else found.astype(value.dtype)


def rounding_of(value: Any, narrow: np.dtype[Any] | None) -> npt.NDArray[np.float64] | None:
    """The difference of each element of `value` from that in a program in `narrow`: its rounding error, or if the
    program is more precise than the model, half a unit of the model's type. None if there is none. A program has
    float64 in Float32 in any case."""
    if narrow is None and isinstance(value, np.ndarray) and value.dtype == np.float64:
        narrow = np.dtype(np.float32)
    found = in_format(value, narrow)
    if found is value:
        if narrow is None or not isinstance(value, np.ndarray) or not is_floating(value.dtype) or value.dtype == narrow:
            return None
        return np.asarray(
            epsilon(value.dtype) / 2 * np.abs(np.nan_to_num(value.astype(np.float64), posinf=0, neginf=0))
        )
    with np.errstate(invalid="ignore"):
        apart = np.abs(np.nan_to_num(found.astype(np.float64) - value.astype(np.float64), nan=0.0))
    return apart if apart.any() else None

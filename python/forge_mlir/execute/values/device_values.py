"""Converts inputs to the types of the device, such as int64 to Int32, and outputs back to those of ONNX."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from forge_mlir.artifact.manifest import Json
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped
from forge_mlir.execute.values.torch_values import BFLOAT16, in_bfloat16, to_numpy, to_torch


def to_device(array: npt.NDArray[Any], entry: Json, expected: Json) -> torch.Tensor:
    """Converts an input to the type and shape that the device has for it. Raises ForgeError for another shape or dtype
    than the model's, and for a value that does not fit."""
    label = f"input {entry['onnx_name']!a}"
    array = np.asarray(array)
    if array.dtype == BFLOAT16 and expected["dtype"] == "float32":
        array = array.astype(np.float32)  # exact
    if array.dtype.name != expected["dtype"]:
        raise ForgeError(Code.InputMismatch, f"{label}: expected dtype {expected['dtype']}, but got {array.dtype.name}")
    # The device has shape [1] for rank 0.
    if list(array.shape) != entry["shape"] and not (array.shape == () and entry["shape"] == [1]):
        raise ForgeError(Code.InputMismatch, f"{label}: expected shape {entry['shape']}, but got {list(array.shape)}")
    if array.dtype == BFLOAT16:
        tensor = to_torch(array)
    else:
        target = np.dtype(entry["dtype"])
        require_range(array, expected, label)
        _require_indices(array, entry, label)
        if target.kind == "i" and array.size and (array.min() < -(2**31) or array.max() >= 2**31):
            raise ForgeError(Code.InputRange, f"{label}: a value does not fit Int32 on the device")
        with np.errstate(over="ignore", under="ignore"):
            converted = in_bfloat16(array) if target == BFLOAT16 else np.array(array, dtype=target)
        if (
            array.dtype == np.float64
            and (np.isfinite(array) & ~np.isfinite(converted) | (array != 0) & (converted == 0)).any()
        ):
            raise ForgeError(Code.InputRange, f"{label}: a value does not fit Float32 on the device")
        tensor = to_torch(converted)
    return tensor.reshape(entry["shape"])


def _require_indices(array: npt.NDArray[Any], entry: Json, label: str) -> None:
    """Raises ForgeError for an index out of bounds, which the device does not check."""
    if "index_range" not in entry or not array.size:
        return
    lowest, highest = entry["index_range"]
    for found in (int(array.min()), int(array.max())):
        if not lowest <= found <= highest:
            raise ForgeError(
                Code.InputRange,
                f"{label}: {found} is an index outside of [{lowest}, {highest}], the axis that it selects from",
            )


def require_range(array: npt.NDArray[Any], expected: Json, label: str) -> None:
    """Raises ForgeError for an integer outside the range that the model was compiled with."""
    if "range" not in expected or not array.size:
        return
    lowest, highest = expected["range"]
    for found in (int(array.min()), int(array.max())):
        if not lowest <= found <= highest:
            raise ForgeError(
                Code.InputRange,
                f"{label}: {found} is outside [{lowest}, {highest}], the range that the model was compiled for",
            )


def from_device(value: Any, entry: Json, info: Json, is_reference: bool) -> npt.NDArray[Any]:
    """Converts an output to its ONNX type. Raises ForgeError for a value that was released and, on the CPU reference,
    for another shape or dtype than the manifest's."""
    scalar = entry.get("scalar", False) if info["shape"] is None else not info["shape"]
    shape = [] if scalar else entry["shape"]
    label = f"output {entry['onnx_name']!a}"
    try:
        array = to_numpy(value)
    except (AttributeError, RuntimeError, TypeError) as error:  # no tensor, or one that was released
        raise ForgeError(Code.ArtifactUnreadable, f"{label}: {type(error).__name__}: {escaped(error)}") from error
    if is_reference and list(array.shape) != entry["shape"]:
        reason = f"expected shape {entry['shape']}, but got {list(array.shape)}"
        raise ForgeError(Code.ArtifactUnreadable, f"{label}: {reason}")
    if is_reference and array.dtype.name != entry["dtype"]:
        reason = f"expected dtype {entry['dtype']}, but got {array.dtype.name}"
        raise ForgeError(Code.ArtifactUnreadable, f"{label}: {reason}")
    return array.astype(info["dtype"], copy=False).reshape(shape)

"""Converts ONNX values to torch tensors and back. bfloat16, which numpy lacks, is transferred as bits."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import torch

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_LARGEST = float(np.array(0x7F7F, np.uint16).view(BFLOAT16))


def to_torch(array: npt.NDArray[Any]) -> torch.Tensor:
    """A copy of `array` as a tensor. Raises TypeError for a dtype that torch does not have (text, 4-bit integers)."""
    if array.dtype == BFLOAT16:
        return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(array.copy())


def to_numpy(value: Any) -> npt.NDArray[Any]:
    """The value of a torch or forge tensor as an array of its dtype and shape."""
    tensor = value.value() if hasattr(value, "value") else value
    tensor = tensor.detach().cpu()
    if tensor.dtype == torch.bfloat16:
        return np.asarray(tensor.contiguous().view(torch.int16).numpy().view(BFLOAT16))
    return np.asarray(tensor.numpy())


def in_bfloat16(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Converts to bfloat16. A finite float32 beyond the largest bfloat16, such as a mask of -3.4e38, becomes the
    largest bfloat16, as in weights."""
    converted = array.astype(BFLOAT16)
    beyond = np.isinf(converted) & (np.abs(array) <= np.finfo(np.float32).max)
    return np.where(beyond, np.copysign(_LARGEST, array).astype(BFLOAT16), converted)

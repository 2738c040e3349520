"""ONNX values as torch tensors and back. bfloat16, which numpy does not have, travels as its bits."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import torch

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def to_torch(array: npt.NDArray[Any]) -> torch.Tensor:
    """A copy of `array` as a tensor. Raises TypeError for a dtype that torch does not have (text, 4-bit integers)."""
    if array.dtype == BFLOAT16:
        return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(array.copy())


def to_numpy(value: Any) -> npt.NDArray[Any]:
    """The value of a torch or forge tensor, in its dtype and shape."""
    tensor = value.value() if hasattr(value, "value") else value
    tensor = tensor.detach().cpu()
    if tensor.dtype == torch.bfloat16:
        return np.asarray(tensor.contiguous().view(torch.int16).numpy().view(BFLOAT16))
    return np.asarray(tensor.numpy())

"""The element types of tensors in a device module."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

DEVICE_TYPES: dict[str, tuple[str, np.dtype[Any]]] = {
    "float32": ("F32", np.dtype(np.float32)),
    "float16": ("F16", np.dtype(np.float16)),
    "bfloat16": ("BF16", np.dtype(ml_dtypes.bfloat16)),
    "int32": ("I32", np.dtype(np.int32)),
}
"""The name in safetensors and the numpy type of each, by the name in manifests."""

"""numpy names of the element types of the forge dialect."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from forge_mlir.onnx_model.storage.weights import WeightRef

Array = npt.NDArray[np.generic]

_TEXT = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "bool": "i1"}
# In this dialect signed integers are signless, and unsigned ones keep their signedness.
_TEXT |= {f"int{bits}": f"i{bits}" for bits in (4, 8, 16, 32, 64)}
_TEXT |= {f"uint{bits}": f"ui{bits}" for bits in (4, 8, 16, 32, 64)}
# Tensor attributes have ONNX types, in which signed integers are explicitly signed.
_NAME = {text: name for name, text in _TEXT.items()} | {f"si{bits}": f"int{bits}" for bits in (4, 8, 16, 32, 64)}


def dtype_of(element: str) -> str:
    """The numpy (or ml_dtypes) name of an element type."""
    return _NAME[element]


def element_of(dtype: npt.DTypeLike) -> str:
    """The element type for a dtype or its name. Raises TypeError for one that the dialect lacks."""
    name = dtype if isinstance(dtype, str) else np.dtype(dtype).name
    if name not in _TEXT:
        raise TypeError(f"expected a dtype of {', '.join(_TEXT)}, but got {name!a}")
    return _TEXT[name]


def array_of(found: tuple[str, list[int], bytes]) -> Array:
    """An array from (element type, shape, raw bytes)."""
    element, shape, raw = found
    return WeightRef("", dtype_of(element), tuple(shape), len(raw), data=raw).array()

"""Default values of optional inputs: initializers that were compiled with `overridable`."""

from __future__ import annotations

import base64
from typing import Any

import ml_dtypes
import numpy as np

from forge_mlir.artifact.manifest import Json
from forge_mlir.execute.device_module import Arrays


def defaults_of(manifest: Json) -> Arrays:
    """The defaults by ONNX name, in ONNX dtypes and shapes."""
    return {info["name"]: _array(info) for info in manifest["onnx"]["inputs"] if "default" in info}


def _array(info: Json) -> np.ndarray[Any, Any]:
    dtype = np.dtype(getattr(ml_dtypes, info["dtype"], info["dtype"]))
    return np.frombuffer(base64.b64decode(info["default"]), dtype).reshape(info["shape"])

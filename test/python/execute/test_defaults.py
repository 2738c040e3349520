"""Defaults of optional inputs, which the manifest has as text."""

from __future__ import annotations

import base64

import ml_dtypes
import numpy as np

from forge_mlir.execute.defaults import defaults_of


def test_defaults_have_the_type_of_the_model() -> None:
    half = np.array([[1.5], [-2]], ml_dtypes.bfloat16)
    default = base64.b64encode(half.tobytes()).decode()
    inputs = [
        {"name": "x", "dtype": "float32", "shape": [2]},
        {"name": "w", "dtype": "bfloat16", "shape": [2, 1], "default": default},
    ]
    found = defaults_of({"onnx": {"inputs": inputs}})
    assert list(found) == ["w"]
    assert found["w"].dtype == half.dtype
    assert found["w"].tolist() == half.tolist()

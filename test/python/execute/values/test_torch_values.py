"""ONNX values as torch tensors, and back."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import torch

from forge_mlir.execute.values.torch_values import BFLOAT16, in_bfloat16, to_numpy, to_torch


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, np.uint8, np.int64, np.bool_, ml_dtypes.bfloat16])
def test_values_return_unchanged(dtype: type[np.generic]) -> None:
    array = np.array([[0, 1], [1, 0]]).astype(dtype)
    tensor = to_torch(array)
    back = to_numpy(tensor)
    assert back.dtype == array.dtype
    assert np.array_equal(back, array)
    tensor.zero_()
    assert array.any(), "the tensor is a copy"


def test_strings_have_no_tensor() -> None:
    with pytest.raises(TypeError):
        to_torch(np.array(["a"]))


def test_finite_numbers_stay_finite_in_bfloat16() -> None:
    found = in_bfloat16(np.array([-3.4028235e38, 3.4e38, np.inf, -np.inf, 1], np.float32))
    assert found.dtype == BFLOAT16
    largest = float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)
    assert found.astype(np.float64).tolist() == [-largest, largest, np.inf, -np.inf, 1]
    assert to_torch(found).dtype == torch.bfloat16

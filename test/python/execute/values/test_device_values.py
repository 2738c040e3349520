"""Inputs have the shape and dtype of the model, and values that fit the types of the device."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto

from forge_mlir.compiler.driver import compile
from forge_mlir.errors import ForgeError
from forge_mlir.execute.run import run
from sample_models.small import one_node


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "expected inputs 'x'"),
        ({"x": np.zeros((2, 3), np.float32), "z": np.zeros(1, np.float32)}, "expected inputs 'x'"),
        ({"x": np.zeros((3, 2), np.float32)}, r"input 'x': expected shape \[2, 3\]"),
        ({"x": np.zeros((2, 3), np.float64)}, "input 'x': expected dtype float32"),
    ],
)
def test_wrong_inputs_are_named(inputs: dict[str, np.ndarray], message: str, tmp_path: Path) -> None:
    artifact = compile(one_node("Relu", [2, 3]), tmp_path)
    with pytest.raises(ForgeError, match=message):
        run(artifact, inputs)


def test_integer_inputs_must_fit(tmp_path: Path) -> None:
    artifact = compile(one_node("Abs", [2], dtype=TensorProto.INT64), tmp_path)
    np.testing.assert_array_equal(run(artifact, {"x": np.array([-5, 7])})["y"], [5, 7])
    with pytest.raises(ForgeError, match="does not fit Int32"):
        run(artifact, {"x": np.array([1, 2**40])})

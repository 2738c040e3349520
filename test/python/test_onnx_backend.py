"""ONNX's backend interface."""

from __future__ import annotations

import unittest

import numpy as np
import onnx
import onnx.backend.test
import onnx.backend.test.loader
import pytest
from onnx import helper
from onnx.backend.base import Backend

from forge_mlir import ForgeError, onnx_backend
from node_cases import node_cases
from sample_models.partition import products


def test_the_backend() -> None:
    assert issubclass(onnx_backend.ForgeBackend, Backend)
    x = np.array([-1, 2], np.float32)
    (y,) = onnx_backend.run_node(helper.make_node("Relu", ["x"], ["y"]), [x])
    np.testing.assert_array_equal(y, [0, 2])
    assert onnx_backend.supports_device("CPU")
    assert not onnx_backend.supports_device("CUDA")
    assert not onnx_backend.is_compatible(products(), fallback="error")
    with pytest.raises(ForgeError, match="expected 1 inputs, but got 2"):
        onnx_backend.prepare(products()).run([x, x])


def test_onnxs_own_suite_runs_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx.backend.test.loader, "load_node_model_tests", node_cases)
    suite = onnx.backend.test.BackendTest(onnx_backend, __name__)
    suite.include(r"^test_(relu|softmax_axis_0|det_2d|split_equal_parts_1d_opset18)_cpu$")
    result = unittest.TestResult()
    suite.test_suite.run(result)
    assert result.wasSuccessful(), result.failures + result.errors
    assert result.testsRun - len(result.skipped) == 4

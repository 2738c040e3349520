"""Results of float16 operands are those of onnxruntime, which computes in float32, where squares, sums, products or
variances leave float16."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import numpy_helper

import forge_mlir
from sample_models.goldens import assert_same

IMAGE = np.linspace(-9000, 9000, 60).astype(np.float16).reshape(2, 5, 3, 2)
STATISTICS = {name: np.array([0.5, 1, 2, 4, 8], np.float32) for name in ("scale", "bias", "mean")}
STATISTICS["variance"] = np.array([1e5, 2e6, 3e7, 4e7, 5e7], np.float32)
FACTOR = {"w": np.full((64, 2), 100, np.float16), "c": np.full((2,), 500, np.float16)}
LABELS = {"labels": np.zeros(8192, np.int64)}

# The graph, and the weights by name.
GRAPHS = {
    "LpNormalization": ("(float16[2,5,3,2] x) => (float16[2,5,3,2] y) { y = LpNormalization<axis = 1>(x) }", {}),
    "LRN": ("(float16[2,5,3,2] x) => (float16[2,5,3,2] y) { y = LRN<size = 3, alpha = 0.3>(x) }", {}),
    "BatchNormalization": (
        "(float16[2,5,3,2] x) => (float16[2,5,3,2] y) { y = BatchNormalization(x, scale, bias, mean, variance) }",
        STATISTICS,
    ),
    "AveragePool": (
        "(float16[1,1,8] x) => (float16[1,1,4] y) { y = AveragePool<kernel_shape = [3], dilations = [2]>(x) }",
        {},
    ),
    "Gemm": ("(float16[2,64] x) => (float16[2,2] y) { y = Gemm<alpha = 0.01, beta = 2.0>(x, w, c) }", FACTOR),
    "SoftmaxCrossEntropyLoss": (
        "(float16[8192,3] x) => (float16 y) { y = SoftmaxCrossEntropyLoss(x, labels) }",
        LABELS,
    ),
}
INPUTS = {
    "AveragePool": np.full((1, 1, 8), 30000, np.float16),
    "Gemm": np.full((2, 64), 100, np.float16),
    "SoftmaxCrossEntropyLoss": np.tile(np.array([-20, 0, 0], np.float16), (8192, 1)),
}


@pytest.mark.parametrize("op", GRAPHS)
def test_steps_may_leave_float16(op: str, tmp_path: Path) -> None:
    text, weights = GRAPHS[op]
    proto = onnx.parser.parse_model(f'<ir_version: 10, opset_import: ["": 22]> g {text}')
    proto.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in weights.items())
    inputs = {"x": INPUTS.get(op, IMAGE)}
    session = onnxruntime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    (expected,) = session.run(None, inputs)
    assert np.all(np.isfinite(expected) & (expected != 0))
    (found,) = forge_mlir.run(forge_mlir.compile(proto, tmp_path), inputs).values()
    assert_same(found, expected, 2e-3)

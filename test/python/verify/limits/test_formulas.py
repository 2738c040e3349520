"""The formulas in float64 are those of ONNX."""

from __future__ import annotations

import numpy as np
from onnx import helper

from forge_mlir.verify.limits.formulas import evaluate_formula


def test_the_formula_is_that_of_onnx() -> None:
    x = np.random.default_rng(0).standard_normal((1, 7, 2)).astype(np.float32)
    for size in (1, 2, 3, 4, 9):
        node = helper.make_node("LRN", ["x"], ["y"], size=size, alpha=0.3, beta=0.6, bias=1.5)
        found = evaluate_formula(node, {"x": x})["y"]
        for channel in range(7):
            first, last = max(0, channel - (size - 1) // 2), min(6, channel + -(-(size - 1) // 2))
            sums = (x[:, first : last + 1].astype(np.float64) ** 2).sum(1)
            right = x[:, channel] / (1.5 + 0.3 / size * sums) ** 0.6
            assert (np.abs(found[:, channel] - right) <= 1e-6 * np.abs(right)).all()

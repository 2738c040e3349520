"""Operands for which an engine is known to deviate."""

from __future__ import annotations

import numpy as np
import pytest

from forge_mlir.support.known_deviations import Program
from forge_mlir.support.operand_deviations import deviates_for


def test_operands_that_saturate() -> None:
    weights = {number: np.full((2, 2), number, np.int8) for number in (-128, -65, 64, 127)}
    x = np.ones((2, 2), np.uint8)
    engine: Program = "onnxruntime"
    for number, saturates in {-128: True, -65: True, 64: False, 127: True}.items():
        assert deviates_for(engine, "MatMulInteger", [x, weights[number]], ordinary=True) == saturates
    assert not deviates_for(engine, "MatMul", [x, weights[127]], ordinary=True)
    assert not deviates_for(engine, "GRU", [np.array([np.inf], np.float32)], ordinary=True)


@pytest.mark.parametrize(("elements", "is_known"), [([1.5, 2, 1.5], True), ([1, 2, 3], False), ([], False)])
def test_equal_elements(elements: list[float], is_known: bool) -> None:
    x = [np.float32(elements)]
    assert deviates_for("onnxruntime", "MeanVarianceNormalization", x, ordinary=True) == is_known

"""Bounds that are measured, by running the op on neighbours of its operands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import NodeProto, helper
from onnxruntime import InferenceSession

from forge_mlir.verify.limits.bounds import Case, bounds_of
from sample_models.probe import FLOAT


def test_an_op_that_rounds_to_integers_may_change_by_a_step_near_a_midpoint() -> None:
    """By the amount that onnxruntime's own result changes; if no operand is near a midpoint, by rounding only."""
    made = helper.make_node("DynamicQuantizeMatMul", ["x", "w", "s", "z"], ["y"], domain="com.microsoft")
    weight = {"w": np.int8([[10], [20], [30]]), "s": np.float32([0.5]), "z": np.int8([0])}
    graph = helper.make_graph(
        [made],
        "g",
        [helper.make_tensor_value_info("x", FLOAT, [2, 3])],
        [onnx.ValueInfoProto(name="y")],
        [onnx.numpy_helper.from_array(value, name) for name, value in weight.items()],
    )
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    session: Any = InferenceSession(helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString())

    def run(_: NodeProto, values: Mapping[str, Any]) -> dict[str, Any]:
        return {"y": session.run(None, {"x": values["x"]})[0]}

    def bound_of(*x: list[float]) -> np.ndarray:
        values = {"x": np.float32(x), **weight}
        return bounds_of(Case(made, 1, values, {}, run(made, values), run, run))["y"]

    middle = bound_of([0, 255, 3], [7, 100.5, 8])
    assert middle[0] < 0.1
    assert middle[1] == pytest.approx(10, rel=1e-3)
    assert bound_of([0, 255, 3], [7, 100.4, 8]).max() < 0.1

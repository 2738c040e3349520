"""The engine that runs an ONNX graph on the CPU: onnxruntime, unless it is known to deviate from ONNX."""

from __future__ import annotations

import pytest
from onnx import NodeProto, helper

from forge_mlir.execute.onnx.engines import engine_of, engines_for
from forge_mlir.support.known_deviations import KNOWN_DEVIATIONS

ROW = next(row for row in KNOWN_DEVIATIONS if row.engine == "onnxruntime" and not row.inputs and not row.when)


def model(node: NodeProto, opset: int) -> object:
    return helper.make_model(
        helper.make_graph([node], "g", [], []), opset_imports=[helper.make_opsetid("", opset)], ir_version=10
    )


def deviating() -> NodeProto:
    return helper.make_node(ROW.op, ["x"], ["y"], **dict(ROW.attributes))


def test_a_known_deviation_is_run_by_the_reference() -> None:
    opset = ROW.opsets[1] or 21
    assert engine_of(model(deviating(), opset)) == "onnx.reference"
    assert engine_of(model(helper.make_node("Abs", ["x"], ["y"]), opset)) == "onnxruntime"


def test_subgraphs_are_inspected() -> None:
    inner = helper.make_graph([deviating()], "inner", [], [])
    branch = helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner)
    assert engine_of(model(branch, ROW.opsets[1] or 21)) == "onnx.reference"


@pytest.mark.parametrize("first", ["onnxruntime", "onnx.reference"])
def test_the_other_engine_is_the_fallback(first: str) -> None:
    assert engines_for(first)[0] == first  # type: ignore[arg-type]
    assert len(engines_for(first)) == 2  # type: ignore[arg-type]

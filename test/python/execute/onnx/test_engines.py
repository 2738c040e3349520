"""The engine that runs an ONNX graph: onnxruntime, or, where it deviates from ONNX, onnx.reference."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import NodeProto, TensorProto, helper, parser

import forge_mlir
from forge_mlir.execute.onnx.engines import OPENERS, engine_of, engines_for
from forge_mlir.support.known_deviations import KNOWN_DEVIATIONS


def test_an_unknown_rank_does_not_change_the_engine(tmp_path: Path) -> None:
    """ReduceProd over axes that are an input: onnxruntime's session does not know the rank of the result."""
    text = """
    <ir_version: 9, opset_import: ["" : 18]>
    product (float[3, 2, 2] x, int64[1] axes) => (float[3, 1, 2] y) { y = ReduceProd(x, axes) }
    """
    artifact = forge_mlir.compile(parser.parse_model(text), tmp_path, fallback="cpu")
    x = np.arange(12, dtype=np.float32).reshape(3, 2, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = forge_mlir.run(artifact, {"x": x, "axes": np.array([1])})
    np.testing.assert_array_equal(found["y"], np.prod(x, 1, keepdims=True))


@pytest.mark.parametrize("types", [("bfloat16", "float"), ("float", "bfloat16")])
def test_bfloat16_does_not_change_the_engine(types: tuple[str, str], tmp_path: Path) -> None:
    """onnxruntime opens graphs with such inputs and outputs, but numpy cannot give or take them."""
    text = f"""<ir_version: 10, opset_import: ["" : 21]>
    g ({types[0]}[2] x) => ({types[1]}[2] y) {{ y = Cast<to = {TensorProto.DataType.Value(types[1].upper())}>(x) }}"""
    artifact = forge_mlir.compile(parser.parse_model(text), tmp_path, fallback="cpu", cpu_ops=["Cast"])
    assert [partition["engine"] for partition in artifact.manifest()["partitions"]] == ["onnx.reference"]
    dtypes = [ml_dtypes.bfloat16 if name == "bfloat16" else np.float32 for name in types]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (y,) = forge_mlir.run(artifact, {"x": np.array([1.5, -2], dtypes[0])}).values()
    np.testing.assert_array_equal(y, np.array([1.5, -2], dtypes[1]))


def test_onnx_reference_does_not_warn_of_infinities() -> None:
    text = '<ir_version: 10, opset_import: ["": 18]> g (float[2] x) => (float[2] y) { y = Exp(x) }'
    run = OPENERS["onnx.reference"](parser.parse_model(text).SerializeToString(), True, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (found,) = run({"x": np.array([1000, 0], np.float32)})
    np.testing.assert_array_equal(found, np.array([np.inf, 1], np.float32))


def test_bytes_in_the_other_order() -> None:
    """onnxruntime reads the bytes of an array in the order of the machine, whatever its dtype says."""
    text = """<ir_version: 9, opset_import: ["" : 17]>
    two (seq(float[2]) s, float[2] x) => (float[2] y, float[n] z) {
        y = Add(x, x) z = ConcatFromSequence<axis = 0>(s) }"""
    run = OPENERS["onnxruntime"](parser.parse_model(text).SerializeToString(), True, 1)
    x = np.array([1, 3], np.float32)
    swapped = x.astype(x.dtype.newbyteorder())
    for value in run({"s": [swapped], "x": swapped}), run({"s": [x], "x": x}):
        np.testing.assert_array_equal(value, [2 * x, x])


ROW = next(row for row in KNOWN_DEVIATIONS if row.engine == "onnxruntime" and not row.inputs and not row.when)


def model(node: NodeProto, opset: int) -> Any:
    return helper.make_model(
        helper.make_graph([node], "g", [], []), opset_imports=[helper.make_opsetid("", opset)], ir_version=10
    )


def deviating() -> NodeProto:
    return helper.make_node(ROW.op, ["x"], ["y"], **dict(ROW.attributes))


def test_a_known_deviation_is_run_by_the_reference() -> None:
    opset = ROW.opsets[1] or 21
    assert engine_of(model(deviating(), opset)) == "onnx.reference"
    assert engine_of(model(helper.make_node("Abs", ["x"], ["y"]), opset)) == "onnxruntime"


def test_onnxruntime_runs_what_both_compute_otherwise() -> None:
    """onnx.reference is wrong by more."""
    nodes = [
        helper.make_node("LRN", ["x"], ["y"], size=3),
        helper.make_node("ConvTranspose", ["y", "w"], ["z"], group=2),
    ]
    for count, engine in ((1, "onnx.reference"), (2, "onnxruntime")):
        graph = helper.make_graph(nodes[:count], "g", [], [])
        assert engine_of(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])) == engine


def test_versions_are_those_of_the_domain() -> None:
    node = helper.make_node("TreeEnsemble", ["x"], ["y"], domain="ai.onnx.ml", post_transform=1)
    for version, engine in ((4, "onnxruntime"), (5, "onnx.reference")):
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid("ai.onnx.ml", version)]
        made = helper.make_model(helper.make_graph([node], "g", [], []), opset_imports=opsets)
        assert engine_of(made) == engine


def test_subgraphs_are_inspected() -> None:
    inner = helper.make_graph([deviating()], "inner", [], [])
    branch = helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner)
    assert engine_of(model(branch, ROW.opsets[1] or 21)) == "onnx.reference"


def test_functions_of_the_model_are_inspected_in_their_opset() -> None:
    opsets = [helper.make_opsetid("", ROW.opsets[1] or 21)]
    function = helper.make_function("own", "f", ["x"], ["y"], [deviating()], opsets)
    made = model(helper.make_node("f", ["x"], ["y"], domain="own"), 7)
    assert engine_of(made) == "onnxruntime"
    made.functions.append(function)
    assert engine_of(made) == "onnx.reference"


@pytest.mark.parametrize("first", ["onnxruntime", "onnx.reference"])
def test_the_other_engine_is_the_fallback(first: str) -> None:
    assert engines_for(first)[0] == first  # type: ignore[arg-type]
    assert len(engines_for(first)) == 2  # type: ignore[arg-type]

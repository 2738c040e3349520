"""Cuts that `check --suggest-cuts` names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import ModelProto

import forge_mlir
from forge_mlir.report.check import check
from sample_models.goldens import assert_same
from sample_models.partition import detector, odd_head, transformer
from sample_models.probe import FLOAT, build, node

rng = np.random.default_rng(3)


def test_suggested_cuts_can_be_taken(tmp_path: Path) -> None:
    proto = detector()
    found = check(proto, suggest_cuts=True)
    assert not found.supported
    assert found.cut_points
    best = found.cut_points[0]
    assert best.share == 1
    assert not best.inputs
    assert best.transfer.unknown == 0
    artifact = forge_mlir.compile(proto, tmp_path, extract_outputs=best.outputs)
    inputs = {"images": rng.standard_normal((1, 3, 64, 64)).astype(np.float32)}
    results = forge_mlir.run(artifact, inputs)
    assert list(results) == list(best.outputs)
    whole = ModelProto()
    whole.CopyFrom(proto)
    whole.graph.output.extend(onnx.ValueInfoProto(name=name) for name in best.outputs)
    golden = onnxruntime.InferenceSession(whole.SerializeToString()).run(list(best.outputs), inputs)
    for value, expected in zip(results.values(), golden, strict=True):
        assert_same(value, expected)


def test_a_suggested_cut_after_the_first_nodes(tmp_path: Path) -> None:
    found = check(odd_head(), suggest_cuts=True)
    assert found.cut_points is not None
    inputs = {cut.inputs for cut in found.cut_points}
    assert inputs == {("det_0",)}
    artifact = forge_mlir.compile(odd_head(), tmp_path, extract_inputs=["scaled"])
    onnx_inputs = artifact.manifest()["onnx"]["inputs"]
    assert onnx_inputs == [{"name": "scaled", "dtype": "float32", "shape": [8, 8]}]


def test_no_cut_where_none_is_needed() -> None:
    assert check(transformer(1, ""), suggest_cuts=True).cut_points == ()


def test_a_cut_after_nodes_that_make_outputs_of_the_model(tmp_path: Path) -> None:
    """The other outputs have to be named, because these nodes would be refused."""
    nodes = [node("Det", ["x"], ["d"]), node("Det", ["z"], ["e"]), node("Mul", ["x", "d"], ["s"])]
    nodes.append(node("MatMul", ["s", "w"], ["y"]))
    inputs = {"x": (FLOAT, [8, 8]), "z": (FLOAT, [8, 8])}
    model = build(nodes, inputs, {"y": FLOAT, "e": FLOAT}, w=np.ones((8, 64), np.float32))
    cuts = check(model, suggest_cuts=True).cut_points
    assert cuts
    for at, found in enumerate(cuts):
        output = tmp_path / str(at)
        forge_mlir.compile(model, output, extract_inputs=found.inputs, extract_outputs=found.outputs)


def test_no_cut_within_an_op_that_is_replaced_by_its_body() -> None:
    """Its values are not in the file. Bernoulli begins with a node that runs on the CPU."""
    nodes = [node("Bernoulli", ["x"], ["b"], "be"), node("MatMul", ["b", "w"], ["y"])]
    model = build(nodes, {"x": (FLOAT, [8, 8])}, {"y": FLOAT}, w=np.ones((8, 64), np.float32))
    cuts = check(model, suggest_cuts=True).cut_points
    assert cuts is not None
    assert {name for cut in cuts for name in (*cut.inputs, *cut.outputs)} <= {"x", "b", "y"}

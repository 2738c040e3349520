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

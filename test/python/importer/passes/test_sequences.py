"""Sequences that are known at compile time become their elements."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from onnx import ModelProto, parser

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.lower import is_known
from forge_mlir.errors import ForgeError
from forge_mlir.execute.run import run
from forge_mlir.importer import OnnxImportError, import_onnx
from forge_mlir.importer.passes import resolve_sequences as sequences_module

EDITS = """{
    p = Relu(x) q = Neg(x) e = SequenceEmpty() f = SequenceInsert(e, p) s = SequenceInsert(f, q, last)
    i = Identity(s) t = SequenceInsert(i, x, one) u = SequenceErase(t, last) v = SequenceErase(t)
    a = SequenceAt(u, last) b = ConcatFromSequence <axis = 1> (t) c = SequenceLength(v) }"""
SPLITS = """{
    s = SplitToSequence(x) a = SequenceAt(s, one) t = SplitToSequence <axis = 1> (x, four) b = SequenceAt(t, one)
    v = SplitToSequence <axis = -2> (x, w) c = SequenceAt(v, last) }"""
SQUEEZED = """{
    s = SplitToSequence <axis = 1, keepdims = 0> (x) a = SequenceAt(s, one) b = ConcatFromSequence <axis = 0> (s)
    c = ConcatFromSequence <axis = -1, new_axis = 1> (s) }"""
MAPPED = """{
    s = SplitToSequence <axis = 1> (x) y = Exp(x) r = SplitToSequence <axis = 1> (y) q = SequenceAt(s, last)
    t = SequenceMap <body = g (float[4,1] i, float[4,1] z) => (float[4,1] o) {
        h = Neg(i) j = Add(h, z) o = Mul(j, q) }> (s, r)
    a = ConcatFromSequence <axis = 1> (t) b = SequenceAt(t, one) c = SequenceLength(t) }"""


def sequence_model(body: str, outputs: str, opset: int) -> ModelProto:
    known = "int64 one = {1}, int64 last = {-1}, int64 four = {4}, int64[2] w = {1, 3}"
    head = f'<ir_version: 8, opset_import: ["" : {opset}]> g (float[4,6] x, int64 k) => ({outputs}) <{known}>'
    proto: ModelProto = parser.parse_model(f"{head} {body}")
    return proto


@pytest.mark.parametrize(
    ("body", "outputs", "opset"),
    [
        (EDITS, "float[4,6] a, float[4,18] b, int64 c", 12),
        (EDITS, "float[4,6] a, float[4,18] b, int64 c", 18),
        (SPLITS, "float[1,6] a, float[4,2] b, float[3,6] c", 12),
        (SPLITS, "float[1,6] a, float[4,2] b, float[3,6] c", 18),
        (SQUEEZED, "float[4] a, float[24] b, float[4,6] c", 12),
        (SQUEEZED, "float[4] a, float[24] b, float[4,6] c", 18),
        (MAPPED, "float[4,6] a, float[4,1] b, int64 c", 18),  # SequenceMap came with opset 17.
    ],
)
def test_elements_are_read(body: str, outputs: str, opset: int, tmp_path: Path) -> None:
    inputs = {"x": np.random.default_rng(1).standard_normal((4, 6)).astype(np.float32), "k": np.array(24)}
    session = onnxruntime.InferenceSession(
        sequence_model(body, outputs, 18).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    goldens = session.run(None, inputs)
    if opset < 14:  # Identity of sequences came with 14
        body = body.replace("i = Identity(s)", "").replace("SequenceInsert(i,", "SequenceInsert(s,")
    got = run(compile(sequence_model(body, outputs, opset), tmp_path), inputs)
    for (name, value), golden in zip(got.items(), goldens, strict=True):
        np.testing.assert_allclose(value, golden, rtol=1e-6, err_msg=name)


def test_computed_positions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match="SequenceAt"):
        compile(sequence_model("{ s = SequenceConstruct(x, x) a = SequenceAt(s, k) }", "float[4,6] a", 18), tmp_path)


def test_without_a_compiler_nodes_stay() -> None:
    model = sequence_model(EDITS, "float[4,6] a, float[4,18] b, int64 c", 18)
    assert "SequenceInsert" in str(import_onnx(model).module)
    assert "Sequence" not in str(import_onnx(model, is_known=is_known).module)


def test_unrolling_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences_module, "_MOST_NODES", 10)
    model = sequence_model(MAPPED, "float[4,6] a, float[4,1] b, int64 c", 18)
    with pytest.raises(OnnxImportError, match="unroll"):
        import_onnx(model, is_known=is_known)

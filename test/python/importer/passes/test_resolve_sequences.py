"""Sequences whose length is known at compile time are replaced by their elements."""

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
from sample_models.goldens import assert_same
from sample_models.importing import value

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
# A list that a Loop appends to, as torch.jit.script exports it; the trip count is a size of the input.
FILLED = """{
    sizes = Shape(x) count = Gather(sizes, zero) e = SequenceEmpty()
    s, h = Loop <body = g (int64 i, bool on, seq(float[4,6]) list, float[4,6] z) =>
        (bool go, seq(float[4,6]) longer, float[4,6] next) {
            go = Identity(on) next = Mul(z, x) f = Cast <to = 1> (i) part = Add(next, f)
            longer = SequenceInsert(list, part) }> (count, , e, x)
    a = ConcatFromSequence <axis = 0> (s) b = SequenceAt(s, last) c = SequenceLength(s) }"""
# A list that is indexed by the iteration number, until a computed condition ends the loop; the results of the
# iterations are stacked.
STEPPED = """{
    s = SplitToSequence <axis = 0> (x)
    h, r, t = Loop <body = g (int64 i, bool on, float[1,6] z, seq(float[1,6]) list) =>
        (bool go, float[1,6] sum, seq(float[1,6]) same, float[1,6] each) {
            part = SequenceAt(list, i) sum = Add(z, part) next = Add(i, one) go = Less(next, three)
            same = Identity(list) each = Neg(part) }> (, yes, begin, s)
    a = Neg(h) b = Neg(t) c = SequenceLength(r) }"""
HELD = """{
    o = Optional(x) n = Optional <type = float[4,6]> () s = SplitToSequence <axis = 1> (x) q = Optional(s)
    i = Identity(o) has = OptionalHasElement(i) none = OptionalHasElement(n)
    g = OptionalGetElement(i) t = OptionalGetElement(q) b = SequenceAt(t, one)
    a = If(has) <then_branch = y () => (float[4,6] p) { p = Neg(g) },
        else_branch = w () => (float[4,6] m) { m = Exp(x) }>
    k1 = Cast <to = 7> (has) k2 = Cast <to = 7> (none) c = Sub(k1, k2) }"""
# Absent positions; a sequence whose name contains that of an optional; a constant that does not mean bfloat16.
ABSENT = """{
    y = Neg(x) s = SequenceConstruct(x) t = SequenceInsert(s, y, ) u = SequenceErase(t, )
    a = SequenceAt(u, last) b = ConcatFromSequence <axis = 0> (t)
    optional = SequenceConstruct(x, y) n = Optional <type = float[4,6]> () h = OptionalHasElement(n)
    l = SequenceLength(optional) j = Cast <to = 7> (h) i = Constant <value_int = 16> () k1 = Mul(i, l)
    c = Add(j, k1) }""".replace("optional =", '"optional n" =').replace("(optional)", '("optional n")')
# Inner names that are those of outer values: an iteration number, and the state of a loop in a body.
HIDDEN = """{
    s = SplitToSequence <axis = 0> (x)
    a = Loop <body = g (int64 one, bool on, float[1,6] z) => (bool go, float[1,6] sum)
        <int64 first = {0}, int64 two = {2}> {
            go = Identity(on) v = SequenceAt(s, one) f = SequenceAt(s, first)
            twofold = Loop <body = h (int64 i, bool on2, float[1,6] v) => (bool go2, float[1,6] twice) {
                go2 = Identity(on2) twice = Add(v, v) }> (two, , v)
            part = Add(twofold, f) sum = Add(z, part) }> (three, , begin)
    b = Neg(a) c = SequenceLength(s) }"""
# Initializers of branches that hide an element of a list, and the state of a loop.
HIDDEN_ELEMENT = """{
    p = Neg(x) s = SequenceConstruct(p, x) positive = Greater(k, zero) e = SequenceEmpty()
    a = If(positive) <then_branch = y () => (float[4,6] m) <float[1] p = {9}> { r = SequenceAt(s, zero) m = Add(r, p) },
        else_branch = w () => (float[4,6] n) { n = SequenceAt(s, one) }>
    l, h = Loop <body = g (int64 i, bool on, seq(float[4,6]) list, float[4,6] z) =>
        (bool go, seq(float[4,6]) longer, float[4,6] next) {
            go = Identity(on)
            next = If(positive) <then_branch = v () => (float[4,6] t) <float[1] x = {7}> { t = Add(z, x) },
                else_branch = u () => (float[4,6] o) { o = Identity(z) }>
            longer = SequenceInsert(list, next) }> (three, , e, x)
    b = ConcatFromSequence <axis = 0> (l) c = SequenceLength(l) }"""
# Two results, and an initializer of the body.
MAPPED_TWICE = """{
    s = SplitToSequence <axis = 1> (x)
    t, u = SequenceMap <body = g (float[4,1] i) => (float[4,1] n, float[4,1] m) <float[1] half = {0.5}> {
        n = Neg(i) m = Mul(i, half) }> (s)
    a = ConcatFromSequence <axis = 1> (t) b = SequenceAt(u, one) c = SequenceLength(u) }"""


def sequence_model(body: str, outputs: str, opset: int) -> ModelProto:
    known = (
        "int64 zero = {0}, int64 one = {1}, int64 last = {-1}, int64 three = {3}, int64 four = {4}, "
        "int64[2] w = {1, 3}, "
        "bool yes = {1}, float[1,6] begin = {0, 0, 0, 0, 0, 0}"
    )
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
        (MAPPED, "float[4,6] a, float[4,1] b, int64 c", 18),  # SequenceMap exists since opset 17.
        (FILLED, "float[16,6] a, float[4,6] b, int64 c", 18),
        (STEPPED, "float[1,6] a, float[3,1,6] b, int64 c", 18),
        (HELD, "float[4,6] a, float[4,1] b, int64 c", 18),
        (ABSENT, "float[4,6] a, float[8,6] b, int64 c", 18),
        (HIDDEN, "float[1,6] a, float[1,6] b, int64 c", 18),
        (HIDDEN_ELEMENT, "float[4,6] a, float[12,6] b, int64 c", 18),
        (MAPPED_TWICE, "float[4,6] a, float[4,1] b, int64 c", 18),
    ],
)
def test_elements_are_read(body: str, outputs: str, opset: int, tmp_path: Path) -> None:
    inputs = {"x": np.random.default_rng(1).standard_normal((4, 6)).astype(np.float32), "k": np.array(24)}
    session = onnxruntime.InferenceSession(
        sequence_model(body, outputs, 18).SerializeToString(), providers=["CPUExecutionProvider"]
    )
    goldens = session.run(None, inputs)
    if opset < 14:  # Identity of sequences exists since opset 14.
        body = body.replace("i = Identity(s)", "").replace("SequenceInsert(i,", "SequenceInsert(s,")
    got = run(compile(sequence_model(body, outputs, opset), tmp_path), inputs)
    for found, golden in zip(got.values(), goldens, strict=True):
        assert_same(found, golden)


def test_computed_positions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match="SequenceAt"):
        compile(sequence_model("{ s = SequenceConstruct(x, x) a = SequenceAt(s, k) }", "float[4,6] a", 18), tmp_path)


def test_a_map_over_an_unknown_sequence_is_refused(tmp_path: Path) -> None:
    """The first sequence is known, the second one has as many elements as k."""
    body = """{
        s = SplitToSequence(x) r = SplitToSequence(x, k)
        t = SequenceMap <body = g (float[1,6] i, float[1,6] j) => (float[1,6] o) { o = Add(i, j) }> (s, r)
        a = ConcatFromSequence <axis = 0> (t) }"""
    with pytest.raises(ForgeError, match=r"SequenceMap.*the device has no sequences"):
        compile(sequence_model(body, "float[4,6] a", 18), tmp_path)


@pytest.mark.parametrize(
    ("body", "outputs"),
    [
        # A trip count, or a condition, that is an input; without any iteration, nothing can be stacked.
        (FILLED.replace("count, , e", "k, , e"), "float[d,6] a, float[4,6] b, int64 c"),
        (
            FILLED.replace("Identity(on)", "Less(h2, x00)")
            .replace("part = Add", "h2 = Cast <to = 7> (f) x00 = Mul(i, k) part = Add")
            .replace("count, , e", "count, yes, e"),
            "float[d,6] a, float[4,6] b, int64 c",
        ),
        (STEPPED.replace("(, yes, begin", "(zero, yes, begin"), "float[1,6] a, float[d,1,6] b, int64 c"),
    ],
)
def test_loops_of_unknown_count_are_refused(body: str, outputs: str, tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match="Sequence") as caught:
        compile(sequence_model(body, outputs, 18), tmp_path)
    assert "only if its length and all accessed positions are known" in str(caught.value)


def test_an_optional_of_a_branch_is_refused_with_the_reason(tmp_path: Path) -> None:
    body = """{
        c = Cast <to = 9> (k)
        o = If (c) <then_branch = g () => (optional(float[4,6]) p) { p = Optional(x) },
                    else_branch = h () => (optional(float[4,6]) q) { m = Relu(x) q = Optional(m) }>
        a = OptionalGetElement(o) }"""
    with pytest.raises(ForgeError, match="replaced by its element only if it is known whether it has one"):
        compile(sequence_model(body, "float[4,6] a", 18), tmp_path)


def test_an_absent_optional_has_no_element(tmp_path: Path) -> None:
    body = "{ n = Optional <type = float[4,6]> () a = OptionalGetElement(n) }"
    with pytest.raises(ForgeError, match="Optional node producing 'n': attribute 'type'"):
        compile(sequence_model(body, "float[4,6] a", 18), tmp_path)


def test_without_a_compiler_nodes_are_unchanged() -> None:
    model = sequence_model(EDITS, "float[4,6] a, float[4,18] b, int64 c", 18)
    assert "SequenceInsert" in str(import_onnx(model).module)
    assert "Sequence" not in str(import_onnx(model, is_known=is_known).module)


def test_unrolling_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences_module, "_MOST_NODES", 10)
    model = sequence_model(MAPPED, "float[4,6] a, float[4,1] b, int64 c", 18)
    with pytest.raises(OnnxImportError, match="unroll"):
        import_onnx(model, is_known=is_known)


def test_a_loop_whose_iteration_number_has_the_name_of_a_constant(tmp_path: Path) -> None:
    body = """{
        s = SequenceConstruct(begin, begin2) n = Identity(k)
        a = Loop <body = g (int64 zero, bool on, float[1,6] z) => (bool go, float[1,6] sum) {
            go = Identity(on) v = SequenceAt(s, zero) sum = Add(z, v) }> (n, , begin)
        begin2 = Add(begin, ones) ones = Cast <to = 1> (yes) }"""
    inputs = {"x": np.zeros((4, 6), np.float32), "k": np.array(2)}
    artifact = compile(sequence_model(body, "float[1,6] a", 18), tmp_path, fallback="cpu")
    assert_same(run(artifact, inputs)["a"], np.ones((1, 6), np.float32))


def test_a_position_is_not_taken_from_a_declared_shape(tmp_path: Path) -> None:
    """Inference does not follow Mod, so that the shape of r is only declared, and wrongly: it has two rows."""
    body = """{
        six = Constant <value_ints = [6]> () by = Constant <value_ints = [4]> ()
        rest = Constant <value_ints = [-1]> () rows = Mod(six, by) to = Concat <axis = 0> (rows, rest)
        r = Reshape(x, to) sizes = Shape(r) at = Gather(sizes, zero)
        s = SequenceConstruct(x, x, begin) a = SequenceAt(s, at) }"""
    model = sequence_model(body, "float[a,b] a", 18)
    model.graph.value_info.append(value("r", 1, 24))
    with pytest.raises(ForgeError, match="SequenceAt"):
        compile(model, tmp_path)


def test_a_position_from_a_function_of_another_opset(tmp_path: Path) -> None:
    """Squeeze has its axes as an attribute in opset 12."""
    text = """<ir_version: 8, opset_import: ["" : 18, "d" : 1]>
        g (float[4,6] x) => (float[4,6] a) <int64[1,1] k = {1}> {
            y = Neg(x) s = SequenceConstruct(x, y) p = d.first(k) a = SequenceAt(s, p) }
        <domain: "d", opset_import: ["" : 12]> first (u) => (v) { v = Squeeze <axes = [0, 1]> (u) }"""
    x = np.random.default_rng(1).standard_normal((4, 6)).astype(np.float32)
    assert_same(run(compile(parser.parse_model(text), tmp_path), {"x": x})["a"], -x)

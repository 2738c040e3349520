"""In a mixture of experts, each expert is computed for every token, and contributes nothing to tokens outside its
mask."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, parser

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.lower import is_known
from forge_mlir.errors import ForgeError
from forge_mlir.execute.run import run
from forge_mlir.importer import import_onnx
from sample_models.goldens import assert_same
from sample_models.repository import stored

(MIXTRAL,) = stored("mixtral")

# One expert: `mask` selects some of the four tokens, `w` is the weight of its layer.
EXPERT = """
<ir_version: 9, opset_import: ["" : 18]>
expert (float[4,3] x, bool[4] mask) => ({outputs})
<int64[2] rows = {{1, 0}}, int64[1] last = {{-1}}, int64[1] first = {{0}}, float[3,3] w = {{1,2,3,4,5,6,7,8,9}},
 float[4,3] zeros = {{0,0,0,0,0,0,0,0,0,0,0,0}}> {{
    hits = NonZero(mask)
    taken = Transpose<perm = [1, 0]>(hits)
    tokens = GatherND(x, taken)
    {layer}
    y = ScatterND<reduction = "add">(x, taken, z)
}}
"""


def expert(layer: str, outputs: str = "float[4,3] y") -> ModelProto:
    model: ModelProto = parser.parse_model(EXPERT.format(layer=layer, outputs=outputs))
    return model


def goldens(model: ModelProto, given: dict[str, np.ndarray]) -> list[np.ndarray]:
    results: list[np.ndarray] = onnxruntime.InferenceSession(model.SerializeToString()).run(None, given)
    return results


@pytest.mark.parametrize("file", ["model.onnx", "dynamo.onnx"])
@pytest.mark.parametrize("seed", [0, 1])
def test_mixtral(tmp_path: Path, file: str, seed: int) -> None:
    model = onnx.load(MIXTRAL / file)
    ids = np.random.default_rng(seed).integers(0, 32, (1, 6))
    results = run(compile(model, tmp_path), {"input_ids": ids})
    assert_same(results["logits"], goldens(model, {"input_ids": ids})[0])


@pytest.mark.parametrize("mask", [[0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 1, 0]])
@pytest.mark.parametrize("layer", ["z = MatMul(tokens, w)", "h = MatMul(tokens, w) z = Softmax<axis = -1>(h)"])
def test_unselected_tokens_change_nothing(tmp_path: Path, mask: list[int], layer: str) -> None:
    model = expert(layer)
    x = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)
    # The result for this token is not used.
    x[0] = np.inf if not mask[0] else x[0]
    given = {"x": x, "mask": np.array(mask, bool)}
    results = run(compile(model, tmp_path), given)
    assert_same(results["y"], goldens(model, given)[0])


@pytest.mark.parametrize(
    "layer",
    [
        "z = Softmax<axis = 0>(tokens)",  # over the tokens
        "m = ReduceMax<keepdims = 1>(tokens) z = Sub(tokens, m)",
        "c = CumSum(tokens, axis) z = Identity(c)",
        "n = Shape<start = 0, end = 1>(tokens) f = Cast<to = 1>(n) z = Mul(tokens, f)",  # the number of tokens
        "t = Transpose<perm = [1, 0]>(tokens) u = Gather<axis = 1>(t, first) v = Transpose<perm = [1, 0]>(u) "
        "z = Add(tokens, v)",  # another token
        "r = Reshape(tokens, flat) s = Reshape(r, back) z = Identity(s)",
    ],
)
def test_dependencies_between_tokens_are_unchanged(layer: str) -> None:
    model = expert(layer)
    if "axis)" in layer:
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.array(0), "axis"))
    for name, value in (("flat", [-1]), ("back", [-1, 3])):
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.array(value), name))
    imported = import_onnx(model, is_known=is_known)
    assert '"onnx.NonZero"' in str(imported.module)


def test_tokens_that_are_outputs_are_unchanged(tmp_path: Path) -> None:
    model = expert("z = MatMul(tokens, w)", "float[4,3] y, float[n,3] z")
    with pytest.raises(ForgeError):
        compile(model, tmp_path)


def test_overwriting_zeros_adds(tmp_path: Path) -> None:
    model = expert("z = MatMul(tokens, w)")
    scatter = model.graph.node[-1]
    del scatter.attribute[:]
    scatter.input[0] = "zeros"
    given = {"x": np.arange(12, dtype=np.float32).reshape(4, 3), "mask": np.array([1, 0, 0, 1], bool)}
    results = run(compile(model, tmp_path), given)
    assert_same(results["y"], goldens(model, given)[0])


@pytest.mark.parametrize("scatter", ["ScatterND(zeros, taken, z)", "ScatterND(zeros, repeated, z)"])
def test_overwriting_zeros_keeps_the_sign_of_a_zero(tmp_path: Path, scatter: str) -> None:
    """Positions of all rows may be repeated, as those of the experts of a token are."""
    shape = "4,2" if "repeated" in scatter else "4"
    model: ModelProto = parser.parse_model(f"""
        <ir_version: 9, opset_import: ["" : 18]>
        g (float[4,3] x, bool[{shape}] mask) => (float[4,3] y)
        <float[4,3] zeros = {{0,0,0,-0.0,-0.0,-0.0,0,0,0,0,0,0}}, int64[1] first = {{0}}, int64[1] one = {{1}}> {{
            hits = NonZero(mask) taken = Transpose(hits) repeated = Slice(taken, first, one, one)
            z = GatherND(x, repeated) s = {scatter} y = Reciprocal(s) }}""")
    mask = np.array([[1, 0], [0, 0], [0, 1], [1, 0]], bool)
    x = np.array([[-0.0, 0, 1], [-0.0, 0, 1], [-0.0, 0, np.inf], [-2, -0.0, np.nan]], np.float32)
    given = {"x": x, "mask": mask if "repeated" in scatter else mask[:, 0]}
    assert_same(run(compile(model, tmp_path), given)["y"], goldens(model, given)[0])


@pytest.mark.parametrize(
    ("reader", "counts"),
    [
        ("t = Add(zeros, s) y = Add(t, s)", False),
        ("t = Add(negative, s) y = Identity(t)", True),
        ("t = Add(s, s) y = Identity(t)", True),
        ("t = Add(zeros, s) y = Mul(t, s)", True),
        ("t = Add(zeros, s) y = If(last) <then_branch = a () => (float[4,3] u) { u = Identity(s) },"
         " else_branch = b () => (float[4,3] v) { v = Identity(t) }>", True),
    ],
)  # fmt: skip
def test_updates_are_counted_only_if_the_sign_of_a_zero_matters(reader: str, counts: bool) -> None:
    model: ModelProto = parser.parse_model(f"""
        <ir_version: 9, opset_import: ["" : 18]>
        g (float[4,3] x, bool[4] mask, bool last) => (float[4,3] y)
        <float[4,3] zeros = {{0,0,0,0,0,0,0,0,0,0,0,0}}, float[4,3] negative = {{1,0,0,0,0,-0.0,0,0,0,0,0,0}}> {{
            hits = NonZero(mask) taken = Transpose(hits) z = GatherND(x, taken) s = ScatterND(zeros, taken, z)
            {reader} }}""")
    text = str(import_onnx(model, is_known=is_known).module)
    assert '"onnx.NonZero"' not in text
    assert ('"onnx.Abs"' in text) is counts


def test_overwriting_other_values_is_unchanged() -> None:
    model = expert("z = MatMul(tokens, w)")
    del model.graph.node[-1].attribute[:]
    assert '"onnx.NonZero"' in str(import_onnx(model, is_known=is_known).module)


def test_overwriting_booleans_is_unchanged(tmp_path: Path) -> None:
    """A scatter adds no booleans. The device refuses the op of the model, not a rewritten one."""
    model: ModelProto = parser.parse_model("""
        <ir_version: 9, opset_import: ["" : 18]>
        g (bool[4] x, bool[4] mask) => (bool[4] y) <bool[4] zeros = {0,0,0,0}> {
            hits = NonZero(mask) taken = Transpose(hits) z = GatherND(x, taken) y = ScatterND(zeros, taken, z) }""")
    with pytest.raises(ForgeError) as caught:
        compile(model, tmp_path)
    assert {found.op for found in caught.value.details} == {"NonZero"}


UNDEFINED = {
    "index": 'a = GatherND(ids, taken) z = Gather(w, a) y = ScatterND<reduction = "add">(x, taken, z)',
    "position": "a = GatherND(ids, taken) b = Unsqueeze(a, one) z = GatherND(x, taken) "
    'y = ScatterND<reduction = "add">(x, b, z)',
    "quotient": "a = GatherND(ids, taken) b = Div(a, a) c = Cast<to = 1>(b) d = Unsqueeze(c, one) "
    'e = GatherND(x, taken) z = Add(e, d) y = ScatterND<reduction = "add">(x, taken, z)',
    "cast": "a = GatherND(x, taken) b = Cast<to = 7>(a) z = Cast<to = 1>(b) "
    'y = ScatterND<reduction = "add">(x, taken, z)',
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_ops_that_are_undefined_for_some_rows_are_unchanged(name: str) -> None:
    """Rows outside of the mask may have invalid indices, divisors of 0, and numbers that are no integers."""
    model: ModelProto = parser.parse_model(f"""
        <ir_version: 9, opset_import: ["" : 18]>
        g (float[4,3] x, int64[4] ids, bool[4] mask) => (float[4,3] y)
        <int64[1] one = {{1}}, float[2,3] w = {{1,2,3,4,5,6}}> {{
            hits = NonZero(mask) taken = Transpose(hits) {UNDEFINED[name]} }}""")
    assert '"onnx.NonZero"' in str(import_onnx(model, is_known=is_known).module)


def test_positions_may_be_computed(tmp_path: Path) -> None:
    """Indices that are computed from positions, constants and shapes are valid for all rows."""
    model: ModelProto = parser.parse_model("""
        <ir_version: 9, opset_import: ["" : 18]>
        g (float[4,3] x, float[8,3] table, bool[4] mask) => (float[4,3] y) <int64[1] two = {2}> {
            hits = NonZero(mask) taken = Transpose(hits) shape = Shape<end = 1>(x) all = Mul(shape, two)
            far = Sub(taken, all) z = GatherND(table, far) y = ScatterND<reduction = "add">(x, taken, z) }""")
    random = np.random.default_rng(0)
    given = {
        "x": random.standard_normal((4, 3)).astype(np.float32),
        "table": random.standard_normal((8, 3)).astype(np.float32),
        "mask": np.array([1, 0, 0, 1], bool),
    }
    assert_same(run(compile(model, tmp_path), given)["y"], goldens(model, given)[0])


def test_the_sign_of_a_zero_outside_of_the_mask(tmp_path: Path) -> None:
    model = expert("z = MatMul(tokens, w)")
    model.graph.node[-1].output[0] = "s"
    model.graph.node.append(onnx.helper.make_node("Reciprocal", ["s"], ["y"]))
    given = {"x": np.full((4, 3), -0.0, np.float32), "mask": np.array([1, 0, 0, 1], bool)}
    results = run(compile(model, tmp_path), given)
    assert_same(results["y"][1:3], np.full((2, 3), -np.inf, np.float32))

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

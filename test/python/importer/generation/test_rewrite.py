"""Programs with static caches give the tokens of the model with its growing past."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from forge_mlir.execute.generation import generate
from forge_mlir.support.sandbox import Limits
from forge_mlir.verify.tokens.generation import compare_steps
from sample_models.tiny_language_model import tiny_language_model


@pytest.mark.parametrize(("prompt", "masked"), [(1, True), (5, True), (8, True), (11, True), (1, False)])
def test_tokens_equal_those_with_a_growing_past(tmp_path: Path, prompt: int, masked: bool) -> None:
    """A prompt that is padded, one that fits, and one whose rest is processed token by token. In a model without a
    mask, a token attends to later ones, so that only a prompt of one token can be processed token by token."""
    _is_onnxruntime_s(tmp_path, tiny_language_model(masked=masked), prompt)


def _is_onnxruntime_s(folder: Path, model: ModelProto, prompt: int) -> None:
    file = folder / "tiny.onnx"
    onnx.save(model, file)
    artifact = compile(file, folder / "out", generate=Generation(24, [8], batch=2))
    ids = np.random.default_rng(prompt).integers(0, 31, (2, prompt)).tolist()
    made = [row.tolist() for row in generate(artifact, ids, tokens=12)]
    assert len(made) == 12
    found = compare_steps(artifact, file, ids, made, Limits())
    assert found.failure() is None, found.lines()


def test_matrices_that_a_product_transposes(tmp_path: Path) -> None:
    """onnxruntime's optimised models transpose and scale in FusedMatMul."""
    model = tiny_language_model()
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    for output, operands, settings in [
        ("scores", ["q", "present_key"], {"transB": 1, "alpha": 0.3}),
        ("context", ["weights_turned", "values"], {"transA": 1}),
    ]:
        at = next(at for at, node in enumerate(model.graph.node) if node.output[0] == output)
        product = helper.make_node("FusedMatMul", operands, [output], name=output, domain="com.microsoft", **settings)
        model.graph.node[at].CopyFrom(product)
    turn = helper.make_node("Transpose", ["weights"], ["weights_turned"], name="turn", perm=[0, 1, 3, 2])
    model.graph.node.insert(at, turn)
    _is_onnxruntime_s(tmp_path, model, 5)


@pytest.mark.parametrize("is_of_columns", [False, True])
def test_tokens_that_are_quantised(tmp_path: Path, is_of_columns: bool) -> None:
    model = tiny_language_model()
    scale = np.linspace(0.02, 0.04, 16, dtype=np.float32) if is_of_columns else np.float32(0.03)
    zero = np.full(scale.shape, 3, np.int8)
    model.graph.initializer.extend(
        [numpy_helper.from_array(scale, "scale"), numpy_helper.from_array(zero, "zero_point")]
    )
    at = next(at for at, node in enumerate(model.graph.node) if node.output[0] == "x")
    model.graph.node[at].output[0] = "exact"
    for op, operand, result in [("Dequantize", "numbers", "x"), ("Quantize", "exact", "numbers")]:
        node = helper.make_node(f"{op}Linear", [operand, "scale", "zero_point"], [result], name=op, axis=2)
        model.graph.node.insert(at + 1, node)
    _is_onnxruntime_s(tmp_path, model, 5)


def test_a_model_in_bfloat16(tmp_path: Path) -> None:
    """onnxruntime has no kernels of it; the tokens are compared with those of the same weights in float32."""
    generated = []
    for narrow in (True, False):
        model = tiny_language_model()
        for weight in model.graph.initializer:
            array = numpy_helper.to_array(weight)
            if array.dtype == np.float32:
                rounded = array.astype(ml_dtypes.bfloat16)
                weight.CopyFrom(numpy_helper.from_array(rounded if narrow else rounded.astype(np.float32), weight.name))
        for value in (*model.graph.input, *model.graph.output):
            if narrow and value.type.tensor_type.elem_type == TensorProto.FLOAT:
                value.type.tensor_type.elem_type = TensorProto.BFLOAT16
        artifact = compile(model, tmp_path / str(narrow), generate=Generation(24, [8]))
        generated.append([int(row[0]) for row in generate(artifact, [3, 1, 4], tokens=8)])
    assert generated[0] == generated[1]


def test_a_tile_of_an_axis_of_size_1(tmp_path: Path) -> None:
    """Decoders of BERT repeat the positions for each token to make the mask."""
    model = tiny_language_model()
    nodes = model.graph.node
    at = next(at for at, node in enumerate(nodes) if node.output[0] == "causal")
    nodes[at].input[0] = "columns_below"
    made = [
        helper.make_node("Unsqueeze", ["tokens", "axis0"], ["tokens_1"], name="tokens_1"),
        helper.make_node("Concat", ["tokens_1", "axis1"], ["repeats"], name="repeats", axis=0),
        helper.make_node("Unsqueeze", ["columns", "axis0"], ["columns_row"], name="columns_row"),
        helper.make_node("Tile", ["columns_row", "repeats"], ["columns_below"], name="columns_below"),
    ]
    for node in reversed(made):
        nodes.insert(at, node)
    _is_onnxruntime_s(tmp_path, model, 5)


def test_a_position_that_is_repeated(tmp_path: Path) -> None:
    """Each token reads the first one. The slice of one position counts no further when it is expanded."""
    model = tiny_language_model()
    nodes = model.graph.node
    before = [helper.make_node("Shape", ["input_ids"], ["count"], name="count", start=1, end=2)]
    before += [
        helper.make_node("Squeeze", ["count", "axis0"], ["scalar"], name="scalar"),
        helper.make_node("Range", ["first", "scalar", "one"], ["positions"], name="positions"),
        helper.make_node("Slice", ["positions", "axis0", "axis1"], ["only"], name="only"),
        helper.make_node("Expand", ["only", "count"], ["repeated"], name="repeated"),
        helper.make_node("Gather", ["x_each", "repeated"], ["x"], name="read", axis=1),
    ]
    model.graph.initializer.append(numpy_helper.from_array(np.array(0, np.int64), "first"))
    nodes[0].output[0] = "x_each"
    for node in reversed(before):
        nodes.insert(1, node)
    with pytest.raises(ForgeError, match=r"'read'.*the positions that it reads are not known"):
        compile(model, tmp_path, generate=Generation(24, [8]))

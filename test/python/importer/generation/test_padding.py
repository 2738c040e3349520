"""Padding of prompts does not affect results: models whose padding is read in unusual ways, compared with
onnxruntime."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import GraphProto, ModelProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from forge_mlir.execute.generation import generate
from forge_mlir.support.sandbox import Limits
from forge_mlir.verify.tokens.generation import compare_steps
from sample_models.reading_language_model import FRAMES, HEADS, SIZE, reading_language_model
from sample_models.tiny_language_model import WIDTH, WORDS, tiny_language_model
from sample_models.windowed_language_model import windowed_language_model

CROSS = {
    f"cross_{part}": np.random.default_rng(1).normal(0, 1, (1, HEADS, FRAMES, SIZE)).astype(np.float32)
    for part in ("key", "value")
}


def _is_onnxruntime_s(folder: Path, model: ModelProto, prompt: int, batch: int = 1, **inputs: np.ndarray) -> None:
    file = folder / "model.onnx"
    onnx.save(model, file)
    artifact = compile(file, folder / "out", generate=Generation(24, [16], batch=batch))
    ids = np.random.default_rng(prompt).integers(1, WORDS, (batch, prompt)).tolist()
    made = [row.tolist() for row in generate(artifact, ids, tokens=6, inputs=inputs)]
    found = compare_steps(artifact, file, ids, made, Limits(), inputs)
    assert found.failure() is None, found.lines()


@pytest.mark.parametrize(("how", "prompt"), [("added", 3), ("second", 9), ("filled", 1), ("op", 3)])
def test_a_window_that_hides_all_tokens_from_padding(tmp_path: Path, how: str, prompt: int) -> None:
    """A position that is padding attends to nothing, because the prompt is outside of its window. Its softmax must not
    be NaN, which the next layer would multiply by 0."""
    _is_onnxruntime_s(tmp_path, windowed_language_model(how), prompt)


@pytest.mark.parametrize("window", [{"right_window_size": 0}, {"is_causal": 1}])
def test_a_window_of_the_op(tmp_path: Path, window: dict[str, int]) -> None:
    """onnxruntime does not know these attributes. The mask of the other model is such a window."""
    generated = []
    for name in ("masked", "windowed"):
        model = windowed_language_model("op")
        model.opset_import[0].version = 25
        for node in model.graph.node if name == "windowed" else ():
            if node.op_type == "Attention":
                node.input[3] = ""
                settings = {"left_window_size": 3, **window}
                node.attribute.extend(helper.make_attribute(*each) for each in settings.items())
        onnx.save(model, tmp_path / f"{name}.onnx")
        artifact = compile(tmp_path / f"{name}.onnx", tmp_path / name, generate=Generation(24, [16]))
        generated.append([row.tolist() for row in generate(artifact, [[3, 1, 4, 1, 5, 9]], tokens=12)])
    assert generated[0] == generated[1]


def _after_embedding(model: ModelProto, *nodes: onnx.NodeProto) -> ModelProto:
    """The nodes compute x from the embeddings of the tokens, "embedded"."""
    first = next(node for node in model.graph.node if node.name == "x")
    first.output[0] = first.name = "embedded"
    at = list(model.graph.node).index(first) + 1
    for number, node in enumerate(nodes):
        model.graph.node.insert(at + number, node)
    return model


def test_a_word_without_a_direction(tmp_path: Path) -> None:
    """The embedding of token 0 is 0, and is divided by its length: padding must not be token 0."""
    model = tiny_language_model()
    words = next(tensor for tensor in model.graph.initializer if tensor.name == "words")
    table = numpy_helper.to_array(words).copy()
    table[0] = 0
    words.CopyFrom(numpy_helper.from_array(table, "words"))
    model.graph.initializer.append(numpy_helper.from_array(np.array([-1]), "last"))
    norm = helper.make_node("ReduceL2", ["embedded", "last"], ["long"])
    _is_onnxruntime_s(tmp_path, _after_embedding(model, norm, helper.make_node("Div", ["embedded", "long"], ["x"])), 3)


def _before(model: ModelProto, reader: str, at: int, *nodes: onnx.NodeProto) -> None:
    """Inserts nodes before the node `reader`, which then reads the last one of them as its operand `at`."""
    index = next(index for index, node in enumerate(model.graph.node) if node.name == reader)
    model.graph.node[index].input[at] = nodes[-1].output[0]
    for number, node in enumerate(nodes):
        model.graph.node.insert(index + number, node)


@pytest.mark.parametrize(
    ("op", "operands"),
    [
        ("Div", ["two", "mask"]),
        ("Mod", ["two", "mask"]),
        ("Reciprocal", ["mask_f"]),
        ("Log", ["mask_f"]),
        ("Pow", ["mask_f", "power"]),
        ("Pow", ["mask_f", "two"]),
    ],
)
def test_a_mask_whose_padding_is_a_pole(tmp_path: Path, op: str, operands: list[str]) -> None:
    """The mask is 0 at padding. 2 / 0 must not become a factor of the scores there, because 0 * infinity is NaN."""
    model = tiny_language_model()
    model.graph.initializer.append(numpy_helper.from_array(np.float32(-0.5), "power"))
    _before(
        model,
        "biased",
        0,
        helper.make_node("Cast", ["shown_4"], ["mask"], to=onnx.TensorProto.INT64),
        helper.make_node("Cast", ["mask"], ["mask_f"], to=onnx.TensorProto.FLOAT),
        helper.make_node(op, operands, ["made"]),
        helper.make_node("Cast", ["made"], ["made_f"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Add", ["made_f", "made_f"], ["factor"]),
        helper.make_node("Mul", ["scores", "factor"], ["scaled"]),
    )
    _is_onnxruntime_s(tmp_path, model, 3)


@pytest.mark.parametrize("kind", ["Max", "Min", "L1", "L2", "SumSquare", "Prod", "LogSumExp", "Sum"])
def test_reductions_over_positions(tmp_path: Path, kind: str) -> None:
    model = tiny_language_model()
    _constants(model, last=[-1])
    _before(
        model,
        "biased",
        0,
        helper.make_node(f"Reduce{kind}", ["scores", "last"], ["reduced"]),
        helper.make_node("Tanh", ["reduced"], ["share"]),
        helper.make_node("Mul", ["scores", "share"], ["scaled"]),
    )
    _is_onnxruntime_s(tmp_path, model, 3)


def test_the_largest_position(tmp_path: Path) -> None:
    """A maximum of integers, from which the scale of a dynamic rotary embedding is computed."""
    model = tiny_language_model()
    _before(
        model,
        "biased",
        0,
        helper.make_node("CumSum", ["attention_mask", "one"], ["counts"]),
        helper.make_node("Neg", ["counts"], ["below"]),
        helper.make_node("ReduceMin", ["below", "axis1"], ["lowest_count"]),
        helper.make_node("Cast", ["lowest_count"], ["lowest_f"], to=onnx.TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["lowest_f", "axis2"], ["apart"]),
        helper.make_node("Unsqueeze", ["apart", "axis2"], ["divisor"]),
        helper.make_node("Div", ["scores", "divisor"], ["scaled"]),
    )
    _is_onnxruntime_s(tmp_path, model, 3)


@pytest.mark.parametrize("batch", [1, 2])
def test_experts(tmp_path: Path, batch: int) -> None:
    """The largest columns of each token, and copies of all tokens, as in gpt-oss."""
    model = tiny_language_model()
    _constants(model, four=[4], flat=[-1, WIDTH], twice=[2, 1], copies=[2, -1, WIDTH])
    _constants(model, none_yet=[0])
    nodes = [
        helper.make_node("Reshape", ["embedded", "flat"], ["all_tokens"]),
        helper.make_node("TopK", ["all_tokens", "four"], ["best", "places"]),
        helper.make_node("Shape", ["all_tokens"], ["flat_sizes"]),
        helper.make_node("ConstantOfShape", ["flat_sizes"], ["none_of_it"]),
        helper.make_node("Expand", ["none_of_it", "flat_sizes"], ["blank"]),
        helper.make_node("ScatterElements", ["blank", "places", "best"], ["sparse"], axis=-1),
        helper.make_node("Tile", ["sparse", "twice"], ["copied"]),
        helper.make_node("Reshape", ["copied", "copies"], ["by_expert"]),
        helper.make_node("ReduceSum", ["by_expert", "none_yet"], ["summed"], keepdims=0),
        helper.make_node("Shape", ["embedded"], ["all_sizes"]),
        helper.make_node("Reshape", ["summed", "all_sizes"], ["x"]),
    ]
    _is_onnxruntime_s(tmp_path, _after_embedding(model, *nodes), 3, batch)


@pytest.mark.parametrize("norm", ["ReduceL2", "LpNormalization"])
def test_keys_of_the_cache_that_are_divided_by_their_length(tmp_path: Path, norm: str) -> None:
    """Empty positions of a cache are 0, and 0 / 0 is NaN."""
    model = tiny_language_model()
    nodes = [helper.make_node("LpNormalization", ["keys"], ["unit"], axis=2)]
    if norm == "ReduceL2":
        nodes = [
            helper.make_node(norm, ["keys", "axis2"], ["long"]),
            helper.make_node("Div", ["keys", "long"], ["unit"]),
        ]
    _before(model, "scores", 1, *nodes)
    _is_onnxruntime_s(tmp_path, model, 3)


def _constants(model: ModelProto, **values: object) -> None:
    model.graph.initializer.extend(numpy_helper.from_array(np.array(value), name) for name, value in values.items())


@pytest.mark.parametrize(("order", "kept"), [(["biased", "sinks"], (0, -1)), (["sinks", "biased"], (1, 1 << 62))])
def test_sinks_beside_the_scores(tmp_path: Path, order: list[str], kept: tuple[int, int]) -> None:
    """A sink per head takes a part of the probabilities, as in gpt-oss: after all positions, or before them."""
    model = tiny_language_model()
    _constants(model, sink=np.array([[[[0.5]], [[2]]]], np.float32), start=[kept[0]], end=[kept[1]], last=[-1])
    _before(
        model,
        "weights",
        0,
        helper.make_node("Shape", ["biased"], ["rows_of"], start=2, end=3),
        helper.make_node("Concat", ["axis1", "axis1", "rows_of", "axis1"], ["column"], axis=0),
        helper.make_node("Expand", ["sink", "column"], ["sinks"]),
        helper.make_node("Concat", order, ["with_sinks"], axis=-1),
    )
    _before(model, "context", 0, helper.make_node("Slice", ["weights", "start", "end", "last"], ["shares"]))
    _is_onnxruntime_s(tmp_path, model, 3)


@pytest.mark.parametrize("prompt", [1, 3, 16])
def test_a_bias_that_is_the_end_of_a_table(tmp_path: Path, prompt: int) -> None:
    """ALiBi in MPT."""
    model = tiny_language_model()
    _constants(model, table=np.sin(np.arange(40, dtype=np.float32))[None, None, None], end=[1 << 62], last=[-1])
    _before(
        model,
        "biased",
        0,
        helper.make_node("Neg", ["total"], ["from_end"]),
        helper.make_node("Unsqueeze", ["from_end", "axis0"], ["start"]),
        helper.make_node("Slice", ["table", "start", "end", "last"], ["slopes"]),
        helper.make_node("Add", ["scores", "slopes"], ["sloped"]),
    )
    _is_onnxruntime_s(tmp_path, model, prompt)


def test_a_table_in_a_gather_of_elements(tmp_path: Path) -> None:
    """The rows of the positions in GPT-J."""
    model = tiny_language_model()
    _constants(model, places=np.random.default_rng(2).normal(0, 1, (1, 24, WIDTH)).astype(np.float32), last=[-1])
    _constants(model, width=[1, 1, WIDTH])
    model.graph.input.append(helper.make_tensor_value_info("position_ids", onnx.TensorProto.INT64, ["batch", "tokens"]))
    nodes = [
        helper.make_node("Unsqueeze", ["position_ids", "last"], ["column"]),
        helper.make_node("Expand", ["column", "width"], ["at"]),
        helper.make_node("GatherElements", ["places", "at"], ["place"], axis=1),
        helper.make_node("Add", ["embedded", "place"], ["x"]),
    ]
    file = tmp_path / "model.onnx"
    _is_onnxruntime_s(tmp_path, _after_embedding(model, *nodes), 3)
    with pytest.raises(ForgeError, match=r"its table has 24 rows, but a text of \d+ tokens reads row \d+"):
        compile(file, tmp_path / "more", generate=Generation(25, [16]))


def test_indices_that_count_from_the_end(tmp_path: Path) -> None:
    model = tiny_language_model()
    model.graph.initializer.append(numpy_helper.from_array(np.array(WORDS), "count"))
    nodes = [
        helper.make_node("Sub", ["input_ids", "count"], ["from_end"]),
        helper.make_node("Gather", ["words", "from_end"], ["again"]),
        helper.make_node("Add", ["embedded", "again"], ["x"]),
    ]
    _is_onnxruntime_s(tmp_path, _after_embedding(model, *nodes), 3)


@pytest.mark.parametrize("at", [[[-2]], [[-2, 0]]])
def test_a_column_that_counts_from_the_end(tmp_path: Path, at: list[list[int]]) -> None:
    model = tiny_language_model()
    _constants(model, at=at)
    apart = helper.make_node(
        "Unsqueeze" if len(at[0]) > 1 else "Identity", ["by_column", "axis1"][: len(at[0])], ["apart"]
    )
    nodes = [
        helper.make_node("Transpose", ["embedded"], ["by_column"], perm=[2, 0, 1]),
        apart,
        helper.make_node("GatherND", ["apart", "at"], ["column"]),
        helper.make_node("Transpose", ["column"], ["narrow"], perm=[1, 2, 0]),
        helper.make_node("Mul", ["embedded", "narrow"], ["x"]),
    ]
    _is_onnxruntime_s(tmp_path, _after_embedding(model, *nodes), 3)


def test_rows_at_indices_of_the_largest_elements(tmp_path: Path) -> None:
    """transformers gathers the weights of the experts of each token."""
    model = tiny_language_model()
    table = np.random.default_rng(4).normal(0, 1, (WIDTH, WIDTH)).astype(np.float32)
    _constants(model, experts=table, first=np.array([1]))
    nodes = [
        helper.make_node("TopK", ["embedded", "first"], ["largest", "expert"]),
        helper.make_node("GatherND", ["experts", "expert"], ["of_expert"]),
        helper.make_node("Add", ["embedded", "of_expert"], ["x"]),
    ]
    _is_onnxruntime_s(tmp_path, _after_embedding(model, *nodes), 3)


def test_a_scatter_to_columns(tmp_path: Path) -> None:
    model = tiny_language_model()
    _constants(model, to=[[1], [3]], other=[[0], [2]])
    nodes = [
        helper.make_node("Transpose", ["embedded"], ["by_column"], perm=[2, 0, 1]),
        helper.make_node("GatherND", ["by_column", "other"], ["moved"]),
        helper.make_node("ScatterND", ["by_column", "to", "moved"], ["changed"]),
        helper.make_node("Transpose", ["changed"], ["x"], perm=[1, 2, 0]),
    ]
    _is_onnxruntime_s(tmp_path, _after_embedding(model, *nodes), 3)


def _convolved(pads: list[int], dilation: int = 1, stride: int = 1, before: int = 0) -> ModelProto:
    """A convolution of the embeddings, of `before` zeros and the tokens; only as many positions as tokens are used."""
    model = tiny_language_model()
    weight = np.random.default_rng(3).normal(0, 1, (WIDTH, 1, 3)).astype(np.float32)
    _constants(model, kernel=weight, bias_of=np.ones(WIDTH, np.float32), zeros=np.zeros((1, WIDTH, before), np.float32))
    named = helper.make_node("Concat", ["zeros", "by_column"], ["longer"], axis=2)
    attributes = {"pads": pads, "dilations": [dilation], "strides": [stride], "group": WIDTH}
    nodes = [
        helper.make_node("Transpose", ["embedded"], ["by_column"], perm=[0, 2, 1]),
        *([named] if before else []),
        helper.make_node(
            "Conv", ["longer" if before else "by_column", "kernel", "bias_of"], ["convolved"], **attributes
        ),
        helper.make_node("Shape", ["input_ids"], ["count"], start=1, end=2),
        helper.make_node("Slice", ["convolved", "axis0", "count", "axis2"], ["cut"]),
        helper.make_node("Transpose", ["cut"], ["x"], perm=[0, 2, 1]),
    ]
    return _after_embedding(model, *nodes)


@pytest.mark.parametrize(
    ("pads", "dilation", "before"), [([2, 2], 1, 0), ([1, 1], 1, 0), ([4, 0], 2, 0), ([0, 2], 1, 0), ([0, 0], 1, 2)]
)
def test_a_convolution_along_positions(tmp_path: Path, pads: list[int], dilation: int, before: int) -> None:
    _is_onnxruntime_s(tmp_path, _convolved(pads, dilation, before=before), 3)


@pytest.mark.parametrize(("pads", "stride"), [([0, 1], 1), ([2, 2], 2)])
def test_a_convolution_with_fewer_positions_is_refused(tmp_path: Path, pads: list[int], stride: int) -> None:
    with pytest.raises(ForgeError, match=r"Conv.*it has fewer positions than its operand"):
        compile(_convolved(pads, stride=stride), tmp_path, generate=Generation(24, [16]))


def test_positions_without_a_batch(tmp_path: Path) -> None:
    """cache_position [tokens] of transformers."""
    model = tiny_language_model()
    table = np.random.default_rng(2).normal(0, 1, (24, WIDTH)).astype(np.float32)
    model.graph.initializer.append(numpy_helper.from_array(table, "places"))
    model.graph.input.append(helper.make_tensor_value_info("cache_position", onnx.TensorProto.INT64, ["tokens"]))
    nodes = [
        helper.make_node("Gather", ["places", "cache_position"], ["place"]),
        helper.make_node("Add", ["embedded", "place"], ["x"]),
    ]
    _is_onnxruntime_s(tmp_path, _after_embedding(model, *nodes), 3)


def test_a_scatter_that_adds_is_refused(tmp_path: Path) -> None:
    node = helper.make_node("ScatterND", ["attention_mask", "pairs", "attention_mask"], ["read"], reduction="add")
    model = tiny_language_model(mask_reads="pairs", extra=[node], extra_outputs=["read"])
    with pytest.raises(ForgeError, match=r"ScatterND.*it writes to positions that are not known"):
        compile(model, tmp_path, generate=Generation(24, [16]))


def _rows(graph: GraphProto) -> None:
    """The products of all rows, to which a bias adds an axis."""
    graph.initializer.append(numpy_helper.from_array(np.array([-1, WIDTH]), "by_rows"))
    graph.initializer.append(numpy_helper.from_array(np.ones((1, 1, WORDS), np.float32), "added"))
    graph.node.append(helper.make_node("Reshape", ["y", "by_rows"], ["rows_of_y"]))
    graph.node.append(helper.make_node("MatMul", ["rows_of_y", "head"], ["products"]))
    graph.node.append(helper.make_node("Add", ["products", "added"], ["logits"]))


def _taken_name(graph: GraphProto) -> None:
    graph.initializer.append(numpy_helper.from_array(np.ones((1, 1, WORDS), np.float32), "products/last"))
    graph.node.append(helper.make_node("MatMul", ["y", "head"], ["products"]))
    graph.node.append(helper.make_node("Add", ["products", "products/last"], ["logits"]))


@pytest.mark.parametrize("how", [_rows, _taken_name])
def test_logits_of_the_last_token(tmp_path: Path, how: Callable[[GraphProto], None]) -> None:
    model = tiny_language_model()
    del model.graph.node[-1]
    how(model.graph)
    _is_onnxruntime_s(tmp_path, model, 3)


def test_cross_attention_to_keys_that_are_not_split(tmp_path: Path) -> None:
    """The keys of cross-attention have rank 3, and are results too."""
    model = reading_language_model(extra=[helper.make_node("Identity", ["all_keys"], ["read_again"])])
    at, read = next((at, node) for at, node in enumerate(model.graph.node) if node.name == "read")
    read.output.extend(["all_keys", "all_values"])
    model.graph.initializer.append(numpy_helper.from_array(np.array([0, 0, -1]), "flat"))
    for name in ("cross_key", "cross_value"):
        rows = helper.make_node("Transpose", [name], [f"{name}_rows"], perm=[0, 2, 1, 3])
        joined = helper.make_node("Reshape", [f"{name}_rows", "flat"], [f"{name}_joined"])
        for node in (joined, rows):
            model.graph.node.insert(at, node)
    read.input[1:3] = ["cross_key_joined", "cross_value_joined"]
    _is_onnxruntime_s(tmp_path, model, 3, **CROSS)


def test_packed_operands_are_refused(tmp_path: Path) -> None:
    model = reading_language_model()
    read = next(node for node in model.graph.node if node.name == "read")
    del read.input[1:]
    with pytest.raises(ForgeError, match=r"its packed operand has to be \[batch, tokens"):
        compile(model, tmp_path, generate=Generation(24, [16]))

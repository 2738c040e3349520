"""The inputs, outputs and caches of a language model, and the refusal of models whose programs might be wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import GraphProto, ModelProto, TensorProto, TypeProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from forge_mlir.execute.generation import generate
from forge_mlir.support.sandbox import Limits
from forge_mlir.verify.tokens.generation import compare_steps
from sample_models.buffered_language_model import buffered_language_model
from sample_models.tiny_language_model import WORDS, tiny_language_model


def _changed(how: Callable[[GraphProto], None]) -> ModelProto:
    model = tiny_language_model()
    how(model.graph)
    return model


def _past(graph: GraphProto) -> TypeProto.Tensor:
    return next(value for value in graph.input if value.name == "past_key").type.tensor_type


def _more_heads(graph: GraphProto) -> None:
    _past(graph).shape.dim[1].dim_value = 3


def _one_row(graph: GraphProto) -> None:
    _past(graph).shape.dim[0].dim_value = 1


def _halves(graph: GraphProto) -> None:
    """Makes the past float16, with a cast before its use."""
    _past(graph).elem_type = TensorProto.FLOAT16
    at = next(at for at, node in enumerate(graph.node) if "past_key" in node.input and node.op_type == "Concat")
    graph.node[at].input[0] = "past_wide"
    graph.node.insert(at, helper.make_node("Cast", ["past_key"], ["past_wide"], name="widen", to=TensorProto.FLOAT))


def _two_writers(graph: GraphProto) -> None:
    graph.node.append(helper.make_node("Concat", ["past_key", "v"], ["again"], name="again", axis=2))
    graph.output.append(helper.make_tensor_value_info("again", TensorProto.FLOAT, None))


def _summed(graph: GraphProto) -> None:
    """Makes the scores depend on the number of positions that the mask allows."""
    at = next(at for at, node in enumerate(graph.node) if node.op_type == "Softmax")
    graph.node[at].attribute[0].i = 2


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (_more_heads, r"'present_key'.*the cache 'past_key' is \[2, 3, 0, 8\], but gets \[2, 2, length, 8\]"),
        (_one_row, "'past_key': it is for 1 sequences, but --batch is 2"),
        (_halves, r"'widen'.*reads the cache 'past_key' beside the node that writes.*give the cache the type"),
        (_two_writers, r"'again'.*a second node writes to the cache 'past_key'"),
        (_summed, r"'weights'.*a softmax along an axis other than the last"),
    ],
)
def test_models_that_might_be_wrong_are_refused(tmp_path: Path, how: Callable[[GraphProto], None], reason: str) -> None:
    with pytest.raises(ForgeError, match=reason):
        compile(_changed(how), tmp_path, generate=Generation(24, [8], batch=2))
    assert not list(tmp_path.glob("*.py"))


def _types(graph: GraphProto) -> None:
    """Adds an input that is as long as the tokens."""
    graph.input.append(helper.make_tensor_value_info("token_type_ids", TensorProto.INT64, ["batch", "tokens"]))


def _short_mask(graph: GraphProto) -> None:
    """Declares the mask as long as the new tokens."""
    mask = next(value for value in graph.input if value.name == "attention_mask").type.tensor_type
    mask.shape.dim[1].dim_param = "tokens"


@pytest.mark.parametrize(("how", "name"), [(_types, "token_type_ids"), (_short_mask, "attention_mask")])
def test_inputs_that_are_no_positions(tmp_path: Path, how: Callable[[GraphProto], None], name: str) -> None:
    with pytest.raises(ForgeError, match=f"'{name}': it is as long as the tokens, and not known to be their positions"):
        compile(_changed(how), tmp_path, generate=Generation(24, [8]))


def test_refusals(tmp_path: Path) -> None:
    swapped = tiny_language_model(cache_axis=3)
    with pytest.raises(ForgeError, match="it grows along axis 3 of 4"):
        compile(swapped, tmp_path, generate=Generation(24, [8]))
    reader = helper.make_node("Relu", ["past_key"], ["read"], name="reader")
    with pytest.raises(ForgeError, match=r"'reader'.*reads the cache 'past_key' beside the node that writes"):
        compile(tiny_language_model(extra=[reader], extra_outputs=["read"]), tmp_path, generate=Generation(24, [8]))
    mean = helper.make_node("ReduceMean", ["present_key"], ["read"], name="mean", keepdims=0)
    with pytest.raises(ForgeError, match=r"'mean'.*reads positions beyond the length"):
        compile(tiny_language_model(extra=[mean], extra_outputs=["read"]), tmp_path, generate=Generation(24, [8]))
    for op, operands in {"Size": ["weights"], "Tile": ["words", "ids_shape"]}.items():
        node = helper.make_node(op, operands, ["read"], name="odd")
        with pytest.raises(ForgeError, match=f"'odd' .{op}.*depends on the length in a way that there is no rule for"):
            compile(tiny_language_model(extra=[node], extra_outputs=["read"]), tmp_path, generate=Generation(24, [8]))
    assert not list(tmp_path.iterdir())


def test_hidden_states_are_no_logits(tmp_path: Path) -> None:
    def first(graph: GraphProto) -> None:
        graph.output.insert(0, helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", "tokens", 16]))

    artifact = compile(_changed(first), tmp_path, generate=Generation(24, [8]))
    assert artifact.manifest()["generation"]["logits"] == "logits"


def test_a_past_without_its_present_is_no_cache(tmp_path: Path) -> None:
    def only_new(graph: GraphProto) -> None:
        for output, new in zip(graph.output[1:], "kv", strict=True):
            output.name = new

    with pytest.raises(ForgeError, match="'past_key': a size is open, and no output appends new positions to it"):
        compile(_changed(only_new), tmp_path, generate=Generation(24))


def test_a_model_without_its_last_product_is_refused(tmp_path: Path) -> None:
    """The largest element of hidden states is no word."""

    def last(graph: GraphProto) -> None:
        graph.output[0].CopyFrom(helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", "tokens", 16]))

    with pytest.raises(ForgeError, match="no output is the logits"):
        compile(_changed(last), tmp_path, generate=Generation(24, [8]))


def test_weights_of_constant_nodes(tmp_path: Path) -> None:
    def hidden(graph: GraphProto) -> None:
        graph.output.insert(0, helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", "tokens", 16]))
        for tensor in graph.initializer:
            graph.node.insert(0, helper.make_node("Constant", [], [tensor.name], value=tensor))
        del graph.initializer[:]

    facts = compile(_changed(hidden), tmp_path, generate=Generation(24, [8])).manifest()["generation"]
    assert (facts["ids"], facts["words"], facts["logits"]) == ("input_ids", 31, "logits")


def test_keys_and_values_in_one_cache_are_refused(tmp_path: Path) -> None:
    """The past of com.microsoft.Attention is [2, batch, heads, positions, size]."""
    model = tiny_language_model()
    graph = model.graph
    operands, results = ["x", "packed", "", "", "past_both"], ["both", "present"]
    attributes = {"num_heads": 2, "domain": "com.microsoft"}
    graph.node.append(helper.make_node("Attention", operands, results, name="stacked", **attributes))
    graph.initializer.append(numpy_helper.from_array(np.ones((16, 48), np.float32), "packed"))
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    graph.input.append(helper.make_tensor_value_info("past_both", TensorProto.FLOAT, [2, "batch", 2, "past", 8]))
    graph.output.append(helper.make_tensor_value_info("present", TensorProto.FLOAT, None))
    with pytest.raises(ForgeError, match=r"'past_both', node 'stacked'.*its rank is 5, and a cache is \[batch, heads,"):
        compile(model, tmp_path, generate=Generation(24, [8]))


def test_invalid_nodes(tmp_path: Path) -> None:
    def no_axis(graph: GraphProto) -> None:
        del next(node for node in graph.node if node.op_type == "Concat").attribute[:]

    with pytest.raises(ForgeError, match=r"'present_key'.*the model is invalid"):
        compile(_changed(no_axis), tmp_path, generate=Generation(24, [8]))
    model = buffered_language_model()
    attention = next(node for node in model.graph.node if node.op_type == "GroupQueryAttention")
    del attention.attribute[:], attention.input[6:]
    with pytest.raises(ForgeError, match=r"FM0105.*'attended.*GroupQueryAttention\): cannot be imported: KeyError"):
        compile(model, tmp_path, generate=Generation(24, [8]))


def test_transposed_logits_are_refused(tmp_path: Path) -> None:
    def turned(graph: GraphProto) -> None:
        graph.node.append(helper.make_node("Transpose", ["logits"], ["turned"], perm=[0, 2, 1]))
        graph.output[0].CopyFrom(helper.make_tensor_value_info("turned", TensorProto.FLOAT, None))

    with pytest.raises(ForgeError, match=r"'turned': the logits are \[1, 31, length\], but have to be"):
        compile(_changed(turned), tmp_path, generate=Generation(24, [8]))


def test_a_state_without_axes(tmp_path: Path) -> None:
    """The number of runs: it is 0 before a prompt, and grows with each program that runs."""
    model = tiny_language_model(extra=[helper.make_node("Add", ["runs", "one"], ["more"])], extra_outputs=["more"])
    model.graph.input.append(helper.make_tensor_value_info("runs", TensorProto.INT64, []))
    artifact = compile(model, tmp_path, generate=Generation(24, [8], caches={"runs": "more"}))
    assert artifact.manifest()["generation"]["states"] == ["runs"]
    assert len(list(generate(artifact, [1, 2, 3], tokens=4))) == 4


def test_a_sequence_as_input_is_refused(tmp_path: Path) -> None:
    model = tiny_language_model()
    model.graph.input.append(helper.make_tensor_sequence_value_info("many", TensorProto.FLOAT, [2]))
    with pytest.raises(ForgeError, match="'many': inputs other than tensors are not supported"):
        compile(model, tmp_path, generate=Generation(24, [8]))


def _last_logits(flat: bool) -> ModelProto:
    """The model with the logits of the last token, [batch, words], or of all tokens of all texts, [rows, words]."""
    model = tiny_language_model()
    graph = model.graph
    next(node for node in graph.node if node.output[0] == "logits").output[0] = "every"
    values = np.array([-1, WORDS]) if flat else np.array(-1)
    graph.initializer.append(numpy_helper.from_array(values, "how"))
    attributes = {} if flat else {"axis": 1}
    graph.node.append(helper.make_node("Reshape" if flat else "Gather", ["every", "how"], ["logits"], **attributes))
    shape = ["rows" if flat else "batch", WORDS]
    graph.output[0].CopyFrom(helper.make_tensor_value_info("logits", TensorProto.FLOAT, shape))
    return model


@pytest.mark.parametrize(("flat", "batch"), [(False, 1), (False, 2), (True, 1)])
def test_logits_without_one_axis(flat: bool, batch: int, tmp_path: Path) -> None:
    ids = [[3, 1, 4], [2, 7, 1]][:batch]
    generated = []
    for name, model in (("usual", tiny_language_model()), ("last", _last_logits(flat))):
        onnx.save(model, tmp_path / f"{name}.onnx")
        artifact = compile(tmp_path / f"{name}.onnx", tmp_path / name, generate=Generation(24, [8], batch=batch))
        generated.append([row.tolist() for row in generate(artifact, ids, tokens=12)])
    assert generated[0] == generated[1]
    found = compare_steps(artifact, tmp_path / "last.onnx", ids, generated[0], Limits())
    assert found.failure() is None, found.lines()


def test_logits_of_all_rows_of_a_batch(tmp_path: Path) -> None:
    expected = r"the logits are \[2 \* length, 31\], but have to be .* or \[batch, words\]; give --batch=1"
    with pytest.raises(ForgeError, match=expected):
        compile(_last_logits(True), tmp_path, generate=Generation(24, [8], batch=2))

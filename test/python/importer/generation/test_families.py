"""Families of language models other than those with a growing past: decoders that use an encoder's states, and models
with states of constant size, compared with onnxruntime."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, helper, numpy_helper

from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from forge_mlir.execute.generation import generate, token_loop
from forge_mlir.support.sandbox import Limits
from forge_mlir.token_loop import Array
from forge_mlir.verify.tokens.generation import compare_steps, verify_steps
from sample_models.hybrid_language_model import hybrid_language_model
from sample_models.reading_language_model import FRAMES, HEADS, SIZE, reading_language_model
from sample_models.tiny_language_model import tiny_language_model


def _compiled(model: ModelProto, folder: Path, generation: Generation) -> tuple[Artifact, Path]:
    file = folder / "model.onnx"
    onnx.save(model, file)
    return compile(file, folder / "out", generate=generation), file


def _is_onnxruntime_s(artifact: Artifact, model: Path, prompt: int, batch: int, inputs: dict[str, Array]) -> None:
    ids = np.random.default_rng(prompt).integers(0, 31, (batch, prompt)).tolist()
    made = [row.tolist() for row in generate(artifact, ids, tokens=20, inputs=inputs)]
    assert len({str(row) for row in made}) > 2
    found = compare_steps(artifact, model, ids, made, Limits(), inputs)
    assert found.failure() is None, found.lines()


def _cross(batch: int) -> dict[str, Array]:
    random = np.random.default_rng(1)
    shape = (batch, HEADS, FRAMES, SIZE)
    return {f"cross_{part}": random.normal(0, 1, shape).astype(np.float32) for part in ("key", "value")}


@pytest.mark.parametrize(("prompt", "batch"), [(1, 1), (6, 2), (11, 1)])
def test_a_decoder_that_reads_an_encoder(tmp_path: Path, prompt: int, batch: int) -> None:
    artifact, model = _compiled(reading_language_model(), tmp_path, Generation(40, [8], batch=batch))
    assert artifact.manifest()["generation"]["others"] == ["cross_key", "cross_value"]
    assert artifact.shape_set("decode").module_path.read_text().count("forge.op.UpdateCache(") == 2
    _is_onnxruntime_s(artifact, model, prompt, batch, _cross(batch))
    assert verify_steps(artifact, model, 0, Limits(), steps=4).failure() is None


def test_encoder_states_affect_the_tokens(tmp_path: Path) -> None:
    artifact, model = _compiled(reading_language_model(), tmp_path, Generation(40, [8]))
    other = {name: -value for name, value in _cross(1).items()}
    made = [row.tolist() for row in generate(artifact, [1, 2, 3], tokens=4, inputs=_cross(1))]
    found = compare_steps(artifact, model, [[1, 2, 3]], made, Limits(), other)
    assert found.failure() is None
    assert found.rows != compare_steps(artifact, model, [[1, 2, 3]], made, Limits(), _cross(1)).rows
    with pytest.raises(ForgeError, match="cross_key"):
        list(generate(artifact, [1, 2, 3], tokens=4))


def test_a_model_of_one_token_reads_its_prompt_token_by_token(tmp_path: Path) -> None:
    artifact, _ = _compiled(reading_language_model(tokens=1), tmp_path, Generation(40))
    assert list(artifact.manifest()["generation"]["programs"]) == ["decode"]
    ids = [[4, 5, 6]]
    made = [row.tolist() for row in generate(artifact, ids, tokens=6, inputs=_cross(1))]
    whole, _ = _compiled(reading_language_model(), tmp_path, Generation(40, [8]))
    assert made == [row.tolist() for row in generate(whole, ids, tokens=6, inputs=_cross(1))]
    with pytest.raises(ForgeError, match="takes one token at a time"):
        compile(reading_language_model(tokens=1), tmp_path / "other", generate=Generation(40, [8]))


@pytest.mark.parametrize(
    ("update", "prompt", "batch"), [("linear", 1, 2), ("gated", 5, 1), ("delta", 10, 1), ("gated_delta", 3, 2)]
)
def test_states_of_one_size(tmp_path: Path, update: str, prompt: int, batch: int) -> None:
    artifact, model = _compiled(hybrid_language_model(update), tmp_path, Generation(40, [8], batch=batch))
    facts = artifact.manifest()["generation"]
    assert facts["states"] == ["past_conv", "past_state"]
    _is_onnxruntime_s(artifact, model, prompt, batch, {})


def test_a_prompt_starts_from_empty_states(tmp_path: Path) -> None:
    artifact, _ = _compiled(hybrid_language_model(), tmp_path, Generation(40, [8]))
    loop = token_loop(artifact)
    first = loop.prompt(np.array([[3, 1, 4]]))
    loop.step(np.array([7]))
    np.testing.assert_array_equal(loop.prompt(np.array([[3, 1, 4]])), first)


@pytest.mark.parametrize(
    ("reads", "prompt", "batch"), [("pairs", 5, 2), ("apart", 5, 2), ("apart", 1, 1), ("flat", 1, 1), ("flat", 11, 2)]
)
def test_a_mask_that_is_indexed_by_position(tmp_path: Path, reads: str, prompt: int, batch: int) -> None:
    """transformers reads the mask at [row, position], which exporters write as a GatherND, or as a Gather of all rows
    in sequence; and as products of all rows at once."""
    artifact, model = _compiled(tiny_language_model(mask_reads=reads), tmp_path, Generation(40, [8], batch=batch))
    _is_onnxruntime_s(artifact, model, prompt, batch, {})


def _with_op(op: str, domain: str, operands: list[str], results: list[str], **attributes: object) -> ModelProto:
    """The tiny model with an attention op instead of its separate ops. The last node that it replaces computes the
    first result."""
    model = tiny_language_model()
    gone = {"present_key", "present_value", "keys", "values", "scores", "biased", "weights", "context"}
    gone |= {"context_rows", "context_flat"} if results[0] == "context_flat" else set()
    nodes = [node for node in model.graph.node if node.name not in gone]
    at = next(at for at, node in enumerate(nodes) if node.name == "bias") + 1
    nodes.insert(at, helper.make_node(op, operands, results, name="attends", domain=domain, **attributes))
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return model


@pytest.mark.parametrize(
    ("mask", "turned", "prompt", "batch"),
    [("bias", "", 5, 2), ("visible", "", 5, 2), ("bias", "positions", 5, 1), ("visible", "angles", 3, 2)],
)
def test_attention_of_opset_23(tmp_path: Path, mask: str, turned: str, prompt: int, batch: int) -> None:
    """The mask is added, or boolean. RotaryEmbedding turns queries and keys, at positions or by angles."""
    operands = [f"q{turned}", f"k{turned}", "v", mask, "past_key", "past_value"]
    model = _with_op("Attention", "", operands, ["context", "present_key", "present_value"], scale=1.0)
    graph = model.graph
    model.opset_import[0].version = 23
    model.ir_version = 11
    if turned:
        steps = np.outer(np.arange(40), [1.0, 0.5]).astype(np.float32)
        graph.initializer.extend(numpy_helper.from_array(f(steps), f.__name__) for f in (np.cos, np.sin))
        graph.input.append(helper.make_tensor_value_info("position_ids", onnx.TensorProto.INT64, ["batch", "tokens"]))
        made = []
        tables = ["cos", "sin"]
        if turned == "angles":
            made = [helper.make_node("Gather", [each, "position_ids"], [f"{each}_here"]) for each in tables]
            tables = ["cos_here", "sin_here"]
        tables += ["position_ids"] if turned == "positions" else []
        for each in "qk":
            rotated = helper.make_node("RotaryEmbedding", [each, *tables], [f"{each}{turned}"], rotary_embedding_dim=4)
            made.append(rotated)
        at = next(at for at, node in enumerate(graph.node) if node.name == "attends")
        for number, node in enumerate(made):
            graph.node.insert(at + number, node)
    artifact, file = _compiled(model, tmp_path, Generation(40, [8], batch=batch))
    assert artifact.shape_set("decode").module_path.read_text().count("forge.op.UpdateCache(") == 2
    _is_onnxruntime_s(artifact, file, prompt, batch, {})
    if turned == "positions":
        with pytest.raises(ForgeError, match=r"its table has 40 rows, but a text of \d+ tokens reads row \d+"):
            compile(file, tmp_path / "more", generate=Generation(41, [8]))


def _buffered() -> ModelProto:
    """The tiny model with caches of 40 positions, as ONNX has them since opset 24."""
    operands = ["q", "present_key", "present_value", "", "", "", "filled"]
    model = _with_op("Attention", "", operands, ["context"], scale=1.0, is_causal=1)
    graph = model.graph
    model.opset_import[0].version = 24
    model.ir_version = 11
    first, last = (
        next(at for at, node in enumerate(graph.node) if node.name == name) for name in ("past_shape", "bias")
    )
    del graph.node[first : last + 1]  # the mask
    for new, part in (("v", "value"), ("k", "key")):
        scatter = helper.make_node("TensorScatter", [f"past_{part}", new, "start"], [f"present_{part}"], name=part)
        graph.node.insert(first, scatter)
    for value in graph.input:
        if value.name.startswith("past"):
            value.type.tensor_type.shape.dim[2].dim_value = 40
    for name in ("start", "filled"):
        graph.input.append(helper.make_tensor_value_info(name, onnx.TensorProto.INT64, ["batch"]))
    return model


@pytest.mark.parametrize(("prompt", "batch"), [(1, 1), (5, 2), (9, 2)])
def test_buffers_of_opset_24(tmp_path: Path, prompt: int, batch: int) -> None:
    artifact, file = _compiled(_buffered(), tmp_path, Generation(40, [8], batch=batch))
    assert artifact.manifest()["generation"]["lengths"] == {"start": "past", "filled": "total"}
    assert artifact.shape_set("decode").module_path.read_text().count("forge.op.UpdateCache(") == 2
    _is_onnxruntime_s(artifact, file, prompt, batch, {})


@pytest.mark.parametrize(
    ("node", "at", "name", "reason"),
    [
        ("attends", 6, "", r"'attends'.*may read positions of the cache 'past_(key|value)' that have no token"),
        ("attends", 6, "axis1", "'attends'.*lengths per row are not supported here"),
        ("key", 2, "", "'key'.*has to write to the cache 'past_key' after the tokens that are there"),
        ("key", 2, "filled", "'key'.*has to write to the cache 'past_key' after the tokens that are there"),
        ("context_rows", 0, "past_key", "'context_rows'.*may read positions of the cache 'past_key'"),
    ],
)
def test_buffers_that_might_be_wrong(tmp_path: Path, node: str, at: int, name: str, reason: str) -> None:
    model = _buffered()
    for each in model.graph.node:
        if each.name == node:
            each.input[at] = name
    with pytest.raises(ForgeError, match=reason):
        compile(model, tmp_path, generate=Generation(40, [8]))


def test_buffers_that_are_too_short(tmp_path: Path) -> None:
    with pytest.raises(ForgeError, match=r"'past_(key|value)': it has 40 positions, less than --max-length 41"):
        compile(_buffered(), tmp_path, generate=Generation(41, [8]))


@pytest.mark.parametrize(
    ("bias", "padding", "mask"), [("section", "", "bias"), ("", "seen", "bias"), ("section", "seen", "")]
)
def test_multi_head_attention(tmp_path: Path, bias: str, padding: str, mask: str) -> None:
    operands = ["q_flat", "k_flat", "v_flat", bias, padding, mask, "past_key", "past_value"]
    results = ["context_flat", "present_key", "present_value"]
    model = _with_op(
        "MultiHeadAttention", "com.microsoft", operands, results, num_heads=2, unidirectional=int(not mask)
    )
    section = np.random.default_rng(1).normal(0, 0.5, 48).astype(np.float32)
    model.graph.initializer.append(numpy_helper.from_array(section, "section"))
    model.graph.node.insert(0, helper.make_node("Cast", ["attention_mask"], ["seen"], to=onnx.TensorProto.INT32))
    artifact, file = _compiled(model, tmp_path, Generation(40, [8], batch=2))
    _is_onnxruntime_s(artifact, file, 5, 2, {})


@pytest.mark.parametrize(("prompt", "batch"), [(1, 1), (5, 2), (8, 1)])
@pytest.mark.parametrize("future", [0.0, 5.0])
def test_a_mask_that_allows_unwritten_positions(tmp_path: Path, future: float, prompt: int, batch: int) -> None:
    """The mask of the model allows later positions, and the scores prefer them: the positions of the prompt are used,
    those of padding and those not yet written are not."""
    model = tiny_language_model()
    lowest = next(tensor for tensor in model.graph.initializer if tensor.name == "lowest")
    lowest.CopyFrom(numpy_helper.from_array(np.float32(future), "lowest"))
    artifact, file = _compiled(model, tmp_path, Generation(40, [8], batch=batch))
    _is_onnxruntime_s(artifact, file, prompt, batch, {})

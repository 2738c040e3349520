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


@pytest.mark.parametrize(("reads", "prompt", "batch"), [("pairs", 5, 2), ("flat", 1, 1), ("flat", 11, 2)])
def test_a_mask_that_is_indexed_by_position(tmp_path: Path, reads: str, prompt: int, batch: int) -> None:
    """transformers reads the mask at [row, position], which exporters write as a GatherND, or as a Gather of all rows
    in sequence; and as products of all rows at once."""
    artifact, model = _compiled(tiny_language_model(mask_reads=reads), tmp_path, Generation(40, [8], batch=batch))
    _is_onnxruntime_s(artifact, model, prompt, batch, {})


@pytest.mark.parametrize(("mask", "prompt", "batch"), [("bias", 5, 2), ("visible", 5, 2)])
def test_attention_of_opset_23(tmp_path: Path, mask: str, prompt: int, batch: int) -> None:
    """The node Attention with a past: the same model with this node instead of its separate ops. The mask is added, or
    boolean."""
    model = tiny_language_model()
    gone = {"present_key", "present_value", "keys", "values", "scores", "biased", "weights", "context"}
    nodes = [node for node in model.graph.node if node.name not in gone]
    at = next(at for at, node in enumerate(nodes) if node.name == "bias") + 1
    operands = ["q", "k", "v", mask, "past_key", "past_value"]
    results = ["context", "present_key", "present_value"]
    nodes.insert(at, helper.make_node("Attention", operands, results, name="attends", scale=1.0))
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.opset_import[0].version = 23
    model.ir_version = 11
    artifact, file = _compiled(model, tmp_path, Generation(40, [8], batch=batch))
    assert artifact.shape_set("decode").module_path.read_text().count("forge.op.UpdateCache(") == 2
    _is_onnxruntime_s(artifact, file, prompt, batch, {})


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

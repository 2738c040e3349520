"""Programs with static caches give the tokens of the model with its growing past; and models without such a program."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from onnx import ModelProto

from forge_mlir.cli.app import app
from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from forge_mlir.execute.generation import generate, token_loop
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.support.sandbox import Limits
from forge_mlir.verify.tokens.generation import compare_steps
from sample_models.tiny_language_model import tiny_language_model


def _saved(model: ModelProto, folder: Path) -> Path:
    file = folder / "tiny.onnx"
    onnx.save(model, file)
    return file


@pytest.mark.parametrize(("prompt", "masked"), [(1, True), (5, True), (8, True), (11, True), (1, False)])
def test_tokens_equal_those_with_a_growing_past(tmp_path: Path, prompt: int, masked: bool) -> None:
    """A prompt that is padded, one that fits, and one whose rest is processed token by token. In a model without a
    mask, a token attends to later ones, so that only a prompt of one token can be processed token by token."""
    model = _saved(tiny_language_model(masked=masked), tmp_path)
    artifact = compile(model, tmp_path / "out", generate=Generation(24, [8], batch=2))
    ids = np.random.default_rng(prompt).integers(0, 31, (2, prompt)).tolist()
    made = [row.tolist() for row in generate(artifact, ids, tokens=12)]
    assert len(made) == 12
    found = compare_steps(artifact, model, ids, made, Limits())
    assert found.failure() is None, found.lines()


def test_the_decode_step_writes_in_place(tmp_path: Path) -> None:
    artifact = compile(tiny_language_model(), tmp_path, generate=Generation(24, [8]))
    decode = artifact.shape_set("decode").module_path.read_text()
    prefill = artifact.shape_set("prefill").module_path.read_text()
    assert decode.count("forge.op.UpdateCache(") == 2
    assert prefill.count("forge.op.FillCache(") == 2
    facts = artifact.manifest()["generation"]
    assert facts["loopback_outputs"]["decode"] == {"past_key": 1, "past_value": 2}
    assert facts["loopback"]["decode"] == {"present_key": 2, "present_value": 3}
    for module in (decode, prefill):
        assert "CompilerConfig.loopback_outputs:\n    {'past_key': 1, 'past_value': 2}\n" in module
    assert (facts["ids"], facts["mask"], facts["logits"]) == ("input_ids", "attention_mask", "logits")


def test_stale_positions_do_not_affect_results(tmp_path: Path) -> None:
    """The caches may contain anything beyond the current length."""
    artifact = compile(tiny_language_model(), tmp_path, generate=Generation(24, [8]))
    clean, stale = token_loop(artifact), token_loop(artifact)
    stale.caches = [np.full_like(cache, 1e4) for cache in stale.caches]
    ids = np.array([[3, 1, 4]])
    np.testing.assert_array_equal(clean.prompt(ids), stale.prompt(ids))
    np.testing.assert_array_equal(clean.step(np.array([7])), stale.step(np.array([7])))


def test_the_cache_has_a_last_position(tmp_path: Path) -> None:
    artifact = compile(tiny_language_model(), tmp_path, generate=Generation(8, [4]))
    assert len(list(generate(artifact, [1, 2, 3], tokens=64))) == 6
    with pytest.raises(ForgeError, match="does not fit into 8 positions"):
        list(generate(artifact, [1] * 9))
    loop = token_loop(artifact)
    loop.prompt(np.ones((1, 8), np.int64))
    with pytest.raises(IndexError, match="position 8 is beyond the 8"):
        loop.step(np.array([1]))


@pytest.mark.parametrize(
    ("program", "lengths", "span"), [("decode", (-1, 24, 2**31 - 1), "0, 23"), ("prefill", (-1, 0, 9), "1, 8")]
)
def test_a_raw_length_beyond_the_caches(tmp_path: Path, program: str, lengths: tuple[int, ...], span: str) -> None:
    """The length is passed to the module itself, without the token loop."""
    artifact = compile(tiny_language_model(), tmp_path, generate=Generation(24, [8]))
    model = LoadedModel.open(artifact.shape_set(program))
    declared = model.manifest["onnx"]["inputs"]
    inputs = {info["name"]: np.zeros(info["shape"], info["dtype"]) for info in declared}
    for length in lengths:
        inputs["length"] = np.array([length], np.int32)
        with pytest.raises(ForgeError, match=rf"'length': {length} is outside \[{span}\]"):
            model.run(inputs)
    inputs |= {"length": np.array([1], np.int32), "input_ids": np.full_like(inputs["input_ids"], 31)}
    with pytest.raises(ForgeError, match=r"'input_ids': 31 is outside \[0, 30\]"):
        model.run(inputs)


def test_commands(tmp_path: Path) -> None:
    model = _saved(tiny_language_model(), tmp_path)
    out = str(tmp_path / "out")

    def run(*words: str) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, list(words))
        return result.exit_code, result.stdout, result.stderr

    code, _, told = run("compile", str(model), "-o", out, "--generate", "--max-length=24", "--prompt-length=8")
    assert code == 0
    assert "2 caches of 24 positions" in told
    code, told, _ = run("generate", out, "--ids", "1,2,3", "--tokens", "4", "--compare", str(model))
    assert code == 0
    assert len(told.splitlines()[0].split(",")) == 4
    assert "every greedy token is onnxruntime's" in told
    assert run("generate", out)[0] != 0

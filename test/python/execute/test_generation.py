"""Generated tokens, and the limits of the caches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from forge_mlir.execute.generation import generate, token_loop
from forge_mlir.execute.loaded_model import LoadedModel
from sample_models.tiny_language_model import tiny_language_model


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


def test_an_input_that_the_model_does_not_have(tmp_path: Path) -> None:
    """It was ignored, and one with the name of a cache replaced the cache in each step."""
    artifact = compile(tiny_language_model(), tmp_path, generate=Generation(8, [4]))
    past = artifact.manifest()["generation"]["caches"][0][0]
    for name in ("states", past):
        with pytest.raises(ForgeError, match=f"input '{name}' is no input besides tokens and caches, which are none"):
            list(generate(artifact, [1, 2], inputs={name: np.zeros(1, np.float32)}))


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

"""Programs with static caches give the tokens of the model with its growing past."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.execute.generation import generate
from forge_mlir.support.sandbox import Limits
from forge_mlir.verify.tokens.generation import compare_steps
from sample_models.tiny_language_model import tiny_language_model


@pytest.mark.parametrize(("prompt", "masked"), [(1, True), (5, True), (8, True), (11, True), (1, False)])
def test_tokens_equal_those_with_a_growing_past(tmp_path: Path, prompt: int, masked: bool) -> None:
    """A prompt that is padded, one that fits, and one whose rest is processed token by token. In a model without a
    mask, a token attends to later ones, so that only a prompt of one token can be processed token by token."""
    model = tmp_path / "tiny.onnx"
    onnx.save(tiny_language_model(masked=masked), model)
    artifact = compile(model, tmp_path / "out", generate=Generation(24, [8], batch=2))
    ids = np.random.default_rng(prompt).integers(0, 31, (2, prompt)).tolist()
    made = [row.tolist() for row in generate(artifact, ids, tokens=12)]
    assert len(made) == 12
    found = compare_steps(artifact, model, ids, made, Limits())
    assert found.failure() is None, found.lines()

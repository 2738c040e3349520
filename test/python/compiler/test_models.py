"""Whole models: compiled, run on the CPU reference, compared with their goldens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx.backend.test
import pytest
from conftest import REPOSITORY

from forge_mlir.artifact.reader import Artifact
from forge_mlir.compiler.driver import compile
from forge_mlir.verify import golden_outputs, random_inputs, verify
from resealing import replace_module

LIGHT = sorted((Path(onnx.backend.test.__file__).parent / "data" / "light").glob("*.onnx"))
# Models of the project that are not in the repository; they lie beside it on the developers' and CI's machines.
SHARED = REPOSITORY.parent / "shared" / "models"
STATIC = [
    *(SHARED / f"{name}-{exporter}" for name in ("resnet18", "bert", "gpt2", "vit") for exporter in ("ts17", "dynamo")),
    SHARED / "resnet18-ts13-bn",
]


def assert_matches(artifact: Artifact, inputs: dict[str, np.ndarray], goldens: dict[str, np.ndarray]) -> None:
    comparisons = verify(artifact, inputs, goldens)
    assert comparisons
    assert [row for row in comparisons if not row.passed] == []


def test_nine_light_models_are_there() -> None:
    assert len(LIGHT) == 9


@pytest.mark.parametrize("model", LIGHT, ids=lambda path: path.stem)
def test_light_model(model: Path, tmp_path: Path) -> None:
    artifact = compile(model, tmp_path)
    assert artifact.weights_path.stat().st_size < 1 << 20, "splat weights must stay splats"
    inputs = random_inputs(artifact.manifest())
    assert_matches(artifact, inputs, golden_outputs(str(model), inputs))


@pytest.mark.parametrize("folder", [REPOSITORY / "models" / "gpt2_block", *STATIC], ids=lambda path: path.name)
def test_model_with_goldens(folder: Path, tmp_path: Path) -> None:
    if not folder.is_dir():
        pytest.skip("this model is not on this machine")
    artifact = compile(folder / "model.onnx", tmp_path)
    assert artifact.warnings == ()
    assert_matches(artifact, dict(np.load(folder / "inputs.npz")), dict(np.load(folder / "outputs.npz")))


def test_the_comparison_finds_planted_errors(gpt2_block: Path, tmp_path: Path) -> None:
    artifact = compile(gpt2_block / "model.onnx", tmp_path)
    inputs, goldens = (dict(np.load(gpt2_block / f"{kind}.npz")) for kind in ("inputs", "outputs"))
    source = artifact.module_path.read_text()
    for right, wrong in (
        ("start=64, stop=128", "start=65, stop=129"),
        ("epsilon=1e-05", "epsilon=0.1"),
        ("forge.op.Divide(", "forge.op.Multiply("),
        ("forge.op.Softmax(", "forge.op.LogSoftmax("),
    ):
        assert right in source
        replace_module(artifact, source.replace(right, wrong, 1))
        assert not all(row.passed for row in verify(artifact, inputs, goldens)), wrong

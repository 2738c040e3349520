"""Whole models are compiled, run on the CPU reference, and compared with their goldens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx.backend.test
import pytest

from forge_mlir.compiler.driver import compile
from forge_mlir.verify import golden_outputs, random_inputs, verify
from resealing import replace_module
from sample_models.goldens import assert_matches
from sample_models.repository import REPOSITORY, STORED, data_of, stored

LIGHT = sorted((Path(onnx.backend.test.__file__).parent / "data" / "light").glob("*.onnx"))


def test_there_are_nine_light_models() -> None:
    assert len(LIGHT) == 9


@pytest.mark.alike(keep=3)
@pytest.mark.parametrize("model", LIGHT, ids=lambda path: path.stem)
def test_light_model(model: Path, tmp_path: Path) -> None:
    artifact = compile(model, tmp_path)
    assert artifact.weights_path.stat().st_size < 1 << 20, "splat weights must stay splats"
    inputs = random_inputs(artifact.manifest())
    assert_matches(artifact, inputs, golden_outputs(str(model), inputs))


def test_every_stored_model_has_its_script() -> None:
    assert len(STORED) == 12
    assert [folder.name for folder in STORED if not (folder / "make.py").is_file()] == []
    assert sum(file.stat().st_size for folder in STORED for file in folder.iterdir()) < 2_000_000


@pytest.mark.parametrize("folder", STORED, ids=lambda path: path.name)
def test_model_with_goldens(folder: Path, tmp_path: Path) -> None:
    inputs, goldens = data_of(folder)
    artifact = compile(folder / "model.onnx", tmp_path, sample_inputs=inputs)
    assert artifact.warnings == ()
    assert_matches(artifact, inputs, goldens)
    page = (REPOSITORY / "docs/lean-programs.md").read_text(encoding="utf-8")
    assert f"\n| {folder.name} | {artifact.calls()} |" in page, "docs/lean-programs.md has another number of calls"


def test_open_dimensions_take_the_sizes_of_the_samples(tmp_path: Path) -> None:
    (folder,) = stored("llama")
    inputs = {"input_ids": np.arange(21, dtype=np.int64).reshape(3, 7)}
    artifact = compile(folder / "model.onnx", tmp_path, sample_inputs=inputs)
    assert_matches(artifact, inputs, golden_outputs(str(folder / "model.onnx"), inputs))


def test_the_comparison_finds_planted_errors(gpt2_block: Path, tmp_path: Path) -> None:
    artifact = compile(gpt2_block / "model.onnx", tmp_path)
    inputs, goldens = data_of(gpt2_block)
    source = artifact.module_path.read_text()
    for right, wrong in (
        ("dim=-3, start=4, stop=8", "dim=-3, start=3, stop=7"),
        ("constant=1e-05", "constant=0.1"),
        ("forge.op.Divide(", "forge.op.Multiply("),
        ("forge.op.Softmax(", "forge.op.LogSoftmax("),
    ):
        assert right in source
        replace_module(artifact, source.replace(right, wrong, 1))
        assert not all(row.passed for row in verify(artifact, inputs, goldens)), wrong

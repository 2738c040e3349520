"""The bytes that a program of a language model moves, in `check`."""

from __future__ import annotations

from pathlib import Path

import onnx
from click.testing import CliRunner

from forge_mlir.cli.app import app
from forge_mlir.report.check import check


def test_a_step_of_a_language_model_compared_with_the_bytes_it_must_move(tmp_path: Path) -> None:
    from forge_mlir.compiler.generation import Generation
    from sample_models.tiny_language_model import tiny_language_model

    model = tmp_path / "tiny.onnx"
    onnx.save(tiny_language_model(), model)
    decode = Generation(64, [8]).programs_for(model, {})["decode"]
    step = check(model, cost_summary=True, program=decode).step
    assert step is not None
    assert step.caches == 2 * 2 * 2 * 4096  # Keys and values of two heads: 64 x 8, in tiles of 32 x 32 floats.
    assert step.logits == 4096
    assert step.weights >= 6 * 4096
    assert step.multiple == step.moved / (step.weights + step.caches + step.logits) > 1
    assert check(model, cost_summary=True, program=decode).json()["step"]["multiple"] == round(step.multiple, 3)
    words = ["check", str(model), "--cost", "--generate", "--max-length=64", "--prompt-length=8"]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 0, told.stderr
    assert told.stdout.count("times its weights") == 2
    assert f"caches ({step.caches:,}) and logits (4,096)" in told.stdout


def test_a_program_in_partitions_has_no_step_cost(tmp_path: Path) -> None:
    from forge_mlir.compiler.generation import Generation
    from sample_models.tiny_language_model import tiny_language_model

    model = tmp_path / "tiny.onnx"
    onnx.save(tiny_language_model(), model)
    decode = Generation(64, [8]).programs_for(model, {})["decode"]
    found = check(model, cost_summary=True, program=decode, fallback="cpu", cpu_ops=["Softmax"])
    assert found.partitions
    assert found.cost is not None
    assert found.step is None

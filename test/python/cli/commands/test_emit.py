"""The command emit."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from forge_mlir.cli.app import app
from sample_models.tools import run_tool


def forge(*words: object) -> str:
    done = CliRunner().invoke(app, list(map(str, words)))
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_stages_of_compile(gpt2_block: Path, tmp_path: Path) -> None:
    model = gpt2_block / "model.onnx"
    assert forge("compile", model, "--to=call", "-o", tmp_path) == f"{tmp_path}/model.3-call.mlir\n"
    dumped = forge("compile", model, "--to=forge", "--dump-dir", tmp_path / "stages", "--name", "net")
    assert dumped == f"{tmp_path}/stages/net.2-forge.mlir\n"
    assert (tmp_path / "stages/net.1-import.mlir").is_file()


def test_the_module_is_that_of_compile(gpt2_block: Path, tmp_path: Path) -> None:
    model = gpt2_block / "model.onnx"
    assert forge("import", model, "-o", tmp_path / "m.mlir", "--name", "net") == f"{tmp_path}/m.mlir\n"
    lowered = run_tool("forge-opt", tmp_path / "m.mlir", "--onnx-to-forge-pipeline", "-o", tmp_path / "m.call.mlir")
    assert lowered.returncode == 0, lowered.stderr
    forge("compile", model, "-o", tmp_path / "out", "--name", "net")
    assert forge("emit", tmp_path / "m.call.mlir", "-o", tmp_path / "again") == f"{tmp_path}/again/net.py\n"
    for name in ("net.py", "net.safetensors"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()

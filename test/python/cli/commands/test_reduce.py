"""The command reduce."""

from __future__ import annotations

import shlex
from pathlib import Path

import onnx
import pytest

from forge_mlir import ForgeError
from forge_mlir.reduce import reduce_model
from sample_models.probe import FLOAT, build, node
from sample_models.tools import run_command


def test_the_command(tmp_path: Path) -> None:
    nodes = [node("Relu", ["x"], ["a"], "relu"), node("Det", ["a"], ["y"], "det")]
    path = tmp_path / "model.onnx"
    onnx.save(build(nodes, {"x": (FLOAT, [4, 4])}, {"y": FLOAT}), path)
    shown = run_command("reduce", path, "-o", tmp_path, "--kind", "refused")
    assert shown.returncode == 0, shown.stderr
    count, rerun = shown.stdout.splitlines()
    assert count.startswith("2 nodes became 1: ")
    again = run_command(*shlex.split(rerun)[1:])
    assert again.returncode == 3
    assert "Det" in again.stderr
    with pytest.raises(ForgeError, match="expected the model to fail as wrong"):
        reduce_model(path, kind="wrong", options={})


def test_a_file_of_the_user_ends_it_before_the_reduction(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(build([node("Relu", ["x"], ["y"])], {"x": (FLOAT, [4])}, {"y": FLOAT}), path)
    (tmp_path / "model_reduced.npz").write_text("mine")
    command = f"cp {{model}} {shlex.quote(str(tmp_path / 'ran.onnx'))}"
    shown = run_command("reduce", path, "-o", tmp_path, "--command", command)
    assert (shown.returncode, "model_reduced.npz" in shown.stderr) == (3, True)
    assert not (tmp_path / "ran.onnx").exists()


def test_the_command_that_shows_a_failure_may_have_quotes_and_spaces(tmp_path: Path) -> None:
    path, folder = tmp_path / "model.onnx", tmp_path / "a folder"
    onnx.save(build([node("Relu", ["x"], ["y"])], {"x": (FLOAT, [4])}, {"y": FLOAT}), path)
    shown = run_command("reduce", path, "-o", folder, "--command", "grep -q Relu '{model}'")
    assert shown.returncode == 0, shown.stderr
    rerun = shown.stdout.splitlines()[-1]
    assert shlex.split(rerun) == ["grep", "-q", "Relu", str(folder / "model_reduced.onnx")]

"""The command reduce."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import numpy as np
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


@pytest.mark.parametrize("names", [["q"], ["x"], ["x", "z", "q"]])
def test_wrong_names_of_inputs_are_no_crash_of_the_compiler(names: list[str], tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(build([node("Add", ["x", "z"], ["y"])], {"x": (FLOAT, [4]), "z": (FLOAT, [4])}, {"y": FLOAT}), path)
    np.savez(tmp_path / "in.npz", **{name: np.ones(4, np.float32) for name in names})
    shown = run_command("reduce", path, "-o", tmp_path, "-i", tmp_path / "in.npz")
    assert (shown.returncode, "FM5001" in shown.stderr, "its inputs are 'x', 'z'" in shown.stderr) == (2, True, True)


def test_inputs_of_another_type_are_no_failure_of_the_model(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnx.save(build([node("Relu", ["x"], ["y"])], {"x": (FLOAT, [4])}, {"y": FLOAT}), path)
    np.savez(tmp_path / "in.npz", x=np.ones(4))
    shown = run_command("reduce", path, "-o", tmp_path, "-i", tmp_path / "in.npz")
    assert (shown.returncode, "expected dtype float32, but got float64" in shown.stderr) == (2, True)


def test_a_named_pipe_is_no_model(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.onnx")
    for command in ("reduce", "bug-report"):
        shown = run_command(command, tmp_path / "model.onnx", "-o", tmp_path / "out", "--time-limit=5")
        assert (shown.returncode, "is not a regular file" in shown.stderr) == (2, True)

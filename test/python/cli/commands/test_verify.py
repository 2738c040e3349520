"""The command verify."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import onnx
import onnx.backend.test
import onnx.backend.test.loader

from sample_models.probe import FLOAT, build, mixed, node, weights
from sample_models.tools import run_command


def saved(model: onnx.ModelProto, folder: Path) -> Path:
    path = folder / "model.onnx"
    onnx.save(model, path)
    return path


def test_the_commands(tmp_path: Path) -> None:
    path = saved(mixed(), tmp_path)
    shown = run_command("verify", path, "--json")
    assert shown.returncode == 0, shown.stderr
    report = json.loads(shown.stdout)
    assert report["passed"]
    assert report["first_divergence"] is None
    assert len(report["nodes"]) == 13
    made = run_command("compile", path, "-o", tmp_path / "out", "--verify")
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "out" / "model.py").is_file()


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments)


def test_wrong_results_fail(split_file: Path, tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", data=np.ones((10, 4, 4), np.float32))
    np.savez(
        tmp_path / "bad.npz",
        **{name: np.zeros((size, 4, 4), np.float32) for name, size in zip("abc", (2, 3, 5), strict=True)},
    )
    verified = command("verify", split_file, "--inputs", tmp_path / "in.npz", "--expected", tmp_path / "bad.npz")
    assert verified.returncode == 4
    assert "FAILED" in verified.stdout
    assert "differ" in verified.stderr


def test_the_command_reports_it(tmp_path: Path) -> None:
    """The fractional part of large sums, which engines add in different orders."""
    nodes = [
        node("MatMul", ["x", "w"], ["sum"], "sum"),
        node("Mul", ["sum", "large"], ["scaled"], "scale"),
        node("Floor", ["scaled"], ["whole"], "floor"),
        node("Sub", ["scaled", "whole"], ["y"], "fraction"),
    ]
    model = build(nodes, {"x": (FLOAT, [32, 256])}, {"y": FLOAT}, w=weights(256, 64), large=np.float32(1e4))
    onnx.save(model, tmp_path / "m.onnx")
    shown = run_command("verify", tmp_path / "m.onnx", "--profile", "normal")
    last = shown.stdout.splitlines()[-1]
    assert "compared with the model's file; inputs: normal" in last
    if "undecided" in last:
        assert shown.returncode == 4
        assert "FM6009" in shown.stderr
        assert "ONNX's own output moves as far by rounding" in shown.stderr
    else:
        assert shown.returncode == 0, shown.stderr
        # On some processors, both engines add in the same order: 0 ULP.
        row = shown.stdout.splitlines()[1]
        assert "by node" in row or row.split()[2] == "0"


def test_an_input_without_a_value(tmp_path: Path) -> None:
    inputs = {"x": (FLOAT, [4]), "z": (FLOAT, [4])}
    path = saved(build([node("Add", ["x", "z"], ["y"])], inputs, {"y": FLOAT}), tmp_path)
    np.savez(tmp_path / "in.npz", x=np.ones(4, np.float32))
    shown = run_command("verify", path, "-i", tmp_path / "in.npz")
    assert (shown.returncode, "no value for input 'z'" in shown.stderr) == (2, True)


def test_the_number_of_seeds_is_limited(tmp_path: Path) -> None:
    path = saved(build([node("Relu", ["x"], ["y"])], {"x": (FLOAT, [4])}, {"y": FLOAT}), tmp_path)
    shown = run_command("verify", path, "--seeds", str(10**20))
    assert (shown.returncode, "1 to 1,000,000" in shown.stderr) == (2, True)

"""Run times of a compiled model, reports of NaN and infinities, and saved runs."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest

from forge_mlir.execute.benchmark import Timing, not_finite
from sample_models.partition import products
from sample_models.small import compiled_log, one_node
from sample_models.tools import run_command


def command(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return compiled_log(tmp_path)


def test_percentiles() -> None:
    timing = Timing("here", 1.0, 9.0, 2, tuple(at / 1000 for at in range(1, 102)))
    facts = timing.json()
    assert (facts["iterations"], facts["warm_up"], facts["runner"]) == (101, 2, "here")
    expected = {"load": 1000, "first": 9000, "minimum": 1, "maximum": 101, "mean": 51, "p50": 51, "p90": 91, "p99": 100}
    assert {name: facts["milliseconds"][name] for name in expected} == expected
    assert facts["runs_per_second"] == pytest.approx(1 / 0.051, abs=1e-3)


@pytest.mark.parametrize("flags", [[], ["--fallback=cpu"]])
def test_the_command_measures(flags: list[str], tmp_path: Path) -> None:
    model = products() if flags else one_node("Relu", [2, 3])
    onnx.save(model, tmp_path / "net.onnx")
    assert command("compile", "net.onnx", "-q", *flags, cwd=tmp_path).returncode == 0
    done = command("run", "net_forge", "--benchmark", "--iterations=4", "--warm-up=1", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)["benchmark"]
    assert (facts["iterations"], facts["warm_up"], facts["runner"]) == (4, 1, "the CPU reference")
    times = facts["milliseconds"]
    assert 0 < times["minimum"] <= times["p50"] <= times["p90"] <= times["maximum"]
    told = command("run", "net_forge", "--benchmark", "--iterations=2", cwd=tmp_path).stdout
    assert "2 runs on the CPU reference, after 3 that do not count" in told
    assert "p99" in told
    assert "benchmark" not in json.loads(command("run", "net_forge", "--json", cwd=tmp_path).stdout)


def test_values_that_are_not_finite_are_reported_by_name(folder: Path) -> None:
    done = command("run", "net_forge", "-i", "odd.npz", cwd=folder)
    assert done.returncode == 0
    assert done.stdout == "y: float32 [2, 3], 1 NaN and 1 infinities\n"
    done = command("run", "net_forge", "-i", "odd.npz", "--finite", "--json", cwd=folder)
    assert done.returncode == 4
    facts = json.loads(done.stdout)
    assert facts["errors"][0]["code"] == "FM5010"
    assert (facts["outputs"]["y"]["nan"], facts["outputs"]["y"]["infinite"]) == (1, 1)
    assert command("run", "net_forge", "-i", "good.npz", "--finite", cwd=folder).returncode == 0


def test_types_without_nan() -> None:
    assert not_finite(np.array([1, 2])) == (0, 0)
    assert not_finite(np.array(["a"])) == (0, 0)
    assert not_finite(np.array([np.nan, np.inf, -np.inf], ml_dtypes.bfloat16)) == (1, 2)

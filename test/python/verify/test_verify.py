"""Comparison of every node: what is compared, how, and at which cost."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import onnx
import onnx.backend.test
import onnx.backend.test.loader
import pytest

from forge_mlir import compile
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.verify import verify_model
from sample_models.probe import mixed
from sample_models.repository import STORED, data_of
from sample_models.tools import run_command

LIGHT = Path(onnx.backend.test.__file__).parent / "data" / "light"


def saved(model: onnx.ModelProto, folder: Path) -> Path:
    path = folder / "model.onnx"
    onnx.save(model, path)
    return path


def test_a_trace_changes_nothing_else(tmp_path: Path) -> None:
    path = saved(mixed(), tmp_path)
    plain, (with_trace, _) = compile(path, tmp_path / "a"), compile_traced(path, tmp_path / "b")
    assert plain.module_path.read_bytes() == with_trace.module_path.read_bytes()
    manifest = with_trace.manifest()
    assert manifest.pop("trace")
    assert all(weight.pop("source") for weight in manifest["weights"])
    # The field generator has the hash of the text.
    assert {**manifest, "generator": ""} == {**plain.manifest(), "generator": ""}


@pytest.mark.slow
def test_norms_that_divide_sums_that_cancel() -> None:
    """The remainder of sums that cancel is divided by a small number: the float32 results of both are far from
    float64."""
    assert verify_model(LIGHT / "light_inception_v2.onnx").passed


@pytest.mark.alike(keep=3)
@pytest.mark.parametrize("folder", STORED, ids=lambda path: path.name)
def test_no_false_alarm_on_stored_models(folder: Path) -> None:
    result = verify_model(folder / "model.onnx", data_of(folder)[0])
    assert result.passed, result.divergence
    assert result.skipped == ()
    assert max(report.local.relative for report in result.nodes) < 1e-5


def test_the_commands(tmp_path: Path) -> None:
    path = saved(mixed(), tmp_path)
    shown = run_command("verify", path, "--json")
    assert shown.returncode == 0, shown.stderr
    report = json.loads(shown.stdout)
    assert report["passed"]
    assert report["first_divergence"] is None
    assert len(report["nodes"]) == 12
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

"""The command bisect."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import onnx
import pytest

from sample_models.probe import mixed
from sample_models.tools import run_command


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.onnx"
    onnx.save(mixed(), path)
    return path


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    return run_command("bisect", *arguments)


def test_command(path: Path) -> None:
    shown = command(path, "--exact")
    assert shown.returncode == 0, shown.stderr
    assert "forge-fold-weights         equal    equal" in shown.stdout
    told = json.loads(command(path, "--exact", "--json").stdout)
    assert told["culprit"] is None
    assert {layer["layer"] for each in told["passes"] for layer in each["layers"]} == {"float64", "exact"}
    wrong = command(path, "--exact", "--inputs", path)
    assert wrong.returncode == 2
    assert "makes its own inputs" in wrong.stderr

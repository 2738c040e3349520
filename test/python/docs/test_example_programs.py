"""The programs in examples/ run with the expected output."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sample_models.repository import MODELS, REPOSITORY


def run(directory: Path, program: str, *words: str | Path) -> str:
    line = [sys.executable, "-W", "ignore", str(REPOSITORY / "examples" / program), *map(str, words)]
    done = subprocess.run(line, cwd=directory, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_onnx(tmp_path: Path) -> None:
    said = run(tmp_path, "onnx/classify.py", MODELS / "resnet18" / "model.onnx").splitlines()
    assert said[0].endswith("values agree with ONNX: True")
    assert [line.partition(":")[0] for line in said[2:]] == ["picture 0", "picture 1", "picture 2"]


@pytest.mark.slow
def test_torch(tmp_path: Path) -> None:
    pytest.importorskip("onnxscript")
    assert run(tmp_path, "torch/train_and_compile.py").splitlines() == [
        "torch.compile agrees with torch",
        "circle_forge/circle.py: inside True, outside True",
    ]
    assert (tmp_path / "circle_forge" / "circle.safetensors").is_file()


def test_custom_op(tmp_path: Path) -> None:
    said = run(tmp_path, "custom-op/hard_shrink.py").splitlines()
    assert said[0] == "[-2.  0.  0.  3.]"
    assert "expected a threshold that is not negative, but got -1.0" in said[1]

"""The command ops: which ONNX ops have a converter."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from forge_mlir.errors import ForgeError
from forge_mlir.report.ops import supported_ops
from sample_models.tools import run_command


def command(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd)


def test_the_ops() -> None:
    rows = {row["op"]: row for row in json.loads(command("ops", "--opset", "17", "--json").stdout)["ops"]}
    assert (rows["Relu"]["device"], rows["Relu"]["since"]) == ("yes", 14)
    assert rows["RandomUniformLike"]["device"] == "no"
    assert "Mish" not in rows, "of opset 18"
    assert command("ops", "--opset", "99").returncode == 2
    with pytest.raises(ForgeError, match=r"FM2006.*expected an opset up to"):
        supported_ops(99)
    assert "yes     14     Relu" in command("ops", "--opset", "17").stdout

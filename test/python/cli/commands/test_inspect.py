"""The command inspect: what is in a model, without a compilation."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import onnx
import pytest

from forge_mlir.importer import OnnxImportError
from forge_mlir.report.inspection import inspect_model
from sample_models.partition import products
from sample_models.tools import run_command


def command(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd)


def test_the_command_inspects(tmp_path: Path) -> None:
    onnx.save(products(), tmp_path / "net.onnx")
    done = command("inspect", "net.onnx", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for told in ("opsets ai.onnx", "MatMul", "Det", "FM1501", "this model would be refused"):
        assert told in done.stdout, told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net.onnx"]
    facts = json.loads(command("inspect", "net.onnx", "--json", "--no-refusals", cwd=tmp_path).stdout)
    assert facts["verdict"] is None
    assert {row["op"] for row in facts["ops"]} >= {"MatMul", "Det"}
    (tmp_path / "none.onnx").write_bytes(b"\x00\x01no model")
    with pytest.raises(OnnxImportError):
        inspect_model(tmp_path / "none.onnx")
    assert command("inspect", "none.onnx", cwd=tmp_path).returncode == 3

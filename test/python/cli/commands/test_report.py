"""The command report: a page, Markdown or JSON."""

from __future__ import annotations

import json
from pathlib import Path

import onnx

from forge_mlir.cli.exit_codes import Exit
from sample_models.repository import REPOSITORY
from sample_models.small import one_node
from sample_models.tools import run_command


def test_the_command(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "net.onnx")
    for name, start in (("r.html", "<!DOCTYPE html>"), ("r.md", "# "), ("r.json", "{")):
        done = run_command("report", "net.onnx", "-o", name, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, f"{name}\n"), done.stderr
        assert (tmp_path / name).read_text().startswith(start)
    (row,) = json.loads((tmp_path / "r.json").read_text())["nodes"]
    assert row["relative"] == 0
    refused = run_command("report", "net.onnx", "-o", "r.onnx", "--accuracy", cwd=tmp_path)
    assert refused.returncode == Exit.USAGE
    assert "the format onnx has no errors of nodes" in refused.stderr


def test_the_report_counts_weights_as_compile_does(tmp_path: Path) -> None:
    model = REPOSITORY / "models/gpt2_block/model.onnx"
    weights = json.loads(run_command("compile", str(model), "-o", "out", "--json", cwd=tmp_path).stdout)["weights"]
    assert run_command("report", str(model), "-o", "r.json", "--no-accuracy", cwd=tmp_path).returncode == 0
    report = json.loads((tmp_path / "r.json").read_text())
    assert {"tensors": len(report["weights"]), "bytes": report["weight_bytes"]} == weights
    assert sum(row["bytes"] for row in report["weights"]) < weights["bytes"]
    assert run_command("report", str(model), "-o", "r.md", "--no-accuracy", cwd=tmp_path).returncode == 0
    assert f"{weights['tensors']} weights of {weights['bytes']:,} bytes" in (tmp_path / "r.md").read_text()

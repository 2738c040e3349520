"""`forge-mlir report`: the data, the page in a headless browser, Markdown and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import onnx

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

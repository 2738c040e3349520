"""`--summary` adds what a command found to a Markdown file of a CI job."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import onnx

from sample_models.partition import products
from sample_models.small import one_node
from sample_models.tools import run_command

HOSTILE = "<script>|`[x](y)\n# "


def command(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd)


def test_summaries_are_added_to_a_file(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "good.onnx")
    refused = products()
    refused.graph.node[1].name = HOSTILE
    onnx.save(refused, tmp_path / "bad.onnx")
    page = tmp_path / "summary.md"
    page.write_text("what was there\n")
    assert command("compile", "good.onnx", "-q", "--summary", page, cwd=tmp_path).returncode == 0
    assert command("compile", "bad.onnx", "--summary", page, cwd=tmp_path).returncode == 3
    assert command("check", "bad.onnx", "--summary", page, cwd=tmp_path).returncode == 3
    assert command("verify", "good.onnx", "--summary", page, cwd=tmp_path).returncode == 0
    assert command("run", "good_forge", "--summary", page, cwd=tmp_path).returncode == 0
    text = page.read_text()
    assert text.startswith("what was there\n")
    heads = [line for line in text.splitlines() if line.startswith("# ")]
    done, failed = "\N{WHITE HEAVY CHECK MARK}", "\N{CROSS MARK}"
    assert heads == [
        f"# {done} forge\\-mlir compile good\\.onnx".replace("\\.", "."),
        f"# {failed} forge\\-mlir compile bad.onnx",
        f"# {failed} forge\\-mlir check bad.onnx",
        f"# {done} forge\\-mlir verify good.onnx",
        f"# {done} forge\\-mlir run good\\_forge",
    ]
    assert "1 node became 1 call" in text
    assert text.count("FM1501") == 2
    assert "<script>" not in text, "text of a model is escaped"
    assert "| y | ok |" in text
    assert command("compile", "good.onnx", "-q", "--summary", tmp_path / "no" / "x", cwd=tmp_path).returncode == 3


def test_a_summary_that_cannot_be_written(tmp_path: Path) -> None:
    """It is refused before the command runs: a result and an error would be two JSON documents."""
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "good.onnx")
    ended = command("check", "good.onnx", "--json", "--summary", tmp_path / "no" / "x", cwd=tmp_path)
    assert ended.returncode == 3
    assert [error["code"] for error in json.loads(ended.stdout)["errors"]] == ["FM4003"]


def test_a_summary_does_not_change_what_is_read(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "good.onnx")
    before = (tmp_path / "good.onnx").read_bytes()
    ended = command("check", "good.onnx", "--summary", "./good.onnx", cwd=tmp_path)
    assert ended.returncode == 3
    assert "FM4003" in ended.stderr
    assert (tmp_path / "good.onnx").read_bytes() == before


def test_a_summary_is_not_added_to_files_of_a_module_or_weights(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "good.onnx")
    assert command("compile", "good.onnx", "-q", "-o", "out", cwd=tmp_path).returncode == 0
    (tmp_path / "weights").write_bytes(bytes(range(8)))
    kept = {file: file.read_bytes() for file in (*(tmp_path / "out").iterdir(), tmp_path / "weights")}
    assert len(kept) == 4
    for file in kept:
        ended = command("run", "out", "--summary", file, cwd=tmp_path)
        assert ended.returncode == 2
        assert "is no Markdown file" in " ".join(ended.stderr.split())
    assert {file: file.read_bytes() for file in kept} == kept
    (tmp_path / "summary").write_text("text\n")
    for name in ("summary", "out/new.md", "out/new.md"):
        assert command("run", "out/good.py", "--summary", name, cwd=tmp_path).returncode == 0


def test_a_report_does_not_replace_the_summary(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "good.onnx")
    (tmp_path / "x.md").write_text("kept\n")
    ended = command("report", "good.onnx", "-o", "x.md", "--summary", "x.md", "--force", cwd=tmp_path)
    assert ended.returncode == 3
    assert "'x.md' is what the command reads, or its summary" in ended.stderr
    assert (tmp_path / "x.md").read_text().startswith("kept\n# ")

"""The command bug-report."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import onnx

from sample_models.small import one_node
from sample_models.tools import run_command


def test_the_answer_lists_the_files_of_the_archive(tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "net.onnx")
    done = run_command("bug-report", "net.onnx", "-o", "r.tar.gz", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["archive"] == "r.tar.gz"
    with tarfile.open(tmp_path / "r.tar.gz") as archive:
        assert [Path(name).name for name in archive.getnames()] == answer["files"]

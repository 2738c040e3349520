"""`compile --watch` compiles a model again after each change."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import onnx
import pytest
from click.testing import CliRunner

from forge_mlir.cli.app import app
from sample_models.small import one_node


def test_watching(tmp_path: Path) -> None:
    """--watch compiles at the start, after a change, and after an error; an interrupt ends it with exit code 0."""
    model, module = tmp_path / "net.onnx", tmp_path / "out" / "net.py"
    onnx.save(one_node("Relu", [2, 3]), model)
    line = [
        sys.executable,
        "-m",
        "forge_mlir.cli.main",
        "compile",
        "net.onnx",
        "-o",
        "out",
        "--watch",
        "--summary=s.md",
    ]
    log = tmp_path / "log"
    with log.open("wb") as file:
        # If the tests run in the background, they ignore interrupts, and the child process would inherit that.
        child = subprocess.Popen(
            line,
            cwd=tmp_path,
            stdout=file,
            stderr=file,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def until(count: int, text: str) -> None:
        for _ in range(1200):
            if log.read_text().count(text) >= count:
                return
            time.sleep(0.1)
        raise AssertionError(log.read_text())

    try:
        until(1, "watching 1 files")
        assert "forge.op.Relu" in module.read_text()
        onnx.save(one_node("Sigmoid", [2, 3]), model)
        until(2, "watching 1 files")
        assert "forge.op.Sigmoid" in module.read_text()
        model.write_bytes(b"no model")
        until(3, "watching 1 files")
        assert "error:" in log.read_text()
        onnx.save(one_node("Tanh", [2, 3]), model)
        until(4, "watching 1 files")
        assert "forge.op.Tanh" in module.read_text()
    finally:
        os.killpg(child.pid, signal.SIGINT)
    assert child.wait(60) == 0, log.read_text()
    titles = [line for line in (tmp_path / "s.md").read_text().splitlines() if line.startswith("# ")]
    assert len(titles) == 4, "one for each compilation"


def test_what_is_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "m.onnx")
    (tmp_path / "p.mlir").write_text("")
    watched: list[Path] = []
    module = import_module("forge_mlir.cli.commands.compile")
    monkeypatch.setattr(module, "watch_files", lambda _, files, __: watched.extend(files))
    words = ["compile", str(tmp_path / "m.onnx"), "--watch", "--patterns", str(tmp_path / "p.mlir")]
    assert CliRunner().invoke(app, words).exit_code == 0
    assert watched == [tmp_path / "m.onnx", tmp_path / "p.mlir"]

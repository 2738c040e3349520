"""`compile --watch` compiles a model again after each change."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import onnx
import pytest
from click.testing import CliRunner

from forge_mlir.cli.app import app
from forge_mlir.cli.watch import stamps_of
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
    (tmp_path / "p.mlir").write_text("")
    model = tmp_path / "m.onnx"
    onnx.save(one_node("Relu", [2, 3]), model)
    files = _watched([str(model), "--patterns", str(tmp_path / "p.mlir")], monkeypatch)
    assert files() == [model, tmp_path / "p.mlir"]
    proto = onnx.parser.parse_model(
        '<ir_version: 9, opset_import: ["": 18]> g (float[2] x) => (float[2] y) { y = Add(x, w) }'
    )
    proto.graph.initializer.append(onnx.numpy_helper.from_array(np.ones(2, np.float32), "w"))
    onnx.save(proto, model, save_as_external_data=True, location="w.bin", size_threshold=0)
    assert files() == [model, tmp_path / "w.bin", tmp_path / "p.mlir"], "the weights that the model has now"
    assert _watched([str(tmp_path)], monkeypatch)() == [tmp_path, model, tmp_path / "w.bin"]
    (tmp_path / "w.bin").write_bytes(b"cut")
    assert files() == [model, tmp_path / "w.bin", tmp_path / "p.mlir"], "weights that are damaged"
    (tmp_path / "w.bin").unlink()
    watched = files()
    assert watched == [model, tmp_path / "w.bin", tmp_path / "p.mlir"], "weights that are missing"
    before = stamps_of(watched)
    (tmp_path / "w.bin").write_bytes(bytes(8))
    assert stamps_of(watched).keys() - before == {tmp_path / "w.bin"}


def test_the_output_of_a_folder_is_not_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`compile . --watch` writes a folder into the one that it watches, and `-o .` files."""
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "m.onnx")
    watched = _watched([str(tmp_path)], monkeypatch)()
    before = stamps_of(watched)
    words = ["compile", str(tmp_path), "--name", "net", "-o"]
    for output in (tmp_path, tmp_path / "net_forge"):
        assert CliRunner().invoke(app, [*words, str(output)]).exit_code == 0
        assert stamps_of(watched) == before
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "new.onnx")
    assert stamps_of(watched).keys() - before == {tmp_path / "new.onnx"}


def _watched(words: list[str], monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[Path]]:
    """What `compile --watch` with these words watches."""
    found: list[Callable[[], list[Path]]] = []
    module = import_module("forge_mlir.cli.commands.compile")
    monkeypatch.setattr(module, "watch_files", lambda _, files, __: found.append(files))
    assert CliRunner().invoke(app, ["compile", "--watch", *words]).exit_code == 0
    return found[0]

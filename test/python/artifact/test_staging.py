"""All files of an artifact are written, or none of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import onnx
from onnx import ModelProto, TensorProto, helper

from forge_mlir.artifact.staging import staged


def relu(name: str = "net") -> ModelProto:
    infos = [helper.make_tensor_value_info(value, TensorProto.FLOAT, [4]) for value in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"], name="n")], name, infos[:1], infos[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


def test_staging_of_dead_processes_is_removed(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    stale = tmp_path / f".net.abc.{ended.pid}.staging"
    alive = tmp_path / f".net.abc.{os.getpid()}.staging"
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "mine").write_text("")
    (tmp_path / f".net.abcd.{ended.pid}.staging").symlink_to(tmp_path / "elsewhere")
    for path in (stale, alive):
        path.mkdir()
        (path / "net.safetensors").write_bytes(b"0" * 64)
    with staged(tmp_path, "net") as staging:
        (staging / "net.py").write_text("")
    assert not stale.exists()
    assert alive.exists()
    assert (tmp_path / "elsewhere" / "mine").exists()


def test_a_terminated_command_leaves_nothing(tmp_path: Path) -> None:
    onnx.save(relu(), tmp_path / "net.onnx")
    script = (
        "import sys, time\n"
        "from forge_mlir.artifact import writer\n"
        "from forge_mlir.cli.main import main\n"
        "writer.write_manifest = lambda *_: time.sleep(60)\n"
        "main()\n"
    )
    out = tmp_path / "out"
    line = [sys.executable, "-c", script, "compile", str(tmp_path / "net.onnx"), "-o", str(out)]
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not list(out.glob(".*.staging/*.py")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 128 + signal.SIGTERM
    assert list(out.iterdir()) == []


def test_the_default_is_a_new_directory(tmp_path: Path) -> None:
    onnx.save(relu(), tmp_path / "net.onnx")
    line = [sys.executable, "-m", "forge_mlir.cli.main", "compile", "net.onnx"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "net_forge/net.py"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net.onnx", "net_forge"]


def test_a_folder_below_many_others(tmp_path: Path) -> None:
    """`compile -o` of such a path ended with an internal error."""
    deep = Path(tmp_path, *["y"] * 1500)
    try:
        with staged(deep, "m") as staging:
            (staging / "m.py").write_text("1")
        assert (deep / "m.py").read_text() == "1"
    finally:  # Python's own removal, by which pytest cleans up, is recursive.
        subprocess.run(["rm", "-rf", tmp_path / "y"], check=True)

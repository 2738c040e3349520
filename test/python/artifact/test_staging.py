"""Nothing of the user's is lost: what forge-mlir did not write stays, and what is half written goes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import onnx
import pytest
from onnx import ModelProto, TensorProto, helper

from forge_mlir.artifact.reader import FORMAT, Artifact
from forge_mlir.artifact.staging import staged
from forge_mlir.compiler.driver import compile
from forge_mlir.errors import ForgeError


def relu(name: str = "net") -> ModelProto:
    infos = [helper.make_tensor_value_info(value, TensorProto.FLOAT, [4]) for value in ("x", "y")]
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"], name="n")], name, infos[:1], infos[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


@pytest.mark.parametrize("file", ["net.py", "net.safetensors", "net.json"])
def test_a_file_of_the_user_stays(file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text("mine")
    with pytest.raises(ForgeError, match=rf"{file}: is there and was not written by forge-mlir"):
        compile(relu(), tmp_path, name="net")
    assert [path.name for path in tmp_path.iterdir()] == [file]
    assert (tmp_path / file).read_text() == "mine"
    artifact = compile(relu(), tmp_path, name="net", force=True)
    assert artifact.manifest()["format"] == FORMAT


def test_what_forge_mlir_wrote_is_replaced_until_it_is_edited(tmp_path: Path) -> None:
    first = compile(relu(), tmp_path, name="net")
    compile(relu(), tmp_path, name="net")
    edited = first.module_path.read_text() + "# a note\n"
    first.module_path.write_text(edited)
    with pytest.raises(ForgeError, match="or has changed since"):
        compile(relu(), tmp_path, name="net")
    assert first.module_path.read_text() == edited


def test_manifests_of_another_format_are_refused(tmp_path: Path) -> None:
    artifact = compile(relu(), tmp_path, name="net")
    facts = json.loads(artifact.manifest_path.read_text())
    artifact.manifest_path.write_text(json.dumps({**facts, "format": 1}))
    with pytest.raises(
        ForgeError, match=f"expected a manifest of format {FORMAT}, but got '1'; compile the model again"
    ):
        Artifact.open(artifact.module_path).manifest()


def test_staging_of_dead_processes_is_removed(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    stale = tmp_path / f".net.abc.{ended.pid}.staging"
    alive = tmp_path / f".net.abc.{os.getpid()}.staging"
    for path in (stale, alive):
        path.mkdir()
        (path / "net.safetensors").write_bytes(b"0" * 64)
    with staged(tmp_path, "net") as staging:
        (staging / "net.py").write_text("")
    assert not stale.exists()
    assert alive.exists()


def test_a_terminated_command_leaves_nothing(tmp_path: Path) -> None:
    onnx.save(relu(), tmp_path / "net.onnx")
    script = (
        "import sys, time\n"
        "from forge_mlir.artifact import writer\n"
        "from forge_mlir.cli.main import main\n"
        "writer.write_json = lambda *_: time.sleep(60)\n"
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


def test_a_directory_of_its_own_by_default(tmp_path: Path) -> None:
    onnx.save(relu(), tmp_path / "net.onnx")
    line = [sys.executable, "-m", "forge_mlir.cli.main", "compile", "net.onnx"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "net_forge/net.py"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net.onnx", "net_forge"]

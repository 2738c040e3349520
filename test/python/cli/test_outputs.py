"""What a command writes is never what it reads, nor a file of the user's, and whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

from forge_mlir.errors import ForgeError
from forge_mlir.support.outputs import write_output

TEXT = '<ir_version: 9, opset_import: ["": 17]> g (float[2] x) => (float[2] y) { y = Neg(x) }'


def command(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "forge_mlir.cli.main", *arguments]
    return subprocess.run(program, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    onnx.save(onnx.parser.parse_model(TEXT), tmp_path / "m.onnx")
    np.savez(tmp_path / "in.npz", x=np.ones(2, np.float32))
    assert command("compile", "m.onnx", "-o", "out", cwd=tmp_path).returncode == 0
    return tmp_path


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("arguments", "target"),
    [
        (["bug-report", "m.onnx"], "m.onnx"),
        (["bug-report", "m.onnx"], "link.onnx"),
        (["bug-report", "m.onnx"], "hard.onnx"),
        (["run", "out", "-i", "in.npz"], "in.npz"),
        (["run", "out", "-i", "in.npz"], "out/m.safetensors"),
        (["run", "out", "-i", "in.npz"], "out/m.json"),
        (["report", "m.onnx", "--format", "onnx"], "m.onnx"),
        (["report", "m.onnx", "--format", "onnx"], "hard.onnx"),
    ],
)
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_an_input_is_no_output(arguments: list[str], target: str, force: list[str], folder: Path) -> None:
    (folder / "link.onnx").symlink_to("m.onnx")
    os.link(folder / "m.onnx", folder / "hard.onnx")
    before = snapshot(folder)
    done = command(*arguments, "--output", target, *force, cwd=folder)
    assert done.returncode == 1
    assert "is what the command reads" in done.stderr
    assert snapshot(folder) == before


@pytest.mark.parametrize(
    ("arguments", "target"),
    [
        (["bug-report", "m.onnx"], "b.tar.gz"),
        (["run", "out"], "y.npz"),
        (["report", "m.onnx", "--no-accuracy"], "r.html"),
        (["report", "m.onnx", "--no-accuracy"], "r.md"),
    ],
)
def test_a_file_of_the_user_stays(arguments: list[str], target: str, folder: Path) -> None:
    (folder / target).write_text("mine")
    done = command(*arguments, "--output", target, cwd=folder)
    assert (done.returncode, (folder / target).read_text()) == (1, "mine")
    assert "--force" in done.stderr
    assert command(*arguments, "--output", target, "--force", cwd=folder).returncode == 0
    assert (folder / target).read_bytes() != b"mine"
    assert command(*arguments, "--output", target, cwd=folder).returncode == 0, "what we wrote is replaced"
    assert not list(folder.glob(".*.new"))


def test_a_page_of_the_user_stays_in_a_sweep(folder: Path) -> None:
    (folder / "web").mkdir()
    (folder / "web" / "index.html").write_text("mine")
    done = command("sweep", ".", "-o", "web", cwd=folder)
    assert (done.returncode, (folder / "web" / "index.html").read_text()) == (1, "mine")


def test_half_a_file_is_none(tmp_path: Path) -> None:
    def half(path: Path) -> None:
        path.write_text("half")
        raise OSError(28, "No space left on device")

    (tmp_path / "a.html").write_text("whole")
    with pytest.raises(ForgeError, match="No space left"):
        write_output(tmp_path / "a.html", half, (), force=True)
    assert snapshot(tmp_path) == {"a.html": b"whole"}

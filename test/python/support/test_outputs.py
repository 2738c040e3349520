"""A command never overwrites its input or a file of the user, and writes a file as a whole or not at all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest

from forge_mlir.errors import ForgeError
from forge_mlir.support.outputs import write_output, write_outputs
from sample_models.tools import run_command

TEXT = '<ir_version: 9, opset_import: ["": 17]> g (float[2] x) => (float[2] y) { y = Neg(x) }'


def command(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    onnx.save(onnx.parser.parse_model(TEXT), tmp_path / "m.onnx")
    np.savez(tmp_path / "in.npz", x=np.ones(2, np.float32))
    assert command("compile", "m.onnx", "-o", "out", cwd=tmp_path).returncode == 0
    return tmp_path


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.alike(keep=8)
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
def test_an_input_is_not_overwritten(arguments: list[str], target: str, force: list[str], folder: Path) -> None:
    (folder / "link.onnx").symlink_to("m.onnx")
    os.link(folder / "m.onnx", folder / "hard.onnx")
    before = snapshot(folder)
    done = command(*arguments, "--output", target, *force, cwd=folder)
    assert done.returncode == 3
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
def test_a_file_of_the_user_is_not_overwritten(arguments: list[str], target: str, folder: Path) -> None:
    (folder / target).write_text("mine")
    done = command(*arguments, "--output", target, cwd=folder)
    assert (done.returncode, (folder / target).read_text()) == (3, "mine")
    assert "--force" in done.stderr
    assert command(*arguments, "--output", target, "--force", cwd=folder).returncode == 0
    assert (folder / target).read_bytes() != b"mine"
    assert command(*arguments, "--output", target, cwd=folder).returncode == 0, "what we wrote is replaced"
    assert not list(folder.glob(".*.new"))


def test_a_page_of_the_user_stays_in_a_sweep(folder: Path) -> None:
    (folder / "web").mkdir()
    (folder / "web" / "index.html").write_text("mine")
    done = command("sweep", ".", "-o", "web", cwd=folder)
    assert (done.returncode, (folder / "web" / "index.html").read_text()) == (3, "mine")


def test_an_incomplete_file_is_not_written(tmp_path: Path) -> None:
    def half(path: Path) -> None:
        path.write_text("half")
        raise OSError(28, "No space left on device")

    (tmp_path / "a.html").write_text("whole")
    with pytest.raises(ForgeError, match="No space left"):
        write_output(tmp_path / "a.html", half, (), force=True)
    assert snapshot(tmp_path) == {"a.html": b"whole"}


WRITERS: dict[str, tuple[list[str], list[str]]] = {
    "import": (["import", "m.onnx", "-o", "o/m.mlir"], ["o/m.mlir", "o/m.weights.json"]),
    "bytecode": (["import", "m.onnx", "-o", "o/m.mlirbc"], ["o/m.mlirbc"]),
    "stage": (["compile", "m.onnx", "--to", "forge", "-o", "o"], ["o/m.2-forge.mlir", "o/m.weights.json"]),
    "dump": (["compile", "m.onnx", "--dump-dir", "o", "-o", "p", "--force"], ["o/m.1-import.mlir", "o/m.3-call.mlir"]),
    "compile": (["compile", "m.onnx", "-o", "o"], ["o/m.py"]),
    "json": (["report", "m.onnx", "--no-accuracy", "-o", "o/r.json"], ["o/r.json"]),
    "explorer": (["report", "m.onnx", "-o", "o/r.explorer.json"], ["o/r.explorer.json"]),
    "onnx": (["report", "m.onnx", "-o", "o/r.onnx"], ["o/r.onnx"]),
}


@pytest.mark.parametrize("name", WRITERS)
def test_outputs_of_a_command_are_replaced_unless_they_were_edited(name: str, folder: Path) -> None:
    arguments, targets = WRITERS[name]
    (folder / "o").mkdir()
    assert command(*arguments, cwd=folder).returncode == 0
    assert command(*arguments, cwd=folder).returncode == 0, "what we wrote is replaced"
    for target in targets:
        written = (folder / target).read_bytes()
        edited = written.replace(b"e", b"E", 1) if name != "bytecode" else b"mine"
        assert edited != written
        (folder / target).write_bytes(edited)
        before = snapshot(folder)
        unforced = [word for word in arguments if word != "--force"]
        done = command(*unforced, cwd=folder)
        assert (done.returncode, snapshot(folder)) == (3, before), done.stderr
        assert "--force" in done.stderr
        (folder / target).write_bytes(written)


def test_files_of_ours_are_whole_in_their_format(folder: Path) -> None:
    for target in ("r.json", "r.explorer.json", "r.onnx"):
        assert command("report", "m.onnx", "--no-accuracy", "-o", target, cwd=folder).returncode == 0
    assert json.loads((folder / "r.json").read_text())["model"] == "m.onnx"
    assert json.loads((folder / "r.explorer.json").read_text())[0]["nodes"]
    assert [node.op_type for node in onnx.load(folder / "r.onnx").graph.node]


@pytest.mark.parametrize(
    ("arguments", "target"),
    [
        (["import", "m.onnx", "-o", "w.mlir"], "w.weights.json"),
        (["compile", "m.onnx", "-o", ".", "--name", "plugin", "--plugin", "plugin.py"], "plugin.py"),
        (["compile", "m.onnx", "-o", ".", "--name", "w"], "w.safetensors"),
        (["compile", "m.onnx", "--to", "import", "-o", ".", "--name", "w"], "w.weights.json"),
        (["run", "out", "-i", "x=in.npy", "-o", "in.npy"], "in.npy"),
        (["compile", "m.onnx", "--bind", "x=m.json", "-o", "."], "m.json"),
        (["bug-report", "m.onnx", "-o", "w.safetensors"], "w.safetensors"),
        (["report", "m.onnx", "--no-accuracy", "--format=json", "-o", "w.safetensors"], "w.safetensors"),
        (["emit", "m.3-call.mlir", "-o", ".", "--name", "w"], "w.safetensors"),
        (["emit", "m.3-call.mlir", "-o", ".", "--name", "m", "--weight-table", "m.json"], "m.json"),
        (["emit", "m.3-call.mlir", "-o", "new", "--summary", "m.3-call.mlir"], "m.3-call.mlir"),
        (["run", "refers", "-i", "x=in.npy", "-o", "w.safetensors"], "w.safetensors"),
        (["run", "parts", "-i", "x=in.npy", "-o", "parts/p_cpu0.onnx"], "parts/p_cpu0.onnx"),
    ],
)
def test_an_input_of_a_compilation_is_not_overwritten(arguments: list[str], target: str, folder: Path) -> None:
    """Inputs are also files of weights, plugins, and given values."""
    model = onnx.parser.parse_model(
        TEXT.replace("(float[2] y) { y = Neg(x) }", "(float[1024, 2] y) { n = Neg(x) y = Add(n, w) }")
    )
    weight = np.arange(2048, dtype=np.float32).reshape(1024, 2)
    model.graph.initializer.append(onnx.numpy_helper.from_array(weight, "w"))
    data = "w.weights.json" if "json" in target else "w.safetensors"
    onnx.save(model, folder / "m.onnx", save_as_external_data=True, location=data, size_threshold=0)
    (folder / "plugin.py").write_text(
        "import forge_mlir\n@forge_mlir.lowering('d', 'O')\ndef lower(node, b):\n    return None\n"
    )
    np.save(folder / "in.npy", np.ones(2, np.float32))
    if arguments[0] == "emit":
        assert not command("compile", "m.onnx", "--to", "call", "-o", ".", cwd=folder).returncode
        shutil.copy(folder / "m.weights.json", folder / "m.json")
    elif arguments[0] == "run":
        options = {"refers": ["--weights=reference"], "parts": ["--name=p", "--fallback=cpu", "--cpu-ops=Neg"]}
        for name, given in options.items():
            assert not command("compile", "m.onnx", "-o", name, *given, cwd=folder).returncode
    else:
        with (folder / "m.json").open("wb") as file:
            np.save(file, np.ones(2, np.float32))
    before = snapshot(folder)
    done = command(*arguments, "--force", cwd=folder)
    assert (done.returncode, snapshot(folder)) == (3, before)
    assert "is what the command reads" in done.stderr


def test_a_reduced_model_of_the_user_is_not_overwritten(folder: Path) -> None:
    (folder / "bad.onnx").write_bytes(
        onnx.parser.parse_model(
            TEXT.replace("Neg(x)", "Det(x)").replace("float[2] x", "float[4, 4] x")
        ).SerializeToString()
    )
    (folder / "bad_reduced.onnx").write_text("mine")
    done = command("reduce", "bad.onnx", "--kind", "refused", cwd=folder)
    assert (done.returncode, (folder / "bad_reduced.onnx").read_text()) == (3, "mine"), done.stderr
    assert command("reduce", "bad.onnx", "--kind", "refused", "--force", cwd=folder).returncode == 0
    assert command("reduce", "bad.onnx", "--kind", "refused", cwd=folder).returncode == 0


def test_tables_and_rows_of_the_user_stay_in_a_sweep(folder: Path) -> None:
    (folder / "res").mkdir()
    (folder / "res" / "rows.jsonl").write_text("mine\n")
    done = command("sweep", ".", "-o", "res", cwd=folder)
    assert (done.returncode, (folder / "res" / "rows.jsonl").read_text()) == (3, "mine\n")
    (folder / "res" / "rows.jsonl").unlink()
    assert command("sweep", ".", "-o", "res", cwd=folder).returncode == 0
    assert command("sweep", ".", "-o", "res", cwd=folder).returncode == 0
    (folder / "res" / "sweep.csv").write_text("edited")
    done = command("sweep", ".", "-o", "res", cwd=folder)
    assert (done.returncode, (folder / "res" / "sweep.csv").read_text()) == (3, "edited")


def test_scratch_files_of_dead_processes_go(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    stale, alive = tmp_path / f".a.html.x.{ended.pid}.new", tmp_path / f".a.html.x.{os.getpid()}.new"
    for path in (stale, alive):
        path.write_text("half")
    write_output(tmp_path / "a.html", lambda path: path.write_text("<p>"))
    assert (stale.exists(), alive.exists()) == (False, True)


def test_all_files_or_none(tmp_path: Path) -> None:
    def fails(_: Path) -> None:
        raise OSError(28, "No space left on device")

    files = {tmp_path / "a.json": lambda path: path.write_text('{"a": 1}'), tmp_path / "b.md": fails}
    with pytest.raises(ForgeError, match=r"cannot write .*b\.md': No space left"):
        write_outputs(files)
    assert list(tmp_path.iterdir()) == []


def test_a_directory_is_not_a_module(folder: Path) -> None:
    done = command("compile", "m.onnx", "-o", "x.py", cwd=folder)
    assert (done.returncode, (folder / "x.py").exists()) == (3, False)
    assert "the output is a directory" in done.stderr


def test_special_files_are_written_at_once(folder: Path) -> None:
    """An archive is written with moves back, which such files do not do, and MLIR to a new file."""
    for flag in ("--output", "--save"):
        assert command("run", "out", flag, "/dev/null", cwd=folder).returncode == 0
    fifo = folder / "fifo.mlir"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    assert command("import", "m.onnx", "--output", "fifo.mlir", cwd=folder).returncode == 0
    assert fifo.is_fifo()
    assert os.read(reader, 1 << 16).startswith(b"#loc")
    os.close(reader)


@pytest.mark.alike(keep=8)
@pytest.mark.parametrize(
    "words",
    [
        ["compile", "absent.onnx", "-o", "OUTPUT"],
        ["compile", "absent.onnx", "--to=forge", "-o", "OUTPUT"],
        ["compile", "absent.onnx", "--to=forge", "--dump-dir", "OUTPUT"],
        ["import", "absent.onnx", "-o", "OUTPUT/m.mlir"],
        ["emit", "m.onnx", "-o", "OUTPUT"],
        ["run", "out", "-i", "absent.npz", "-o", "OUTPUT/y.npz"],
        ["run", "out", "-i", "absent.npz", "--save", "OUTPUT/y.npz"],
        ["run", "out", "-i", "absent.npz", "-o", "out"],
        ["import", "absent.onnx", "-o", "absent_file/m.mlir"],
        ["report", "absent.onnx", "-o", "OUTPUT/m.html"],
        ["bug-report", "absent.onnx", "-o", "OUTPUT/m.tar.gz"],
        ["reduce", "absent.onnx", "-o", "OUTPUT"],
        ["bisect", "absent.onnx", "--summary", "OUTPUT/m.md"],
        ["sweep", ".", "-o", "OUTPUT"],
    ],
)
def test_what_cannot_be_written_is_an_error_before_anything_is_read(words: list[str], folder: Path) -> None:
    """The inputs are wrong, too, which is not what the error says."""
    (folder / "file").write_text("mine")
    before = snapshot(folder)
    done = command(*(word.replace("OUTPUT", "file") for word in words), cwd=folder)
    assert (done.returncode, done.stderr.count("error:")) == (3, 1)
    assert "FM4003" in done.stderr
    assert "cannot write" in done.stderr
    assert snapshot(folder) == before


def test_folders_are_made_only_if_something_is_written(folder: Path) -> None:
    (folder / "bad.onnx").write_bytes(b"no model")
    for words in (["compile"], ["compile", "--to=call"], ["reduce"], ["emit"]):
        assert command(*words, "bad.onnx", "-o", "new/folder", cwd=folder).returncode == 3
        assert not (folder / "new").exists()
    assert command("compile", "m.onnx", "-o", "new/folder", cwd=folder).returncode == 0

"""A folder as a user has it: models, files of the user next to all outputs, and outputs of earlier commands."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx

Files = dict[str, bytes]

_RELU = (
    '<ir_version: 9, opset_import: ["": 18]> g (float[8, 64] x) => (float[8, 64] y) { a = MatMul (x, w) y = Relu (a) }'
)
_DET = '<ir_version: 9, opset_import: ["": 18]> g (float[1, 4, 4] x) => (float[1] y) { a = Relu (x) y = Det (a) }'
_NOTES = ("out/notes.txt", "parts/mine.py", "stages/notes.mlir", "results/notes.csv", "reports/mine.html", "keep/a.csv")

COMMANDS: dict[str, list[str]] = {
    "compile": ["compile", "models/net.onnx", "-o", "out"],
    "compile anew": ["compile", "models/net.onnx", "-o", "new"],
    "partitions": ["compile", "det.onnx", "-o", "parts", "--fallback=cpu"],
    "shape sets": ["compile", "models/net.onnx", "-o", "sets", "--shapes", "a: x=8x64", "--shapes", "b: x=8x64"],
    "cache": ["compile", "models/net.onnx", "-o", "out", "--cache", "cache"],
    "cache of another": ["compile", "models/net.onnx", "-o", "new", "--cache", "cache", "--flat", "--cache-limit", "0"],
    "stages": ["compile", "models/net.onnx", "--to", "forge", "-o", "stages"],
    "import": ["import", "models/net.onnx", "-o", "stages/net.mlir"],
    "run": ["run", "out", "-i", "x.npz", "-o", "reports/y.npz"],
    "report": ["report", "models/net.onnx", "--no-accuracy", "-o", "reports/net.html"],
    "report as JSON": ["report", "models/net.onnx", "--no-accuracy", "-o", "reports/net.json"],
    "bug report": ["bug-report", "models/net.onnx", "-o", "reports/net.tar.gz"],
    "sweep": ["sweep", "models", "-o", "results", "-j", "1"],
    "reseal": ["reseal", "edited"],
}


def program(words: list[str]) -> list[str]:
    return [sys.executable, "-m", "forge_mlir.cli.main", *words]


def make(folder: Path, program: Callable[[list[str]], list[str]] = program) -> None:
    """Makes the world, and runs every command in it once, by `program`."""
    (folder / "models").mkdir(parents=True)
    random = np.random.default_rng(0)
    net = onnx.parser.parse_model(_RELU)
    net.graph.initializer.append(onnx.numpy_helper.from_array(random.random((64, 64), np.float32), "w"))
    onnx.save(net, folder / "models/net.onnx", save_as_external_data=True, location="net.data", size_threshold=0)
    onnx.save(onnx.parser.parse_model(_DET), folder / "det.onnx")
    np.savez(folder / "x.npz", x=random.random((8, 64), np.float32))
    for name in _NOTES:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f"of the user: {name}")
    for name, words in COMMANDS.items():
        if name == "reseal":
            shutil.copytree(folder / "parts", folder / "edited")
            with (folder / "edited/det.py").open("a", encoding="ascii") as module:
                module.write("# tuned\n")
        done = subprocess.run(program(words), cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{words} fails without any fault: {done.stderr}")
    with (folder / "edited/det.py").open("a", encoding="ascii") as module:
        module.write("# and again\n")
    shutil.rmtree(folder / "new")


def of_the_user(folder: Path) -> Files:
    """The files that no command may change: the models, inputs, notes, and the modules that were edited."""
    given = ("models", "det.onnx", "x.npz", *_NOTES, "edited/det.py")
    paths = [
        path for name in given for path in ([folder / name] if (folder / name).is_file() else _files(folder / name))
    ]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def faults_of(folder: Path, before: Files) -> Iterator[str]:
    """What is wrong with the world: files of the user that changed, and incomplete files of this package."""
    after = of_the_user(folder) if all((folder / name).exists() for name in before) else {}
    yield from (f"{name} of the user's changed" for name, data in before.items() if after.get(name) != data)
    for manifest in folder.glob("*/*.json"):
        if not manifest.name.startswith("."):
            yield from _faults_of_json(manifest)
    for path in (*folder.glob("reports/*"), *folder.glob("results/sweep.csv"), *folder.glob("stages/*")):
        if not path.name.startswith((".", "mine", "notes")):
            yield from _faults_of_file(path)


def leftovers(folder: Path) -> list[str]:
    """Temporary files and folders of processes that have ended, which nothing has removed."""
    names = (path.relative_to(folder) for path in folder.rglob(".*") if path.name.endswith((".new", ".staging")))
    return sorted({*map(str, names), *(str(path.relative_to(folder)) for path in folder.rglob(".new.*"))})


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _faults_of_json(file: Path) -> Iterator[str]:
    """The module of an artifact is written last: if it exists, every file that its manifest names must exist with the
    hash of the manifest."""
    try:
        facts = json.loads(file.read_bytes())
    except ValueError:
        yield f"{file.name} is cut"
        return
    module = file.with_suffix(".py")
    if not isinstance(facts, dict) or "python_sha256" not in facts or not module.exists() or "edited" in facts:
        return
    if file.parent.name == "edited":  # Its manifest has not been updated yet.
        return
    expected = {module.name: facts["python_sha256"], facts["weights_file"]: facts["weights_sha256"]}
    for name, digest in {**expected, **facts.get("files", {})}.items():
        path = file.with_name(name)
        if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            yield f"{file.parent.name}/{name} is not what {file.name} says"


def _faults_of_file(path: Path) -> Iterator[str]:
    data = path.read_bytes()
    if path.suffix == ".npz":
        if not zipfile.is_zipfile(path):
            yield f"{path.name} is cut"
    elif path.suffix != ".csv" and b"forge-mlir:generated:" not in data[-4096:]:
        yield f"{path.name} is cut"
    elif not data:
        yield f"{path.name} is empty"


def size_of(folder: Path) -> int:
    """The size on a disk of pages of 4096 bytes."""
    return sum(-(-path.stat().st_size // 4096) * 4096 for path in _files(folder)) + 4096 * 64

"""The C++ tools of the build tree, and the `forge-mlir` command."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from command_server import SHIM, ask
from sample_models.repository import REPOSITORY


def tool(name: str) -> Path:
    """The path of a tool, which must have been built."""
    path = REPOSITORY / "build" / "tools" / name / name
    assert path.is_file(), f"{path} is missing; run make build"
    return path


def run_tool(name: str, *arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a tool; the caller checks the exit code."""
    return subprocess.run([tool(name), *arguments], cwd=cwd, capture_output=True, text=True, check=False)


_LOADED = (
    "numpy", "onnx", "onnx.reference", "torch", "torch_mlir.ir", "onnxruntime", "forge_mlir._native",
    "forge_mlir.cli.app", "forge_mlir.compiler.driver", "forge_mlir.importer", "forge_mlir.runtime",
    "forge_mlir.verify",
)  # fmt: skip


@cache
def command_program() -> Path:
    """A program that does the same as the installed `forge-mlir`, without its start-up time (test/command_server.py).
    Each process of the tests has its own server, which ends with it."""
    folder = Path(tempfile.mkdtemp(prefix="commands"))
    line = [sys.executable, "-m", "command_server", folder / "socket", *_LOADED]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY / "test")}
    server = subprocess.Popen(line, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    assert server.stdout.readline() == "ready\n"
    atexit.register(shutil.rmtree, folder)
    atexit.register(server.kill)
    (folder / "bin").mkdir()
    program = folder / "bin" / "forge-mlir"
    program.write_text(SHIM.format(python=sys.executable, address=str(folder / "socket")))
    program.chmod(0o755)
    return program


def run_command(*arguments: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs forge-mlir as it is installed; the caller checks the exit code."""
    program = command_program()
    words = [*map(str, arguments)]
    address = str(program.parents[1] / "socket")
    told = ask(address, words, str(cwd or Path.cwd()), {**os.environ, **environment}, 300)
    return subprocess.CompletedProcess([program, *words], told.code, told.out, told.err)

"""What all commands share: what a start loads, what an exit writes, common flags."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import onnx
import pytest

from sample_models.small import one_node
from sample_models.tools import run_command

HEAVY = ("onnx", "torch", "torch_mlir", "numpy", "onnxruntime")


def command(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return run_command(*arguments, cwd=cwd)


@pytest.mark.parametrize("arguments", [["--help"], ["compile", "--help"], ["--version"], ["explain", "FM1001"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    script = (
        "import sys\n"
        f"sys.argv = ['forge-mlir', *{arguments!r}]\n"
        "from forge_mlir.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print(*sorted(set(sys.modules) & set({HEAVY!r})), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout
    assert done.stderr.strip() == ""


@pytest.mark.parametrize(("argument", "code"), [("--version", 0), ("frobnicate", 2)])
def test_all_output_is_written_at_exit(argument: str, code: int) -> None:
    script = (
        "import atexit, sys\n"
        "from forge_mlir.cli.main import run\n"
        f"sys.argv = ['forge-mlir', {argument!r}]\n"
        "atexit.register(print, 'handler ran')\n"
        "print('buffered')\n"
        "run()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[0], lines[-1]) == (code, "buffered", "handler ran"), done.stderr


@pytest.mark.parametrize(("given", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")])
def test_a_start_collects_no_garbage_and_starts_no_threads(given: dict[str, str], threads: str) -> None:
    script = (
        "import gc, os, sys\n"
        "from forge_mlir.cli.main import main\n"
        "collections = []\n"
        "gc.callbacks.append(lambda phase, _: collections.append(phase))\n"
        "sys.argv = ['forge-mlir', 'compile', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(len(collections), os.environ['OPENBLAS_NUM_THREADS'], file=sys.stderr)\n"
    )
    own = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env={**own, **given})
    assert done.stderr.split() == ["0", threads]


def test_every_command_takes_the_common_flags() -> None:
    overview = command("-h").stdout
    names = ["compile", "check", "import", "run", "reseal", "verify", "bisect", "reduce", "report", "explain", "ops"]
    for name in (*names, "bug-report"):
        assert f" {name} " in overview
        shown = command(name, "--help-all").stdout
        assert all(flag in shown for flag in ("--json", "--quiet", "--verbose", "--debug", "Exit codes: 0")), name


def test_a_closed_pipe_is_silent() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    program = [sys.executable, "-m", "forge_mlir.cli.main", "ops"]
    done = subprocess.run(program, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_as_null_devices(closed: str, tmp_path: Path) -> None:
    """The files of child processes had the number of the stream, and the children closed them."""
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "m.onnx")
    line = f'"{sys.executable}" -m forge_mlir.cli.main check m.onnx {closed}'
    done = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    shown = "" if ">&-" in closed.split("2>")[0] else "m.onnx: supported\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, shown, "")


@pytest.mark.parametrize(
    ("encoding", "name", "shown"),
    [("utf-8:strict", b"o\xff", b"o\xff"), ("ascii", "\N{GREEK SMALL LETTER MU}".encode(), b"\\u03bc")],
)
def test_every_path_can_be_printed(encoding: str, name: bytes, shown: bytes, tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "m.onnx")
    line = [sys.executable, "-m", "forge_mlir.cli.main", "compile", "m.onnx", "-q", "-o", os.fsdecode(name)]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, shown + b"/m.py\n", b"")


def test_the_exit_code_is_right_if_nothing_can_be_printed() -> None:
    program = [sys.executable, "-m", "forge_mlir.cli.main", "explain", "FM0"]
    with open("/dev/full", "wb") as full:
        assert subprocess.run(program, stdout=subprocess.PIPE, stderr=full, check=False).returncode == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_packages_are_imported_ends_the_command_after_the_import(number: signal.Signals) -> None:
    """Of an exception in the import, native code of numpy prints the traceback, and that of torch ends the process."""
    script = (
        "import atexit, os, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Finder:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'numpy.matrixlib':\n"
        f"            os.kill(os.getpid(), {int(number)})\n"
        "sys.meta_path.insert(0, Finder())\n"
        "atexit.register(lambda: print('numpy.matrixlib' in sys.modules, file=sys.stderr))\n"
        "sys.argv = ['forge-mlir', 'compile', 'm.onnx']\n"
        "from forge_mlir.cli.main import run\n"
        "run()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.split()) == (128 + number, "", ["True"])


@pytest.mark.parametrize("words", [["check", "LONG"], ["sweep", "LONG"], ["run", "m_forge", "-o", "LONG"]])
def test_a_path_that_the_system_does_not_take(words: list[str], tmp_path: Path) -> None:
    onnx.save(one_node("Relu", [2, 3]), tmp_path / "m.onnx")
    command("compile", "m.onnx", "-q", cwd=tmp_path)
    done = command(*(word.replace("LONG", "a" * 300) for word in words), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: [FM0101] " in done.stderr
    assert "File name too long" in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter every folder")
def test_a_folder_that_may_not_be_entered(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    done = command("check", "closed/m.onnx", cwd=tmp_path)
    assert (done.returncode, "Permission denied" in done.stderr) == (2, True)

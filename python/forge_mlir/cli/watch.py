"""`compile --watch`: repeats the command when a file that it reads changes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from forge_mlir.cli.output.ui import Ui
from forge_mlir.errors import printable

_SECONDS = 0.3
"""The interval between two checks of the files."""

Stamps = dict[Path, tuple[int, int]]


def watch(command: Sequence[str], files: Callable[[], Iterable[Path]], ui: Ui) -> None:
    """Runs `forge-mlir` with the arguments `command` in a child process, now and after each change of `files` (for
    folders: of the models in them), until it is interrupted. Errors do not stop it. `files` is called before each run,
    because a changed model may have other weights."""
    ui.summary.written = True
    with suppress(KeyboardInterrupt):
        while True:
            watched = list(files())
            before = stamps_of(watched)
            subprocess.run([sys.executable, "-m", "forge_mlir.cli.main", *command], check=False)
            ui.note(f"watching {len(before):,} files; Ctrl-C ends it")
            changed = _wait(watched, before)
            ui.note(f"changed: {', '.join(printable(path) for path in changed[:3])}")


def stamps_of(files: Iterable[Path]) -> Stamps:
    """The time and size of each file, and of the models in folders, which may also be where the command writes to;
    missing files are left out."""
    found: Stamps = {}
    for given in files:
        for path in sorted(given.glob("*.onnx")) if given.is_dir() else (given,):
            with suppress(OSError):
                status = path.stat()
                found[path] = status.st_mtime_ns, status.st_size
    return found


def _wait(files: Sequence[Path], before: Stamps) -> list[Path]:
    """Waits for a change, and then until no more changes occur, because files may be written in steps."""
    last = before
    while True:
        time.sleep(_SECONDS)
        now = stamps_of(files)
        if now != before and now == last:
            return sorted(path for path in now.keys() | before.keys() if now.get(path) != before.get(path))
        last = now

"""One trial: a command in a copy of the world, a fault at some moment, and a check of the files afterwards."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from faults import world

_LONGEST = 300
FAULTS = ("SIGKILL", "SIGTERM", "SIGINT", "full disk", "small files", "read-only", "closed pipe", "second process")


@dataclass(frozen=True)
class Trial:
    """`found` lists what was lost or damaged; it is empty otherwise."""

    seed: int
    command: str
    fault: str
    found: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.seed}: {self.command}, {self.fault}: {'; '.join(self.found) or 'nothing lost'}"


_IN_MAIN = re.compile(r'main\.py", line \d+, in main\n')
"""A stack frame of this package. An interrupt while the interpreter itself starts is not reported by this package."""


def run(template: Path, seed: int, seconds: dict[str, float]) -> Trial:
    """Runs the trial of a seed. `seconds` are the durations of the commands, as far as they are known; a new duration
    is added."""
    random = Random(seed)
    command, fault = random.choice([*world.COMMANDS]), FAULTS[seed % len(FAULTS)]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch, "world")
        folder.mkdir()
        with _disk(folder, template, random) if fault == "full disk" else _plain() as limited:
            shutil.copytree(template, folder, dirs_exist_ok=True)
            if fault == "full disk":
                limited()
            return Trial(seed, command, fault, tuple(_tried(folder, command, fault, random, seconds)))


def _tried(folder: Path, command: str, fault: str, random: Random, seconds: dict[str, float]) -> Iterator[str]:
    words, before = world.COMMANDS[command], world.of_the_user(folder)
    if fault == "read-only":
        targets = [path for path in folder.iterdir() if path.is_dir() and path.name != "models"]
        for target in random.sample(targets, random.randint(1, len(targets))):
            target.chmod(0o555)
    status, errors = _run(folder, words, fault, random, seconds.get(command, 2.0))
    # The interpreter handled the signal before any line of this package ran, or dropped it in a callback. Native
    # modules abort when they are interrupted while they load.
    dropped = not _IN_MAIN.search(errors) or "Exception ignored in" in errors or status == -signal.SIGABRT
    is_pythons = fault.startswith("SIG") and dropped
    if ("Traceback" in errors and not is_pythons) or "a bug" in errors:
        yield f"ended with {status} and said: {errors[-500:]}"
    if fault == "second process" and status:
        yield f"two at a time, and one ended with {status}: {errors[-500:]}"
    yield from world.faults_of(folder, before)
    (folder / "filler").unlink(missing_ok=True)
    for path in folder.iterdir():
        if path.is_dir():
            path.chmod(0o755)
    began = time.monotonic()
    done = subprocess.run(
        world.program(words), cwd=folder, capture_output=True, text=True, check=False, timeout=_LONGEST
    )
    seconds.setdefault(command, time.monotonic() - began)
    if done.returncode:
        yield f"the next command ended with {done.returncode}: {done.stderr[-500:]}"
    yield from (f"afterwards: {text}" for text in world.faults_of(folder, before))
    mine = [name for name in world.leftovers(folder) if name.partition("/")[0] in _written(words)]
    yield from (f"nobody removes {name}" for name in mine)


def _written(words: list[str]) -> set[str]:
    """The folders that a command writes to."""
    return {words[at + 1].partition("/")[0] for at, word in enumerate(words) if word in ("-o", "--cache")}


def _run(folder: Path, words: list[str], fault: str, random: Random, seconds: float) -> tuple[int, str]:
    """The exit status and the error output of a command with `fault`."""
    at = random.uniform(0, 1.2 * seconds)
    limit = random.choice([0, 1, 100, 4096, 20000])
    # Without this capability, permissions apply to root too.
    bound = ["setpriv", "--bounding-set=-dac_override"] if fault == "read-only" and os.geteuid() == 0 else []

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    # Temporary files are in the world too, so that the disk is full for all of them.
    environment = {**os.environ, "TMPDIR": str(folder)} if fault == "full disk" else None
    reader, writer = os.pipe()
    errors = tempfile.TemporaryFile()  # noqa: SIM115
    children = [
        subprocess.Popen(
            [*bound, *world.program(words)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=errors if fault != "small files" else subprocess.DEVNULL,
            preexec_fn=limited if fault == "small files" else None,
        )
        for _ in range(2 if fault == "second process" else 1)
    ]
    os.close(writer)
    if fault == "closed pipe":
        os.close(reader)
    if fault.startswith("SIG"):
        time.sleep(at)
        children[0].send_signal(signal.Signals[fault])
    statuses = [child.wait(_LONGEST) for child in children]
    if fault != "closed pipe":
        os.close(reader)
    with errors:
        errors.seek(0)
        return next(filter(None, statuses), 0), errors.read().decode("utf-8", "replace")


@contextmanager
def _plain() -> Iterator[Callable[[], None]]:
    yield lambda: None


@contextmanager
def _disk(folder: Path, template: Path, random: Random) -> Iterator[Callable[[], None]]:
    """Mounts a small disk at `folder`, if this process may mount one. The returned function fills it except for a small
    rest."""
    size = world.size_of(template) + (8 << 20)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    mounted = os.geteuid() == 0 and not subprocess.run(mount, capture_output=True, check=False).returncode

    def fill() -> None:
        free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
        left = random.choice([0, 4096, 16384, 65536, 1 << 18])
        if mounted and free > left:
            with (folder / "filler").open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, free - left)

    try:
        yield fill
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=False)

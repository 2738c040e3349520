"""forge-itd-planted, the C++ library with one wrong rule, as a program that the check runs."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from itd_oracle.programs import Command, text

TOOL = Path(__file__).resolve().parents[2] / "build" / "test" / "forge-itd-planted"
_END = "---\n"


def planted_names() -> list[str]:
    """The names of the errors that the tool can plant."""
    return subprocess.run([TOOL, "--list"], capture_output=True, check=True, text=True).stdout.splitlines()


class PlantedLibrary:
    """Runs one program after the other in one process; closed by `with`."""

    def __init__(self, name: str) -> None:
        self._process = subprocess.Popen([TOOL, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, commands: Sequence[Command]) -> list[str]:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(text(list(commands)).rstrip("\n") + "\n" + _END)
        self._process.stdin.flush()
        lines = []
        while (line := self._process.stdout.readline()) != _END:
            if not line:
                raise EOFError(f"{TOOL.name} ended with exit code {self._process.wait()}")
            lines.append(line.rstrip("\n"))
        return lines

    def __enter__(self) -> PlantedLibrary:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

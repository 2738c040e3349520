"""What a command tells: results on stdout, as lines or as JSON; notes, phases and errors on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from forge_mlir.cli.exit_codes import exit_of_error
from forge_mlir.cli.reporting import errors_as_json, show_error
from forge_mlir.cli.summary import Summary
from forge_mlir.errors import Diagnostic, ForgeError, printable
from forge_mlir.support.progress import listening

_BAR = 24


@dataclass
class Ui:
    """`as_json`: one JSON document on stdout and nothing else there. `quiet`: results and errors only. `verbose`:
    phases are told where stderr is no terminal too."""

    as_json: bool = False
    quiet: bool = False
    verbose: bool = False
    summary: Summary = field(default_factory=lambda: Summary(""))
    """For --summary."""
    phases: dict[str, float] = field(default_factory=dict)
    """Seconds of each phase that is over."""
    _began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Since the command began."""
        return time.monotonic() - self._began

    def say(self, line: str) -> None:
        """A line of the result, for people."""
        if not self.as_json:
            print(line, flush=True)  # Notes on stderr come in order then.

    def note(self, line: str) -> None:
        """A line beside the result."""
        if not self.quiet:
            sys.stdout.flush()  # Lines of both come in order then.
            print(line, file=sys.stderr)

    def warn(self, warnings: Iterable[Diagnostic]) -> None:
        for warning in warnings:
            self.note(str(warning))

    def answer(self, facts: Mapping[str, Any], failure: ForgeError | None = None) -> None:
        """The result as JSON, if that is wanted, and the error that a command ends with after it has told all else."""
        if self.as_json:
            print(json.dumps({"errors": errors_as_json(failure) if failure else [], **facts}, indent=2))
        if failure:
            self.summary.refused(failure)
            show_error(failure)
            sys.exit(exit_of_error(failure))

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Shows the phases of what is done in the block."""
        is_terminal = sys.stderr.isatty()
        with listening(_Phases(self.phases, is_terminal and not self.quiet, self.verbose and not is_terminal)):
            yield


class _Phases:
    """One line per phase on a terminal, rewritten as it goes on; when it is over (`in_lines`) or never elsewhere. A
    phase within another is shown on a terminal while it lasts.

    Nothing runs beside the command: a thread that draws would be in the way of child processes.
    """

    def __init__(self, seconds: dict[str, float], on_terminal: bool, in_lines: bool) -> None:
        self._seconds = seconds
        self._on_terminal = on_terminal
        self._in_lines = in_lines
        self._drawn = 0.0
        # Of the phases that last, the outermost first: what is shown, and how far it is.
        self._shown: list[str] = []
        self._counts: list[str] = []

    def began(self, name: str) -> None:
        self._shown.append(f"{printable(name)} ...")
        self._counts.append("")
        self._draw()

    def advanced(self, name: str, done: int, total: int) -> None:
        if not total:
            return
        full = min(_BAR, _BAR * done // total)
        self._counts[-1] = f"{done:,}/{total:,}"
        self._shown[-1] = f"{printable(name)} [{'#' * full}{'.' * (_BAR - full)}] {self._counts[-1]}"
        if time.monotonic() - self._drawn > 0.1:
            self._draw()

    def ended(self, name: str, seconds: float) -> None:
        self._seconds[name] = self._seconds.get(name, 0.0) + seconds
        self._shown.pop()
        count = self._counts.pop()
        self._draw()
        if self._in_lines or (self._on_terminal and not self._shown):
            print(f"{printable(name)}: {count}{', ' if count else ''}{seconds:.1f} s", file=sys.stderr)

    def _draw(self) -> None:
        if self._on_terminal:
            self._drawn = time.monotonic()
            sys.stderr.write(f"\r\x1b[K{self._shown[-1] if self._shown else ''}")
            sys.stderr.flush()

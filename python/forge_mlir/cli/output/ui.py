"""Output of a command: results on stdout, as lines or JSON; notes, phases and errors on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from forge_mlir.cli.exit_codes import exit_of_error, worst
from forge_mlir.cli.output.reporting import errors_as_json, show_error
from forge_mlir.cli.output.summary import Summary
from forge_mlir.errors import Diagnostic, ForgeError, printable
from forge_mlir.support.progress import listening

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@dataclass
class Ui:
    """`as_json`: stdout has one JSON document and nothing else. `quiet`: only results and errors. `verbose`: phases are
    also shown if stderr is not a terminal."""

    as_json: bool = False
    quiet: bool = False
    verbose: bool = False
    summary: Summary = field(default_factory=lambda: Summary(""))
    """The content of --summary."""
    phases: dict[str, float] = field(default_factory=dict)
    """The seconds of each phase that has ended."""
    _began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """The seconds since the command started."""
        return time.monotonic() - self._began

    def say(self, line: str) -> None:
        """Prints a line of the result."""
        if not self.as_json:
            print(line, flush=True)  # Keeps the order with notes on stderr.

    def note(self, line: str) -> None:
        """Prints a note besides the result."""
        if not self.quiet:
            sys.stdout.flush()  # Keeps the order with lines on stdout.
            print(line, file=sys.stderr)

    def warn(self, warnings: Iterable[Diagnostic]) -> None:
        for warning in warnings:
            self.note(str(warning))

    def answer(self, facts: Mapping[str, Any], *failures: ForgeError | None) -> None:
        """Prints the result as JSON if requested, and the errors with which the command ends, one for each model that
        failed. The exit code is that of the worst. None is no error."""
        errors = [failure for failure in failures if failure]
        if self.as_json:
            rows = [row for error in errors for row in errors_as_json(error)]
            print(json.dumps({"errors": rows, **facts}, indent=2))
        for error in errors:
            self.summary.refused(error)
            show_error(error)
        if errors:
            sys.exit(worst(map(exit_of_error, errors)))

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Shows the phases of what is done in the block."""
        is_terminal = sys.stderr.isatty()
        with listening(_Phases(self.phases, is_terminal and not self.quiet, self.verbose and not is_terminal)):
            yield


class _Phases:
    """On a terminal, a progress bar for each phase, which is replaced by a line when the outermost phase ends.
    Elsewhere lines only (`in_lines`), or nothing.

    rich redraws when a phase reports progress, and not in a thread of its own, which would interfere with forking.
    """

    def __init__(self, seconds: dict[str, float], on_terminal: bool, in_lines: bool) -> None:
        self._seconds = seconds
        self._in_lines = in_lines
        self._bars = _bars() if on_terminal else None
        self._drawn = 0.0
        # The current phases, outermost first: the task of each bar.
        self._tasks: list[TaskID] = []
        self._counts: list[str] = []

    def began(self, name: str) -> None:
        self._counts.append("")
        if self._bars is not None:
            self._bars.start()
            self._tasks.append(self._bars.add_task(printable(name), total=None, count=""))
            self._bars.refresh()

    def advanced(self, name: str, done: int, total: int) -> None:  # noqa: ARG002
        if not total:
            return
        self._counts[-1] = f"{done:,}/{total:,}"
        if self._bars is not None:
            self._bars.update(self._tasks[-1], completed=done, total=total, count=self._counts[-1])
            if time.monotonic() - self._drawn > 0.1:
                self._drawn = time.monotonic()
                self._bars.refresh()

    def ended(self, name: str, seconds: float) -> None:
        self._seconds[name] = self._seconds.get(name, 0.0) + seconds
        count = self._counts.pop()
        if self._bars is not None:
            self._bars.remove_task(self._tasks.pop())
            if not self._tasks:
                self._bars.stop()
        if self._in_lines or (self._bars is not None and not self._tasks):
            print(f"{printable(name)}: {count}{', ' if count else ''}{seconds:.1f} s", file=sys.stderr)


def _bars() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    name, count = (TextColumn(text, markup=False) for text in ("{task.description}", "{task.fields[count]}"))
    return Progress(
        name,
        BarColumn(24),
        count,
        console=Console(stderr=True),
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
        transient=True,
    )

"""`--summary FILE`: the outcome of a command as Markdown, for the page of a CI job."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from forge_mlir.codes import Code
from forge_mlir.errors import Diagnostic, ForgeError, quote
from forge_mlir.support.outputs import check_input, reading

_ENDINGS = (".md", ".markdown", ".txt", "")
"""Other files, such as modules and their manifests, are not for text that is appended."""

_DONE, _FAILED = "\N{WHITE HEAVY CHECK MARK}", "\N{CROSS MARK}"


@dataclass
class Summary:
    """The lines of the summary; tables and text are escaped here."""

    title: str
    lines: list[str] = field(default_factory=list)
    written: bool = False
    """Child processes of the command have appended their own."""

    def say(self, line: object) -> None:
        from forge_mlir.report.markdown import text

        self.lines += ["", text(line)]

    def table(self, title: str, titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        from forge_mlir.report.markdown import table

        self.lines += table(title, titles, rows)

    def refused(self, error: ForgeError) -> None:
        """Adds an error with its details."""
        self.say(f"{error.code}: {error.message}")
        found = [each for each in error.diagnostics if each.severity == "error"]
        self.table("Errors", ("code", "node", "op", "reason"), map(_cells, found))

    def markdown(self, done: bool) -> str:
        from forge_mlir.report.markdown import text

        return "\n".join([f"# {_DONE if done else _FAILED} {text(self.title)}", *self.lines]).rstrip() + "\n\n"


def _cells(found: Diagnostic) -> tuple[str, ...]:
    return found.code, found.onnx_node, found.op, found.reason or found.message


@contextmanager
def summarised(path: Path | None, title: str) -> Iterator[Summary]:
    """The summary of the command that runs in the block. It is appended to `path` when the block ends, even with an
    error. Raises BadParameter for a file that is not Markdown, and ForgeError for one that the command reads, or that
    cannot be written, if possible before the command runs, whose own result would otherwise be lost."""
    summary = Summary(title)
    done = False
    if path is not None:
        _check(path)
        _append(path, "")
    try:
        with reading([path] if path is not None else ()):  # The command must not replace it.
            yield summary
        done = True
    except ForgeError as error:
        summary.refused(error)
        raise
    except Exception as error:
        summary.say(f"{type(error).__name__}: {error}")
        raise
    except SystemExit as end:
        done = not end.code
        raise
    finally:
        if path is not None and not summary.written:
            _append(path, summary.markdown(done))


def _check(path: Path) -> None:
    check_input(path)
    begin = b""
    with suppress(OSError):  # `_append` reports the reason.
        if path.is_file():
            with path.open("rb") as file:
                begin = file.read(1 << 16)
    if path.suffix not in _ENDINGS or b"\0" in begin:
        reason = "is no Markdown file; expected text, and a name that ends in .md, .markdown or .txt, or has no ending"
        raise click.BadParameter(f"{quote(str(path))} {reason}", param_hint="--summary")


def _append(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ForgeError(Code.CannotWrite, f"cannot write {quote(str(path))}: {error.strerror}") from error

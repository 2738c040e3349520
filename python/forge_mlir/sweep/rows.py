"""What a sweep found of each model, as rows: a file that grows while it runs, and tables of it."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

Verdict = Literal["verified", "wrong", "undecided", "refused", "failed"]

VERDICTS: Sequence[Verdict] = ("verified", "wrong", "undecided", "refused", "failed")
"""From best to worst. "failed" is what crashed, took too long, or too much memory."""

_LOG = "rows.jsonl"


@dataclass(frozen=True)
class Row:
    """What became of one model, which is known by its path in the folder.

    Times are in seconds, of one thread; `run_seconds` that of the fastest of three runs on the CPU reference, with the
    weights loaded. `relative` is the largest error of an output. `sha256`, `flags` and `version` say what was measured.
    """

    model: str
    sha256: str
    flags: str
    version: str
    verdict: Verdict
    code: str = ""
    reason: str = ""
    nodes: int | None = None
    calls: int | None = None
    device_partitions: int | None = None
    cpu_partitions: int | None = None
    weight_bytes: int | None = None
    relative: float | None = None
    compile_seconds: float | None = None
    verify_seconds: float | None = None
    run_seconds: float | None = None

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What the row is about."""
        return self.model, self.sha256, self.flags, self.version


COLUMNS = tuple(field.name for field in fields(Row))
_TEXTS = frozenset(field.name for field in fields(Row) if field.type in ("str", "Verdict"))


def append(directory: Path, row: Row) -> None:
    """Adds a row to those of `directory`, for good."""
    with (directory / _LOG).open("a", encoding="ascii") as file:
        file.write(json.dumps(asdict(row), allow_nan=False) + "\n")
        file.flush()
        os.fsync(file.fileno())


def read(directory: Path) -> dict[str, Row]:
    """The rows of a sweep, sorted by model, the last one of each. A line that was cut as its writer died is none."""
    rows = {}
    try:
        lines = (directory / _LOG).read_text(encoding="ascii").split("\n")[:-1]
    except FileNotFoundError:
        return {}
    for line in lines:
        try:
            row = Row(**json.loads(line))
        except (ValueError, TypeError):
            continue
        rows[row.model] = row
    return dict(sorted(rows.items()))


def is_log(directory: Path) -> bool:
    """Whether a sweep has written to the directory."""
    return (directory / _LOG).is_file()


def mend(directory: Path) -> None:
    """Ends a line that was cut, so that the next one begins by itself."""
    log = directory / _LOG
    if log.exists() and not log.read_bytes().endswith(b"\n"):
        with log.open("a", encoding="ascii") as file:
            file.write("\n")


def cells(row: Row) -> dict[str, Any]:
    """The row for tables: text of file names and models without control characters, whatever they hold."""
    return {name: _printable(value) if name in _TEXTS else value for name, value in asdict(row).items()}


def write_csv(path: Path, rows: Iterable[Row]) -> None:
    """A text that a spreadsheet would take for a formula begins with an apostrophe."""
    with path.open("w", encoding="ascii", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for row in rows:
            shown = cells(row)
            writer.writerow({k: f"'{v}" if k in _TEXTS and v[:1] in tuple("=+-@") else v for k, v in shown.items()})


def write_parquet(path: Path, rows: Iterable[Row]) -> None:
    """Needs pyarrow."""
    import pyarrow
    import pyarrow.parquet

    kinds = {"int": pyarrow.int64(), "float": pyarrow.float64()}
    schema = pyarrow.schema(
        [(field.name, kinds.get(str(field.type).partition(" ")[0], pyarrow.string())) for field in fields(Row)]
    )
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist([cells(row) for row in rows], schema), path)


def _printable(text: str) -> str:
    return text if text.isascii() and text.isprintable() else ascii(text)[1:-1]

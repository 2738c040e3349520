"""The results of a sweep as rows: a log that grows during the sweep, and tables."""

from __future__ import annotations

import csv
import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, printable, quote
from forge_mlir.support.json_text import json_object

Verdict = Literal["verified", "wrong", "undecided", "refused", "failed"]

VERDICTS: Sequence[Verdict] = ("verified", "undecided", "refused", "failed", "wrong")
"""From best to worst: wrong results are worse than none. "failed" means a crash, or that a limit was exceeded."""

_LOG = "rows.jsonl"
_BEGINNING = b'{"model": '
_TABLES = ".tables.jsonl"


@dataclass(frozen=True)
class Row:
    """The results of one model, which is identified by its path in the folder.

    Times are in seconds, single-threaded; `run_seconds` is the fastest of three runs on the CPU reference, with weights
    loaded. `relative` is the largest error of an output. `sha256`, `flags` and `version` identify what was measured;
    `others_sha256` is a hash of all other dependencies (`forge_mlir.sweep.measure.Request`).
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
    others_sha256: str = ""

    @property
    def key(self) -> tuple[str, str, str, str, str]:
        """What identifies a measurement."""
        return self.model, self.sha256, self.flags, self.version, self.others_sha256


COLUMNS = tuple(field.name for field in fields(Row))
_TEXTS = frozenset(field.name for field in fields(Row) if field.type in ("str", "Verdict"))


def append(directory: Path, row: Row) -> None:
    """Appends a row to the log in `directory` and syncs it."""
    _append(directory / _LOG, asdict(row))


def append_table(directory: Path, table: str, digest: str) -> None:
    """Records that a sweep writes `table`, a file of `directory`, with this SHA-256."""
    _append(directory / _TABLES, {"table": table, "sha256": digest})


def _append(log: Path, facts: dict[str, Any]) -> None:
    with log.open("a", encoding="ascii") as file:
        file.write(json.dumps(facts, allow_nan=False) + "\n")
        file.flush()
        os.fsync(file.fileno())


def read(directory: Path) -> dict[str, Row]:
    """The last row of each model in a log, sorted by model. Incomplete lines are ignored."""
    rows = {}
    for line in _lines(directory / _LOG):
        with suppress(TypeError):
            row = Row(**line)
            rows[row.model] = row
    return dict(sorted(rows.items()))


def is_written(directory: Path, table: str) -> bool:
    """Whether the table is unchanged since a sweep wrote it."""
    digest = hashlib.sha256((directory / table).read_bytes()).hexdigest()
    return {"table": table, "sha256": digest} in _lines(directory / _TABLES)


def _lines(log: Path) -> list[dict[str, Any]]:
    try:
        lines = log.read_text(encoding="ascii", errors="replace").split("\n")[:-1]
    except FileNotFoundError:
        return []
    found = []
    for line in lines:
        with suppress(ValueError):
            found.append(json_object(line))
    return found


def check_log(directory: Path) -> None:
    """Raises ForgeError if a file with the name of the log was not written by a sweep."""
    log = directory / _LOG
    if os.path.lexists(log) and not (log.is_file() and log.read_bytes()[: len(_BEGINNING)] in (b"", _BEGINNING)):
        raise ForgeError(Code.CannotWrite, f"{quote(str(log))} is there and is not of a sweep; give another --output")


def mend(directory: Path) -> None:
    """Terminates incomplete lines, so that further rows start on a new line."""
    for log in (directory / _LOG, directory / _TABLES):
        if log.exists() and (text := log.read_bytes()) and not text.endswith(b"\n"):
            with log.open("a", encoding="ascii") as file:
                file.write("\n")


def cells(row: Row) -> dict[str, Any]:
    """The row for tables, with control characters in file names and text removed."""
    return {name: _printable(value) if name in _TEXTS else value for name, value in asdict(row).items()}


def write_csv(path: Path, rows: Iterable[Row]) -> None:
    """Writes a CSV file. Text that a spreadsheet would interpret as a formula is prefixed with an apostrophe."""
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
    return printable(text)

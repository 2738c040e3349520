"""What a sweep found of each model, as rows: a file that grows while it runs, and tables of it."""

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

Verdict = Literal["verified", "wrong", "undecided", "refused", "failed"]

VERDICTS: Sequence[Verdict] = ("verified", "wrong", "undecided", "refused", "failed")
"""From best to worst. "failed" is what crashed, took too long, or too much memory."""

_LOG = "rows.jsonl"
_BEGINNING = b'{"model": '
_TABLES = ".tables.jsonl"


@dataclass(frozen=True)
class Row:
    """What became of one model, which is known by its path in the folder.

    Times are in seconds, of one thread; `run_seconds` that of the fastest of three runs on the CPU reference, with the
    weights loaded. `relative` is the largest error of an output. `sha256`, `flags` and `version` say what was measured,
    and `others_sha256` is of all else that it depends on (`forge_mlir.sweep.measure.Request`).
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
        """What the row is about."""
        return self.model, self.sha256, self.flags, self.version, self.others_sha256


COLUMNS = tuple(field.name for field in fields(Row))
_TEXTS = frozenset(field.name for field in fields(Row) if field.type in ("str", "Verdict"))


def append(directory: Path, row: Row) -> None:
    """Adds a row to those of `directory`, for good."""
    _append(directory / _LOG, asdict(row))


def append_table(directory: Path, table: str, digest: str) -> None:
    """Says that a sweep writes `table`, a file of `directory`, which has the SHA-256 `digest` then."""
    _append(directory / _TABLES, {"table": table, "sha256": digest})


def _append(log: Path, facts: dict[str, Any]) -> None:
    with log.open("a", encoding="ascii") as file:
        file.write(json.dumps(facts, allow_nan=False) + "\n")
        file.flush()
        os.fsync(file.fileno())


def read(directory: Path) -> dict[str, Row]:
    """The rows of a sweep, sorted by model, the last one of each. A line that was cut as its writer died is none."""
    rows = {}
    for line in _lines(directory / _LOG):
        with suppress(TypeError):
            row = Row(**line)
            rows[row.model] = row
    return dict(sorted(rows.items()))


def is_written(directory: Path, table: str) -> bool:
    """Whether the table is as some sweep wrote it to the directory."""
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
            found.append(json.loads(line))
    return [facts for facts in found if isinstance(facts, dict)]


def check_log(directory: Path) -> None:
    """Raises ForgeError where a file of the log's name is there that no sweep wrote."""
    log = directory / _LOG
    if os.path.lexists(log) and not (log.is_file() and log.read_bytes()[: len(_BEGINNING)] in (b"", _BEGINNING)):
        raise ForgeError(Code.CannotWrite, f"{quote(str(log))} is there and is not of a sweep; give another --output")


def mend(directory: Path) -> None:
    """Ends lines that were cut, so that the next ones begin by themselves."""
    for log in (directory / _LOG, directory / _TABLES):
        if log.exists() and (text := log.read_bytes()) and not text.endswith(b"\n"):
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
    return printable(text)

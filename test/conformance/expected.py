"""The expected results: one line per case in expected.csv."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.cases import Case, unexpanded
from conformance.check import BOUND, PASS, Outcome

PATH = Path(__file__).with_name("expected.csv")
FALLBACK_PATH = PATH.with_name("expected_fallback.csv")
_FIELDS = ("kind", "case", "op", "dtype", "status", "reason")


@dataclass(frozen=True)
class Row:
    """The expected result of one case. `op` is the op that the case tests, "" for a whole model; `dtype` is that of its
    first input."""

    kind: str
    case: str
    op: str
    dtype: str
    status: str
    reason: str


def read(path: Path = PATH) -> dict[str, Row]:
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {row["case"]: Row(**{field: row[field] for field in _FIELDS}) for row in csv.DictReader(file)}


def write(rows: Mapping[str, Row], path: Path = PATH) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_FIELDS)
        for row in rows.values():
            writer.writerow([getattr(row, field) for field in _FIELDS])


def row_for(cases: Mapping[str, Case], name: str, outcome: Outcome) -> Row:
    return Row(cases[name].kind, name, subject(cases, name), cases[name].dtype(), outcome.status, outcome.reason)


def subject(cases: Mapping[str, Case], name: str) -> str:
    """The op that a case tests. Expanded cases count for the op that they define."""
    return cases[unexpanded(cases, name)].op()


def differences(expected: Mapping[str, Row], got: Mapping[str, Outcome]) -> list[str]:
    """One line per case whose result is not the expected one, better or worse, or has another reason."""
    lines = []
    for name, outcome in got.items():
        row = expected.get(name)
        before = row.status if row else "not listed"
        if before != outcome.status:
            why = f" ({outcome.reason})" if outcome.reason else ""
            lines.append(f"{name}: expected {before}, but got {outcome.status}{why}")
        elif row and row.reason != outcome.reason:
            lines.append(f"{name}: expected {before} because of {row.reason!r}, but got {outcome.reason!r}")
    return lines


def worse(expected: Mapping[str, Row], got: Mapping[str, Outcome]) -> list[str]:
    """The cases that passed before and do not pass now."""
    passed = {name for name, row in expected.items() if row.status in (PASS, BOUND)}
    return [name for name, outcome in got.items() if name in passed and outcome.status not in (PASS, BOUND)]

"""Generates files from the table of diagnostic codes, python/forge_mlir/diagnostics.toml.

Without arguments: docs/diagnostics.md and python/forge_mlir/codes.py, which are checked in. With a file name: the list
for the C++ enum forge::Code, which the build needs.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "python/forge_mlir/diagnostics.toml"
PAGE = ROOT / "docs/diagnostics.md"
CODES = ROOT / "python/forge_mlir/codes.py"

REFUSED = 3
"""The exit code of an error whose row has none."""

Row = dict[str, Any]


def load() -> tuple[dict[str, str], dict[str, Row]]:
    """(titles of the groups, rows by code). Raises ValueError for an invalid table."""
    table: dict[str, Any] = tomllib.loads(TABLE.read_text(encoding="ascii"))
    groups, rows = table["groups"], table["codes"]
    names = [row["name"] for row in rows.values()]
    for code, row in rows.items():
        if not re.fullmatch(r"FM\d{4}", code) or code[:4] not in groups:
            raise ValueError(f"{code}: expected FM and four digits, in a group of the table")
        if set(row) - {"exit"} != {"name", "severity", "meaning", "cause", "cure"} or not all(row.values()):
            raise ValueError(f"{code}: expected name, severity, meaning, cause and cure")
        if row.get("exit", REFUSED) not in range(1, 6) or ("exit" in row and row["severity"] != "error"):
            raise ValueError(f"{code}: expected an exit code from 1 to 5, of an error")
        if not re.fullmatch(r"[A-Z][A-Za-z]*", row["name"]) or names.count(row["name"]) != 1:
            raise ValueError(f"{code}: expected a name of its own")
        if row["severity"] not in ("error", "warning"):
            raise ValueError(f"{code}: expected severity error or warning")
    if list(rows) != sorted(rows):
        raise ValueError("expected codes in ascending order")
    return groups, rows


def page() -> str:
    """The content of docs/diagnostics.md."""
    groups, rows = load()
    lines = [
        "# Diagnostic codes",
        "",
        "This page lists the codes of all errors and warnings. The meaning of a code never changes.",
        "`forge-mlir explain FM1001` prints the row of FM1001. The columns are:",
        "",
        "- *exit*: the [exit code](guides/command.md#exit-codes) of a command that ends with the error",
        "- *meaning*: what the message reports",
        "- *cause*: the usual causes",
        "- *cure*: what you can do",
        "",
        "`python tools/diagnostics.py` makes this page from `python/forge_mlir/diagnostics.toml`; do not edit it.",
    ]
    for group, title in groups.items():
        lines += [
            "",
            f"## {group}xx {title}",
            "",
            "| code | exit | meaning | cause | cure |",
            "|---|---|---|---|---|",
        ]
        lines += [
            f"| {code} | {_exit(row)} | {_note(row)}{row['meaning']} | {row['cause']} | {row['cure']} |"
            for code, row in rows.items()
            if code.startswith(group)
        ]
    return "\n".join(lines) + "\n"


def _exit(row: Row) -> str:
    return str(row.get("exit", REFUSED)) if row["severity"] == "error" else ""


def _note(row: Row) -> str:
    return "" if row["severity"] == "error" else f"({row['severity']}) "


def codes() -> str:
    """The content of python/forge_mlir/codes.py."""
    _, rows = load()
    head = '''"""The codes of diagnostics. Made by `python tools/diagnostics.py` from diagnostics.toml; do not edit."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """What a diagnostic is about. docs/diagnostics.md tells causes and cures; C++ has the same names in forge::Code."""

'''
    members = "".join(f'    {row["name"]} = "{code}"\n    """{row["meaning"]}"""\n' for code, row in rows.items())
    return f"{head}{members}"


def cpp() -> str:
    """One DIAGNOSTIC_CODE(name, number) per row."""
    _, rows = load()
    return "".join(f"DIAGNOSTIC_CODE({row['name']}, {int(code[2:])})\n" for code, row in rows.items())


def _write(path: Path, text: str) -> None:
    """Does not touch a file that is up to date: all C++ code depends on one of them."""
    if not path.exists() or path.read_text(encoding="ascii") != text:
        path.write_text(text, encoding="ascii")


def main() -> None:
    if len(sys.argv) > 1:
        _write(Path(sys.argv[1]), cpp())
        return
    _write(PAGE, page())
    _write(CODES, codes())


if __name__ == "__main__":
    main()

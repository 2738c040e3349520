"""Markdown as supported by GitHub. Text of a model is untrusted and has to be escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from forge_mlir.errors import printable

_MARKUP = re.compile(r"([\\`*_{}\[\]()#+!|<>~&-])")
_MOST_ROWS = 30


def table(title: str, titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """The lines of a table with its first rows; empty without rows."""
    shown = [[text(cell) for cell in row] for row in rows]
    if not shown:
        return []
    lines = ["", f"## {title}", "", f"| {' | '.join(titles)} |", f"|{'---|' * len(titles)}"]
    lines += [f"| {' | '.join(row)} |" for row in shown[:_MOST_ROWS]]
    if len(shown) > _MOST_ROWS:
        lines += ["", f"and {len(shown) - _MOST_ROWS:,} more"]
    return [*lines, ""]


def text(value: object) -> str:
    """Text on one line, escaped so that Markdown displays it literally."""
    unescaped = f"{value:,}" if isinstance(value, int) else str(value)
    shown = printable(unescaped)
    return _MARKUP.sub(r"\\\1", shown)

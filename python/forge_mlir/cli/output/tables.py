"""Tables for terminals and pipes. Names and numbers are never broken across lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from forge_mlir.errors import printable


def print_table(titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Prints rows of cells, which may be untrusted text.

    In a pipe each row is a line whose cells are two spaces apart. A terminal gets a table; if it is too narrow, each
    row begins with its first cell, followed by lines of `title cell` pairs.
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]
    if not sys.stdout.isatty():
        for row in ([*titles], *cells):
            line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            print(line.rstrip())
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    if sum(widths) + 3 * len(widths) + 1 <= console.width:
        table = Table()
        for title in titles:
            table.add_column(title, no_wrap=True)
        for row in cells:
            table.add_row(*map(escape, row))
        console.print(table)
        return
    for row in cells:
        print(row[0])
        for line in _lines([f"{title} {cell}" for title, cell in zip(titles[1:], row[1:], strict=True)], console.width):
            print(f"    {line}")


def _lines(pairs: Iterable[str], width: int) -> list[str]:
    """Fills lines of `width` minus the indentation with `pairs`; a longer pair gets a line of its own."""
    lines: list[str] = []
    for pair in pairs:
        if lines and len(lines[-1]) + len(pair) + 6 <= width:
            lines[-1] += f"  {pair}"
        else:
            lines.append(pair)
    return lines

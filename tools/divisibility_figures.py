"""Draws the figures of docs/divisibility.md as SVG, from results of the library.

python tools/divisibility_figures.py [docs/figures]
"""

from __future__ import annotations

import sys
from pathlib import Path

from forge_mlir import iterdomain as itd

CELL = 28
FILL = {"item": "#cfe3f7", "padding": "#f4d9d0", "other": "#e6e6e6"}


def svg(width: int, height: int, body: list[str]) -> str:
    """A picture of the given size in cells."""
    size = f'width="{width * CELL}" height="{height * CELL}"'
    style = 'font-family="sans-serif" font-size="11" text-anchor="middle" dominant-baseline="central"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>', *body, "</svg>"]) + "\n"


def cell(x: float, y: float, kind: str, text: str = "") -> str:
    """One position of a buffer."""
    left, top = x * CELL, y * CELL
    box = f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="{FILL[kind]}" stroke="#555"/>'
    return box + f'<text x="{left + CELL / 2}" y="{top + CELL / 2}">{text}</text>'


def label(x: float, y: float, text: str) -> str:
    return f'<text x="{x * CELL}" y="{(y + 0.5) * CELL}" text-anchor="start">{text}</text>'


def positions(domain: itd.Domain) -> list[int | None]:
    """The element at each position of a buffer, None for padding."""
    found: list[int | None] = []
    for run in domain.buffer_map().split():
        if run.startswith("_x"):
            found += [None] * int(run[2:])
        elif run == "_":
            found.append(None)
        else:
            first, _, last = run.partition("..")
            found += range(int(first), int(last or first) + 1)
    return found


def split_figure() -> str:
    """15 elements, split by 6, the outer part by 2, the inner by 4: 32 positions, 17 of them padding."""
    domain = itd.Domain([15])
    domain.split(0, 6)
    domain.split(0, 2)
    domain.split(2, 4)
    cells = positions(domain)
    body = []
    for at, element in enumerate(cells):
        kind = "padding" if element is None else "item"
        body.append(cell(at % 8, at // 8, kind, "" if element is None else str(element)))
    body.append(label(0, 4, f"{domain.alloc_size()} positions, {domain.padding_count()} of padding"))
    return svg(9, 5, body)


def tile_figure() -> str:
    """A 5 x 6 matrix in tiles of 4 x 4: the three padding regions."""
    body = []
    for row in range(8):
        for column in range(8):
            inside = row < 5 and column < 6
            body.append(cell(column, row, "item" if inside else "padding", "" if inside else _region(row, column)))
    for edge in (4, 8):
        lines = f"M0 {edge * CELL}H{8 * CELL}M{edge * CELL} 0V{8 * CELL}"
        body.append(f'<path d="{lines}" stroke="#000" stroke-width="2"/>')
    body.append(label(0, 8, "padding r: below, c: to the right, x: both"))
    return svg(9, 9, body)


def _region(row: int, column: int) -> str:
    return "x" if row >= 5 and column >= 6 else "r" if row >= 5 else "c"


def slice_figure() -> str:
    """Slices of an axis of 16 in tiles of 4, and their classes."""
    rows = (
        ("4:12 begins and ends at tile boundaries: TILE_VIEW", 4, 12),
        ("4:10 ends inside a tile: TILE_VIEW_DIRTY", 4, 10),
        ("2:10 begins inside a tile: RETILE", 2, 10),
    )
    body = []
    for row, (text, begin, end) in enumerate(rows):
        for at in range(16):
            live = begin % 4 == 0 and end <= at < -(-end // 4) * 4
            body.append(cell(at, 2 * row, "item" if begin <= at < end else "padding" if live else "other", str(at)))
        for edge in range(0, 17, 4):
            top, bottom = 2 * row * CELL, (2 * row + 1) * CELL
            body.append(f'<path d="M{edge * CELL} {top}V{bottom}" stroke="#000" stroke-width="3"/>')
        body.append(label(0, 2 * row + 1, text))
    return svg(17, 6, body)


def main() -> None:
    """Writes all figures."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/figures")
    folder.mkdir(parents=True, exist_ok=True)
    for name, figure in (("split", split_figure), ("tile", tile_figure), ("slice", slice_figure)):
        (folder / f"{name}.svg").write_text(figure(), encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()

"""Writes the hover texts of ops as a C++ table: `python op_texts.py OUTPUT PAGE...`, from pages of docs/reference,
which mlir-tblgen generates. A row has an op's name and its section of the page, without the lists of traits and
interfaces."""

from __future__ import annotations

import re
import sys
from pathlib import Path

_SECTION = re.compile(r"^### `([a-z0-9_.]+)` \(.*?\)\n(.*?)(?=^### |^## |\Z)", re.MULTILINE | re.DOTALL)
_LISTS = re.compile(r"^(?:Traits|Interfaces|Effects): .*\n+", re.MULTILINE)
_LITERAL = 8000
"""The longest literal, in characters: compilers may reject those of more than 65,536 bytes."""


def rows(page: str) -> list[tuple[str, str]]:
    """(name, Markdown) of each op of a page."""
    return [(name, _LISTS.sub("", text).strip()) for name, text in _SECTION.findall(page)]


def literal(text: str) -> str:
    parts = (text[at : at + _LITERAL] for at in range(0, len(text), _LITERAL))
    return " ".join(f'R"hover({part})hover"' for part in parts)


def main() -> None:
    output, *pages = map(Path, sys.argv[1:])
    found = [row for page in pages for row in rows(page.read_text(encoding="utf-8"))]
    output.write_text("".join(f'{{"{name}", {literal(text)}}},\n' for name, text in found), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Writes docs/device-limits.md from DeviceLimits.inc, the table of --forge-device-forms."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "lib/Dialect/Forge/Transforms/Legalize/DeviceLimits.inc"
PAGE = ROOT / "docs/device-limits.md"

_TEXT = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
_ROW = re.compile(rf"^DEVICE_LIMIT\((\w+),\s*{_TEXT},\s*{_TEXT},\s*{_TEXT},\s*{_TEXT}\)$", re.MULTILINE)

_HEAD = """# Limits of the device's compiler

Forge's Python API accepts some calls that Tenstorrent's compiler later refuses, or compiles wrongly. Forge-MLIR
replaces such calls by others that have the same result, up to rounding. This page lists them.

**One limit remains: the programs of [`compile --generate`](guides/language-models.md) do not run on a device.** Their
outputs are results of `forge.fill_cache` and `forge.update_cache`. Tenstorrent's compiler refuses such outputs, and
Forge-MLIR does not replace them.

Each row of the table is a kind of call that *fails*: it is refused, or compiled wrongly. The columns are:

- *what is refused*: the operands and attributes for which the call fails. *all* means every call of the op.
- *refused by*: the software in which the call fails, and the reason. *Forge* is the `forge` package, which passes the
  program on to the compiler tt-mlir. *TTIR* and *TTNN* are dialects of tt-mlir.
- *replaced by*: the calls that Forge-MLIR emits instead. The pass `--forge-device-forms` makes the replacement, unless
  the cell names another pass.

`python tools/device_limits.py` writes this page from `lib/Dialect/Forge/Transforms/Legalize/DeviceLimits.inc`. Do not
edit the page.

| op | what is refused | refused by | replaced by |
|---|---|---|---|
"""


def rows() -> list[tuple[str, ...]]:
    """(op class, op name, what is refused, source, replacement). Raises ValueError for an invalid row."""
    text = TABLE.read_text(encoding="ascii")
    found = [(row[1], *(_joined(text) for text in row.groups()[1:])) for row in _ROW.finditer(text)]
    if len(found) != len(re.findall(r"^DEVICE_LIMIT", text, re.MULTILINE)):
        raise ValueError(f"{TABLE}: expected DEVICE_LIMIT(op, four string literals)")
    return found


def _joined(literals: str) -> str:
    """Concatenates adjacent C++ string literals."""
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def page() -> str:
    """The content of docs/device-limits.md: a row for each line of the last three texts."""
    lines = []
    for _, name, *texts in rows():
        for cells in zip(*(text.split(r"\n") for text in texts), strict=True):
            lines.append(f"| {' | '.join((name, *cells))} |\n")
    return _HEAD + "".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="ascii")

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

Tenstorrent's compiler refuses some calls that Forge's Python API accepts. Forge-MLIR replaces those in this table. The
results are equal up to rounding. The pass is `--forge-device-forms`, unless the last column names another one. TTIR and
TTNN are dialects of Tenstorrent's compiler.

**Forge-MLIR does not replace `forge.fill_cache` and `forge.update_cache`**, which Tenstorrent's compiler refuses if
their results are outputs. Therefore the programs of [`compile --generate`](guides/language-models.md) do not run on a
device.

`python tools/device_limits.py` makes this page from `lib/Dialect/Forge/Transforms/Legalize/DeviceLimits.inc`. Do not
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

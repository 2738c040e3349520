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

Forge's Python API accepts the following calls, but Tenstorrent's compiler refuses them. The pass `--forge-device-forms`
replaces these calls, unless the last column names another pass. The results are equal up to rounding. Arithmetic of a
replacement on weights alone is evaluated when the weights file is written. A number in parentheses in a row connects
what is refused with its reason and its replacement. TTIR and TTNN are dialects of Tenstorrent's compiler. This page is
made by `python tools/device_limits.py` from `lib/Dialect/Forge/Transforms/Legalize/DeviceLimits.inc`; do not edit it.

| op | refused | reason | replaced by |
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
    """The content of docs/device-limits.md."""
    return _HEAD + "".join(f"| {name} | {limit} | {source} | {form} |\n" for _, name, limit, source, form in rows())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="ascii")

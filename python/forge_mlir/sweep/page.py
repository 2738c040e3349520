"""The rows of a sweep as a self-contained HTML page. File names and text of models are escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from forge_mlir.sweep.rows import VERDICTS, Row, cells

_NUMBERS = ("nodes", "calls", "weight_bytes", "relative", "compile_seconds", "verify_seconds", "run_seconds")


def to_html(rows: Sequence[Row], earlier: dict[str, Row]) -> str:
    """A table of `rows`. For models in `earlier`, each cell also shows the earlier value if it differs."""
    counts = Counter(row.verdict for row in rows)
    summary = f"{len(rows):,} models: " + ", ".join(f"{counts[name]:,} {name}" for name in VERDICTS if counts[name])
    if earlier:
        changed = sum(row.model in earlier and earlier[row.model].verdict != row.verdict for row in rows)
        summary += f"; {changed:,} verdicts differ from those of the earlier sweep"
    names = {row.model for row in rows}
    page = Environment(
        loader=PackageLoader("forge_mlir.sweep", ""), autoescape=True, undefined=StrictUndefined
    ).get_template("page.html")
    return page.render(
        summary=summary,
        numbers=_NUMBERS,
        rows=[_shown(row, earlier.get(row.model)) for row in rows],
        gone=[cells(row) for name, row in earlier.items() if name not in names],
    )


def _shown(row: Row, other: Row | None) -> dict[str, Any]:
    now, was = cells(row), cells(other) if other else {}
    numbers = ((_number(now[name]), _number(was.get(name))) for name in _NUMBERS)
    return {
        "model": now["model"],
        "verdict": row.verdict,
        "was": other.verdict if other and other.verdict != row.verdict else "",
        "numbers": [(text, before if before != text else "") for text, before in numbers],
        "reason": " ".join(filter(None, (now["code"], now["reason"]))),
    }


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"

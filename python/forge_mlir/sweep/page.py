"""The rows of a sweep as one page that needs nothing else. File names and text of models are hostile until escaped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from forge_mlir.sweep.rows import VERDICTS, Row, cells

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Sweep</title>
<style>
body {{ font: 14px/1.4 system-ui, sans-serif; margin: 2em; }}
table {{ border-collapse: collapse; }}
th, td {{ border-bottom: 1px solid #ccc; padding: .2em .6em; text-align: left; vertical-align: top; }}
td.number {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
.verified {{ color: #176d2c; }} .refused {{ color: #8a5a00; }} .wrong, .failed {{ color: #b3261e; }}
tr.changed td {{ background: #fff6d6; }}
.was {{ color: #666; }}
</style>
<h1>Sweep</h1>
<p>{summary}</p>
<table>
<thead><tr>{titles}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
"""

_NUMBERS = ("nodes", "calls", "weight_bytes", "relative", "compile_seconds", "verify_seconds", "run_seconds")


def to_html(rows: Sequence[Row], earlier: dict[str, Row]) -> str:
    """A table of `rows`; where `earlier` has the model, each cell says what was there, if it differs."""
    titles = ("model", "verdict", *(name.replace("_", " ") for name in _NUMBERS), "reason")
    found = [_row(row, earlier.get(row.model)) for row in rows]
    found += [_gone(row) for name, row in earlier.items() if name not in {row.model for row in rows}]
    counts = Counter(row.verdict for row in rows)
    summary = f"{len(rows):,} models: " + ", ".join(f"{counts[name]:,} {name}" for name in VERDICTS if counts[name])
    if earlier:
        changed = sum(name in earlier and earlier[name].verdict != row.verdict for name, row in _by_name(rows))
        summary += f"; {changed:,} verdicts differ from those of the earlier sweep"
    return _PAGE.format(
        summary=escape(summary), titles="".join(f"<th>{escape(title)}</th>" for title in titles), rows="\n".join(found)
    )


def _by_name(rows: Iterable[Row]) -> list[tuple[str, Row]]:
    return [(row.model, row) for row in rows]


def _row(row: Row, other: Row | None) -> str:
    now, was = cells(row), cells(other) if other else {}
    verdict = f'<span class="{row.verdict}">{row.verdict}</span>'
    if other and other.verdict != row.verdict:
        verdict += f' <span class="was">was {other.verdict}</span>'
    numbers = "".join(f'<td class="number">{_number(now[name], was.get(name))}</td>' for name in _NUMBERS)
    reason = escape(" ".join(filter(None, (now["code"], now["reason"]))))
    changed = ' class="changed"' if other and other.verdict != row.verdict else ""
    return f"<tr{changed}><td>{escape(now['model'])}</td><td>{verdict}</td>{numbers}<td>{reason}</td></tr>"


def _gone(row: Row) -> str:
    verdict = f'<span class="was">not in this sweep, was {row.verdict}</span>'
    rest = f'<td colspan="{len(_NUMBERS) + 1}"></td>'
    return f'<tr class="changed"><td>{escape(cells(row)["model"])}</td><td>{verdict}</td>{rest}</tr>'


def _number(value: float | None, was: float | None) -> str:
    shown = _shown(value)
    before = _shown(was)
    return shown if not before or before == shown else f'{shown} <span class="was">was {before}</span>'


def _shown(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"

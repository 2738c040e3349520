"""A `ModelReport` as a page, as Markdown and as JSON. Text of a model is hostile until it is escaped."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from importlib import resources
from typing import Any

from forge_mlir.report.model_report import ModelReport

_MARKUP = re.compile(r"([\\`*_{}\[\]()#+!|<>~-])")
_MOST_ROWS = 30


def to_json(report: ModelReport) -> str:
    return json.dumps(report.json(), indent=2, allow_nan=False)


def to_html(report: ModelReport) -> str:
    """One page that needs nothing else: no file beside it, no network, which its content policy forbids too."""
    page = _page_file("page.html")
    # Inside a script element only "<" could end it; the other two are no JavaScript in old engines.
    data = json.dumps(report.json(), allow_nan=False).replace("<", "\\u003c")
    filling = {
        "STYLE": _page_file("page.css"),
        "DATA": data,
        "GRAPH": _page_file("graph.js"),
        "PAGE": _page_file("page.js"),
    }
    return re.sub("@@([A-Z]+)@@", lambda found: filling[found[1]], page)


def to_markdown(report: ModelReport) -> str:
    """The tables of the report, each of its first rows."""
    verdict = report.verdict
    lines = [f"# {_text(report.model)}: {'supported' if verdict.supported else 'refused'}", ""]
    lines += [
        f"{len(report.nodes):,} nodes, {sum(report.calls.values()):,} Forge calls, "
        f"{len(report.weights):,} weights of {sum(row.bytes for row in report.weights):,} bytes.",
        "",
    ]
    lines += [f"- {name}: {seconds:.2f} s" for name, seconds in report.phases.items()]
    refused = ((row.name, row.op, row.opset, row.code, row.reason) for row in verdict.refused)
    lines += _table("Refused nodes", ("node", "op", "opset", "code", "reason"), refused)
    cpu = ((row.name, row.op, row.reason) for row in report.nodes if row.side == "cpu")
    lines += _table("Nodes on the CPU", ("node", "op", "reason"), cpu)
    lines += _table("Errors and warnings", ("code", "text"), ((p.code, p.message) for p in _problems(report)))
    lines += _table("ONNX ops", ("op", "nodes"), report.onnx_ops.items())
    lines += _table("Forge calls", ("call", "calls"), report.calls.items())
    layers = ((row["layer"], row["bytes"], row["bytes_logical"], row["traffic"]) for row in report.layers)
    lines += _table("Tiles by layer", ("layer", "bytes", "of data", "tiles that slices move"), layers)
    if report.verdict.cost is not None:
        costs = ((row.name, row.ops_after, *astuple(row.after)) for row in report.verdict.cost.layers)
        lines += _table("Cost by layer", ("layer", "ops", "kernels", "bytes", "tiles moved", "multiply-adds"), costs)
    measured = [(row.name, row.op, row.relative) for row in report.nodes if row.relative is not None]
    worst = sorted(measured, key=lambda row: -row[2])
    lines += _table("Largest errors", ("node", "op", "relative"), ((n, op, f"{e:.3g}") for n, op, e in worst))
    weights = ((row.name, row.dtype, list(row.shape), row.bytes) for row in report.weights)
    lines += _table("Weights", ("weight", "dtype", "shape", "bytes"), weights)
    lines += [f"Note: {_text(note)}" for note in report.notes]
    return "\n".join(lines).rstrip() + "\n"


def _problems(report: ModelReport) -> list[Any]:
    return [*report.verdict.errors, *report.verdict.warnings]


def _table(title: str, titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    shown = [[_text(cell) for cell in row] for row in rows]
    if not shown:
        return []
    lines = ["", f"## {title}", "", f"| {' | '.join(titles)} |", f"|{'---|' * len(titles)}"]
    lines += [f"| {' | '.join(row)} |" for row in shown[:_MOST_ROWS]]
    if len(shown) > _MOST_ROWS:
        lines += ["", f"and {len(shown) - _MOST_ROWS:,} more"]
    return [*lines, ""]


def _text(value: object) -> str:
    """Text that Markdown shows as it is, on one line."""
    text = f"{value:,}" if isinstance(value, int) else str(value)
    shown = text if text.isascii() and text.isprintable() else ascii(text)[1:-1]
    return _MARKUP.sub(r"\\\1", shown)


def _page_file(name: str) -> str:
    return resources.files("forge_mlir.report").joinpath("page", name).read_text(encoding="utf-8")

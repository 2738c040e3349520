"""Renders a `ModelReport` as HTML, Markdown and JSON. Text of a model is untrusted and has to be escaped."""

from __future__ import annotations

import json
from dataclasses import astuple
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from forge_mlir.errors import escaped
from forge_mlir.report.cost import COST_TITLES
from forge_mlir.report.graph.families import family_of
from forge_mlir.report.markdown import table, text
from forge_mlir.report.model_report import ModelReport
from forge_mlir.report.overview import Overview

_TABS = ("Overview", "Graph", "Cost", "Accuracy", "Passes", "Calls", "Weights", "Problems")
_SCRIPTS = (
    "vendor/dagre.min.js",
    "vendor/uPlot.iife.min.js",
    *(f"{name}.js" for name in ("tables", "tree", "layout", "picture", "charts", "nodes", "page")),
)


def to_json(report: ModelReport) -> str:
    return json.dumps(report.json(), indent=2, allow_nan=False)


def to_html(report: ModelReport) -> str:
    """A self-contained page: no other files and no network access, which its content security policy also forbids."""
    data = report.json()
    # Data that only the pane of one node shows is parsed when the first pane is opened.
    details = [(node.pop("source"), node.pop("stages")) for node in data["nodes"]]
    for node in data["nodes"]:
        del node["emitted"]  # redundant: calls name their nodes
    data["call_families"] = [family_of(call.callee.rpartition(".")[2]) for call in report.costs]
    data["kernel_weights"] = [call.cost.picoseconds for call in report.costs]
    loader = PackageLoader("forge_mlir.report", "page")
    page = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, finalize=_readable)
    page.policies["json.dumps_kwargs"] = {"allow_nan": False}
    return page.get_template("page.html").render(
        report=report,
        overview=Overview.of(report),
        problems=len(report.verdict.refused) + len(report.verdict.errors),
        data=data,
        details=details,
        tabs=_TABS,
        scripts=_SCRIPTS,
        file=_page_file,
    )


def _readable(value: Any) -> Any:
    """Text with characters escaped that reorder or hide what follows on the page. Markup is unchanged."""
    if type(value) is not str:
        return value
    return "".join(each if each.isprintable() or each == "\n" else escaped(each) for each in value)


def to_markdown(report: ModelReport) -> str:
    """The tables of the report, with their first rows."""
    verdict = report.verdict
    lines = [f"# {text(report.model)}: {'supported' if verdict.supported else 'refused'}", ""]
    overview = Overview.of(report)
    lines += [
        f"- {text(each.question)} **{text(each.word)}**: {text('; '.join(each.lines))}" for each in overview.answers
    ]
    lines += [f"- Next, {text(step.text)}: {text(step.command)}" for step in overview.steps]
    lines += ["", f"Times: {text(overview.times)}", ""] if overview.times else [""]
    lines += [
        f"{len(report.nodes):,} nodes, {sum(report.calls.values()):,} Forge calls, "
        f"{len(report.weights):,} weights of {report.weight_bytes:,} bytes.",
        "",
    ]
    refused = ((row.name, row.op, row.opset, row.code, row.reason) for row in verdict.refused)
    lines += table("Refused nodes", ("node", "op", "opset", "code", "reason"), refused)
    cpu = ((row.name, row.op, row.reason) for row in report.nodes if row.side == "cpu")
    lines += table("Nodes on the CPU", ("node", "op", "reason"), cpu)
    lines += table("Errors and warnings", ("code", "text"), ((p.code, p.message) for p in _problems(report)))
    lines += table("ONNX ops", ("op", "nodes"), report.onnx_ops.items())
    lines += table("Forge calls", ("call", "calls"), report.calls.items())
    layers = ((row["layer"], row["bytes"], row["bytes_logical"], row["traffic"]) for row in report.layers)
    lines += table("Tiles by layer", ("layer", "bytes", "of data", "tiles that slices move"), layers)
    if report.verdict.cost is not None:
        costs = ((row.name, row.ops_after, *astuple(row.after)) for row in report.verdict.cost.layers)
        lines += table("Cost by layer", ("layer", "ops", *COST_TITLES), costs)
    measured = [(row.name, row.op, row.relative) for row in report.nodes if row.relative is not None]
    worst = sorted(measured, key=lambda row: -row[2])
    lines += table("Largest errors", ("node", "op", "relative"), ((n, op, f"{e:.3g}") for n, op, e in worst))
    weights = ((row.name, row.dtype, list(row.shape), row.bytes) for row in report.weights)
    lines += table("Weights", ("weight", "dtype", "shape", "bytes"), weights)
    lines += [f"Note: {text(note)}" for note in report.notes]
    return "\n".join(lines).rstrip() + "\n"


def _problems(report: ModelReport) -> list[Any]:
    return [*report.verdict.errors, *report.verdict.warnings]


def _page_file(name: str) -> Markup:
    """A file of this package, which is trusted."""
    return Markup(resources.files("forge_mlir.report").joinpath("page", name).read_text(encoding="utf-8"))

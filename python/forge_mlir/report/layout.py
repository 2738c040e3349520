"""The size of a model in tiles of 32 x 32: bytes, slices, and the effect of the rewrites for tiles."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.compiler.facts import bytecode_of
from forge_mlir.compiler.option_types.values import value_of
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.errors import Diagnostic, ForgeError
from forge_mlir.importer import ImportedModel
from forge_mlir.lowerings.running import LoweringRun

Json = dict[str, Any]

_WORST = 10


@dataclass(frozen=True)
class LayoutTotals:
    """Totals of a program. `traffic` is the number of tiles that slices read and write, for three kinds of devices: one
    that untilizes the input of misaligned slices ("ttnn"), one that untilizes only the tiles that the slice overlaps
    ("windowed"), and one on which aligned slices are views ("view").
    """

    bytes: int
    bytes_logical: int
    ratio: float
    slice_classes: dict[str, int]
    traffic: dict[str, int]


@dataclass(frozen=True)
class LayoutSummary:
    """The layout `before` and `after` the rewrites of `layout="tiles"`; `rewrites` lists them with reasons.

    `values` are those after the rewrites, one flat object each; `worst` are those with the most padding.
    """

    before: LayoutTotals
    after: LayoutTotals
    rewrites: tuple[str, ...]
    worst: tuple[Json, ...]
    values: tuple[Json, ...]


def layout_report(imported: ImportedModel, options: Options) -> LayoutSummary:
    """The layout of a model. Raises ForgeError for one that cannot be compiled, and for an unknown format."""
    before, _ = _report(imported, {**options, "layout": "none"})
    after, found = _report(imported, {**options, "layout": "tiles"})
    values = after["values"]
    known = [value for value in values if "bytes" in value]
    worst = sorted(known, key=lambda value: value["bytes_logical"] - value["bytes"])[:_WORST]
    rewrites = tuple(text.message for text in found if text.severity == "remark")
    return LayoutSummary(_totals(before), _totals(after), rewrites, tuple(worst), tuple(values))


def _report(imported: ImportedModel, options: Options) -> tuple[Json, tuple[Diagnostic, ...]]:
    report, reports = _native.layout_report(
        bytecode_of(imported),
        pipeline(options, explain_layout=True),
        value_of(options, "device_format") or "",
        LoweringRun(options.get("lowerings", ())).native(),
    )
    found = tuple(Diagnostic.all_of(reports))
    if report is None:
        raise ForgeError(Code.LayoutUnknown, "the layout is not known", found)
    parsed: Json = json.loads(report)
    return parsed, found


def _totals(report: Json) -> LayoutTotals:
    totals = report["totals"]
    traffic = {kind: totals[f"traffic_{kind}"] for kind in ("ttnn", "windowed", "view")}
    return LayoutTotals(totals["bytes"], totals["bytes_logical"], totals["ratio"], totals["slice_classes"], traffic)

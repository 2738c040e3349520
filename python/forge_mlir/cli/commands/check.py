"""The command that tells what compiling would do."""

from __future__ import annotations

import sys
from typing import Annotated

from forge_mlir.cli.arguments import Flag, Model
from forge_mlir.cli.check_tables import (
    show_cost,
    show_cut_points,
    show_integers,
    show_layout,
    show_partitions,
    show_refused,
)
from forge_mlir.cli.flags import command
from forge_mlir.cli.reporting import advice
from forge_mlir.cli.ui import Ui
from forge_mlir.compiler.options import Options
from forge_mlir.errors import headline


@command()
def check(
    model: Model,
    suggest_cuts: Annotated[
        bool, Flag("--suggest-cuts", help="name tensors to cut at, so that the device runs most of one part")
    ] = False,
    explain_layout: Annotated[
        bool, Flag("--layout", help="tell what the model takes in tiles, and what --tiles changes")
    ] = False,
    cost: Annotated[
        bool, Flag("--cost", help="tell what the program takes on the device, and what each pass saved")
    ] = False,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Tell whether a model can be compiled: every node that would be refused and why, and what would run where."""
    from forge_mlir.report.check import check as check_model

    verdict = check_model(model, suggest_cuts=suggest_cuts, layout_summary=explain_layout, cost_summary=cost, **options)
    if ui.as_json:
        ui.answer(verdict.json())
    else:
        for warning in verdict.warnings:
            ui.note(headline("warning", warning.code, f"{verdict.model}: {warning.message}"))
        for problem in verdict.errors:
            print(headline("error", problem.code, f"{verdict.model}: {problem.message}"), file=sys.stderr)
        show_refused(verdict.refused)
        for line in advice(verdict.refused):
            ui.note(f"note: {line}")
        show_integers(verdict.integers)
        show_partitions(verdict.partitions)
        if verdict.cut_points is not None:
            show_cut_points(model, verdict.cut_points)
        if verdict.layout is not None:
            show_layout(verdict.layout)
        if verdict.cost is not None:
            show_cost(verdict.cost)
        print(f"{verdict.model}: {'supported' if verdict.supported else 'refused'}")
    if not verdict.supported:
        sys.exit(1)

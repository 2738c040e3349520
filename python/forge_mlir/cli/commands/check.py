"""The command that tells what compiling would do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from forge_mlir.cli.arguments import Flag, Models
from forge_mlir.cli.check_tables import (
    show_cost,
    show_cut_points,
    show_integers,
    show_layout,
    show_partitions,
    show_refused,
)
from forge_mlir.cli.exit_codes import Exit, exit_of_codes, worst
from forge_mlir.cli.flags import command
from forge_mlir.cli.folders import models_of
from forge_mlir.cli.reporting import advice
from forge_mlir.cli.ui import Ui
from forge_mlir.compiler.options import Options
from forge_mlir.errors import headline

if TYPE_CHECKING:
    from forge_mlir.report.check import Verdict


@command()
def check(
    model: Models,
    suggest_cuts: Annotated[
        bool,
        Flag("--suggest-cuts", help="suggest tensors at which to cut the model; so that the device can run one part"),
    ] = False,
    explain_layout: Annotated[
        bool, Flag("--layout", help="show sizes in tiles; before and after --tiles, in bytes")
    ] = False,
    cost: Annotated[
        bool, Flag("--cost", help="show the cost of the program; by op and layer, and what each pass saves")
    ] = False,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """List the nodes of a model that would be refused.

    Each has a reason. With --fallback=cpu the partitions are listed too.
    """
    from forge_mlir.report.check import check as check_model

    verdicts = []
    for file, own in models_of(model, options):
        verdict = check_model(file, suggest_cuts=suggest_cuts, layout_summary=explain_layout, cost_summary=cost, **own)
        verdicts.append(verdict)
        _summarise(verdict, ui)
        if not ui.as_json:
            _show(file, verdict, ui)
    if ui.as_json:
        ui.answer({"models": [each.json() for each in verdicts]} if model.is_dir() else verdicts[0].json())
    if ending := worst(map(_exit_of, verdicts)):
        sys.exit(ending)


def _exit_of(verdict: Verdict) -> Exit:
    if verdict.supported:
        return Exit.DONE
    return exit_of_codes({*(each.code for each in verdict.errors), *(each.code for each in verdict.refused)} - {""})


def _summarise(verdict: Verdict, ui: Ui) -> None:
    ui.summary.say(f"{verdict.model}: {'supported' if verdict.supported else 'refused'}")
    ui.summary.table("Errors", ("code", "text"), ((problem.code, problem.message) for problem in verdict.errors))
    refused = ((row.code, row.name, row.op, row.reason) for row in verdict.refused)
    ui.summary.table("Refused nodes", ("code", "node", "op", "reason"), refused)


def _show(model: Path, verdict: Verdict, ui: Ui) -> None:
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

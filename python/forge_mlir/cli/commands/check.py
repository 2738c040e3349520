"""The command that reports what a compilation would do."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from forge_mlir.cli.arguments import Flag, Models
from forge_mlir.cli.exit_codes import Exit, exit_of_codes, worst
from forge_mlir.cli.flags import command
from forge_mlir.cli.folders import for_each
from forge_mlir.cli.generation import Batch, MaxLength, PromptLengths, generation_of_flags
from forge_mlir.cli.output.check_tables import (
    show_cost,
    show_cut_points,
    show_integers,
    show_layout,
    show_partitions,
    show_refused,
)
from forge_mlir.cli.output.reporting import advice
from forge_mlir.cli.output.ui import Ui
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, escaped, headline

if TYPE_CHECKING:
    from forge_mlir.report.check import Verdict

# The devices of the cost model (docs/cost.md); the first one is the default.
Device = Literal["wormhole-n150", "blackhole-p150"]


@command()
def check(
    model: Models,
    suggest_cuts: Annotated[
        bool,
        Flag(
            "--suggest-cuts", help="suggest tensors at which to cut the model; the device can then run one of the parts"
        ),
    ] = False,
    explain_layout: Annotated[
        bool, Flag("--layout", help="show sizes in tiles and bytes; without and with --tiles")
    ] = False,
    cost: Annotated[
        bool,
        Flag(
            "--cost",
            help="show the estimated cost of the program; also of each node, layer and op, and what each pass saves",
        ),
    ] = False,
    generate: Annotated[
        bool, Flag("--generate", help="check the programs that generate tokens; needs --max-length", brief=False)
    ] = False,
    max_length: MaxLength = None,
    prompt_length: PromptLengths = None,
    batch: Batch = 1,
    device: Annotated[
        Device, Flag("--device", help="estimate the times of --cost for this device", needs="--cost")
    ] = "wormhole-n150",
    *,
    options: Options,
    ui: Ui,
) -> None:
    """List the nodes of a model that would be refused.

    Each node is listed with the reason. With --fallback=cpu, the partitions are listed, too.
    """
    from forge_mlir.report.check import Verdict
    from forge_mlir.report.check import check as check_model

    generation = generation_of_flags(generate, max_length, prompt_length, batch)
    if generation is not None and (suggest_cuts or explain_layout):
        raise click.BadParameter("--generate takes no --suggest-cuts and no --layout")

    def shown(file: Path, verdict: Verdict) -> Verdict:
        _summarise(verdict, ui)
        if not ui.as_json:
            _show(file, verdict, ui)
        return verdict

    def checked(file: Path, own: Options) -> list[Verdict]:
        programs = generation.programs_for(file, own) if generation is not None else {"": None}
        found = []
        for name, program in programs.items():
            verdict = check_model(
                file,
                suggest_cuts=suggest_cuts,
                layout_summary=explain_layout,
                cost_summary=cost,
                device=device,
                program=program,
                **own,
            )
            if name:
                verdict = replace(verdict, model=f"{verdict.model} ({name})")
            found.append(shown(file, verdict))
        return found

    def failed(file: Path, error: ForgeError) -> list[Verdict]:
        return [shown(file, Verdict.of_error(escaped(file), error))]

    verdicts = [verdict for each in for_each(model, options, checked, failed) for verdict in each]
    if ui.as_json:
        several = model.is_dir() or generate
        ui.answer({"models": [each.json() for each in verdicts]} if several else verdicts[0].json())
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
    if verdict.step is not None:
        print(verdict.step.line())
    print(f"{verdict.model}: {'supported' if verdict.supported else 'refused'}")

"""The command that measures a folder of models."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from forge_mlir.cli.arguments import FORCE, Argument, Filled, Flag, output_option
from forge_mlir.cli.exit_codes import Exit, exit_of, worst
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.tables import print_table
from forge_mlir.cli.output.ui import Ui
from forge_mlir.compiler.options import Options, option_table

if TYPE_CHECKING:
    from forge_mlir.sweep.rows import Row


_OF_ONE_MODEL = ("sample_inputs", "bind", "ranges")


@command("conversion", "floats", "tiles", "fallback", "limits", "inputs", hidden=_OF_ONE_MODEL)
def sweep(
    directory: Annotated[Path, Argument("folder of ONNX models, searched recursively")],
    output: Annotated[
        Path, output_option("write tables to this directory; an interrupted sweep is continued from it", "DIR")
    ] = Path("results"),
    jobs: Annotated[
        int | None,
        Flag(
            "--jobs",
            "-j",
            metavar="MODELS",
            help="measure this many models at a time; by default one for each core",
            minimum=1,
        ),
    ] = None,
    scheduler: Annotated[
        Filled | None, Flag(metavar="ADDRESS", help="run on a Dask cluster; e.g. tcp://host:8786")
    ] = None,
    against: Annotated[
        Path | None,
        Flag(
            metavar="DIR",
            help="compare with an earlier sweep; DIR is its output directory",
            formerly=("--compare",),
        ),
    ] = None,
    fresh: Annotated[bool, Flag("--fresh", help="measure all models again", brief=False)] = False,
    force: Annotated[bool, FORCE] = False,
    model_seconds: Annotated[
        float, Flag(metavar="SECONDS", help="limit the time of one model; 0: no limit", minimum=0, brief=False)
    ] = 1800.0,
    model_memory: Annotated[
        int, Flag(metavar="MIB", help="limit the memory of one model; 0: no limit", minimum=0, brief=False)
    ] = 16384,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Compile, verify and time every model of a folder.

    The exit code is that of the worst model; with --against, that of the worst model that became worse.
    """
    from forge_mlir.support.sandbox import LONGEST, Limits
    from forge_mlir.sweep import rows as tables
    from forge_mlir.sweep.run import sweep as run_sweep

    if scheduler is not None and jobs is not None:
        raise click.BadParameter("--jobs is for this machine; a --scheduler has its own workers")
    if stray := [option_table()[name].flag for name in _OF_ONE_MODEL if options.get(name)]:
        raise click.BadParameter(f"{', '.join(stray)} is for one model; a sweep reads the inputs.npz beside each model")
    found = run_sweep(
        directory,
        output,
        jobs=jobs,
        scheduler=scheduler,
        limits=Limits(min(model_seconds, LONGEST), model_memory << 20),
        earlier=against,
        fresh=fresh,
        force=force,
        **options,
    )
    shown = [tables.cells(row) for row in found.rows]
    if not ui.as_json:
        print_table(
            ("verdict", "relative", "compile s", "run s", "model", "reason"),
            (
                (
                    row["verdict"],
                    *(_number(row[name]) for name in ("relative", "compile_seconds", "run_seconds")),
                    row["model"],
                    f"{row['code']} {row['reason']}".strip(),
                )
                for row in shown
            ),
        )
    titles = ("model", "verdict", "relative", "code", "reason")
    ui.summary.table("Models", titles, ([row[name] for name in titles] for row in shown))
    counts = Counter(row.verdict for row in found.rows)
    verdicts = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in tables.VERDICTS if counts[verdict])
    ui.say(f"{len(found.rows):,} models: {verdicts}; {found.measured:,} measured now")
    ui.summary.say(verdicts)
    fallen = found.fallen
    for row, other in fallen:
        ui.say(f"worse: {tables.cells(row)['model']}: was {other.verdict}, is {row.verdict}")
    for file in found.files:
        ui.note(str(file))
    ui.answer(
        {
            "models": [asdict(row) for row in found.rows],
            "measured": found.measured,
            "worse": [row.model for row, _ in fallen],
            "files": list(map(str, found.files)),
        }
    )
    judged = found.rows if against is None else [row for row, _ in fallen]
    if ending := worst(map(_exit_of, judged)):
        sys.exit(ending)


def _exit_of(row: Row) -> Exit:
    """The exit code of compiling and verifying this model."""
    if row.verdict in ("wrong", "undecided"):
        return Exit.MISMATCH
    if row.verdict == "verified":
        return Exit.DONE
    return exit_of(row.code) if row.code else Exit.REFUSED


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"

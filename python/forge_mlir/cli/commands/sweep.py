"""The command that measures a folder of models."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import click

from forge_mlir.cli.arguments import FORCE, Argument, Flag, output_option
from forge_mlir.cli.flags import command
from forge_mlir.cli.tables import print_table
from forge_mlir.cli.ui import Ui
from forge_mlir.compiler.options import Options


@command("lowering", "fallback", "limits", "inputs")
def sweep(
    directory: Annotated[Path, Argument("folder of ONNX models, searched with all below it")],
    output: Annotated[Path, output_option("directory for the tables; a sweep that was ended goes on there")] = Path(
        "results"
    ),
    jobs: Annotated[
        int | None, Flag("--jobs", "-j", help="models at a time; one for each core by default", minimum=1)
    ] = None,
    scheduler: Annotated[
        str | None, Flag(metavar="ADDRESS", help="Dask cluster to run on, e.g. tcp://host:8786")
    ] = None,
    compare: Annotated[Path | None, Flag(metavar="DIR", help="results of an earlier sweep, to compare with")] = None,
    fresh: Annotated[bool, Flag("--fresh", help="measure all models again")] = False,
    force: Annotated[bool, FORCE] = False,
    model_seconds: Annotated[float, Flag(help="seconds that one model may take; 0: any", minimum=0)] = 1800.0,
    model_memory: Annotated[int, Flag(help="MiB that one model may take; 0: any", minimum=0)] = 16384,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Compile, verify and time every model of a folder, on all cores or a Dask cluster. Exit code 1 says that a model
    is refused or wrong, or, with --compare, that one does worse than it did then."""
    from forge_mlir.support.sandbox import Limits
    from forge_mlir.sweep import rows as tables
    from forge_mlir.sweep.run import sweep as run_sweep

    if stray := [name for name in ("sample_inputs", "bind", "ranges") if options.get(name)]:
        raise click.BadParameter(f"{', '.join(stray)} are of one model; a sweep reads the inputs.npz beside each")
    found = run_sweep(
        directory,
        output,
        jobs=jobs,
        scheduler=scheduler,
        limits=Limits(model_seconds, model_memory << 20),
        earlier=compare,
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
    told = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in tables.VERDICTS if counts[verdict])
    ui.say(f"{len(found.rows):,} models: {told}; {found.measured:,} measured now")
    ui.summary.say(told)
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
    if fallen or (compare is None and any(row.verdict != tables.VERDICTS[0] for row in found.rows)):
        sys.exit(1)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"

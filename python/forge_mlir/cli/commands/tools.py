"""The commands about forge-mlir itself."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import click

from forge_mlir.cli.arguments import FORCE, Argument, Flag, Model, output_option
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.tables import print_table
from forge_mlir.cli.output.ui import Ui
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError
from forge_mlir.explanations import explanations


@command(options=False)
def explain(code: Annotated[str, Argument("code of an error, such as FM1001")], *, ui: Ui) -> None:
    """Explain the code of an error or warning."""
    row = explanations().get(code.upper())
    if row is None:
        raise click.BadParameter(f"there is no code {code!a}")
    ui.say(f"{code.upper()} {row.name} ({row.severity}): {row.meaning}\ncause: {row.cause}\ncure: {row.cure}")
    ui.answer({"code": code.upper(), **vars(row)})


@command(options=False)
def ops(
    opset: Annotated[
        int | None,
        Flag(
            metavar="OPSET",
            help="list the ops of this opset; by default, of the newest opset of the default domain",
            minimum=1,
        ),
    ] = None,
    *,
    ui: Ui,
) -> None:
    """List the ONNX ops, and whether they have a converter.

    yes: there is a converter, which may refuse some uses of the op; body: the op is replaced by its function body, as
    ONNX defines it; no: there is neither.
    """
    from forge_mlir.report.ops import supported_ops

    try:
        rows = supported_ops(opset)
    except ForgeError as error:
        raise click.BadParameter(error.message, param_hint="--opset") from error
    if not ui.as_json:
        print_table(("device", "opset", "op"), ((row.device, str(row.since), row.full_name) for row in rows))
    ui.answer({"ops": [asdict(row) for row in rows]})


@command()
def bug_report(
    model: Model,
    output: Annotated[Path, output_option("write the archive here")] = Path("forge-mlir-bug-report.tar.gz"),
    anonymous: Annotated[bool, Flag("--anonymous", help="leave out all names in the model")] = False,
    force: Annotated[bool, FORCE] = False,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Pack what is needed to reproduce a failure.

    The archive has the model without weights, the IR before the pass that fails, versions and the command line.
    """
    from forge_mlir.report.bug_report import bug_report as write

    files = write(model, output, anonymous=anonymous, force=force, **options)
    ui.say(f"{output}: {', '.join(files)}")
    ui.answer({"archive": str(output), "files": files})

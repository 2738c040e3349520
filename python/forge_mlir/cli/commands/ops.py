"""The command that lists the ops with a converter."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import click

from forge_mlir.cli.arguments import Flag
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.tables import print_table
from forge_mlir.cli.output.ui import Ui
from forge_mlir.errors import ForgeError


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

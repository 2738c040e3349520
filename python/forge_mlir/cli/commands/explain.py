"""The command that explains a code."""

from __future__ import annotations

from typing import Annotated

import click

from forge_mlir.cli.arguments import Argument
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.ui import Ui
from forge_mlir.explanations import explanations


@command(options=False)
def explain(code: Annotated[str, Argument("code of an error, such as FM1001")], *, ui: Ui) -> None:
    """Explain the code of an error or warning."""
    row = explanations().get(code.upper())
    if row is None:
        raise click.BadParameter(f"there is no code {code!a}")
    ui.say(f"{code.upper()} {row.name} ({row.severity}): {row.meaning}\ncause: {row.cause}\ncure: {row.cure}")
    ui.answer({"code": code.upper(), **vars(row)})

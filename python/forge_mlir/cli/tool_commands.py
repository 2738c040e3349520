"""The commands about forge-mlir itself."""

from __future__ import annotations

from typing import Annotated

import typer

from forge_mlir.cli.flags import command
from forge_mlir.cli.ui import Ui
from forge_mlir.explanations import explanations


@command(options=False)
def explain(code: Annotated[str, typer.Argument(help="code of an error, such as FM1001")], *, ui: Ui) -> None:
    """Tell what the code of an error or warning means, what causes it and what to do."""
    row = explanations().get(code.upper())
    if row is None:
        raise typer.BadParameter(f"there is no code {code!a}")
    ui.say(f"{code.upper()} {row.name} ({row.severity}): {row.meaning}\ncause: {row.cause}\ncure: {row.cure}")
    ui.answer({"code": code.upper(), **vars(row)})


COMMANDS = (explain,)

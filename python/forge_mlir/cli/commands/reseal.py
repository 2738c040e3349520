"""The command that accepts edits of a compiled module."""

from __future__ import annotations

from forge_mlir.cli.arguments import Module
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.ui import Ui
from forge_mlir.errors import printable


@command(options=False)
def reseal(module: Module, *, ui: Ui) -> None:
    """Accept edits of a compiled module.

    The hashes of files in the manifest of the module are computed again.
    """
    from forge_mlir.artifact.reseal import reseal as reseal_artifact

    changed = reseal_artifact(module)
    for name in changed:
        ui.say(f"accepted: {printable(name)}")
    if not changed:
        ui.say("nothing has changed")
    ui.answer({"accepted": list(changed)})

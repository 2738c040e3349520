"""The command that packs what reproduces a failure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from forge_mlir.cli.arguments import FORCE, Flag, Model, output_option
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.ui import Ui
from forge_mlir.compiler.options import Options


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

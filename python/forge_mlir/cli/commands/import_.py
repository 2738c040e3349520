"""The command that writes a model as IR."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from forge_mlir.cli.arguments import FORCE, Flag, Model, Name, output_option
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.ui import Ui
from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.errors import Diagnostic, escaped


@command("inputs", "extraction", "limits", names=("lowerings",))
def import_(
    model: Model,
    output: Annotated[Path | None, output_option("write to this .mlir or .mlirbc file; by default MODEL.mlir")] = None,
    name: Name = None,
    inline_weights: Annotated[bool, Flag("--inline-weights", help="write the weights into the IR")] = False,
    force: Annotated[bool, FORCE] = False,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Write a model as MLIR for forge-opt.

    A table of where the weights are stored is written next to the MLIR file.
    """
    from forge_mlir.compiler.lower import import_model
    from forge_mlir.compiler.stages.files import write_import
    from forge_mlir.importer.onnx_import import files_of
    from forge_mlir.support.outputs import check_output

    # Names are in the IR, whose text is UTF-8.
    stem = model.stem.encode("utf-8", "replace").decode()
    file = output or Path(f"{stem}.mlir")
    if file.suffix not in (".mlir", ".mlirbc"):
        raise click.BadParameter("expected a file that ends in .mlir or .mlirbc", param_hint="--output")
    if any("\udc80" <= character <= "\udcff" for character in file.name):
        raise click.BadParameter("expected a name in UTF-8", param_hint="--output")
    check_output(file, files_of(model), force)
    imported = import_model(model, **options)
    write_import(imported, file, name or stem, inline_weights=inline_weights, force=force)
    label = escaped(model)
    ui.warn(Diagnostic("warning", text, code=Code.ModelAdjusted, model=label) for text in imported.warnings)
    ui.say(str(file))
    ui.answer({"file": str(file)})

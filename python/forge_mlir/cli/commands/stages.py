"""The commands before and after the MLIR tools: import writes IR, emit reads it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import click

from forge_mlir.cli.arguments import FORCE, Argument, Flag, Model, Name, output_option
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.ui import Ui
from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.errors import Diagnostic, ForgeError, escaped


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

    A table with the places of the weights is written next to the MLIR file.
    """
    from forge_mlir.compiler.lower import import_model
    from forge_mlir.compiler.stages.files import write_import

    file = output or Path(f"{model.stem}.mlir")
    if file.suffix not in (".mlir", ".mlirbc"):
        raise click.BadParameter("expected a file that ends in .mlir or .mlirbc", param_hint="--output")
    imported = import_model(model, **options)
    write_import(imported, file, name or model.stem, inline_weights=inline_weights, force=force)
    label = escaped(model)
    ui.warn(Diagnostic("warning", text, code=Code.ModelAdjusted, model=label) for text in imported.warnings)
    ui.say(str(file))
    ui.answer({"file": str(file)})


@command("limits")
def emit(
    file: Annotated[Path, Argument("IR in which each op is one Forge call, as text or bytecode; - for stdin")],
    output: Annotated[Path, output_option("write into this directory", "DIR")] = Path(),
    name: Annotated[
        str, Flag(metavar="NAME", help="set the name of the module; by default that of the IR", show_default=False)
    ] = "",
    weight_table: Annotated[
        Path | None,
        Flag(
            metavar="FILE",
            help="read the locations of weights from this file; by default from the one that the IR names",
            formerly=("--weights",),
        ),
    ] = None,
    force: Annotated[bool, FORCE] = False,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Write a compiled module from IR that forge-opt lowered."""
    from forge_mlir.compiler.option_types.values import limits_of
    from forge_mlir.compiler.stages.emit_ir import emit_file

    try:
        ir = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise ForgeError(Code.FileUnreadable, f"{escaped(file)}: cannot be opened: {error.strerror}") from error
    artifact = emit_file(
        ir, output, name=name, beside=file.parent, table=weight_table, force=force, limits=limits_of(options)
    )
    ui.warn(artifact.warnings)
    ui.say(str(artifact.module_path))
    ui.answer({"module": str(artifact.module_path)})

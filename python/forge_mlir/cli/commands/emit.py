"""The command that writes a compiled module from IR."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from forge_mlir.cli.arguments import FORCE, Argument, Filled, Flag, output_option
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.ui import Ui
from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, escaped


@command("limits")
def emit(
    file: Annotated[Path, Argument("IR in which each op is one Forge call, as text or bytecode; - for stdin")],
    output: Annotated[Path, output_option("write into this directory", "DIR")] = Path(),
    name: Annotated[
        Filled | None, Flag(metavar="NAME", help="set the name of the module; by default that of the IR")
    ] = None,
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
        ir, output, name=name or "", beside=file.parent, table=weight_table, force=force, limits=limits_of(options)
    )
    ui.warn(artifact.warnings)
    ui.say(str(artifact.module_path))
    ui.answer({"module": str(artifact.module_path)})

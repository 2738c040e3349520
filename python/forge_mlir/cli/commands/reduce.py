"""The command that shrinks failing models."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Literal

import click

from forge_mlir.cli.arguments import FORCE, Flag, Inputs, Model, Seed, output_option, require_random
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.ui import Ui
from forge_mlir.compiler.option_types.values import flags_given
from forge_mlir.compiler.options import Options
from forge_mlir.errors import counted, printable
from forge_mlir.execute.values.array_files import load_arrays
from forge_mlir.support.outputs import check_folder

Kind = Literal["refused", "wrong", "crash"]


@command()
def reduce(
    model: Model,
    output: Annotated[Path, output_option("write the reduced model to this directory", "DIR")] = Path(),
    inputs: Inputs = None,
    kind: Annotated[
        Kind | None, Flag(help="reduce to this kind of failure; by default the failure of the model")
    ] = None,
    test: Annotated[
        str | None,
        Flag(
            "--command",
            metavar="COMMAND",
            help="shrink while this command exits with 0; its words {model} and {inputs} are replaced by file names",
        ),
    ] = None,
    seed: Seed = 0,
    force: Annotated[bool, FORCE] = False,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Shrink a model that fails to the part that fails.

    A failure is a refusal, a wrong result or a crash of the compiler.
    """
    from forge_mlir.reduce import reduce_model

    if kind and test is not None:
        raise click.BadParameter("--kind and --command exclude each other")
    if test is not None and (stray := flags_given(options, "inputs", "limits")):
        raise click.BadParameter(f"{', '.join(stray)}: without effect with --command, which may have options itself")
    require_random(bool(inputs), seed=seed)
    given = load_arrays(inputs) if inputs else None
    stem = f"{model.stem}_reduced"
    check_folder(output, [f"{stem}{ending}" for ending in (".onnx", ".npz", ".mlir")], force)
    found = reduce_model(
        model,
        given,
        kind=kind,
        command=test,
        seed=seed,
        tell=lambda text: ui.note(printable(text)),
        options=options,
    )
    files = found.save(output, stem, force=force)
    ui.say(f"{counted(found.nodes, 'node')} became {len(found.case.nodes)}: {', '.join(map(printable, files))}")
    if test:
        model_file, inputs_file = map(str, files[:2])
        words = [w.replace("{model}", model_file).replace("{inputs}", inputs_file) for w in shlex.split(test)]
    else:
        words = ["forge-mlir", "verify", str(files[0]), "--inputs", str(files[1]), *found.arguments]
    rerun = shlex.join(words)
    ui.say(rerun)
    ui.answer(
        {
            "failure": str(found.failure),
            "nodes_before": found.nodes,
            "nodes": len(found.case.nodes),
            "files": list(map(str, files)),
            "command": rerun,
        }
    )

"""The `forge-mlir` command. Exit codes: 0 done, 1 refused or wrong, 2 wrong usage."""

from __future__ import annotations

import json
import signal
import sys
from importlib import metadata
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from forge_mlir.cli import verify_commands
from forge_mlir.cli.check_tables import show_cut_points, show_layout, show_partitions, show_refused
from forge_mlir.cli.flags import takes_options
from forge_mlir.cli.npz import load_npz
from forge_mlir.cli.reporting import errors_as_json, show_error
from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options, limits_of
from forge_mlir.errors import Diagnostic, ForgeError, headline
from forge_mlir.explanations import explanations
from forge_mlir.support.sandbox import isolated

app = typer.Typer(
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help", "-h"]},
    add_completion=False,
    pretty_exceptions_enable=False,
    help=__doc__,
)

Model = Annotated[Path, typer.Argument(help="ONNX model")]
Name = Annotated[str | None, typer.Option(help="name of the module; the file's by default")]
Debug = Annotated[bool, typer.Option("--debug", help="show Python tracebacks")]


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"forge-mlir {metadata.version('forge-mlir')}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="print the version")
    ] = False,
) -> None:
    """The `forge-mlir` command. Exit codes: 0 done, 1 refused or wrong, 2 wrong usage."""
    del version  # Its callback has ended the program.


def _report(warnings: tuple[Diagnostic, ...]) -> None:
    for line in warnings:
        print(line, file=sys.stderr)


@app.command()
@takes_options()
def compile(
    model: Model,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="directory for the module; MODEL_forge by default")
    ] = None,
    name: Name = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="compare with ONNX first; nothing is written if wrong")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="replace files that forge-mlir did not write")] = False,
    *,
    options: Options,
    debug: Debug = False,  # noqa: ARG001 (main reads it: the error may come before any command runs)
) -> None:
    """Compile an ONNX model to a Forge Python module with its weights."""
    from forge_mlir.compiler.driver import compile as compile_model

    if verify:
        verify_commands.require_verified(model, options.get("sample_inputs"), name, options)
    artifact = compile_model(
        model,
        output or Path(f"{model.stem}_forge"),
        name=name,
        force=force,
        **options,
    )
    _report(artifact.warnings)
    print(artifact.module_path)


@app.command()
@takes_options()
def check(
    model: Model,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
    suggest_cuts: Annotated[
        bool, typer.Option("--suggest-cuts", help="name tensors to cut at, so that the device runs most of one part")
    ] = False,
    explain_layout: Annotated[
        bool, typer.Option("--layout", help="tell what the model takes in tiles, and what --tiles changes")
    ] = False,
    *,
    options: Options,
    debug: Debug = False,  # noqa: ARG001 (main reads it: the error may come before any command runs)
) -> None:
    """Tell whether a model can be compiled: every node that would be refused and why, and what would run where."""
    from forge_mlir.report.check import check as check_model

    verdict = check_model(model, suggest_cuts=suggest_cuts, layout_summary=explain_layout, **options)
    if as_json:
        print(json.dumps(verdict.json(), indent=2))
    else:
        for warning in verdict.warnings:
            print(headline("warning", warning.code, f"{verdict.model}: {warning.message}"), file=sys.stderr)
        for problem in verdict.errors:
            print(headline("error", problem.code, f"{verdict.model}: {problem.message}"), file=sys.stderr)
        show_refused(verdict.refused)
        show_partitions(verdict.partitions)
        if verdict.cut_points is not None:
            show_cut_points(model, verdict.cut_points)
        if verdict.layout is not None:
            show_layout(verdict.layout)
        print(f"{verdict.model}: {'supported' if verdict.supported else 'refused'}")
    if not verdict.supported:
        sys.exit(1)


@app.command()
@takes_options("limits")
def run(
    module: Annotated[Path, typer.Argument(help="compiled module: its .py, or its directory")],
    inputs: Annotated[Path, typer.Option("--inputs", "-i", help=".npz with inputs by ONNX name")],
    output: Annotated[Path, typer.Option("--output", "-o", help=".npz for the outputs")],
    *,
    options: Options,
    debug: Debug = False,  # noqa: ARG001 (main reads it: the error may come before any command runs)
) -> None:
    """Run a compiled module on the CPU reference: .npz in, .npz out. The limits hold for models with CPU partitions."""
    from forge_mlir.artifact.reader import Artifact
    from forge_mlir.execute.run import run as run_module

    artifact, arrays = Artifact.open(module), load_npz(inputs)
    if "partitions" in artifact.manifest():  # onnxruntime runs some of them.
        results = isolated("onnxruntime", lambda: run_module(artifact, arrays), limits_of(options))
    else:
        results = run_module(artifact, arrays)
    with output.open("wb") as file:
        np.savez(file, allow_pickle=False, **results)


@app.command()
def explain(code: Annotated[str, typer.Argument(help="code of an error, such as FM1001")]) -> None:
    """Tell what the code of an error or warning means, what causes it and what to do."""
    row = explanations().get(code.upper())
    if row is None:
        raise typer.BadParameter(f"there is no code {code!a}")
    print(f"{code.upper()} {row.name} ({row.severity}): {row.meaning}\ncause: {row.cause}\ncure: {row.cure}")


verify_commands.register(app)


def main() -> None:
    """Runs the command. Every error is one line, or one per refused node, unless --debug is given; with --json it is on
    stdout as JSON too."""
    # So that what is half written is taken away, as it is on an interrupt.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        app(standalone_mode=True)
    except Exception as error:
        if "--debug" in sys.argv:
            raise
        if isinstance(error, ForgeError):
            failure, details = error, errors_as_json(error)
        else:  # A bug of ours is no reason for a traceback either.
            what = type(error).__name__
            failure = ForgeError(Code.InternalError, f"{what}: {ascii(str(error))[1:-1]} (a bug; --debug shows more)")
            details = [{**errors_as_json(failure)[0], "exception": what}]
        if "--json" in sys.argv:
            print(json.dumps({"errors": details}, indent=2))
        show_error(failure)
        sys.exit(1)


if __name__ == "__main__":
    main()

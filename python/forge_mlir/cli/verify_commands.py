"""The commands that look for wrong results: verify, bisect and reduce."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
import typer

from forge_mlir.cli.flags import takes_options
from forge_mlir.cli.npz import load_npz
from forge_mlir.cli.reporting import errors_as_json, show_error
from forge_mlir.cli.tables import print_table, printable
from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError

if TYPE_CHECKING:
    from forge_mlir.verify import Comparison, Divergence, Verification

Kind = Literal["refused", "wrong", "crash"]

Model = Annotated[Path, typer.Argument(help="ONNX model")]
Inputs = Annotated[Path | None, typer.Option(help=".npz with inputs by ONNX name; seeded random ones by default")]
Outputs = Annotated[Path | None, typer.Option(help=".npz with goldens; onnxruntime's results by default")]
Seed = Annotated[int, typer.Option(help="seed of random inputs")]
Name = Annotated[str | None, typer.Option(help="name of the module; the file's by default")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]
Debug = Annotated[bool, typer.Option("--debug", help="show Python tracebacks")]

# A recurrent layer may have become hundreds of calls.
_MOST_CALLS = 12


def register(app: typer.Typer) -> None:
    """Adds the commands to `app`, with the options of a compilation."""
    for command in (verify, bisect, reduce):
        app.command()(takes_options()(command))


def verify(
    model: Model,
    inputs: Inputs = None,
    outputs: Outputs = None,
    name: Name = None,
    seed: Seed = 0,
    every: Annotated[bool, typer.Option("--nodes", help="show every node, not only the outputs")] = False,
    as_json: AsJson = False,
    *,
    options: Options,
    debug: Debug = False,  # noqa: ARG001 (main reads it: the error may come before any command runs)
) -> None:
    """Compile a model, run the module on the CPU reference and compare it with ONNX, node by node."""
    from forge_mlir.verify import verify_model

    given = load_npz(inputs) if inputs else None
    goldens = load_npz(outputs) if outputs else None
    result = verify_model(model, given, goldens, name=name, seed=seed, **options)
    for warning in result.warnings:
        print(warning, file=sys.stderr)
    failure = _failure(result)
    if as_json:
        print(json.dumps({**result.json(), "errors": errors_as_json(failure) if failure else []}, indent=2))
    else:
        _show(result, every)
    _exit_with(failure)


def bisect(
    model: Model,
    inputs: Inputs = None,
    outputs: Outputs = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    *,
    options: Options,
    debug: Debug = False,  # noqa: ARG001 (main reads it: the error may come before any command runs)
) -> None:
    """Execute a model's IR after each pass, and name the pass after which it computes something else than ONNX."""
    from forge_mlir.bisect import bisect_model

    given = load_npz(inputs) if inputs else None
    found = bisect_model(model, given, load_npz(outputs) if outputs else None, seed=seed, **options)
    failure = None
    if found.culprit:
        failure = ForgeError(
            Code.PassChangesResults, f"{printable(model)}: the results change after {found.culprit.name}"
        )
    if as_json:
        report = {"stages": [s.json() for s in found.stages], "culprit": found.culprit and found.culprit.name}
        print(json.dumps({**report, "errors": errors_as_json(failure) if failure else []}, indent=2))
    else:
        rows = []
        for stage in found.stages:
            relative = max((row.relative for row in stage.outputs), default=float("inf"))
            pcc = min((row.pcc for row in stage.outputs), default=0.0)
            result = "ok" if stage.passed else f"FAILED {stage.explain()}"
            rows.append((stage.name, f"{relative:.3g}", f"{pcc:.6f}", result))
        print_table(("after", "relative", "PCC", "result"), rows)
    _exit_with(failure)


def reduce(
    model: Model,
    output: Annotated[Path, typer.Option("--output", "-o", help="directory for the reduced model")] = Path(),
    inputs: Inputs = None,
    kind: Annotated[
        Kind | None, typer.Option(help="how the model must fail: refused, wrong or crash; as it does, by default")
    ] = None,
    command: Annotated[
        str | None,
        typer.Option(help="how the model fails: a command with {model} and {inputs} that keeps its exit status"),
    ] = None,
    seed: Seed = 0,
    *,
    options: Options,
    debug: Debug = False,  # noqa: ARG001 (main reads it: the error may come before any command runs)
) -> None:
    """Shrink a model that is refused, computes something wrong or crashes the compiler to the part that does."""
    from forge_mlir.reduce import reduce_model

    if kind and command:
        raise typer.BadParameter("--kind and --command exclude each other")

    def progress(text: str) -> None:
        print(printable(text), file=sys.stderr)

    given = load_npz(inputs) if inputs else None
    found = reduce_model(
        model,
        given,
        kind=kind,
        command=command,
        seed=seed,
        progress=progress,
        options=options,
    )
    files = found.save(output, f"{model.stem}_reduced")
    print(f"{found.nodes} nodes became {len(found.case.nodes)}: {', '.join(map(printable, files))}")
    if command:
        rerun = command.replace("{model}", shlex.quote(str(files[0]))).replace("{inputs}", shlex.quote(str(files[1])))
    else:
        words = ["forge-mlir", "verify", str(files[0]), "--inputs", str(files[1]), *found.arguments]
        rerun = shlex.join(words)
    print(rerun)


def require_verified(model: Path, inputs: Mapping[str, np.ndarray] | None, name: str | None, options: Options) -> None:
    """Raises ForgeError, after telling where, for a model whose module computes something else than ONNX."""
    from forge_mlir.verify import verify_model

    result = verify_model(model, inputs, name=name, **options)
    if failure := _failure(result):
        _show(result, every=False)
        raise failure


def _failure(result: Verification) -> ForgeError | None:
    if result.passed:
        return None
    return ForgeError(Code.ResultsDiffer, f"{result.model}: the module's results differ from ONNX")


def _exit_with(failure: ForgeError | None) -> None:
    """Ends a command that has told everything else, as JSON or not."""
    if failure:
        show_error(failure)
        sys.exit(1)


def _show(result: Verification, every: bool) -> None:
    numbers = ("shape", "dtype", "max abs", "relative", "ULP", "PCC")
    if every:
        rows = []
        for report in result.nodes:
            compared = (*_cells(report.total)[:-1], f"{report.local.relative:.3g}", _verdict(report.local))
            rows.append((report.node.name, report.node.op_type, *compared))
        print_table(("node", "op", "output", *numbers, "alone", "result"), rows)
    if result.outputs:
        print_table(("output", *numbers, "result"), map(_cells, result.outputs))
    worst = max(result.nodes, key=lambda report: report.local.relative, default=None)
    if worst is not None and result.divergence is None:
        print(
            f"{len(result.nodes)} values of nodes agree; the largest relative error of one node alone is "
            f"{worst.local.relative:.3g}, of '{printable(worst.node.name)}' ({printable(worst.node.op_type)})"
        )
    for name, reason in result.skipped:
        print(f"not compared: node '{printable(name)}': {printable(reason)}")
    if result.divergence:
        _explain(result.divergence)


def _explain(found: Divergence) -> None:
    node = f"'{printable(found.node.name)}' ({printable(found.node.op_type)})"
    print(f"first divergence: node {node}: {printable(found.reason)}")
    for name, kind in found.inputs:
        print(f"  input '{printable(name)}': {kind}")
    for node in found.fused:
        print(f"  with node '{printable(node.name)}' ({printable(node.op_type)})")
    for step in found.steps[-_MOST_CALLS:]:
        print(f"  emitted: {step}")
    if len(found.steps) > _MOST_CALLS:
        print(f"  and {len(found.steps) - _MOST_CALLS} calls before these")


def _cells(row: Comparison) -> tuple[str, ...]:
    numbers = (f"{row.max_abs:.3g}", f"{row.relative:.3g}", str(row.ulp), f"{row.pcc:.6f}")
    return row.name, str(list(row.shape)), row.dtype, *numbers, _verdict(row)


def _verdict(row: Comparison) -> str:
    return "ok" if row.passed else f"FAILED {row.reason}".strip()

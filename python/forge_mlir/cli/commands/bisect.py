"""The command that names the pass that changes results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from forge_mlir.cli.arguments import Expected, Flag, Inputs, Model, Seed, require_random
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.tables import print_table
from forge_mlir.cli.output.ui import Ui
from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, naming, printable
from forge_mlir.execute.values.array_files import load_arrays

if TYPE_CHECKING:
    from forge_mlir.bisect import RewriteBisection


@command()
def bisect(
    model: Model,
    inputs: Inputs = None,
    expected: Expected = None,
    seed: Seed = 0,
    rewrites: Annotated[
        bool,
        Flag("--rewrites", help="find the first rewrite that changes results; the ops before and after it are printed"),
    ] = False,
    exact: Annotated[
        bool,
        Flag(
            "--exact",
            help="compare the IR before and after each pass; in float64 and in exact arithmetic, on random inputs and "
            "weights",
        ),
    ] = False,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Name the pass after which the results differ from ONNX.

    The IR is executed on the CPU reference after each pass.
    """
    from forge_mlir.bisect import bisect_model, bisect_rewrites

    if exact:
        if inputs or expected or rewrites:
            raise click.BadParameter(
                "--exact makes its own inputs and weights: no --inputs, --expected or --rewrites with it"
            )
        _bisect_exact(model, seed, options, ui)
        return
    require_random(bool(inputs), seed=seed)
    given = load_arrays(inputs) if inputs else None
    goldens = load_arrays(expected) if expected else None
    if rewrites:
        with naming(model):
            rewrite = bisect_rewrites(model, given, goldens, seed=seed, **options)
        _tell_rewrite(rewrite, model, ui)
        return
    with naming(model):
        found = bisect_model(model, given, goldens, seed=seed, **options)
    failure = None
    if found.culprit:
        failure = ForgeError(
            Code.PassChangesResults, f"{printable(model)}: the results change after {found.culprit.name}"
        )
    if not ui.as_json:
        rows = []
        for stage in found.stages:
            relative = max((row.relative for row in stage.outputs), default=float("inf"))
            pcc = min((row.pcc for row in stage.outputs), default=0.0)
            result = "ok" if stage.passed else f"FAILED {stage.explain()}"
            rows.append((stage.name, f"{relative:.3g}", f"{pcc:.6f}", result))
        print_table(("after", "relative", "PCC", "result"), rows)
    stages = [stage.json() for stage in found.stages]
    ui.answer({"stages": stages, "culprit": found.culprit and found.culprit.name}, failure)


def _tell_rewrite(found: RewriteBisection, model: Path, ui: Ui) -> None:
    failure, said = None, f"{found.total} rewrites, and the results are ONNX's"
    if found.wrong and found.rewrite:
        rewrite = found.rewrite
        op = f"'{rewrite.op}' of node '{printable(rewrite.node)}'" if rewrite.node else f"'{rewrite.op}'"
        said = f"rewrite {found.number} of {found.total}: {rewrite.name} of --{rewrite.pass_name}, at {op}"
        failure = ForgeError(Code.PassChangesResults, f"{printable(model)}: the results change with {said}")
    elif found.wrong:
        said = "the results are wrong without any rewrite"
        failure = ForgeError(Code.PassChangesResults, f"{printable(model)}: {said}")
    if not ui.as_json:
        print(said)
        for label, ops in (("before", found.before), ("after", found.after)):
            for op in ops:
                print(f"  {label}: {printable(op)}")
        if found.wrong:
            print(f"FAILED {found.wrong.explain()}")
    ui.answer(found.json(), failure)


def _bisect_exact(model: Path, seed: int, options: Options, ui: Ui) -> None:
    from forge_mlir.bisect import bisect_exact

    with naming(model):
        found = bisect_exact(model, seed=seed, **options)
    if not ui.as_json:
        rows = [
            (each.name, *("equal" if verdict.equal else verdict.explain() for verdict in each.verdicts))
            for each in found.passes
        ]
        print_table(("after", "float64", "exact"), rows)
    failure = None
    if found.culprit:
        failure = ForgeError(
            Code.PassChangesResults, f"{printable(model)}: {found.culprit.name} changes what the IR computes"
        )
    ui.answer(
        {"passes": [each.json() for each in found.passes], "culprit": found.culprit and found.culprit.name}, failure
    )

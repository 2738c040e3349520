"""The command that compares a compiled model with ONNX."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import click

from forge_mlir.cli.arguments import Expected, Flag, Inputs, Models, Name, Seed, require_random
from forge_mlir.cli.flags import command
from forge_mlir.cli.folders import answer_for_each
from forge_mlir.cli.output.ui import Ui
from forge_mlir.cli.output.verdicts import failure_of, of_exactness, show, show_rounding, verdict_error, verdict_line
from forge_mlir.cli.shapes import shape_sets
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, printable
from forge_mlir.execute.values.array_files import load_arrays

_RANDOM, _COMPARED = "Random inputs and sets of shapes", "Comparison"
"""Titles of options."""

Profile = Literal["normal", "wide", "negative", "ties", "integers", "degenerate", "mixed", "special", "all"]
"""The profiles of `forge_mlir.verify.inputs.profiles`, whose import is slow, and "all"."""

if TYPE_CHECKING:
    from forge_mlir.artifact.reader import Artifact
    from forge_mlir.compiler.compile_arguments import Examine, Source
    from forge_mlir.importer import ImportedModel


@command()
def verify(
    model: Models,
    inputs: Inputs = None,
    expected: Expected = None,
    name: Name = None,
    seed: Seed = 0,
    artifact: Annotated[
        Path | None,
        Flag(
            metavar="DIR",
            help="verify this compiled module; it may be edited; the model is compiled again, and both are compared",
        ),
    ] = None,
    profile: Annotated[
        list[Profile] | None,
        Flag(help="choose a kind of random inputs; may be repeated; by default normal, mixed and ties", title=_RANDOM),
    ] = None,
    tolerance: Annotated[
        float | None,
        Flag(
            metavar="ERROR",
            help="limit the error of outputs; the error of an element is divided by the element, or by the root mean "
            "square of its row if that is larger; by default 1e-3",
            minimum=0,
            title=_COMPARED,
        ),
    ] = None,
    seeds: Annotated[
        int | None,
        Flag(
            metavar="SEEDS",
            help="run each profile with this many seeds; the first is that of --seed; by default 1; for the profile "
            "special, 3; for small models, more",
            minimum=1,
            title=_RANDOM,
            brief=False,
        ),
    ] = None,
    whole: Annotated[
        bool,
        Flag(
            "--whole",
            help="verify only the model as a whole; by default, each distinct node is also verified alone",
            title=_COMPARED,
            brief=False,
        ),
    ] = False,
    every: Annotated[
        bool, Flag("--nodes", help="show every node, not only the outputs", title=_COMPARED, brief=False)
    ] = False,
    shapes: Annotated[
        list[str] | None,
        Flag(
            metavar="'SET: NAME=SIZES'",
            help="verify with several sets of input shapes; as for compile; an --artifact has its own sets",
            title=_RANDOM,
            brief=False,
        ),
    ] = None,
    against: Annotated[
        Path | None,
        Flag(
            metavar="FILE.npz",
            help="compare with results that run --save wrote; on the inputs of that run",
            title=_COMPARED,
            brief=False,
        ),
    ] = None,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Compare the results of a compiled model with ONNX.

    The model is compiled, its module runs on the CPU reference, and each node is compared with onnxruntime. If an
    --artifact has several programs, each program is compared. If the artifact generates tokens, the logits of prompts
    and of 32 steps are compared.
    """
    if artifact is not None and name is not None:
        raise click.BadParameter("--name is for a new compilation, and the --artifact has its own name")
    has_inputs = bool(inputs or against or options.get("sample_inputs"))
    require_random(has_inputs and not (profile or artifact or shapes), seed=seed, seeds=seeds)
    if artifact is not None and _generates(artifact):
        if inputs or expected or profile or tolerance is not None or seeds or whole or every or against or shapes:
            raise click.BadParameter("an artifact that generates tokens is verified by --seed alone")
        _verify_steps(model, artifact, seed, options, ui)
        return
    from forge_mlir.verify import verify_model
    from forge_mlir.verify.inputs.profiles import checked_profiles

    sets = shape_sets(shapes) if shapes else None
    given = load_arrays(inputs) if inputs else None
    goldens = load_arrays(expected) if expected else None
    if against is not None:
        from forge_mlir.execute.saved_run import SavedRun

        if inputs or expected:
            raise click.BadParameter(
                "--against gives inputs and expected outputs: no --inputs and no --expected with it"
            )
        saved = SavedRun.load(against)
        given, goldens = saved.inputs, saved.outputs
        ui.note(f"outputs are compared with those of module '{printable(saved.module)}' in {printable(against)}")

    def verified(file: Path, own: Options) -> tuple[dict[str, Any], ForgeError | None]:
        result = verify_model(
            file,
            given,
            goldens,
            name=name,
            artifact=artifact,
            shapes=sets,
            seed=seed,
            profiles=checked_profiles(profile or ()),
            tolerance=tolerance,
            seeds=seeds,
            alone=not whole,
            **own,
        )
        ui.warn(result.warnings)
        rows = ((row.name, result.of_output(row), f"{row.relative:.3g}", row.reason) for row in result.outputs)
        ui.summary.table(f"Outputs of {result.model}", ("output", "result", "relative error", "why"), rows)
        if not ui.as_json:
            if model.is_dir():
                print(f"{result.model}:")
            show(result, every)
            if own.get("float_format") is not None:
                show_rounding(result)
        return result.json(), failure_of(result)

    answer_for_each(model, options, ui, verified)


def _generates(artifact: Path) -> bool:
    from forge_mlir.artifact.reader import Artifact

    return "generation" in Artifact.open(artifact).manifest()


def _verify_steps(model: Path, artifact: Path, seed: int, options: Options, ui: Ui) -> None:
    """Verifies an artifact that generates tokens."""
    from forge_mlir.verify.tokens.token_programs import verify_generation

    found = verify_generation(model, artifact, seed, **options)
    for name, exact in found.exact.items():
        ui.say(f"program {printable(name)}: {of_exactness(exact)}")
    for line in found.steps.lines() if found.steps else ():
        ui.say(line)
    ui.answer(found.json(), verdict_error(found.model, found.verdict, found.reasons))


def verifying(verdicts: dict[str, str], ui: Ui) -> Examine:
    """A callback that verifies each compiled module, prints the verdict and adds it to `verdicts` by module name.
    Raises ForgeError, after printing details, for a module whose results are wrong or undecided."""

    def examine(source: Source, options: Options, artifact: Artifact, imported: ImportedModel | None) -> None:
        from forge_mlir.execute.values.structured_values import as_declared
        from forge_mlir.verify import Runs, verify_traced

        inputs = options.get("sample_inputs")
        if inputs is not None:
            inputs = as_declared(inputs, artifact.manifest()["onnx"]["inputs"])
        result = verify_traced(cast(Path, source), artifact, imported, Runs(inputs), **options)
        verdicts[artifact.name] = result.verdict
        if error := failure_of(result):
            if not ui.as_json:
                show(result, every=False)
            raise error
        ui.say(verdict_line(result))

    return examine

"""The commands on compiled modules: run and reseal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from forge_mlir.cli.arguments import FORCE, Flag, Inputs, Module, Seed, output_option
from forge_mlir.cli.flags import command
from forge_mlir.cli.tables import printable
from forge_mlir.cli.ui import Ui
from forge_mlir.compiler.option_values import limits_of
from forge_mlir.compiler.options import Options
from forge_mlir.execute.array_files import load_arrays
from forge_mlir.support.progress import phase
from forge_mlir.support.sandbox import isolated


@command("limits")
def run(
    module: Module,
    inputs: Inputs = None,
    output: Annotated[Path | None, output_option(".npz for the outputs")] = None,
    seed: Seed = 0,
    shape_set: Annotated[
        str | None, Flag(help="the set of shapes to run; the one that fits the inputs by default")
    ] = None,
    force: Annotated[bool, FORCE] = False,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Run a compiled module on the CPU reference. The limits hold for models with CPU partitions."""
    import numpy as np

    from forge_mlir.artifact.reader import Artifact
    from forge_mlir.execute.random_inputs import random_inputs
    from forge_mlir.execute.run import run as run_module
    from forge_mlir.execute.structured_values import kind_of, shape_of, storable
    from forge_mlir.support.outputs import check_output, write_output

    artifact = Artifact.open(module)
    given = (Path(each.partition("=")[2] or each) for each in inputs or ())
    files = [*given, artifact.module_path, artifact.manifest_path, artifact.weights_path]
    if output is not None:
        check_output(output, files, force)
    names = [info["name"] for info in artifact.manifest()["onnx"]["inputs"]]
    arrays = load_arrays(inputs, names) if inputs is not None else None
    if shape_set is not None:
        artifact = artifact.shape_set(shape_set)
    elif arrays is not None:
        artifact = artifact.shape_set_for({name: value.shape for name, value in arrays.items()})
    elif sets := artifact.manifest().get("shape_sets"):
        artifact = artifact.shape_set(sets[0]["name"])
    manifest = artifact.manifest()
    if arrays is None:
        arrays = random_inputs(manifest, seed)
        ui.note(f"inputs are random, of seed {seed}")
    with phase("run"):
        if "partitions" in manifest:  # onnxruntime runs some of them.
            results = isolated("onnxruntime", lambda: run_module(artifact, arrays), limits_of(options))
        else:
            results = run_module(artifact, arrays)
    if output is not None:

        def save(path: Path) -> None:
            with path.open("wb") as file:
                np.savez(file, allow_pickle=False, **storable(results))

        write_output(output, save, files, force)
    declared = {info["name"]: info["dtype"] or "" for info in manifest["onnx"]["outputs"]}
    kinds = {name: declared[name] if "(" in declared[name] else kind_of(value) for name, value in results.items()}
    told = {name: {"dtype": kinds[name], "shape": shape_of(value)} for name, value in results.items()}
    if not ui.quiet:
        for name, facts in told.items():
            ui.say(f"{printable(name)}: {facts['dtype']} {facts['shape']}")
    ui.note(f"ran in {ui.phases['run']:.2f} s, with the weights loaded")
    ui.answer(
        {
            "outputs": told,
            "output_file": None if output is None else str(output),
            "seconds": round(ui.phases["run"], 3),
        }
    )


@command(options=False)
def reseal(module: Module, *, ui: Ui) -> None:
    """Accept edits of a compiled module: the manifest takes the hashes that its files have now."""
    from forge_mlir.artifact.reseal import reseal as reseal_artifact

    changed = reseal_artifact(module)
    for name in changed:
        ui.say(f"accepted: {printable(name)}")
    if not changed:
        ui.say("nothing has changed")
    ui.answer({"accepted": list(changed)})

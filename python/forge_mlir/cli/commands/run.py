"""The command that runs a compiled module."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from forge_mlir.cli.arguments import FORCE, Flag, Inputs, Module, Seed, output_option, require_random
from forge_mlir.cli.flags import command
from forge_mlir.cli.output.tables import print_table
from forge_mlir.cli.output.ui import Ui
from forge_mlir.compiler.option_types.values import limits_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import printable
from forge_mlir.execute.values.array_files import load_arrays, save_npz
from forge_mlir.support.progress import phase
from forge_mlir.support.sandbox import Limits, isolated

if TYPE_CHECKING:
    from forge_mlir.artifact.manifest import Json
    from forge_mlir.artifact.reader import Artifact
    from forge_mlir.execute.benchmark import Timing
    from forge_mlir.execute.device_module import Arrays

_BENCHMARK = "Benchmark"


@command("limits")
def run(
    module: Module,
    inputs: Inputs = None,
    output: Annotated[Path | None, output_option("write the outputs to a .npz file", "FILE.npz")] = None,
    seed: Seed = 0,
    shape_set: Annotated[
        str | None,
        Flag(metavar="SET", help="run the module for this set of shapes; by default the set that fits the inputs"),
    ] = None,
    save: Annotated[
        Path | None, Flag(metavar="FILE.npz", help="write inputs and outputs to a file; for verify --against")
    ] = None,
    float_format: Annotated[
        Literal["float32", "bfloat16", "mixed"] | None,
        Flag(
            help="run a float32 module in another float format; results are those of a device that converts the module "
            "(docs/float-formats.md); no effect on a module that was compiled in this format",
            brief=False,
        ),
    ] = None,
    finite: Annotated[
        bool, Flag("--finite", help="fail if outputs have NaN or infinities; the exit code is then 4")
    ] = False,
    benchmark: Annotated[
        bool, Flag("--benchmark", help="measure the times of many runs; in milliseconds", title=_BENCHMARK)
    ] = False,
    iterations: Annotated[
        int,
        Flag(metavar="RUNS", help="set the number of measured runs", minimum=1, title=_BENCHMARK, needs="--benchmark"),
    ] = 20,
    warm_up: Annotated[
        int,
        Flag(
            metavar="RUNS",
            help="set the number of runs before the measured ones",
            minimum=0,
            title=_BENCHMARK,
            needs="--benchmark",
        ),
    ] = 3,
    force: Annotated[bool, FORCE] = False,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Run a compiled module.

    It runs on the device if the forge package is installed, otherwise on the CPU reference. The limits of time and
    memory apply to CPU partitions, which run in onnxruntime or onnx.reference.
    """
    from forge_mlir.artifact.reader import Artifact
    from forge_mlir.execute.saved_run import SavedRun
    from forge_mlir.execute.values.random_inputs import random_inputs
    from forge_mlir.execute.values.structured_values import flattened, storable
    from forge_mlir.support.outputs import check_output, write_output

    require_random(inputs is not None, seed=seed)
    if output is not None and save is not None and os.path.realpath(output) == os.path.realpath(save):
        raise click.BadParameter("--output and --save are the same file")
    artifact = Artifact.open(module)
    files = [artifact.module_path, artifact.manifest_path, artifact.weights_path]
    files += (artifact.directory / file for file, _, _ in artifact.referenced_weights())
    for path in filter(None, (output, save)):
        check_output(path, files, force)
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
    runs = (warm_up, iterations) if benchmark else None
    results, timing = _run(artifact, arrays, runs, limits_of(options), float_format)
    if output is not None:
        write_output(output, lambda path: save_npz(path, storable(results)), files, force)
    if save is not None:
        write_output(save, SavedRun(artifact.name, flattened(arrays), flattened(results)).save, files, force)
    declared = {info["name"]: info["dtype"] or "" for info in manifest["onnx"]["outputs"]}
    outputs = {name: _facts_of(value, declared[name]) for name, value in results.items()}
    _tell(outputs, timing, ui, {"output_file": output, "run_file": save}, finite)


def _run(
    artifact: Artifact, arrays: Arrays, runs: tuple[int, int] | None, limits: Limits, float_format: str | None
) -> tuple[Arrays, Timing | None]:
    """The results; with warm-up and iterations also the times."""
    from forge_mlir.execute.benchmark import benchmark
    from forge_mlir.execute.run import run as run_module

    def once() -> tuple[Arrays, Timing | None]:
        if runs:
            return benchmark(artifact, arrays, *runs, float_format)
        return run_module(artifact, arrays, float_format=float_format), None

    with phase("run"):
        # onnxruntime runs CPU partitions.
        return isolated("onnxruntime", once, limits) if "partitions" in artifact.manifest() else once()


def _facts_of(value: Any, declared: str) -> Json:
    """The type of an output and its number of NaN and infinite elements; for a sequence or map, summed over its
    parts."""
    from forge_mlir.execute.benchmark import not_finite
    from forge_mlir.execute.values.structured_values import flattened, kind_of, shape_of

    counts = [not_finite(part) for part in flattened({"": value}).values()]
    return {
        "dtype": declared if "(" in declared else kind_of(value),
        "shape": shape_of(value),
        "nan": sum(nans for nans, _ in counts),
        "infinite": sum(infinities for _, infinities in counts),
    }


def _tell(
    outputs: Mapping[str, Json], timing: Timing | None, ui: Ui, files: Mapping[str, Path | None], must_be_finite: bool
) -> None:
    from forge_mlir.codes import Code
    from forge_mlir.errors import ForgeError

    odd = []
    for name, each in outputs.items():
        line = f"{printable(name)}: {each['dtype']} {each['shape']}"
        if each["nan"] or each["infinite"]:
            found = f"{each['nan']:,} NaN and {each['infinite']:,} infinities"
            odd.append(f"{printable(name)}: {found}")
            line = f"{line}, {found}"
        if not ui.quiet:
            ui.say(line)
    cells = ((name, each["dtype"], each["shape"], each["nan"], each["infinite"]) for name, each in outputs.items())
    ui.summary.table("Outputs", ("output", "dtype", "shape", "NaN", "infinite"), cells)
    facts: Json = {"outputs": {**outputs}, **{key: path and str(path) for key, path in files.items()}}
    if timing is None:
        ui.note(f"ran in {ui.phases['run']:.2f} s, including the loading of weights")
    else:
        facts["benchmark"] = timing.json()
        _tell_times(timing, ui)
    failure = None
    if odd and must_be_finite:
        failure = ForgeError(Code.NotFinite, "; ".join(odd))
    ui.answer({**facts, "seconds": round(ui.phases["run"], 3)}, failure)


def _tell_times(timing: Timing, ui: Ui) -> None:
    facts = timing.json()
    ui.say(f"{facts['iterations']} runs on {timing.runner}, after {timing.warm_up} that do not count")
    if not ui.as_json:
        milliseconds = facts["milliseconds"]
        print_table(("time", "ms"), ((name, f"{value:.3f}") for name, value in milliseconds.items()))
    ui.summary.table("Times", ("time", "ms"), facts["milliseconds"].items())
    ui.note(f"{facts['runs_per_second']:,} runs a second")

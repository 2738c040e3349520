"""The `forge-mlir` command. Exit codes: 0 done, 1 refused or wrong, 2 wrong usage."""

from __future__ import annotations

import functools
import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from forge_mlir import cli_verify
from forge_mlir.cli_check import show_cuts, show_layout, show_refused, show_regions
from forge_mlir.errors import Diagnostic, ForgeError
from forge_mlir.importer.limits import MAX_EXPANSION
from forge_mlir.isolation import MEMORY_LIMIT, TIME_LIMIT, Limits, isolated
from forge_mlir.npz import load_npz
from forge_mlir.options import FOLD_LIMIT, HOLE_TARGETS, MAX_WEIGHT_GROWTH, Options

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help=__doc__)

Model = Annotated[Path, typer.Argument(help="ONNX model")]
InputShape = Annotated[
    list[str] | None, typer.Option("--input-shape", help="sizes of an input, e.g. image:1,3,224,224; may be repeated")
]
Dim = Annotated[list[str] | None, typer.Option("--dim", help="size of a symbolic dim, e.g. batch=1; may be repeated")]
Bind = Annotated[
    list[str] | None, typer.Option("--bind", help="fix an input to a value, e.g. axes=axes.npy; may be repeated")
]
CutInputs = Annotated[
    list[str] | None, typer.Option("--cut-inputs", help="tensors at which the compiled part begins, e.g. a,b")
]
CutOutputs = Annotated[
    list[str] | None, typer.Option("--cut-outputs", help="tensors at which the compiled part ends, e.g. a,b")
]
Expansion = Annotated[
    int, typer.Option("--max-expansion", min=0, help="nodes that ONNX function bodies of unknown ops may expand to")
]
Samples = Annotated[
    Path | None, typer.Option("--sample-inputs", help=".npz of inputs by ONNX name, whose shapes fix open dims")
]
Fold = Annotated[int, typer.Option("--fold-limit", min=0, help="bytes of the largest constant that folding may make")]
Rounding = Annotated[
    bool, typer.Option("--allow-rounding", help="accept results that agree with ONNX only up to rounding")
]
PlanHoles = Annotated[
    str, typer.Option("--plan-holes", help=f"fill tile holes for a target: {', '.join(HOLE_TARGETS)}", metavar="TARGET")
]
Fallback = Annotated[
    str, typer.Option("--fallback", help="what happens to nodes that the device cannot run: error, or cpu")
]
CpuOps = Annotated[
    list[str] | None, typer.Option("--cpu-ops", help="ONNX op types or node names for the CPU; may be repeated")
]
DeviceOps = Annotated[
    list[str] | None, typer.Option("--device-ops", help="ONNX op types or node names that must run on the device")
]
MaxRegions = Annotated[int, typer.Option("--max-regions", min=0, help="most regions with --fallback=cpu; 0: any")]
TimeLimit = Annotated[
    float, typer.Option("--time-limit", min=0, help="seconds that onnx and onnxruntime may take on the model; 0: any")
]
MemoryLimit = Annotated[
    int, typer.Option("--memory-limit", min=0, help="MiB that onnx and onnxruntime may take on the model; 0: any")
]
Tiles = Annotated[
    bool,
    typer.Option("--tiles", help="rewrite for a device of tiles, to move fewer; items count as finite"),
]
WeightGrowth = Annotated[
    float,
    typer.Option("--max-weight-growth", min=1, help="with --tiles: most by which padding heads enlarges a weight"),
]
DeviceFormat = Annotated[str, typer.Option("--device-format", help="how the device holds floats, e.g. bf16 or bfp8")]
Name = Annotated[str | None, typer.Option(help="name of the module; the file's by default")]
Debug = Annotated[bool, typer.Option("--debug", help="show Python tracebacks")]


def _sizes(option: str, text: str, separator: str) -> tuple[str, list[int]]:
    """`name:1,2` split at the last separator (names may hold one)."""
    name, found, sizes = text.rpartition(separator)
    try:
        values = [int(size) for size in sizes.split(",")] if sizes else []
    except ValueError:
        found = ""
        values = []
    if not found or not name:
        raise typer.BadParameter(f"expected NAME{separator}SIZES, but got {text!a}", param_hint=option)
    return name, values


def _shapes(options: list[str] | None) -> dict[str, list[int]]:
    return dict(_sizes("--input-shape", text, ":") for text in options or [])


def _dims(options: list[str] | None) -> dict[str, int]:
    pairs = [_sizes("--dim", text, "=") for text in options or []]
    for name, values in pairs:
        if len(values) != 1:
            raise typer.BadParameter(f"expected one size for {name!a}", param_hint="--dim")
    return {name: values[0] for name, values in pairs}


def _names(options: list[str] | None) -> list[str]:
    return [name for text in options or [] for name in text.split(",")]


def _values(options: list[str] | None) -> dict[str, np.ndarray]:
    values = {}
    for text in options or []:
        name, found, file = text.rpartition("=")
        if not found or not name:
            raise typer.BadParameter(f"expected NAME=FILE.npy, but got {text!a}", param_hint="--bind")
        try:
            values[name] = np.load(file, allow_pickle=False)
        except (OSError, ValueError) as error:
            raise ForgeError(f"{ascii(file)[1:-1]}: not a readable .npy file: {error}") from error
    return values


def _options(
    input_shape: InputShape = None,
    dim: Dim = None,
    sample_inputs: Samples = None,
    bind: Bind = None,
    cut_inputs: CutInputs = None,
    cut_outputs: CutOutputs = None,
    max_expansion: Expansion = MAX_EXPANSION,
    fold_limit: Fold = FOLD_LIMIT,
    allow_rounding: Rounding = False,
    plan_holes: PlanHoles = "",
    fallback: Fallback = "error",
    cpu_ops: CpuOps = None,
    device_ops: DeviceOps = None,
    max_regions: MaxRegions = 0,
    time_limit: TimeLimit = TIME_LIMIT,
    memory_limit: MemoryLimit = MEMORY_LIMIT >> 20,
    tiles: Tiles = False,
    max_weight_growth: WeightGrowth = MAX_WEIGHT_GROWTH,
    device_format: DeviceFormat = "",
) -> Options:
    """The options of a compilation: what `_takes_options` adds to a command."""
    if fallback not in ("error", "cpu"):
        raise typer.BadParameter(f"expected error or cpu, but got {fallback!a}", param_hint="--fallback")
    if plan_holes and plan_holes not in HOLE_TARGETS:
        raise typer.BadParameter(
            f"expected {', '.join(HOLE_TARGETS)}, but got {plan_holes!a}", param_hint="--plan-holes"
        )
    if fallback == "error" and (cpu_ops or device_ops or max_regions):
        raise typer.BadParameter("--cpu-ops, --device-ops and --max-regions need --fallback=cpu")
    return {
        "input_shapes": _shapes(input_shape),
        "dims": _dims(dim),
        "sample_inputs": load_npz(sample_inputs) if sample_inputs else None,
        "bind": _values(bind),
        "cut_inputs": _names(cut_inputs),
        "cut_outputs": _names(cut_outputs),
        "max_expansion": max_expansion,
        "fold_limit": fold_limit,
        "allow_rounding": allow_rounding,
        "plan_holes": plan_holes,
        "fallback": "cpu" if fallback == "cpu" else "error",
        "cpu_ops": _names(cpu_ops),
        "device_ops": _names(device_ops),
        "max_regions": max_regions,
        "time_limit": time_limit,
        "memory_limit": memory_limit << 20,
        "layout": "tiles" if tiles else "none",
        "max_weight_growth": max_weight_growth,
        "device_format": device_format,
    }


def _report(warnings: tuple[Diagnostic, ...]) -> None:
    for line in warnings:
        print(line, file=sys.stderr)


def _takes_options(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the parameters of `_options`; it gets what that makes of them as `options`."""
    own = [p for p in inspect.signature(command, eval_str=True).parameters.values() if p.name != "options"]
    shared = dict(inspect.signature(_options, eval_str=True).parameters)
    for side in ("inputs", "outputs"):
        if side not in (p.name for p in own):  # Where these names are not taken by files, they are cuts too.
            cut = shared[f"cut_{side}"]
            option = typer.Option(f"--cut-{side}", f"--{side}", help=cut.annotation.__metadata__[0].help)
            shared[cut.name] = cut.replace(annotation=Annotated[list[str] | None, option])

    @functools.wraps(command)
    def wrapper(**arguments: Any) -> None:
        chosen = {name: arguments.pop(name) for name in shared}
        command(**arguments, options=_options(**chosen))

    # typer reads both of them.
    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in (*own, *shared.values())]
    wrapper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {**{p.name: p.annotation for p in parameters}, "return": None}
    return wrapper


@app.command()
@_takes_options
def compile(
    model: Model,
    output: Annotated[Path, typer.Option("--output", "-o", help="directory for the module")] = Path(),
    name: Name = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="compare with ONNX first; nothing is written if wrong")
    ] = False,
    *,
    options: Options,
    debug: Debug = False,  # noqa: ARG001 (main reads it: the error may come before any command runs)
) -> None:
    """Compile an ONNX model to a Forge Python module with its weights."""
    from forge_mlir.compiler import compile as compile_model

    if verify:
        cli_verify.require_verified(model, options.get("sample_inputs"), name, options)
    artifact = compile_model(
        model,
        output,
        name=name,
        **options,
    )
    _report(artifact.warnings)
    print(artifact.module_path)


@app.command()
@_takes_options
def check(
    model: Model,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
    suggest_cuts: Annotated[
        bool, typer.Option("--suggest-cuts", help="name tensors to cut at, so that the device runs most of one part")
    ] = False,
    layout: Annotated[
        bool, typer.Option("--layout", help="tell what the model takes in tiles, and what --tiles changes")
    ] = False,
    *,
    options: Options,
    debug: Debug = False,  # noqa: ARG001 (main reads it: the error may come before any command runs)
) -> None:
    """Tell whether a model can be compiled: every node that would be refused and why, and what would run where."""
    from forge_mlir.check import check as check_model

    verdict = check_model(model, suggest_cuts=suggest_cuts, layout_summary=layout, **options)
    if as_json:
        print(json.dumps(verdict.json(), indent=2))
    else:
        for warning in verdict.warnings:
            print(f"warning: {verdict.model}: {warning}", file=sys.stderr)
        for line in verdict.errors:
            print(f"error: {verdict.model}: {line}", file=sys.stderr)
        show_refused(verdict.refused)
        show_regions(verdict.regions)
        if verdict.cuts is not None:
            show_cuts(model, verdict.cuts)
        if verdict.layout is not None:
            show_layout(verdict.layout)
        print(f"{verdict.model}: {'supported' if verdict.supported else 'refused'}")
    if not verdict.supported:
        sys.exit(1)


@app.command()
def run(
    module: Annotated[Path, typer.Argument(help="compiled module: its .py, or its directory")],
    inputs: Annotated[Path, typer.Option("--inputs", "-i", help=".npz with inputs by ONNX name")],
    output: Annotated[Path, typer.Option("--output", "-o", help=".npz for the outputs")],
    time_limit: TimeLimit = TIME_LIMIT,
    memory_limit: MemoryLimit = MEMORY_LIMIT >> 20,
    debug: Debug = False,  # noqa: ARG001 (main reads it: the error may come before any command runs)
) -> None:
    """Run a compiled module on the CPU reference: .npz in, .npz out. The limits hold for models with CPU regions."""
    from forge_mlir.artifact import Artifact
    from forge_mlir.runner import run as run_module

    artifact, arrays = Artifact.open(module), load_npz(inputs)
    if "regions" in artifact.manifest():  # onnxruntime runs some of them.
        limits = Limits(time_limit, memory_limit << 20)
        results = isolated("onnxruntime", lambda: run_module(artifact, arrays), limits)
    else:
        results = run_module(artifact, arrays)
    with output.open("wb") as file:
        np.savez(file, allow_pickle=False, **results)


cli_verify.register(app, _takes_options)


def main() -> None:
    """Runs the command; every error is one line (or one per refused node), unless --debug is given."""
    try:
        app(standalone_mode=True)
    except ForgeError as error:
        if "--debug" in sys.argv:
            raise
        for line in (*error.diagnostics, f"error: {error.message}"):
            print(line, file=sys.stderr)
        sys.exit(1)
    except Exception as error:  # A bug of ours is no reason for a traceback either.
        if "--debug" in sys.argv:
            raise
        print(f"error: {type(error).__name__}: {ascii(str(error))[1:-1]} (a bug; --debug shows more)", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()

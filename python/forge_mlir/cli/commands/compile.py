"""The command that compiles."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from forge_mlir.cli.arguments import Argument, Flag, Name, output_option
from forge_mlir.cli.flags import command
from forge_mlir.cli.shapes import shape_sets
from forge_mlir.cli.tables import printable
from forge_mlir.cli.ui import Ui
from forge_mlir.cli.watch import watch as watch_files
from forge_mlir.compiler.options import Options

if TYPE_CHECKING:
    from forge_mlir.artifact.reader import Artifact

Weights = Literal["copy", "reference"]
Stage = Literal["import", "forge", "call", "python"]


@command()
def compile(
    model: Annotated[Path, Argument("ONNX model, or a folder of them that becomes one artifact")],
    output: Annotated[Path | None, output_option("directory for the module; MODEL_forge by default")] = None,
    name: Name = None,
    verify: Annotated[bool, Flag("--verify", help="compare with ONNX first; nothing is written if wrong")] = False,
    force: Annotated[bool, Flag("--force", help="replace files that forge-mlir did not write")] = False,
    shapes: Annotated[
        list[str] | None,
        Flag(
            metavar="NAME:INPUT=SIZES",
            help="a set of input shapes, e.g. 'decode: ids=1x1 mask=1x8', or a .json of sets; may be repeated",
        ),
    ] = None,
    weights: Annotated[
        Weights,
        Flag(help="reference: leave weights in the model's files where they need no conversion; copy: do not"),
    ] = "copy",
    to: Annotated[Stage, Flag("--to", help="what to write: Python, or the IR of a stage before it")] = "python",
    dump_dir: Annotated[
        Path | None, Flag("--dump-dir", help="directory for the IR of every stage, as forge-opt reads it")
    ] = None,
    cache: Annotated[
        Path | None, Flag(metavar="DIR", help="keep what is compiled in DIR, and take it from there")
    ] = None,
    cache_limit: Annotated[int, Flag(help="MiB that --cache may take", minimum=0)] = 20480,
    watch: Annotated[bool, Flag("--watch", help="compile again whenever the model or a plugin changes")] = False,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Compile an ONNX model to a Forge Python module with its weights."""
    if watch:
        again = [word for word in sys.argv[1:] if word != "--watch"]
        watch_files(again, [*_model_files(model), *(Path(each.file) for each in options.get("lowerings", ()))], ui)
        return
    from forge_mlir.artifact.staging import held
    from forge_mlir.compiler.driver import compile_to, with_shapes
    from forge_mlir.integration.compile import compile as compile_model

    sets = shape_sets(shapes or ())
    if model.is_dir() and (sets or to != "python"):
        raise click.BadParameter("a folder takes no --shapes and no --to; give one of its files")
    if verify and model.is_dir():
        from forge_mlir.cli.commands.verify import require_verified
        from forge_mlir.integration.folder import model_files, sizes_of

        for file in model_files(model).values():
            require_verified(file, name, {**options, **sizes_of(file, options)}, ui)
    elif verify:
        from forge_mlir.cli.commands.verify import require_verified

        for inputs in sets.values() or ({},):
            require_verified(model, name, with_shapes(options, inputs), ui)
    if to != "python":
        directory = dump_dir or output or Path(f"{model.stem}_forge")
        file = compile_to(model, directory, to, name=name, force=force, every=dump_dir is not None, **options)
        ui.say(str(file))
        ui.answer({"file": str(file)})
        return
    kept = None
    if cache is not None:
        from forge_mlir.compiler.cache import CompileCache

        kept = CompileCache(cache, cache_limit << 20)
    artifact = compile_model(
        model,
        output,
        name=name,
        force=force,
        shapes=sets,
        weights=weights,
        cache=kept,
        dump_dir=dump_dir,
        **options,
    )
    ui.warn(artifact.warnings)
    ui.say(str(artifact.module_path))
    with held(artifact.directory):  # Another process may write to the directory.
        facts = _summary(artifact, ui)
    ui.summary.say(_summary_lines(facts)[0])
    ui.summary.table("Warnings", ("code", "text"), ((found.code, found.message) for found in artifact.warnings))
    if ui.quiet and not ui.as_json:
        return
    if not ui.as_json:
        for line in _summary_lines(facts):
            ui.note(line)
    ui.answer(facts)


def _model_files(model: Path) -> list[Path]:
    """A model and the files beside it that have its weights; of a folder all files."""
    from forge_mlir.importer import OnnxImportError
    from forge_mlir.importer.onnx_import import scan_source

    if model.is_dir():
        return [model]
    try:
        spans = scan_source(model)[0].spans
    except OnnxImportError:  # It is told when the model is compiled.
        return [model]
    return [model, *dict.fromkeys(Path(span.file.path) for span in spans if span.file is not None)]


def _summary(artifact: Artifact, ui: Ui) -> dict[str, Any]:
    manifest = artifact.manifest()
    partitions = manifest.get("partitions", ())
    left = artifact.referenced_weights()
    return {
        "module": str(artifact.module_path),
        "nodes": manifest["onnx"]["nodes"],
        "calls": artifact.calls(),
        "shape_sets": [entry["name"] for entry in manifest.get("shape_sets", ())],
        "partitions": [partition["kind"] for partition in partitions],
        "weights": {"tensors": len(artifact.stored_weights()), "bytes": artifact.weights_path.stat().st_size},
        "referenced_weights": {"tensors": len(left), "bytes": sum(nbytes for _, _, nbytes in left)},
        "warnings": [{"code": found.code, "message": found.message} for found in artifact.warnings],
        "from_cache": artifact.from_cache,
        "seconds": round(ui.seconds, 3),
        "phases": {name: round(seconds, 3) for name, seconds in ui.phases.items()},
        "next": shlex.join(["forge-mlir", "run", str(artifact.module_path)]),
    }


def _summary_lines(facts: dict[str, Any]) -> list[str]:
    weights, left, partitions = facts["weights"], facts["referenced_weights"], facts["partitions"]
    parts = [f"{facts['nodes']:,} nodes became {facts['calls']:,} calls"]
    if facts["shape_sets"]:
        parts.append(f"shape sets {', '.join(facts['shape_sets'])}")
    if partitions:
        parts.append(f"{partitions.count('device')} device and {partitions.count('cpu')} CPU partitions")
    parts.append(f"{weights['tensors']:,} weights, {weights['bytes']:,} bytes")
    if left["tensors"]:
        parts.append(f"{left['tensors']:,} left in the model's files, {left['bytes']:,} bytes")
    parts.append(f"{len(facts['warnings'])} warnings")
    parts.append(f"{facts['seconds']:.1f} s" + (", from the cache" if facts["from_cache"] else ""))
    return ["; ".join(parts), f"next: {printable(facts['next'])}"]

"""The compile command."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from forge_mlir.cli.arguments import FORCE, Argument, Flag, Name, output_option
from forge_mlir.cli.flags import TITLES, command
from forge_mlir.cli.generation import LANGUAGE_MODELS, Batch, MaxLength, PromptLengths, generation_of_flags
from forge_mlir.cli.output.ui import Ui
from forge_mlir.cli.shapes import shape_sets
from forge_mlir.cli.watch import watch as watch_files
from forge_mlir.compiler.option_types.spec import STAGES, Stage
from forge_mlir.compiler.options import Options, option_table
from forge_mlir.errors import counted, printable

if TYPE_CHECKING:
    from forge_mlir.artifact.reader import Artifact
    from forge_mlir.compiler.compile_arguments import Examine

Weights = Literal["copy", "reference"]

_WRITTEN, _REPEATED = "What is written, and where weights are", "Repeated compilations"
"""Titles of options."""


@command()
def compile(
    model: Annotated[Path, Argument("ONNX model, or a folder of ONNX models that becomes one artifact")],
    output: Annotated[
        Path | None, output_option("write the module to this directory; by default NAME_forge", "DIR")
    ] = None,
    name: Name = None,
    verify: Annotated[
        bool, Flag("--verify", help="compare the results with ONNX; the module is written only if they are right")
    ] = False,
    force: Annotated[bool, FORCE] = False,
    generate: Annotated[
        bool,
        Flag(
            "--generate",
            help="compile a language model to generate tokens; one program reads a prompt, and another program reads a "
            "single token",
            title=LANGUAGE_MODELS,
            brief=False,
        ),
    ] = False,
    max_length: MaxLength = None,
    prompt_length: PromptLengths = None,
    batch: Batch = 1,
    cache_pair: Annotated[
        list[str] | None,
        Flag(
            metavar="PAST=PRESENT",
            help="name a cache that is not recognised; the output PRESENT of a step is the input PAST of the next "
            "step; needs --generate; may be repeated",
            title=LANGUAGE_MODELS,
            brief=False,
            needs="--generate",
        ),
    ] = None,
    all_logits: Annotated[
        bool,
        Flag(
            "--all-logits",
            help="return the logits of every token of a prompt; by default only those of the last token; needs "
            "--generate",
            title=LANGUAGE_MODELS,
            brief=False,
            needs="--generate",
        ),
    ] = False,
    weights: Annotated[
        Weights,
        Flag(
            help="choose where weights are stored; copy: all are in a file next to the module; reference: weights "
            "that need no conversion stay in the model's files",
            title=_WRITTEN,
            brief=False,
        ),
    ] = "copy",
    to: Annotated[
        Stage,
        Flag(
            "--to",
            help="choose what is written; python: the module; import, forge or call: the IR of this stage, for "
            "forge-opt",
            title=_WRITTEN,
        ),
    ] = "python",
    dump_dir: Annotated[
        Path | None,
        Flag(
            "--dump-dir",
            metavar="DIR",
            help="write the IR of every stage to this directory",
            title=_WRITTEN,
            brief=False,
        ),
    ] = None,
    cache: Annotated[
        Path | None,
        Flag(metavar="DIR", help="reuse compiled modules; this directory stores them", title=_REPEATED),
    ] = None,
    cache_limit: Annotated[
        int,
        Flag(
            metavar="MIB",
            help="limit the size of the cache; the least recently used entries are removed first",
            minimum=0,
            title=_REPEATED,
            brief=False,
            needs="--cache",
        ),
    ] = 20480,
    watch: Annotated[
        bool,
        Flag(
            "--watch",
            help="compile again whenever a file changes; the model, its weights, a plugin or patterns",
            title=_REPEATED,
            brief=False,
        ),
    ] = False,
    shapes: Annotated[
        list[str] | None,
        Flag(
            metavar="'SET: NAME=SIZES'",
            help="compile for several sets of input shapes; e.g. 'decode: ids=1x1 mask=1x8', or a .json file of sets; "
            "may be repeated",
            title=TITLES["inputs"],
        ),
    ] = None,
    *,
    options: Options,
    ui: Ui,
) -> None:
    """Compile an ONNX model to a Python module and its weights."""
    from forge_mlir.artifact.staging import held
    from forge_mlir.compiler.driver import compile_to
    from forge_mlir.integration.compile import compile as compile_model

    if to != "python":
        _check_stage(to, output if dump_dir else None, shapes, cache, weights, verify, options)
    fills = options.get("fill_tile_padding", "none") != "none"
    if "device_format" in options and options.get("layout") != "tiles" and not fills:
        raise click.BadParameter("--device-format needs --tiles or --fill-tile-padding")
    sets = shape_sets(shapes or ())
    generation = generation_of_flags(generate, max_length, prompt_length, batch, cache_pair or [], all_logits)
    if generation is not None and cache is not None and "=" in str(cache) and not cache.is_dir():
        raise click.BadParameter(
            f"it takes a directory; a pair of input and output is --cache-pair {printable(str(cache))}",
            param_hint="--cache",
        )
    if generation is not None and (sets or to != "python" or model.is_dir() or verify):
        raise click.BadParameter("--generate takes one model, and no --shapes, --to or --verify")
    if model.is_dir() and (sets or to != "python"):
        raise click.BadParameter("a folder takes no --shapes and no --to; give one of its files")
    if watch:
        again = [word for word in sys.argv[1:] if word != "--watch"]
        files = [each.file for each in options.get("lowerings", ())] + list(options.get("patterns", ()))
        watch_files(again, lambda: [*_model_files(model), *map(Path, files)], ui)
        return
    if to != "python":
        directory = dump_dir or output or Path(f"{name or model.stem}_forge")
        file = compile_to(model, directory, to, name=name, force=force, every=dump_dir is not None, **options)
        ui.say(str(file))
        ui.answer({"file": str(file)})
        return
    kept = None
    if cache is not None:
        from forge_mlir.compiler.cache import CompileCache

        kept = CompileCache(cache, cache_limit << 20)
        given = {"--dump-dir": dump_dir, "--plugin": options.get("lowerings"), "--patterns": options.get("patterns")}
        if others := [flag for flag, value in given.items() if value]:
            ui.note(f"note: --cache is not used with {', '.join(others)}")
    examine: Examine | None = None
    verdicts: dict[str, str] = {}
    if verify:
        from forge_mlir.cli.commands.verify import verifying

        examine = verifying(verdicts, ui)
    artifact = compile_model(
        model,
        output,
        name=name,
        force=force,
        shapes=sets,
        generate=generation,
        weights=weights,
        cache=kept,
        dump_dir=dump_dir,
        examine=examine,
        **options,
    )
    ui.warn(artifact.warnings)
    ui.say(str(artifact.module_path))
    with held(artifact.directory):  # Another process may write to the directory.
        facts = {**_summary(artifact, ui), **({"verdicts": verdicts} if verify else {})}
    ui.summary.say(_summary_lines(facts)[0])
    ui.summary.table("Warnings", ("code", "text"), ((found.code, found.message) for found in artifact.warnings))
    if ui.quiet and not ui.as_json:
        return
    if not ui.as_json:
        for line in _summary_lines(facts):
            ui.note(line)
    ui.answer(facts)


def _check_stage(
    to: Stage,
    output: Path | None,
    shapes: list[str] | None,
    cache: Path | None,
    weights: Weights,
    verify: bool,
    options: Options,
) -> None:
    """Raises BadParameter for options without effect when the IR of a stage is written."""
    given = {"--output": output, "--shapes": shapes, "--cache": cache, "--verify": verify}
    given["--weights"] = weights == "reference"
    for name, value in options.items():
        spec = option_table()[name]
        given[spec.flag] = STAGES.index(spec.stage) > STAGES.index(to) and value != spec.default
    if stray := [flag for flag, value in given.items() if value]:
        why = "; --dump-dir is where the IR is written" if stray == ["--output"] else ""
        raise click.BadParameter(f"--to={to} writes IR and takes no {', '.join(stray)}{why}")


def _model_files(model: Path) -> list[Path]:
    """A model and its weight files; a folder, and those of its models."""
    from forge_mlir.importer.onnx_import import files_of

    if model.is_dir():
        return [model, *(file for each in sorted(model.glob("*.onnx")) for file in files_of(each))]
    return files_of(model)


def _summary(artifact: Artifact, ui: Ui) -> dict[str, Any]:
    manifest = artifact.manifest()
    partitions = manifest.get("partitions", ())
    left = artifact.referenced_weights()
    return {
        "module": str(artifact.module_path),
        "nodes": manifest["onnx"]["nodes"],
        "calls": artifact.calls(),
        "shape_sets": [entry["name"] for entry in manifest.get("shape_sets", ())],
        "generation": manifest.get("generation"),
        "partitions": [partition["kind"] for partition in partitions],
        "weights": {"tensors": len(artifact.stored_weights()), "bytes": artifact.weights_path.stat().st_size},
        "referenced_weights": {"tensors": len(left), "bytes": sum(nbytes for _, _, nbytes in left)},
        "warnings": [{"code": found.code, "message": found.message} for found in artifact.warnings],
        "from_cache": artifact.from_cache,
        "seconds": round(ui.seconds, 3),
        "phases": {name: round(seconds, 3) for name, seconds in ui.phases.items()},
        "next": shlex.join(
            ["forge-mlir", *(["generate"] if "generation" in manifest else ["run"]), str(artifact.module_path)]
        )
        + (" --ids 1,2,3" if "generation" in manifest else ""),
    }


def _summary_lines(facts: dict[str, Any]) -> list[str]:
    weights, left, partitions = facts["weights"], facts["referenced_weights"], facts["partitions"]
    parts = [f"{counted(facts['nodes'], 'node')} became {counted(facts['calls'], 'call')}"]
    if facts["shape_sets"]:
        parts.append(f"shape sets {', '.join(facts['shape_sets'])}")
    if partitions:
        parts.append(f"{partitions.count('device')} device and {partitions.count('cpu')} CPU partitions")
    parts.append(f"{counted(weights['tensors'], 'weight')}, {counted(weights['bytes'], 'byte')}")
    if left["tensors"]:
        parts.append(f"{left['tensors']:,} left in the model's files, {left['bytes']:,} bytes")
    parts.append(counted(len(facts["warnings"]), "warning"))
    parts.append(f"{facts['seconds']:.1f} s" + (", from the cache" if facts["from_cache"] else ""))
    lines = ["; ".join(parts)]
    if facts["generation"] is not None:
        lines.append(_roles_line(facts["generation"]))
    return [*lines, f"next: {printable(facts['next'])}"]


def _roles_line(found: dict[str, Any]) -> str:
    """The inputs and outputs of a language model with the roles that were detected."""
    parts = [f"tokens {found['ids']}", f"logits {found['logits']}"]
    parts += [f"{role} {found[key]}" for role, key in (("mask", "mask"), ("positions", "positions")) if found[key]]
    parts += [f"lengths {', '.join(found['lengths'])}"] if found["lengths"] else []
    grown = [pair for pair in found["caches"] if pair[0] not in found["states"]]
    states = [pair for pair in found["caches"] if pair[0] in found["states"]]
    for pairs, what in ((grown, f"caches of {found['max_length']} positions"), (states, "states replaced whole")):
        parts += [f"{len(pairs)} {what}, {pairs[0][0]} -> {pairs[0][1]} first"] if pairs else []
    parts += [] if found["caches"] else ["no caches"]
    parts += [f"read as they are: {', '.join(found['others'])}"] if found["others"] else []
    return printable(f"generates: {'; '.join(parts)}")

"""Compiles ONNX models to Forge modules on disk."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, Unpack, cast

from onnx import ModelProto

from forge_mlir.codes import Code
from forge_mlir.compiler.compile_arguments import CompileArguments, CompileOptions, Source, check_arguments
from forge_mlir.compiler.lower import lower
from forge_mlir.compiler.option_types.values import check_options
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, quote, shortened
from forge_mlir.importer import ImportedModel
from forge_mlir.support.outputs import check_folder, reading
from forge_mlir.support.progress import phase

if TYPE_CHECKING:
    from forge_mlir.artifact.manifest import Json
    from forge_mlir.artifact.reader import Artifact
    from forge_mlir.artifact.writer import ArtifactContents
    from forge_mlir.compiler.compilation import Lowered
    from forge_mlir.compiler.option_types.spec import Stage
    from forge_mlir.compiler.pass_pipeline import OnPass
    from forge_mlir.importer.request import ProgramRequest


def compile(source: Source, output: str | os.PathLike[str], **given: Unpack[CompileOptions]) -> Artifact:
    """Compiles an ONNX model to a Forge module in the directory `output`. The arguments are those of
    `CompileArguments` and `Options`.

    Raises ForgeError with every refused node in `diagnostics`; no file is written then.
    """
    arguments, options = _arguments_and_options(given)
    stem = arguments.get("name") or (source.graph.name if isinstance(source, ModelProto) else Path(source).stem)

    members = _members_of(source, arguments, options)
    if not members:
        alone = [_Member("", source, options)]
        return _artifact(alone, output, stem, arguments, lambda: _compile(source, output, arguments, options)[0])
    generation = arguments.get("generate")
    with generation.explained_memory_errors() if generation is not None else nullcontext():
        return _artifact(members, output, stem, arguments, lambda: _compile_members(members, output, stem, arguments))


def _members_of(source: Source, arguments: CompileArguments, options: Options) -> list[_Member]:
    """The programs of an artifact that has several; none for an ordinary one. Raises ForgeError for a name that a shape
    set cannot have, and ValueError for shapes and a generation."""
    sets, generation = arguments.get("shapes"), arguments.get("generate")
    if generation is not None:
        if sets:
            raise ValueError("shapes and generate exclude each other")
        programs = generation.programs_for(source, options)
        return [_Member(key, source, options, program) for key, program in programs.items()]
    if not sets:
        return []
    from forge_mlir.artifact.shape_sets import SET_NAME

    for key in sets:
        if not SET_NAME.fullmatch(key):
            raise ForgeError(Code.PassOption, f"a shape set cannot be called {quote(key)}; take letters, digits and _")
    return [_Member(key, source, with_shapes(options, inputs)) for key, inputs in sets.items()]


def compile_files(
    files: Mapping[str, tuple[Path, Options]], output: str | os.PathLike[str], **given: Unpack[CompileOptions]
) -> Artifact:
    """Compiles several ONNX files to one artifact `name`, with one module per key of `files`, each with options of its
    own. Weights that several models have are stored once. Raises ValueError for `shapes`, which apply to single
    models."""
    arguments, options = _arguments_and_options(given)
    if arguments.get("shapes"):
        raise ValueError("sets of shapes are of one model: compile each file by itself, or give input_shapes")
    members = [_Member(key, file, {**options, **own}) for key, (file, own) in files.items()]
    stem = arguments.get("name") or "model"
    return _artifact(
        members, output, stem, arguments, lambda: _compile_members(members, output, stem, arguments, by_content=True)
    )


def compile_to(
    source: Source,
    directory: str | os.PathLike[str],
    stage: Stage,
    *,
    name: str | None = None,
    force: bool = False,
    every: bool = False,
    on_pass: OnPass | None = None,
    **options: Unpack[Options],
) -> Path:
    """Writes the IR of a model at `stage` (not "python") into `directory`; with `every` also that of the earlier
    stages. Returns the file, from which forge-opt can continue. Raises ForgeError."""
    from forge_mlir.compiler.option_types.spec import STAGES
    from forge_mlir.compiler.stages.files import StageFiles, Stopped

    if stage == "python" or stage not in STAGES:
        raise ValueError(f"stage: expected {', '.join(STAGES[:-1])}, but got {stage!a}")
    check_folder(Path(directory))
    stages = StageFiles(Path(directory), stage, only=not every, force=force)
    from forge_mlir.compiler.compilation import accepted

    try:
        accepted([lower(source, name=name, stages=stages, on_pass=on_pass, **options)])
    except Stopped:
        return stages.written[-1]
    raise ForgeError(Code.InternalError, f"the pipeline never reached the stage {stage}")


def compile_traced(
    source: Source, output: str | os.PathLike[str], *, name: str | None = None, **options: Unpack[Options]
) -> tuple[Artifact, ImportedModel | None]:
    """`compile` for `forge_mlir.verify`: manifests contain a trace, which maps ONNX values to variables of the module.

    The modules are the same. The second result is the imported model with its graph, or None if all of it runs on the
    CPU and it was not imported.
    """
    return _compile(source, output, {"name": name}, options, traced=True)


class TracedProgram(NamedTuple):
    """A program of `compile_traced_programs`: the name of its shape set (empty for the only program of an artifact),
    its own options, and the imported model as in `compile_traced`."""

    name: str
    options: Options
    imported: ImportedModel | None


def compile_traced_programs(
    source: Source, output: str | os.PathLike[str], arguments: CompileArguments, options: Options
) -> tuple[Artifact, list[TracedProgram]]:
    """`compile_traced` with the `name`, and the `shapes` or the `generate` of `arguments`: the manifest of each program
    has a trace."""
    members = _members_of(source, arguments, options)
    if not members:
        artifact, imported = _compile(source, output, arguments, options, traced=True)
        return artifact, [TracedProgram("", options, imported)]
    stem = arguments.get("name") or Path(cast(str, source)).stem
    lowered = _lower_members(members, stem, arguments, traced=True)
    artifact = _write_members(members, lowered, output, stem, arguments)
    return artifact, [
        TracedProgram(member.key, member.options, one.imported) for member, one in zip(members, lowered, strict=True)
    ]


def with_shapes(options: Options, shapes: Mapping[str, Sequence[int]]) -> Options:
    """`options` with additional sizes of inputs, which take precedence over the given ones."""
    return {**options, "input_shapes": {**(options.get("input_shapes") or {}), **shapes}}


def _arguments_and_options(given: CompileOptions) -> tuple[CompileArguments, Options]:
    own = {name: value for name, value in given.items() if name in CompileArguments.__annotations__}
    others = {name: value for name, value in given.items() if name not in own}
    arguments, options = cast(CompileArguments, own), cast(Options, others)
    check_arguments(arguments)
    check_options(options)
    return arguments, options


def _artifact(
    members: Sequence[_Member],
    output: str | os.PathLike[str],
    stem: str,
    arguments: CompileArguments,
    make: Callable[[], Artifact],
) -> Artifact:
    """The artifact from `make` or from the cache. Raises ForgeError if `output` cannot be written to, or if an output
    would overwrite a file that is read."""
    directory = Path(output)
    if directory.suffix == ".py" and not directory.is_dir():
        reason = f"{shortened(directory)}: the output is a directory; for a module of this name give its directory"
        raise ForgeError(Code.CannotWrite, f"{reason}, and the name {quote(directory.stem)}")
    check_folder(directory)
    with reading(file for member in members for file in _files_of(member.source, member.options)):
        return _cached(members, output, stem, arguments, make)


def _files_of(source: Source, options: Options) -> list[Path]:
    """The files that a compilation reads, except for weights."""
    own = [] if isinstance(source, ModelProto) else [Path(source)]
    own += (Path(lowering.file) for lowering in options.get("lowerings", ()))
    return own + [Path(file) for file in options.get("patterns", ())]


def _cached(
    members: Sequence[_Member],
    output: str | os.PathLike[str],
    stem: str,
    arguments: CompileArguments,
    make: Callable[[], Artifact],
) -> Artifact:
    """The artifact from the cache; if there is none, that of `make`, which is then stored. Failures of the cache do not
    fail the compilation, except for a directory that contains something else, which is an error of the caller."""
    kept = arguments.get("cache")
    watched = arguments.get("dump_dir") or arguments.get("on_pass")
    examined = arguments.get("examine") is not None
    plugged = any(member.options.get("lowerings") or member.options.get("patterns") for member in members)
    if kept is None or watched or plugged:
        return make()
    from forge_mlir.compiler.cache import CompileCache, cache_key, with_warnings

    cache = kept if isinstance(kept, CompileCache) else CompileCache(Path(kept))
    cache.check()
    others: dict[str, Any] = {"name": stem, "paths": None}
    if _by_reference(arguments):
        models = (member.source for member in members)
        files = (os.path.realpath(source) for source in models if not isinstance(source, ModelProto))
        others["paths"] = [os.path.realpath(output), *files]
    if arguments.get("generate") is not None:
        others["generate"] = [member.program for member in members]
    key = cache_key([member[:3] for member in members], others)
    found, warnings = cache.fetch(key, Path(output), arguments.get("force", False)) if not examined else (None, ())
    if found is None:
        found = make()
        warnings += cache.store(key, found)
    return with_warnings(found, warnings)


class _Writing(TypedDict):
    """How an artifact is written."""

    force: bool
    by_reference: bool


def _writing(arguments: CompileArguments) -> _Writing:
    return {"force": arguments.get("force", False), "by_reference": _by_reference(arguments)}


def _by_reference(arguments: CompileArguments) -> bool:
    return arguments.get("weights") == "reference"


def _lower(
    source: Source,
    name: str | None,
    arguments: CompileArguments,
    options: Options,
    traced: bool = False,
    program: ProgramRequest | None = None,
) -> Lowered:
    dump_dir = arguments.get("dump_dir")
    stages = None
    if dump_dir is not None:
        from forge_mlir.compiler.stages.files import StageFiles

        stages = StageFiles(Path(dump_dir), force=arguments.get("force", False))
    on_pass, by_reference = arguments.get("on_pass"), _by_reference(arguments)
    facts: Json = {}
    if options.get("error_budget") is not None:
        options, facts = _within_budget(source, options)
    traced = traced or arguments.get("examine") is not None
    lowered = lower(
        source,
        name=name,
        traced=traced,
        stages=stages,
        on_pass=on_pass,
        by_reference=by_reference,
        program=program,
        **options,
    )
    return replace(lowered, facts={**lowered.facts, **facts})


def _within_budget(source: Source, options: Options) -> tuple[Options, Json]:
    """`options` with a list of nodes that stay in Float32 in place of an error budget, and the facts about them for the
    manifest."""
    from forge_mlir.compiler.floats.error_budget import nodes_within
    from forge_mlir.compiler.floats.float_formats import check_float_format

    check_float_format(options)
    budget = options["error_budget"]
    given = tuple(options.get("keep_float32") or ())
    others: Options = {**options, "error_budget": None}  # type: ignore[typeddict-item]

    def attempt(directory: Path, float_format: Literal["float32", "bfloat16"], kept: Sequence[str]) -> Artifact:
        keeps = () if float_format == "float32" else (*given, *kept)
        asked: Options = {**others, "float_format": float_format, "keep_float32": keeps}
        return compile(source, directory, **asked)

    found = nodes_within(budget, attempt, options.get("sample_inputs"))
    return (
        {**others, "float_format": "bfloat16", "keep_float32": (*given, *found.nodes)},
        {"float_format": found.facts(budget)},
    )


def _compile(
    source: Source, output: str | os.PathLike[str], arguments: CompileArguments, options: Options, traced: bool = False
) -> tuple[Artifact, ImportedModel | None]:
    lowered = _lower(source, arguments.get("name"), arguments, options, traced)
    # Imported late because loading it delays the import of the model; it is loaded by now.
    from forge_mlir.artifact.writer import write_artifact
    from forge_mlir.compiler.compilation import accepted
    from forge_mlir.compiler.facts import provenance

    emitted = accepted([lowered])[0]
    facts = {**lowered.facts, **provenance(source, options)}
    if arguments.get("examine") is not None:
        emitted = _examined(source, lowered, facts, arguments, options)
    try:
        with reading(_weight_files(lowered)):
            artifact = write_artifact(output, emitted, lowered.weights, facts, lowered.warnings, **_writing(arguments))
    except ForgeError as error:
        raise ForgeError(error.code, f"{lowered.label}: {error.message}", error.details) from error
    return artifact, lowered.imported


def _examined(
    source: Source, lowered: Lowered, facts: Json, arguments: CompileArguments, options: Options
) -> ArtifactContents:
    """The contents of a module if `examine` accepts it. `examine` gets the module with its trace, in a directory of its
    own."""
    from tempfile import TemporaryDirectory

    from forge_mlir.artifact.writer import write_artifact

    examine, emitted = arguments.get("examine"), lowered.emitted
    assert examine is not None
    assert emitted is not None
    with TemporaryDirectory() as scratch:
        artifact = write_artifact(
            scratch, emitted, lowered.weights, facts, lowered.warnings, by_reference=_by_reference(arguments)
        )
        examine(source, options, artifact, lowered.imported)
    return emitted.without_traces()


def _weight_files(lowered: Lowered) -> list[Path]:
    return [Path(file) for file in lowered.imported.files] if lowered.imported else []


class _Member(NamedTuple):
    """One of several models that become modules of one artifact."""

    key: str
    source: Source
    options: Options
    program: ProgramRequest | None = None


def _compile_members(
    members: Sequence[_Member],
    output: str | os.PathLike[str],
    stem: str,
    arguments: CompileArguments,
    by_content: bool = False,
) -> Artifact:
    return _write_members(members, _lower_members(members, stem, arguments), output, stem, arguments, by_content)


def _lower_members(
    members: Sequence[_Member], stem: str, arguments: CompileArguments, traced: bool = False
) -> list[Lowered]:
    lowered = []
    for member in members:
        with phase(member.key):
            lowered.append(
                _lower(member.source, f"{stem}_{member.key}", arguments, member.options, traced, member.program)
            )
    return lowered


def _write_members(
    members: Sequence[_Member],
    lowered: Sequence[Lowered],
    output: str | os.PathLike[str],
    stem: str,
    arguments: CompileArguments,
    by_content: bool = False,
) -> Artifact:
    from forge_mlir.artifact.names import module_stem
    from forge_mlir.artifact.shape_sets import ShapeSet, write_shape_sets
    from forge_mlir.compiler.compilation import accepted
    from forge_mlir.compiler.facts import provenance
    from forge_mlir.compiler.generation import generation_facts

    sets = []
    for member, program, one in zip(members, accepted(lowered), lowered, strict=True):
        facts = {**one.facts, **provenance(member.source, member.options)}
        if arguments.get("examine") is not None:
            program = _examined(member.source, one, facts, arguments, member.options)
        sets.append(ShapeSet(member.key, program, one.weights, facts))
    found = dict.fromkeys(warning for one in lowered for warning in one.warnings)
    name = module_stem(re.sub(r"[^a-z0-9]+", "_", stem.lower()).strip("_") or "model")
    with reading(file for one in lowered for file in _weight_files(one)):
        facts = generation_facts(sets, arguments.get("generate"))
        return write_shape_sets(
            output, name, sets, tuple(found), by_content=by_content, facts=facts, **_writing(arguments)
        )

"""ONNX models in, Forge modules on disk out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypedDict, Unpack, cast

from onnx import ModelProto

from forge_mlir.codes import Code
from forge_mlir.compiler.lower import lower
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, quote, shortened
from forge_mlir.importer import ImportedModel
from forge_mlir.support.outputs import reading
from forge_mlir.support.progress import phase

if TYPE_CHECKING:
    from forge_mlir.artifact.reader import Artifact, Json
    from forge_mlir.artifact.writer import ArtifactContents
    from forge_mlir.compiler.cache import CompileCache
    from forge_mlir.compiler.compilation import Lowered
    from forge_mlir.compiler.generation import Generation
    from forge_mlir.compiler.pass_pipeline import OnPass
    from forge_mlir.compiler.stages.files import Stage
    from forge_mlir.importer.request import ProgramRequest

Source: TypeAlias = str | os.PathLike[str] | ModelProto

Examine: TypeAlias = "Callable[[Source, Options, Artifact, ImportedModel | None], None]"
"""Called with a model, its options, and what `compile_traced` gives for them, in a directory that is removed then."""


class Making(TypedDict, total=False):
    """What is asked of a compilation beside what becomes of the model.

    `name` becomes the file stem and class name (by default the file's, or the graph's). What an earlier compilation
    wrote to the directory is replaced; other files of these names only with `force`.

    With `shapes` ({"prefill": {"ids": (1, 128)}, "decode": {"ids": (1, 1)}}) there is a module for each set of input
    shapes; they share the weights file. With `generate` there is one for each length of a prompt and one for a token,
    over caches of one size (`Generation`). `weights="reference"` leaves weights of device modules in the model's files
    where no conversion is needed: the manifest says file, offset and SHA-256. What is in the `cache` is not compiled
    again; nothing of a compilation with lowerings or patterns, or one that is watched, is kept.

    The IR of each stage is written to `dump_dir`; of a model that is refused, as far as it got. `on_pass` is called
    with each pass that ran, and ends the compilation with what it raises. `examine` is called with each module that was
    compiled before anything is written to the output, and ends the compilation with what it raises, too.
    """

    name: str | None
    force: bool
    shapes: Mapping[str, Mapping[str, Sequence[int]]] | None
    generate: Generation | None
    weights: Literal["copy", "reference"]
    dump_dir: str | os.PathLike[str] | None
    on_pass: OnPass | None
    examine: Examine | None
    cache: CompileCache | str | os.PathLike[str] | None


class CompileOptions(Options, Making, total=False):
    """Keyword arguments of `compile`."""


def compile(source: Source, output: str | os.PathLike[str], **given: Unpack[CompileOptions]) -> Artifact:
    """Compiles an ONNX model to a Forge module in the directory `output`; `Making` and `Options` tell the rest.

    Raises ForgeError with every refused node in `diagnostics`; no file is written then.
    """
    making, options = _split(given)
    stem = making.get("name") or (source.graph.name if isinstance(source, ModelProto) else Path(source).stem)

    sets = making.get("shapes")
    generation = making.get("generate")
    if generation is not None:
        if sets:
            raise ValueError("shapes and generate exclude each other")
        programs = generation.programs_for(source, options)
        members = [_Member(key, source, options, program) for key, program in programs.items()]
        with generation.told():
            return _made(members, output, stem, making, lambda: _compile_members(members, output, stem, making))
    if not sets:
        alone = [_Member("", source, options)]
        return _made(alone, output, stem, making, lambda: _compile(source, output, making, options)[0])
    from forge_mlir.artifact.shape_sets import SET_NAME

    for key in sets:
        if not SET_NAME.fullmatch(key):
            raise ForgeError(
                Code.ShapeSetUnknown, f"a shape set cannot be called {quote(key)}; take letters, digits and _"
            )
    members = [_Member(key, source, with_shapes(options, inputs)) for key, inputs in sets.items()]
    return _made(members, output, stem, making, lambda: _compile_members(members, output, stem, making))


def compile_files(
    files: Mapping[str, tuple[Path, Options]], output: str | os.PathLike[str], **given: Unpack[CompileOptions]
) -> Artifact:
    """Compiles several ONNX files to one artifact: a module each, by its key in `files`, which has the options of its
    own; `name` is the artifact's. What several models hold is stored once. `shapes` are of one model: ValueError."""
    making, options = _split(given)
    if making.get("shapes"):
        raise ValueError("sets of shapes are of one model: compile each file by itself, or give input_shapes")
    members = [_Member(key, file, {**options, **own}) for key, (file, own) in files.items()]
    stem = making.get("name") or "model"
    return _made(
        members, output, stem, making, lambda: _compile_members(members, output, stem, making, by_content=True)
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
    """Writes the IR of a model at `stage` (not "python") into `directory`, with `every` also that of the stages before
    it. Gives the file; forge-opt continues from it. Raises ForgeError."""
    from forge_mlir.compiler.stages.files import StageFiles, Stopped

    if stage == "python":
        raise ValueError("compile writes Python")
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
    """`compile` for `forge_mlir.verify`: manifests say which variable of the module holds which ONNX value ("trace").

    The modules are the same. The second result is the imported model with its graph; None for a model that was not
    imported because all of it runs on the CPU.
    """
    return _compile(source, output, {"name": name}, options, traced=True)


def with_shapes(options: Options, shapes: Mapping[str, Sequence[int]]) -> Options:
    """`options` with sizes of inputs that come before those given."""
    return {**options, "input_shapes": {**(options.get("input_shapes") or {}), **shapes}}


def _split(given: CompileOptions) -> tuple[Making, Options]:
    own = {name: value for name, value in given.items() if name in Making.__annotations__}
    others = {name: value for name, value in given.items() if name not in own}
    return cast(Making, own), cast(Options, others)


def _made(
    members: Sequence[_Member],
    output: str | os.PathLike[str],
    stem: str,
    making: Making,
    make: Callable[[], Artifact],
) -> Artifact:
    """What `make` gives, or the cache. Nothing that is read is written to."""
    directory = Path(output)
    if directory.suffix == ".py" and not directory.is_dir():
        reason = f"{shortened(directory)}: the output is a directory; for a module of this name give its directory"
        raise ForgeError(Code.CannotWrite, f"{reason}, and the name {quote(directory.stem)}")
    with reading(file for member in members for file in _files_of(member.source, member.options)):
        return _cached(members, output, stem, making, make)


def _files_of(source: Source, options: Options) -> list[Path]:
    """The files that a compilation reads, but for those of weights."""
    own = [] if isinstance(source, ModelProto) else [Path(source)]
    own += (Path(lowering.file) for lowering in options.get("lowerings", ()))
    return own + [Path(file) for file in options.get("patterns", ())]


def _cached(
    members: Sequence[_Member],
    output: str | os.PathLike[str],
    stem: str,
    making: Making,
    make: Callable[[], Artifact],
) -> Artifact:
    """What is in the cache, or what `make` gives, which is there afterwards. No failure of the cache is one of the
    compilation, but for a directory that holds something else: that is the caller's mistake."""
    kept = making.get("cache")
    watched = making.get("dump_dir") or making.get("on_pass")
    examined = making.get("examine") is not None
    plugged = any(member.options.get("lowerings") or member.options.get("patterns") for member in members)
    if kept is None or watched or plugged:
        return make()
    from forge_mlir.compiler.cache import CompileCache, cache_key, with_warnings

    cache = kept if isinstance(kept, CompileCache) else CompileCache(Path(kept))
    cache.check()
    others: dict[str, Any] = {"name": stem, "places": None}
    if _by_reference(making):
        models = (member.source for member in members)
        files = (os.path.realpath(source) for source in models if not isinstance(source, ModelProto))
        others["places"] = [os.path.realpath(output), *files]
    if making.get("generate") is not None:
        others["generate"] = [member.program for member in members]
    key = cache_key([member[:3] for member in members], others)
    found, warnings = cache.fetch(key, Path(output), making.get("force", False)) if not examined else (None, ())
    if found is None:
        found = make()
        warnings += cache.store(key, found)
    return with_warnings(found, warnings)


class _Writing(TypedDict):
    """How an artifact is written."""

    force: bool
    by_reference: bool


def _writing(making: Making) -> _Writing:
    return {"force": making.get("force", False), "by_reference": _by_reference(making)}


def _by_reference(making: Making) -> bool:
    return making.get("weights") == "reference"


def _lower(
    source: Source,
    name: str | None,
    making: Making,
    options: Options,
    traced: bool = False,
    program: ProgramRequest | None = None,
) -> Lowered:
    dump_dir = making.get("dump_dir")
    stages = None
    if dump_dir is not None:
        from forge_mlir.compiler.stages.files import StageFiles

        stages = StageFiles(Path(dump_dir), force=making.get("force", False))
    on_pass, by_reference = making.get("on_pass"), _by_reference(making)
    facts: Json = {}
    if options.get("error_budget") is not None:
        options, facts = _within_budget(source, options)
    traced = traced or making.get("examine") is not None
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
    """`options` with the nodes that stay in Float32 instead of a budget, and what the manifest says of them."""
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
    source: Source, output: str | os.PathLike[str], making: Making, options: Options, traced: bool = False
) -> tuple[Artifact, ImportedModel | None]:
    lowered = _lower(source, making.get("name"), making, options, traced)
    # Loaded by now: the model's import had to wait.
    from forge_mlir.artifact.writer import write_artifact
    from forge_mlir.compiler.compilation import accepted
    from forge_mlir.compiler.facts import provenance

    emitted = accepted([lowered])[0]
    facts = {**lowered.facts, **provenance(source, options)}
    if making.get("examine") is not None:
        emitted = _examined(source, lowered, facts, making, options)
    try:
        with reading(_weight_files(lowered)):
            artifact = write_artifact(output, emitted, lowered.weights, facts, lowered.warnings, **_writing(making))
    except ForgeError as error:
        raise ForgeError(error.code, f"{lowered.label}: {error.message}", error.details) from error
    return artifact, lowered.imported


def _examined(source: Source, lowered: Lowered, facts: Json, making: Making, options: Options) -> ArtifactContents:
    """The contents of a module that `examine` accepts. It sees them with traces in a directory of their own."""
    from tempfile import TemporaryDirectory

    from forge_mlir.artifact.writer import write_artifact

    examine, emitted = making.get("examine"), lowered.emitted
    assert examine is not None
    assert emitted is not None
    with TemporaryDirectory() as scratch:
        artifact = write_artifact(
            scratch, emitted, lowered.weights, facts, lowered.warnings, by_reference=_by_reference(making)
        )
        examine(source, options, artifact, lowered.imported)
    return emitted.without_traces()


def _weight_files(lowered: Lowered) -> list[Path]:
    return [Path(file) for file in lowered.imported.files] if lowered.imported else []


class _Member(NamedTuple):
    """What becomes one module of several in an artifact."""

    key: str
    source: Source
    options: Options
    program: ProgramRequest | None = None


def _compile_members(
    members: Sequence[_Member], output: str | os.PathLike[str], stem: str, making: Making, by_content: bool = False
) -> Artifact:
    from forge_mlir.artifact.shape_sets import ShapeSet, write_shape_sets
    from forge_mlir.compiler.compilation import accepted
    from forge_mlir.compiler.facts import provenance
    from forge_mlir.compiler.generation import generation_facts

    lowered = []
    for member in members:
        with phase(member.key):
            lowered.append(
                _lower(member.source, f"{stem}_{member.key}", making, member.options, program=member.program)
            )
    sets = []
    for member, program, one in zip(members, accepted(lowered), lowered, strict=True):
        facts = {**one.facts, **provenance(member.source, member.options)}
        if making.get("examine") is not None:
            program = _examined(member.source, one, facts, making, member.options)
        sets.append(ShapeSet(member.key, program, one.weights, facts))
    found = dict.fromkeys(warning for one in lowered for warning in one.warnings)
    name = re.sub(r"[^a-z0-9]+", "_", stem.lower()).strip("_") or "model"
    with reading(file for one in lowered for file in _weight_files(one)):
        facts = generation_facts(sets, making.get("generate"))
        return write_shape_sets(
            output, name, sets, tuple(found), by_content=by_content, facts=facts, **_writing(making)
        )

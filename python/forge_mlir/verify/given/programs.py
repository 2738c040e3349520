"""Prepares programs for verification: those of a new compilation, and those of an artifact on disk.

An artifact gets the traces of a new compilation, which map ONNX values to its variables, and everything of it that
differs from this compilation is named.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.reseal import hash_of_file, reseal
from forge_mlir.artifact.source.calls import calls_of
from forge_mlir.artifact.source.emitted_python import is_same_code, unexpected_python
from forge_mlir.codes import Code
from forge_mlir.compiler.compile_arguments import CompileArguments
from forge_mlir.compiler.driver import TracedProgram, compile_traced_programs
from forge_mlir.compiler.facts import tool_versions
from forge_mlir.compiler.option_types.values import command_line
from forge_mlir.compiler.options import Options
from forge_mlir.equivalence.read_back import Edits
from forge_mlir.errors import ForgeError, escaped, quote, shortened
from forge_mlir.importer import ImportedModel
from forge_mlir.importer.onnx_import import scan_source
from forge_mlir.onnx_model.errors import OnnxImportError
from forge_mlir.verify.given.edited_weights import (
    device_modules,
    edits_of,
    found_from,
    reads_model_files,
    weights_digest,
)
from forge_mlir.verify.given.manifest_differences import asked_of, first_differences

Shapes = Mapping[str, Mapping[str, Sequence[int]]]


@dataclass(frozen=True)
class GivenProgram:
    """A program with traces: the name of its shape set (empty if there is only one program), its options, and the
    imported model. `edits` are the elements of its weights that differ from the compilation, None if all of the program
    is equal to it. `wrong` names facts of the manifest that are not those of the model, `uncovered` what no comparison
    of outputs can cover."""

    name: str
    artifact: Artifact
    imported: ImportedModel | None
    options: Options
    edits: Edits | None = None
    wrong: tuple[str, ...] = ()
    uncovered: tuple[str, ...] = ()


@dataclass(frozen=True)
class GivenArtifact:
    """An artifact with traces in the manifests of its `programs`. `wrong` and `uncovered` are as in `GivenProgram`,
    about the file and the manifest that programs share."""

    main: Artifact
    programs: tuple[GivenProgram, ...]
    wrong: tuple[str, ...] = ()
    uncovered: tuple[str, ...] = ()


def compiled_artifact(
    model: str | os.PathLike[str], scratch: str, name: str | None, shapes: Shapes | None, options: Options
) -> GivenArtifact:
    """A new compilation of `model` in `scratch`. Raises ForgeError."""
    made, programs = compile_traced_programs(model, scratch, {"name": name, "shapes": shapes}, options)
    return GivenArtifact(
        made, tuple(GivenProgram(each.name, _part(made, each.name), each.imported, each.options) for each in programs)
    )


def traced_artifact(
    model: str | os.PathLike[str],
    path: str | os.PathLike[str],
    scratch: str,
    shapes: Shapes | None = None,
    options: Options | None = None,
) -> GivenArtifact:
    """The artifact at `path` in its current state, including edits, copied to `scratch` with the traces of a
    compilation of `model` with the same shape sets or for the same generation.

    Variables that no longer exist are not compared. Raises ForgeError for an artifact of another model, one that was
    compiled with other options or shapes, and one that cannot be read.
    """
    given, options = Artifact.open(path), options or {}
    facts = given.manifest()
    _require_model(given, model)
    _require_versions(given)
    arguments: CompileArguments = {"name": given.name, **asked_of(given, shapes)}
    if reads_model_files(given):
        arguments["weights"] = "reference"
    made, programs = compile_traced_programs(model, scratch, arguments, options)
    if shapes is not None and facts.get("shape_sets") != made.manifest().get("shape_sets"):
        sets = ", ".join(quote(entry["name"]) for entry in facts.get("shape_sets", ()))
        known = f"the shape sets {sets}" if sets else "one set of shapes, without --shapes"
        reason = f"{shortened(given.name)}: was compiled for {known}; verify was given others"
        raise ForgeError(Code.ArtifactOfAnother, reason)
    found = [_compared(given, made, program, options) for program in programs]
    has_sets = bool(programs[0].name)
    wrong = tuple(first_differences(facts, made.manifest())) if has_sets else ()
    uncovered = tuple(_uncovered(given, made, [made.module_path.name])) if has_sets else ()
    modules = [name for each in found for name in device_modules(each.artifact)]
    traces = {name: Artifact(made.directory, name).manifest() for name in modules}
    for file in filter(Path.is_file, given.directory.iterdir()):  # An editor may have left a dangling link.
        shutil.copy(file, scratch)
    reseal(made.manifest_path)
    for name, compiled in traces.items():
        _add_trace(Artifact(made.directory, name), compiled, given.directory)
    if made.manifest().get("files"):
        reseal(made.manifest_path)
    return GivenArtifact(Artifact(Path(scratch), given.name, given.warnings), tuple(found), wrong, uncovered)


def _require_model(given: Artifact, model: str | os.PathLike[str]) -> None:
    """Raises ForgeError, before anything is compiled, for another file than the one that `given` comes from, for one
    that is no ONNX model, and for an artifact of several files. The file is not known for a model that was in
    memory."""
    path, digest = Path(model), _model_digest(given)
    names = [str(entry["name"]) for entry in given.manifest().get("shape_sets", ())]
    if any(_model_digest(_part(given, name)) != digest for name in names):
        reason = "was compiled from several files, as a folder of models is: compile and verify each file by itself"
        raise ForgeError(Code.ArtifactOfAnother, f"{shortened(given.name)}: {reason}")
    if digest is None or (path.is_file() and hash_of_file(path.parent, path.name) == digest):
        return
    try:
        scan_source(model)
    except OnnxImportError as error:
        raise error.in_model(escaped(path)) from error.__cause__
    raise ForgeError(
        Code.ArtifactOfAnother, f"{shortened(given.name)}: was compiled from another file than {quote(os.fspath(path))}"
    )


def _model_digest(artifact: Artifact) -> str | None:
    """The hash of the file that a program comes from."""
    found: str | None = artifact.manifest().get("compiled", {}).get("model_sha256")
    return found


def _require_versions(given: Artifact) -> None:
    """Raises ForgeError for an artifact of another version of the compiler or the importer, whose programs may have
    other calls and constants for the same model."""
    theirs, ours = given.manifest().get("versions"), dict(tool_versions())
    was = theirs if isinstance(theirs, dict) else {}
    shown = [f"{tool} {shortened(was.get(tool))} (this is {own})" for tool, own in ours.items() if was.get(tool) != own]
    if theirs is None or not shown:
        return
    what = f"{shortened(given.name)}: was compiled by {' and '.join(shown)}"
    raise ForgeError(Code.ArtifactOfAnother, f"{what}; compile the model again, or verify with that version")


def _part(artifact: Artifact, name: str) -> Artifact:
    """The program of a shape set, whose manifest may have been edited; the artifact itself if there are no sets."""
    if not name:
        return artifact
    modules = {entry["name"]: entry["module"] for entry in artifact.manifest()["shape_sets"]}
    if name not in modules:
        raise ForgeError(Code.ArtifactUnreadable, f"{shortened(artifact.name)}: it has no shape set {quote(name)}")
    return Artifact(artifact.directory, Path(modules[name]).name, artifact.warnings)


def _compared(given: Artifact, made: Artifact, program: TracedProgram, options: Options) -> GivenProgram:
    """A program of the artifact as it will be in the folder of `made`, compared with that of the compilation."""
    theirs, ours = _part(given, program.name), _part(made, program.name)
    facts, fresh = theirs.manifest(), ours.manifest()
    flags = _flags(facts, bool(program.name))
    if flags != _flags(fresh, bool(program.name)):
        compiled, asked = " ".join(map(ascii, flags)) or "no options", " ".join(command_line(options)) or "no options"
        reason = f"{shortened(given.name)}: was compiled with {compiled}; verify was given {asked}"
        raise ForgeError(Code.ArtifactOfAnother, reason)
    wrong = tuple(first_differences(facts, fresh))
    uncovered = tuple(_uncovered(theirs, ours, [ours.module_path.name, *fresh.get("files", ())]))
    parts = [(Artifact(theirs.directory, name), Artifact(ours.directory, name)) for name in device_modules(ours)]
    is_same = not uncovered
    if parts:
        is_same = is_same and not wrong and all(map(_are_equal, *zip(*parts, strict=True)))
    edits = None if is_same else {} if wrong else edits_of(theirs, ours)
    artifact = Artifact(ours.directory, ours.name, given.warnings)
    return GivenProgram(program.name, artifact, program.imported, program.options, edits, wrong, uncovered)


def _flags(facts: Json, has_shapes: bool) -> list[str]:
    """The options of a compilation. Those of a shape set have its shapes, which are compared themselves."""
    flags: list[str] = facts.get("compiled", {}).get("flags", [])
    if not has_shapes:
        return flags
    pairs = zip(["", *flags], flags, strict=False)
    return [flag for before, flag in pairs if "--input-shape" not in (before, flag)]


def _are_equal(given: Artifact, made: Artifact) -> bool:
    name = made.module_path.name
    is_same_module = hash_of_file(given.directory, name) == hash_of_file(made.directory, name)
    is_same_module = is_same_module or is_same_code(given.source(), made.source())
    return is_same_module and weights_digest(given) == weights_digest(made)


def _uncovered(given: Artifact, made: Artifact, files: Sequence[str]) -> Iterator[str]:
    """What differs in files of a program and is not covered by a comparison of outputs."""
    for file in files:
        theirs, ours = Artifact(given.directory, Path(file).stem), Artifact(made.directory, Path(file).stem)
        if file.endswith(".onnx") and hash_of_file(given.directory, file) != hash_of_file(made.directory, file):
            yield f"{escaped(file)} is not the graph that the model is compiled to, which only outputs are compared of"
        if not file.endswith(".py"):
            continue
        try:
            found = unexpected_python(theirs.source(), ours.source())
        except ForgeError as error:
            raise ForgeError(error.code, f"{shortened(file)}: {error.message}") from error
        if found is not None:
            what = f"module {escaped(file)} has Python that is not a call of forge.op"
            yield f"{what} (line {found.line}: {escaped(found.text)}), which comparisons of outputs cannot cover"


def _add_trace(artifact: Artifact, compiled: Json, directory: Path) -> None:
    """Adds the trace of the compilation to a manifest that was copied from `directory`."""
    sources = {weight["name"]: weight["source"] for weight in compiled["weights"]}
    # The table of calls is that of the compiled module: an edit may have changed the hash that belongs to it.
    table: Json = {key: compiled[key] for key in ("calls", "calls_of_sha256") if key in compiled}
    facts: Json = {**artifact.manifest(), **table}
    paths = {call.path for call in calls_of(artifact.source(), facts)}
    facts["trace"] = [entry for entry in compiled["trace"] if entry["variable"] in paths]
    facts["weights"] = [
        {**found_from(directory, weight), "source": sources[weight["name"]]}
        if weight["name"] in sources
        else found_from(directory, weight)
        for weight in facts["weights"]
    ]
    artifact.manifest_path.write_text(json.dumps(facts), encoding="utf-8")

"""A compiled model that is on disk, with what says which of its variables holds which ONNX value."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Unpack

from forge_mlir.artifact.calls import calls_of
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.reseal import reseal
from forge_mlir.codes import Code
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.compiler.option_values import command_line
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, quote
from forge_mlir.importer import ImportedModel


def traced_artifact(
    model: str | os.PathLike[str], path: str | os.PathLike[str], scratch: str, **options: Unpack[Options]
) -> tuple[Artifact, ImportedModel | None]:
    """The artifact at `path` as it is, edits included, copied to `scratch` with the traces of a compilation of `model`.

    Variables that are not there any more are not compared. Raises ForgeError for an artifact of another model, or one
    that was compiled with other options.
    """
    given = Artifact.open(path)
    facts = given.manifest()
    made, imported = compile_traced(model, scratch, name=given.name, **options)
    fresh = made.manifest()
    if facts.get("compiled", {}).get("model_sha256") != fresh.get("compiled", {}).get("model_sha256"):
        raise ForgeError(
            Code.ArtifactOfAnother,
            f"{quote(given.name)[1:-1]}: was compiled from another file than {quote(os.fspath(model))}",
        )
    flags = facts.get("compiled", {}).get("flags", [])
    if flags != fresh.get("compiled", {}).get("flags", []):
        shown, ours = " ".join(map(ascii, flags)) or "no options", " ".join(command_line(options)) or "no options"
        raise ForgeError(Code.ArtifactOfAnother, f"was compiled with {shown}; verify was given {ours}")
    traces = {name: Artifact(made.directory, name).manifest().get("trace") for name in _modules(made)}
    shutil.copytree(given.directory, scratch, dirs_exist_ok=True)
    reseal(made.manifest_path)
    for name, trace in traces.items():
        if trace is not None:
            _add_trace(Artifact(made.directory, name), trace)
    if (made.directory / f"{made.name}.json").is_file() and fresh.get("partitions"):
        reseal(made.manifest_path)
    return Artifact(Path(scratch), given.name, given.warnings), imported


def _modules(artifact: Artifact) -> list[str]:
    parts = artifact.manifest().get("partitions", [{"module": artifact.name, "kind": "device"}])
    return [part["module"] for part in parts if part["kind"] == "device"]


def _add_trace(artifact: Artifact, trace: list[dict[str, object]]) -> None:
    places = {call.place for call in calls_of(artifact.module_path.read_text(encoding="ascii"))}
    facts = {**artifact.manifest(), "trace": [entry for entry in trace if entry["variable"] in places]}
    artifact.manifest_path.write_text(json.dumps(facts), encoding="utf-8")

"""An artifact with several shape sets: a module for each, one weights file, and a file that loads a module by name."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from forge_mlir.artifact.manifest import FORMAT, Json, write_manifest
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.staging import staged
from forge_mlir.artifact.weights_file import WeightsFile
from forge_mlir.artifact.writer import (
    ArtifactContents,
    PlannedProgram,
    StoredWeights,
    write_file,
)
from forge_mlir.codes import Code
from forge_mlir.errors import Diagnostic, ForgeError, quote
from forge_mlir.onnx_model.storage.weights import WeightRef

SET_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)

_TEXT = '''"""Model {name}, compiled from ONNX by forge-mlir for {count} sets of shapes.

{sets}

After an edit of this file: `forge-mlir reseal DIRECTORY`, or load(trust_edits=True).
"""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

MODULES = {modules}


def load(shapes="{first}", trust_edits=False):
    """The module of a set of shapes with its weights, ready for forge.compile or a call."""
    path = Path(__file__).with_name(MODULES[shapes])
    spec = spec_from_file_location(path.stem, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.load(trust_edits=trust_edits)
'''


@dataclass(frozen=True)
class ShapeSet:
    """A model compiled for one set of shapes. `facts` are those for its manifest."""

    name: str
    program: ArtifactContents
    weights: Mapping[str, WeightRef]
    facts: Json


def write_shape_sets(
    directory: str | os.PathLike[str],
    name: str,
    sets: Sequence[ShapeSet],
    warnings: tuple[Diagnostic, ...] = (),
    force: bool = False,
    by_reference: bool = False,
    by_content: bool = False,
    facts: Json | None = None,
) -> Artifact:
    """Writes `sets` as the artifact `name`, all files or none. Raises as `write_artifact` does. `by_content`: the sets
    come from several models, whose weights are compared by content."""
    artifact = Artifact(Path(directory), name, warnings)
    with staged(artifact.directory, name, force) as staging:
        file = WeightsFile(artifact.directory if by_reference else None, by_content)
        planned = [PlannedProgram.of(one.program, one.weights, file) for one in sets]
        stored = StoredWeights.write(file, staging / artifact.weights_path.name)
        files: dict[str, str] = {artifact.module_path.name: "", artifact.manifest_path.name: ""}
        for one, program in zip(sets, planned, strict=True):
            written = program.write(staging, stored, one.facts)
            if twice := files.keys() & written.keys():
                raise ForgeError(Code.CannotWrite, f"two of the modules would write {quote(min(twice))}")
            files |= written
        del files[artifact.module_path.name], files[artifact.manifest_path.name]
        entries = [_entry(one) for one in sets]
        text = _TEXT.format(
            name=name,
            count=len(sets),
            sets="\n".join(f"    {_described(entry)}" for entry in entries),
            modules="{" + ", ".join(f'"{one.name}": "{one.program.main.name}.py"' for one in sets) + "}",
            first=sets[0].name,
        )
        first = sets[0].facts
        manifest = {
            "format": FORMAT,
            "module": name,
            "inputs": [],
            "outputs": [],
            "onnx": first["onnx"],
            "versions": first["versions"],
            **({"compiled": first["compiled"]} if "compiled" in first else {}),
            **stored.facts,
            "python_sha256": write_file(staging / f"{name}.py", text.encode("ascii")),
            "files": files,
            "shape_sets": entries,
            **(facts or {}),
        }
        digest = write_manifest(staging, name, manifest)
    return replace(artifact, warnings=(*warnings, *file.warnings()), manifest_sha256=digest)


def _entry(one: ShapeSet) -> Json:
    inputs: Any = {info["name"]: info["shape"] for info in one.facts["onnx"]["inputs"]}
    return {"name": one.name, "module": one.program.main.name, "inputs": inputs}


def _described(entry: Json) -> str:
    shapes = ", ".join(f"{name!a} {list(shape or ())}" for name, shape in entry["inputs"].items())
    # The text becomes part of a docstring, and names are untrusted.
    return f"{entry['name']}: {shapes}".replace("\\", "\\\\").replace('"', "'")

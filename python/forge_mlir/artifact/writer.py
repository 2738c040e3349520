"""The files of a compiled model: `<name>.py`, `<name>.safetensors` (weights) and `<name>.json` (facts).

A partitioned model also has a `.py` and a `.json` for each device partition, and a `.py` and an `.onnx` for each CPU
partition; all share the weights.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from forge_mlir.artifact.manifest import Json, write_manifest
from forge_mlir.artifact.names import check_names
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.staging import staged
from forge_mlir.artifact.weights_file import WeightsFile
from forge_mlir.errors import Diagnostic
from forge_mlir.onnx_model.storage.weights import WeightRef

Spans = Mapping[str, tuple[int, int]]
"""The (offset, bytes) of each stored tensor in the weights file."""


class OnnxPart(NamedTuple):
    """The graph of a CPU partition: the weights that it needs, by name, and its bytes, given the locations of the
    weights."""

    weights: Mapping[str, WeightRef]
    serialise: Callable[[str, Spans], bytes]
    """Called with the name of the weights file and the span of each of `weights`."""


class Part(NamedTuple):
    """A module to write; `onnx` is set for a CPU partition."""

    name: str
    python: str
    manifest: Json
    onnx: OnnxPart | None = None


@dataclass(frozen=True)
class ArtifactContents:
    """The result of a compilation: a device module, or a partitioned model of `parts`."""

    main: Part
    parts: Sequence[Part] = field(default=())

    def without_traces(self) -> ArtifactContents:
        """A copy without the parts of manifests that only `verify` reads."""
        main, *parts = (
            part._replace(manifest={key: value for key, value in part.manifest.items() if key != "trace"})
            for part in (self.main, *self.parts)
        )
        return ArtifactContents(main, parts)


def write_artifact(
    directory: str | os.PathLike[str],
    program: ArtifactContents,
    weights: Mapping[str, WeightRef],
    facts: Json,
    warnings: tuple[Diagnostic, ...] = (),
    force: bool = False,
    by_reference: bool = False,
) -> Artifact:
    """Writes all files or none; memory use does not depend on the size of the weights.

    Manifests come from the emitter; `facts` are merged into the main one; `weights` are those of the importer. Files
    that no earlier compilation wrote are replaced only with `force`. Raises ForgeError if a stored type cannot
    represent a value of a weight, or if a file cannot be written. With `by_reference`, weights that need no conversion
    stay in the model's files; modules must have been emitted for that.
    """
    artifact = Artifact(Path(directory), program.main.name, warnings)
    with staged(artifact.directory, artifact.name, force) as staging:
        file = WeightsFile(artifact.directory if by_reference else None)
        planned = PlannedProgram.of(program, weights, file)
        stored = StoredWeights.write(file, staging / artifact.weights_path.name)
        digest = planned.write(staging, stored, facts)[artifact.manifest_path.name]
    return replace(artifact, warnings=(*warnings, *file.warnings()), manifest_sha256=digest)


class StoredWeights(NamedTuple):
    """A written weights file: its name, its SHA-256, and the locations of its tensors."""

    name: str
    digest: str
    spans: Spans

    @staticmethod
    def write(file: WeightsFile, path: Path) -> StoredWeights:
        file.hash_references()
        return StoredWeights(path.name, *file.write(path))

    @property
    def facts(self) -> Json:
        """The facts about it in manifests."""
        return {"weights_file": self.name, "weights_sha256": self.digest}


class PlannedProgram(NamedTuple):
    """A program whose weights have been planned in a weights file that is not written yet."""

    program: ArtifactContents
    locations: Mapping[tuple[str, str], Json]
    """The locations of weights, by module and name."""
    hosted: Mapping[str, Mapping[str, str]]
    """The weights of CPU partitions, by module."""

    @staticmethod
    def of(program: ArtifactContents, weights: Mapping[str, WeightRef], file: WeightsFile) -> PlannedProgram:
        modules = program.parts or (program.main,)
        locations = {
            (part.name, weight["name"]): file.add(weight, weights)
            for part in modules
            for weight in part.manifest.get("weights", ())
            if "splat" not in weight["source"]
        }
        hosted = {
            part.name: {name: file.add_raw(ref) for name, ref in part.onnx.weights.items()}
            for part in modules
            if part.onnx is not None
        }
        return PlannedProgram(program, locations, hosted)

    def write(self, staging: Path, stored: StoredWeights, facts: Json) -> dict[str, str]:
        """Writes all files of the program. Returns their hashes."""
        files = {}
        for part in self.program.parts:
            if part.onnx is not None:
                locations = {name: stored.spans[tensor] for name, tensor in self.hosted[part.name].items()}
                files[f"{part.name}.onnx"] = write_file(
                    staging / f"{part.name}.onnx", part.onnx.serialise(stored.name, locations)
                )
        for part in self.program.parts:
            files[f"{part.name}.py"] = python_sha256 = _write_python(staging, part.name, part.python)
            if part.onnx is None:
                part_facts = {
                    **part.manifest,
                    **stored.facts,
                    "python_sha256": python_sha256,
                    "weights": _public(part, self.locations),
                    "versions": facts["versions"],
                }
                files[f"{part.name}.json"] = write_manifest(staging, part.name, part_facts)
        main = self.program.main
        python_sha256 = _write_python(staging, main.name, main.python)
        manifest = {**main.manifest, **facts, **stored.facts, "python_sha256": python_sha256}
        if self.program.parts:
            manifest["files"] = dict(files)
            manifest["partitions"] = [
                {key: value for key, value in partition.items() if key != "constants"}
                for partition in manifest["partitions"]
            ]
        else:
            manifest["weights"] = _public(main, self.locations)
        files[f"{main.name}.py"] = python_sha256
        files[f"{main.name}.json"] = write_manifest(staging, main.name, manifest)
        return files


def write_file(path: Path, data: bytes) -> str:
    """Writes a file. Returns its SHA-256."""
    path.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def _write_python(directory: Path, name: str, text: str) -> str:
    return write_file(directory / f"{name}.py", check_names(name, text).encode("ascii"))


def _public(part: Part, locations: Mapping[tuple[str, str], Json]) -> list[Json]:
    """The weights as listed for users: the importer's source of the bytes is included only in a traced compilation."""
    public = []
    hidden = () if "trace" in part.manifest else ("source",)
    for weight in part.manifest["weights"]:
        shown = {key: value for key, value in weight.items() if key not in hidden}
        if "splat" in weight["source"]:
            shown["splat"] = weight["source"]["splat"]
        else:
            shown |= locations[part.name, weight["name"]]
        public.append(shown)
    return public

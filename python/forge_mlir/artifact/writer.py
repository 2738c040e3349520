"""The files of a compiled model: `<name>.py`, `<name>.safetensors` (weights) and `<name>.json` (facts).

A partitioned model has a `.py` and a `.json` more for each device partition, and a `.py` and an `.onnx` for each CPU
one; all share the weights.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from forge_mlir.artifact.integrity import sealed_json
from forge_mlir.artifact.names import check_names
from forge_mlir.artifact.reader import Artifact, Json
from forge_mlir.artifact.staging import staged
from forge_mlir.artifact.weights_file import WeightsFile
from forge_mlir.errors import Diagnostic
from forge_mlir.onnx_model.storage.weights import WeightRef

Spans = Mapping[str, tuple[int, int]]
"""Where each stored tensor lies in the weights file: (offset, bytes)."""


class OnnxPart(NamedTuple):
    """The graph of a CPU partition: `weights` it needs by name, and its bytes once their places are known."""

    weights: Mapping[str, WeightRef]
    serialise: Callable[[str, Spans], bytes]
    """From the weights file's name and the span of each of `weights`."""


class Part(NamedTuple):
    """One module to write; `onnx` for a partition that runs on the CPU."""

    name: str
    python: str
    manifest: Json
    onnx: OnnxPart | None = None


@dataclass(frozen=True)
class ArtifactContents:
    """What the compiler made: a device module, or a partitioned model of `parts`."""

    main: Part
    parts: Sequence[Part] = field(default=())

    def without_traces(self) -> ArtifactContents:
        """The same without what `verify` alone reads of manifests."""
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
    """Writes all files or none; memory stays flat whatever the weights' size.

    Manifests are what the emitter says, `facts` are merged into the main one, `weights` are the importer's. Files that
    no earlier compilation wrote are replaced with `force` only. Raises ForgeError when a weight has a value that its
    stored type cannot hold, or when a file cannot be written. With `by_reference` weights that the model's
    files hold as the module needs them stay there, which modules must have been emitted for.
    """
    artifact = Artifact(Path(directory), program.main.name, warnings)
    with staged(artifact.directory, artifact.name, force) as staging:
        file = WeightsFile(artifact.directory if by_reference else None)
        planned = PlannedProgram.of(program, weights, file)
        stored = StoredWeights.write(file, staging / artifact.weights_path.name)
        digest = planned.write(staging, stored, facts)[artifact.manifest_path.name]
    return replace(artifact, warnings=(*warnings, *file.warnings()), manifest_sha256=digest)


class StoredWeights(NamedTuple):
    """A weights file that was written: its name, its SHA-256, and where its tensors are."""

    name: str
    digest: str
    spans: Spans

    @staticmethod
    def write(file: WeightsFile, path: Path) -> StoredWeights:
        file.hash_references()
        return StoredWeights(path.name, *file.write(path))

    @property
    def facts(self) -> Json:
        """What manifests say about it."""
        return {"weights_file": self.name, "weights_sha256": self.digest}


class PlannedProgram(NamedTuple):
    """A program whose weights have their names in a weights file that is yet to be written."""

    program: ArtifactContents
    places: Mapping[tuple[str, str], Json]
    """Where weights are, by module and name in it."""
    hosted: Mapping[str, Mapping[str, str]]
    """Those of CPU partitions, by module."""

    @staticmethod
    def of(program: ArtifactContents, weights: Mapping[str, WeightRef], file: WeightsFile) -> PlannedProgram:
        modules = program.parts or (program.main,)
        places = {
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
        return PlannedProgram(program, places, hosted)

    def write(self, staging: Path, stored: StoredWeights, facts: Json) -> dict[str, str]:
        """Writes all files of the program; gives their hashes."""
        files = {}
        for part in self.program.parts:
            if part.onnx is not None:
                places = {name: stored.spans[tensor] for name, tensor in self.hosted[part.name].items()}
                files[f"{part.name}.onnx"] = write_file(
                    staging / f"{part.name}.onnx", part.onnx.serialise(stored.name, places)
                )
        for part in self.program.parts:
            files[f"{part.name}.py"] = python_sha256 = _write_python(staging, part.name, part.python)
            if part.onnx is None:
                part_facts = {
                    **part.manifest,
                    **stored.facts,
                    "python_sha256": python_sha256,
                    "weights": _public(part, self.places),
                    "versions": facts["versions"],
                }
                files[f"{part.name}.json"] = write_json(staging, part.name, part_facts)
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
            manifest["weights"] = _public(main, self.places)
        files[f"{main.name}.py"] = python_sha256
        files[f"{main.name}.json"] = write_json(staging, main.name, manifest)
        return files


def write_file(path: Path, data: bytes) -> str:
    """The SHA-256 of what was written."""
    path.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def _write_python(directory: Path, name: str, text: str) -> str:
    return write_file(directory / f"{name}.py", check_names(name, text).encode("ascii"))


def write_json(directory: Path, name: str, facts: Json) -> str:
    return write_file(directory / f"{name}.json", sealed_json(facts))


def _public(part: Part, places: Mapping[tuple[str, str], Json]) -> list[Json]:
    """The weights as users see them: where the compiler took the bytes from is no fact about the module, but for who
    asked for its trace."""
    public = []
    hidden = () if "trace" in part.manifest else ("source",)
    for weight in part.manifest["weights"]:
        shown = {key: value for key, value in weight.items() if key not in hidden}
        if "splat" in weight["source"]:
            shown["splat"] = weight["source"]["splat"]
        else:
            shown |= places[part.name, weight["name"]]
        public.append(shown)
    return public

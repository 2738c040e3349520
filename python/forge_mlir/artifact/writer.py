"""The files of a compiled model: `<name>.py`, `<name>.safetensors` (weights) and `<name>.json` (facts).

A partitioned model has a `.py` and a `.json` more for each device partition, and a `.py` and an `.onnx` for each CPU
one; all share the weights.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from forge_mlir.artifact.reader import Artifact, Json
from forge_mlir.artifact.staging import staged
from forge_mlir.artifact.weights_file import WeightsFile
from forge_mlir.errors import Diagnostic
from forge_mlir.onnx_model.weights import WeightRef

Spans = Mapping[str, tuple[int, int]]
"""Where each stored tensor lies in the weights file: (offset, bytes)."""


@dataclass(frozen=True)
class OnnxPart:
    """The graph of a CPU partition: `weights` it needs by name, and its bytes once their places are known."""

    weights: Mapping[str, WeightRef]
    serialise: Callable[[str, Spans], bytes]
    """From the weights file's name and the span of each of `weights`."""


@dataclass(frozen=True)
class Part:
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


def write_artifact(
    directory: str | os.PathLike[str],
    program: ArtifactContents,
    weights: Mapping[str, WeightRef],
    facts: Json,
    warnings: tuple[Diagnostic, ...] = (),
    force: bool = False,
) -> Artifact:
    """Writes all files or none; memory stays flat whatever the weights' size.

    Manifests are what the emitter says, `facts` are merged into the main one, `weights` are the importer's. Files that
    no earlier compilation wrote are replaced with `force` only. Raises ForgeError when a weight has a value that its
    stored type cannot hold, or when a file cannot be written.
    """
    artifact = Artifact(Path(directory), program.main.name, warnings)
    with staged(artifact.directory, artifact.name, force) as staging:
        modules = program.parts or (program.main,)
        file = WeightsFile(weights)
        tensors = {
            (part.name, weight["name"]): file.add(weight)
            for part in modules
            for weight in part.manifest.get("weights", ())
            if "splat" not in weight["source"]
        }
        graphs = [(part, part.onnx) for part in modules if part.onnx is not None]
        hosted = {part.name: {name: file.add_raw(ref) for name, ref in onnx.weights.items()} for part, onnx in graphs}
        digest, spans = file.write(staging / artifact.weights_path.name)
        shared = {"weights_file": artifact.weights_path.name, "weights_sha256": digest}
        files = {}
        for part, onnx in graphs:
            places = {name: spans[stored] for name, stored in hosted[part.name].items()}
            files[f"{part.name}.onnx"] = _write(
                staging / f"{part.name}.onnx", onnx.serialise(shared["weights_file"], places)
            )
        for part in program.parts:
            files[f"{part.name}.py"] = python_sha256 = _write_python(staging, part)
            if part.onnx is None:
                part_facts = {
                    **part.manifest,
                    **shared,
                    "python_sha256": python_sha256,
                    "weights": _public(part, tensors),
                    "versions": facts["versions"],
                }
                files[f"{part.name}.json"] = _write_json(staging, part.name, part_facts)
        manifest = {**program.main.manifest, **facts, **shared, "python_sha256": _write_python(staging, program.main)}
        if program.parts:
            manifest["files"] = files
            manifest["partitions"] = [
                {key: value for key, value in partition.items() if key != "constants"}
                for partition in manifest["partitions"]
            ]
        else:
            manifest["weights"] = _public(program.main, tensors)
        _write_json(staging, artifact.name, manifest)
    return artifact


def _write(path: Path, data: bytes) -> str:
    """The SHA-256 of what was written."""
    path.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def _write_python(directory: Path, part: Part) -> str:
    return _write(directory / f"{part.name}.py", part.python.encode("ascii"))


def _write_json(directory: Path, name: str, facts: Json) -> str:
    text = json.dumps(facts, indent=2, sort_keys=True, allow_nan=False)
    return _write(directory / f"{name}.json", f"{text}\n".encode())


def _public(part: Part, tensors: Mapping[tuple[str, str], str]) -> list[Json]:
    """The weights as users see them: where the compiler took the bytes from is no fact about the module."""
    public = []
    for weight in part.manifest["weights"]:
        shown = {key: value for key, value in weight.items() if key != "source"}
        if "splat" in weight["source"]:
            shown["splat"] = weight["source"]["splat"]
        else:
            shown["tensor"] = tensors[part.name, weight["name"]]
        public.append(shown)
    return public

"""The files of a compiled model: `<name>.py`, `<name>.safetensors` (weights) and `<name>.json` (facts).

A partitioned model has a `.py` and a `.json` more for each device partition, and a `.py` and an `.onnx` for each CPU
one; all share the weights.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from forge_mlir.artifact.reader import Artifact, Json
from forge_mlir.artifact.weights_file import WeightsFile
from forge_mlir.codes import Code
from forge_mlir.errors import Diagnostic, ForgeError
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
) -> Artifact:
    """Writes all files or none; memory stays flat whatever the weights' size.

    Manifests are what the emitter says, `facts` are merged into the main one, `weights` are the importer's. Raises
    ForgeError when a weight has a value that its stored type cannot hold, or when a file cannot be written.
    """
    artifact = Artifact(Path(directory), program.main.name, warnings)
    with _all_or_none(artifact.directory, artifact.name) as staging:
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


@contextmanager
def _all_or_none(directory: Path, name: str) -> Iterator[Path]:
    """A directory to write into. Its files move to `directory` when all went well, `<name>.py` last: where it is, the
    files it needs are too."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=directory))
    except OSError as error:
        raise ForgeError(Code.CannotWrite, f"cannot write to {str(directory)!a}: {error.strerror}") from error
    try:
        yield staging
        stale = _partition_files(directory, name) - {path.name for path in staging.iterdir()}
        for path in sorted(staging.iterdir(), key=lambda path: (path.name == f"{name}.py", path.name)):
            os.replace(path, directory / path.name)
        for old in sorted(stale):
            (directory / old).unlink(missing_ok=True)
    except OSError as error:
        raise ForgeError(Code.CannotWrite, f"cannot write to {str(directory)!a}: {error.strerror}") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _partition_files(directory: Path, name: str) -> set[str]:
    """The files of the partitions that an earlier compilation of `name` left, as far as they are what it wrote."""
    try:
        files = Artifact(directory, name).manifest().get("files", {}).items()
    except (ForgeError, AttributeError):
        return set()
    partition = re.compile(rf"{re.escape(name)}_(cpu|device)\d+\.(py|json|onnx)", re.ASCII)
    return {
        file
        for file, digest in files
        if partition.fullmatch(file) and (directory / file).is_file() and _sha256(directory / file) == digest
    }


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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

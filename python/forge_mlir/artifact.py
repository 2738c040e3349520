"""The three files of a compiled model: `<name>.py`, `<name>.safetensors` (weights) and `<name>.json` (facts)."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import struct
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import ml_dtypes
import numpy as np
import numpy.typing as npt

from forge_mlir.errors import Diagnostic, ForgeError
from forge_mlir.importer.weights import WeightRef

Json = dict[str, Any]

# How safetensors and numpy spell the dtypes that a module may hold.
_STORED = {
    "float32": ("F32", np.dtype(np.float32)),
    "float16": ("F16", np.dtype(np.float16)),
    "bfloat16": ("BF16", np.dtype(ml_dtypes.bfloat16)),
    "int32": ("I32", np.dtype(np.int32)),
}


@dataclass(frozen=True)
class Artifact:
    """A compiled model on disk."""

    directory: Path
    name: str
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def module_path(self) -> Path:
        return self.directory / f"{self.name}.py"

    @property
    def weights_path(self) -> Path:
        return self.directory / f"{self.name}.safetensors"

    @property
    def manifest_path(self) -> Path:
        return self.directory / f"{self.name}.json"

    @staticmethod
    def open(path: str | os.PathLike[str]) -> Artifact:
        """The artifact behind a `<name>.py`, a `<name>.json`, or a directory with one of them. Raises ForgeError."""
        given = Path(path)
        candidates = sorted(given.glob("*.json")) if given.is_dir() else [given.with_suffix(".json")]
        if len(candidates) != 1 or not candidates[0].is_file():
            raise ForgeError(f"{ascii(str(given))[1:-1]}: expected one compiled module, found {len(candidates)}")
        return Artifact(candidates[0].parent, candidates[0].stem)

    def manifest(self) -> Json:
        """The facts of the module. Raises ForgeError when the file is not a manifest."""
        try:
            manifest = json.loads(self.manifest_path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ForgeError(f"{self.manifest_path}: not a manifest: {error}") from error
        if not isinstance(manifest, dict) or "weights" not in manifest:
            raise ForgeError(f"{self.manifest_path}: not a manifest of forge-mlir")
        return manifest


def write_artifact(
    directory: str | os.PathLike[str],
    name: str,
    python: str,
    manifest: Json,
    weights: Mapping[str, WeightRef],
    facts: Json,
    warnings: tuple[Diagnostic, ...] = (),
) -> Artifact:
    """Writes the three files, all or none of them; memory stays flat whatever the weights' size.

    `manifest` is what the emitter says, `facts` is merged into it, `weights` are the importer's. Raises ForgeError when
    a weight has a value that its stored type cannot hold, or when a file cannot be written.
    """
    artifact = Artifact(Path(directory), name, warnings)
    try:
        artifact.directory.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{name}.", dir=artifact.directory))
    except OSError as error:
        raise ForgeError(f"cannot write to {str(directory)!a}: {error.strerror}") from error
    try:
        staged = Artifact(staging, name)
        digest = _write_weights(staged.weights_path, manifest["weights"], weights)
        staged.module_path.write_text(python, encoding="ascii", newline="\n")
        text = json.dumps(_facts(manifest, digest, facts), indent=2, sort_keys=True, allow_nan=False)
        staged.manifest_path.write_text(text + "\n", encoding="utf-8", newline="\n")
        # The module last: where it is, the files it needs are too.
        for final, temporary in (
            (artifact.weights_path, staged.weights_path),
            (artifact.manifest_path, staged.manifest_path),
            (artifact.module_path, staged.module_path),
        ):
            os.replace(temporary, final)
    except OSError as error:
        raise ForgeError(f"cannot write to {str(directory)!a}: {error.strerror}") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return artifact


def _facts(manifest: Json, digest: str, facts: Json) -> Json:
    """The manifest as users see it: where the compiler took the bytes from is no fact about the module."""
    public = [{key: value for key, value in weight.items() if key != "source"} for weight in manifest["weights"]]
    for weight, stored in zip(public, manifest["weights"], strict=True):
        if "splat" in stored["source"]:
            weight["splat"] = stored["source"]["splat"]
    return {**manifest, **facts, "weights": public, "weights_sha256": digest}


def _write_weights(path: Path, planned: list[Json], weights: Mapping[str, WeightRef]) -> str:
    """Writes a safetensors file piece by piece; gives its SHA-256. Splats are not in it."""
    stored = [weight for weight in planned if "splat" not in weight["source"]]
    header: Json = {}
    offset = 0
    for weight in stored:
        code, dtype = _STORED[weight["dtype"]]
        size = int(np.prod(weight["shape"], dtype=np.int64)) * dtype.itemsize
        header[weight["name"]] = {"dtype": code, "shape": weight["shape"], "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        sink = _HashingSink(file)
        sink.write(struct.pack("<Q", len(text)))
        sink.write(text)
        for weight in stored:
            begin = sink.written
            for piece in _weight_bytes(weight, weights):
                sink.write(piece)
            span = header[weight["name"]]["data_offsets"]
            if sink.written - begin != span[1] - span[0]:
                raise ForgeError(f"weight {weight['onnx_name']!a} has {sink.written - begin} bytes, not {span}")
        return sink.digest.hexdigest()


class _HashingSink:
    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.digest = hashlib.sha256()
        self.written = 0

    def write(self, piece: bytes) -> None:
        self.file.write(piece)
        self.digest.update(piece)
        self.written += len(piece)


def _weight_bytes(weight: Json, weights: Mapping[str, WeightRef]) -> Iterator[bytes]:
    """The bytes of one weight in its stored dtype."""
    source = weight["source"]
    if "hex" in source:
        yield bytes.fromhex(source["hex"])
        return
    ref = weights[source["key"]]
    target = _STORED[weight["dtype"]][1]
    if ref.dtype == weight["dtype"]:
        yield from ref.chunks()
        return
    if ref.dtype in ("int4", "uint4"):
        yield _converted(weight, ref.array().reshape(-1), target)
        return
    dtype = np.dtype(ref.dtype)
    for piece in ref.chunks():
        yield _converted(weight, np.frombuffer(piece, dtype=dtype), target)


def _converted(weight: Json, values: npt.NDArray[Any], target: np.dtype[Any]) -> bytes:
    """`values` as `target`, exactly for integers; a float64 may round, but not overflow."""
    with np.errstate(over="ignore"):
        result = values.astype(target)
    if values.dtype.kind in "iu":
        lost = result.astype(np.int64) != values if values.dtype != np.uint64 else values > np.iinfo(target).max
    elif values.dtype.kind == "f":
        lost = np.isinf(result) & np.isfinite(values)
    else:
        lost = np.zeros(values.shape, dtype=bool)
    if lost.any():
        value = values[lost][0]
        raise ForgeError(f"weight {weight['onnx_name']!a} holds {value}, which does not fit {target}")
    return result.tobytes()

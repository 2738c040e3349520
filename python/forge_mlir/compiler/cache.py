"""A cache of compiled models on disk, addressed by everything that has an influence on them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from onnx import ModelProto

from forge_mlir import _native
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.staging import staged
from forge_mlir.codes import Code
from forge_mlir.compiler.facts import tool_versions
from forge_mlir.compiler.options import Options
from forge_mlir.errors import Diagnostic, ForgeError
from forge_mlir.importer.onnx_import import scan_source
from forge_mlir.support.progress import phase

LIMIT = 20 << 30
"""Bytes that a cache may take."""

_FACTS = "cache-entry.json"


@dataclass(frozen=True)
class CompileCache:
    """A directory of artifacts, each in one that is called like its key. Entries appear whole or not at all, so any
    number of processes may share it; those that were not used for longest go when all take more than `limit` bytes."""

    directory: Path
    limit: int = LIMIT

    def fetch(self, key: str, output: Path, force: bool = False) -> Artifact | None:
        """Writes the artifact of `key` to `output`, as a compilation would; None where there is none. Raises ForgeError
        as writing an artifact does."""
        entry = self.directory / key
        try:
            facts = json.loads((entry / _FACTS).read_text(encoding="utf-8"))
            os.utime(entry)
        except (OSError, ValueError):
            return None
        warnings = tuple(_diagnostic(found) for found in facts["warnings"])
        try:
            with phase("cache"), staged(output, facts["name"], force) as staging:
                for path in entry.iterdir():
                    if path.name != _FACTS:
                        shutil.copyfile(path, staging / path.name)
        except FileNotFoundError:  # Another process made room.
            return None
        return Artifact(output, facts["name"], warnings)

    def store(self, key: str, artifact: Artifact) -> None:
        """Keeps a copy of `artifact`. Raises ForgeError when the directory cannot be written."""
        manifest = artifact.manifest()
        names = {path.name for path in (artifact.module_path, artifact.manifest_path, artifact.weights_path)}
        names |= manifest.get("files", {}).keys()
        facts = {"name": artifact.name, "warnings": [asdict(found) for found in artifact.warnings]}
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".new.", dir=self.directory) as scratch:
                entry = Path(scratch, key)
                entry.mkdir()
                for name in names:
                    shutil.copyfile(artifact.directory / name, entry / name)
                (entry / _FACTS).write_text(json.dumps(facts), encoding="utf-8")
                place = self.directory / key
                if not (place / _FACTS).exists():
                    shutil.rmtree(place, ignore_errors=True)
                    os.replace(entry, place)
            self._make_room()
        except OSError as error:
            raise ForgeError(
                Code.CannotWrite, f"cannot write to the cache {str(self.directory)!a}: {error.strerror}"
            ) from error

    def _make_room(self) -> None:
        entries = []
        for path in self.directory.iterdir():
            if not path.name.startswith("."):
                size = sum(file.stat().st_size for file in path.iterdir())
                entries.append((path.stat().st_mtime_ns, size, path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= self.limit:
                return
            shutil.rmtree(path, ignore_errors=True)
            total -= size


def cache_key(
    sources: Sequence[str | os.PathLike[str] | ModelProto], options: Options, others: Mapping[str, Any]
) -> str:
    """A hash of all that decides what is compiled: the models without their weights, the bytes of each weight wherever
    they are, the options, what else the caller names, and the versions of the compiler. Raises OnnxImportError."""
    with phase("key of the cache"):
        parts = []
        for source in sources:
            weightless, weights = scan_source(source)
            parts.append(hashlib.sha256(weightless.proto).hexdigest())
            parts += (weights.ref_of(at).sha256() for at in range(len(weights.spans)))
        parts += [
            json.dumps(_plain(options), sort_keys=True),
            json.dumps(_plain(others), sort_keys=True),
            json.dumps(_versions(), sort_keys=True),
        ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@cache
def _versions() -> dict[str, str]:
    """A development version is told from another by the bytes of its C++ and Python."""
    digest = hashlib.sha256(Path(_native.__file__).read_bytes())
    for path in sorted(Path(_native.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return {**tool_versions(), "code": digest.hexdigest()}


def _plain(value: Any) -> Any:
    """What stands for a value in the key."""
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if hasattr(value, "tobytes"):
        return [value.dtype.name, list(value.shape), hashlib.sha256(value.tobytes()).hexdigest()]
    return value


def _diagnostic(found: dict[str, Any]) -> Diagnostic:
    """As it was before it became JSON."""
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    return Diagnostic(**fields)

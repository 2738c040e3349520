"""A cache of compiled models on disk, addressed by a hash of everything that affects the result."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto

from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.staging import staged
from forge_mlir.codes import Code
from forge_mlir.compiler.facts import all_versions, provenance
from forge_mlir.compiler.options import Options
from forge_mlir.errors import Diagnostic, ForgeError, quote
from forge_mlir.importer.onnx_import import scan_source
from forge_mlir.support.json_text import json_object
from forge_mlir.support.progress import phase

LIMIT = 20 << 30
"""The default size limit of a cache, in bytes."""

_FACTS = "cache-entry.json"
_TAG = "CACHEDIR.TAG"
_TAG_TEXT = """Signature: 8a477f597d28d172789f06886806bc55
# Compiled models of forge-mlir: entries may be deleted at any time. See https://bford.info/cachedir/
"""
_LOCK = ".lock"
_ENTRY = re.compile(r"[0-9a-f]{64}")
_SCRATCH = ".new."


@dataclass(frozen=True)
class CompileCache:
    """A directory with one subdirectory per artifact, named after its key. Entries are added and removed atomically, so
    that processes can share the cache. When all entries exceed `limit` bytes, the least recently used ones are removed.

    The cache creates the directory and tags it (CACHEDIR.TAG); only entries are ever removed from it.
    """

    directory: Path
    limit: int = LIMIT

    def check(self) -> None:
        """Raises ForgeError for a directory that contains something other than a cache."""
        try:
            names = os.listdir(self.directory)
        except NotADirectoryError as error:
            raise self._no_cache("is a file") from error
        except OSError:  # It does not exist yet, or `store` reports why it cannot be used.
            return
        # Another process may be creating the cache: first its lock, then the tag, then entries.
        others = [name for name in names if name != _LOCK and not name.startswith(_SCRATCH)]
        if others and not self._is_tagged():
            raise self._no_cache("has other files in it")

    def fetch(self, key: str, output: Path, force: bool = False) -> tuple[Artifact | None, tuple[Diagnostic, ...]]:
        """Writes the artifact of `key` to `output`, as a compilation would. Returns the artifact, or None if there is
        no entry, and a warning for a damaged entry, which is removed. Raises ForgeError as writing an artifact does."""
        entry = self.directory / key
        try:
            facts = _Facts.read(entry / _FACTS)
            with phase("cache"), staged(output, facts.name, force) as staging:
                for name, digest in facts.files.items():
                    _copy(entry / name, staging / name, digest)
        except _Missing:
            return None, ()
        except _Damaged as damage:
            with contextlib.suppress(OSError), self._locked():
                self._remove(entry)
            return None, (_warning(f"an entry of the cache {self._shown} is damaged ({damage}) and was discarded"),)
        with contextlib.suppress(OSError):
            os.utime(entry)
        return Artifact(output, facts.name, facts.warnings, from_cache=True), ()

    def store(self, key: str, artifact: Artifact) -> tuple[Diagnostic, ...]:
        """Stores a copy of `artifact`. If that fails, returns a warning; the artifact itself is complete."""
        try:
            with self._scratch() as scratch:
                files = _copied(artifact, scratch)
                _Facts(artifact.name, files, artifact.warnings).write(scratch / _FACTS)
                with self._locked():
                    self._remove(self.directory / key)
                    os.replace(scratch, self.directory / key)
                    self._make_room()
        except (OSError, ForgeError, _Missing, _Damaged) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            return (_warning(f"the cache {self._shown} does not keep this model: {reason}"),)
        return ()

    @property
    def _shown(self) -> str:
        return quote(str(self.directory))

    def _no_cache(self, reason: str) -> ForgeError:
        return ForgeError(
            Code.CannotWrite,
            f"{self._shown} is no cache of forge-mlir: it {reason}; give a new or empty folder",
        )

    def _is_tagged(self) -> bool:
        with contextlib.suppress(OSError, ValueError):
            return (self.directory / _TAG).read_text(encoding="ascii") == _TAG_TEXT
        return False

    def _write_tag(self) -> None:
        """Writes the tag atomically, because `check` in another process reads it without the lock."""
        new = self.directory / f"{_SCRATCH}tag"
        new.write_text(_TAG_TEXT, encoding="ascii")
        os.replace(new, self.directory / _TAG)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Prevents other processes from adding or removing entries during the block."""
        self.directory.mkdir(parents=True, exist_ok=True)
        with (self.directory / _LOCK).open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @contextlib.contextmanager
    def _scratch(self) -> Iterator[Path]:
        """A directory in which to prepare an entry. Its lock shows other processes that it is in use."""
        self.check()
        with contextlib.ExitStack() as kept:
            with self._locked():
                if not self._is_tagged():
                    self._write_tag()
                self._clean_up()
                around = Path(tempfile.mkdtemp(prefix=_SCRATCH, dir=self.directory))
                kept.callback(shutil.rmtree, around, ignore_errors=True)
                alive = kept.enter_context((around / _LOCK).open("a"))
                fcntl.flock(alive, fcntl.LOCK_EX)
            inner = around / "entry"
            inner.mkdir()
            yield inner

    def _clean_up(self) -> None:
        """Removes temporary directories of processes that were killed."""
        for path in self.directory.glob(f"{_SCRATCH}*"):
            with contextlib.suppress(OSError):
                if not (path / _LOCK).exists():
                    shutil.rmtree(path, ignore_errors=True)
                    continue
                with (path / _LOCK).open("a") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)

    def _entries(self) -> Iterator[Path]:
        for path in self.directory.iterdir():
            if _ENTRY.fullmatch(path.name) and (path / _FACTS).is_file() and not path.is_symlink():
                yield path

    def _make_room(self) -> None:
        entries = []
        for path in self._entries():
            size = sum(file.stat().st_size for file in path.iterdir())
            entries.append((path.stat().st_mtime_ns, size, path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= self.limit:
                return
            self._remove(path)
            total -= size

    def _remove(self, entry: Path) -> None:
        """Removes an entry atomically."""
        if not entry.is_dir() or entry.is_symlink():
            return
        grave = Path(tempfile.mkdtemp(prefix=_SCRATCH, dir=self.directory))
        os.replace(entry, grave / "entry")
        shutil.rmtree(grave, ignore_errors=True)


class _Missing(Exception):
    """There is no entry, or another process is removing it."""


class _Damaged(Exception):
    """The content of an entry differs from what was stored."""


@dataclass(frozen=True)
class _Facts:
    """The metadata of an entry: the name of the artifact, the SHA-256 of each file, and warnings."""

    name: str
    files: Mapping[str, str]
    warnings: tuple[Diagnostic, ...]

    @staticmethod
    def read(path: Path) -> _Facts:
        try:
            text = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError) as error:
            raise _Missing from error
        except OSError as error:
            raise _Damaged(error.strerror or "unreadable") from error
        try:
            found = json_object(text)
            files = {str(name): str(digest) for name, digest in found["files"].items()}
            warnings = tuple(_diagnostic(entry) for entry in found["warnings"])
            facts = _Facts(found["name"], files, warnings)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise _Damaged(f"{_FACTS} is not what was written") from error
        if not isinstance(facts.name, str) or any(Path(name).name != name for name in (facts.name, *files)):
            raise _Damaged(f"{_FACTS} is not what was written")
        if not {f"{facts.name}.py", f"{facts.name}.json", f"{facts.name}.safetensors"} <= files.keys():
            raise _Damaged(f"{_FACTS} does not name all files")
        return facts

    def write(self, path: Path) -> None:
        warnings = [asdict(found) for found in self.warnings]
        facts = {"name": self.name, "files": dict(self.files), "warnings": warnings}
        path.write_text(json.dumps(facts), encoding="utf-8")


def _copied(artifact: Artifact, scratch: Path) -> dict[str, str]:
    """Copies an artifact; returns the SHA-256 of each file. Raises _Damaged if another process replaced a file
    meanwhile."""
    manifest = artifact.manifest_path.name
    files = {manifest: _copy(artifact.directory / manifest, scratch / manifest, artifact.manifest_sha256 or None)}
    facts = json.loads((scratch / manifest).read_bytes())
    files |= {artifact.module_path.name: facts["python_sha256"], artifact.weights_path.name: facts["weights_sha256"]}
    files |= facts.get("files", {})
    for name, digest in files.items():
        if name != manifest:
            _copy(artifact.directory / name, scratch / name, digest)
    return files


def _copy(source: Path, target: Path, digest: str | None = None) -> str:
    """Copies a file; returns its SHA-256, which has to be `digest` if that is given."""
    hashed = hashlib.sha256()
    try:
        reader = source.open("rb")
    except FileNotFoundError as error:
        # The entry was complete when its metadata was read.
        raise (_Missing if not source.parent.is_dir() else _Damaged(f"{source.name} is missing")) from error
    except OSError as error:
        if digest is None:
            raise
        raise _Damaged(f"{source.name}: {error.strerror}") from error
    with reader, target.open("wb") as writer:
        while block := reader.read(1 << 20):
            hashed.update(block)
            writer.write(block)
    if digest is not None and hashed.hexdigest() != digest:
        raise _Damaged(f"{source.name} has changed")
    return hashed.hexdigest()


def with_warnings(artifact: Artifact, warnings: tuple[Diagnostic, ...]) -> Artifact:
    return replace(artifact, warnings=(*artifact.warnings, *warnings)) if warnings else artifact


def cache_key(
    sources: Sequence[tuple[str, str | os.PathLike[str] | ModelProto, Options]], others: Mapping[str, Any]
) -> str:
    """A hash of everything that affects a compilation. `sources` has the name, model and options of each module of the
    artifact. A model contributes the facts in its manifest (`provenance`), its bytes and those of its weights, wherever
    they are stored. The key also includes what the caller passes and the versions of the compiler and its dependencies.
    Raises OnnxImportError."""
    with phase("key of the cache"):
        parts: list[Any] = []
        for name, source, options in sources:
            weightless, weights = scan_source(source)
            hashes = [weights.ref_of(at).sha256() for at in range(len(weights.spans))]
            parts.append(
                [
                    name,
                    hashlib.sha256(weightless.proto).hexdigest(),
                    hashes,
                    _as_json(options),
                    _as_json(provenance(source, options)),
                ]
            )
        text = json.dumps([parts, _as_json(others), all_versions()], sort_keys=True, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()


def _as_json(value: Any) -> Any:
    """The representation of a value in the key."""
    if isinstance(value, Mapping):
        return {str(key): _as_json(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_json(entry) for entry in value]
    if hasattr(value, "__array__"):  # also a tensor of torch, whose text leaves elements out
        array = np.asarray(value)
        if array.dtype.hasobject:  # Its bytes are addresses.
            return ["objects", list(array.shape), _as_json(array.ravel().tolist())]
        data = array.astype(array.dtype.newbyteorder("="), copy=False).tobytes()
        return [array.dtype.name, list(array.shape), hashlib.sha256(data).hexdigest()]
    if isinstance(value, os.PathLike):
        return [os.path.realpath(value), hashlib.sha256(Path(value).read_bytes()).hexdigest()]
    return value


def _warning(message: str) -> Diagnostic:
    return Diagnostic("warning", message, code=Code.CacheUnusable)


def _diagnostic(found: dict[str, Any]) -> Diagnostic:
    """Restores a diagnostic from JSON."""
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    return Diagnostic(**fields)

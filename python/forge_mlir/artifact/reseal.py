"""Accepts edits of an artifact's files by updating the hashes in its manifest."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from forge_mlir.artifact.manifest import is_as_sealed, sealed_json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.staging import held
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, shortened


def reseal(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Updates the manifests of the artifact at `path` to the current files. Returns the names of files that had
    changed.

    From then on these files belong to the user: no compilation replaces them without `force`.

    Raises ForgeError, without any change, if a file is missing or a manifest cannot be written.
    """
    directory = Artifact.open(path).directory
    try:
        with held(directory, alone=True):  # Another process may compile into it.
            return _reseal(Artifact.open(path))
    except OSError as error:
        raise ForgeError(Code.CannotWrite, f"cannot write to {str(directory)!a}: {error.strerror}") from error


def _reseal(artifact: Artifact) -> tuple[str, ...]:
    manifest = artifact.manifest()
    hashes = _Hashes(artifact.directory)
    if not is_as_sealed(artifact.manifest_path.read_bytes()):
        hashes.changed.append(artifact.manifest_path.name)
    weights = Path(manifest["weights_file"]).name
    seal = {"python_sha256": hashes.of(artifact.module_path.name, manifest["python_sha256"])}
    shared = {"weights_sha256": hashes.of(weights, manifest["weights_sha256"])}
    parts = {}
    files = dict(manifest.get("files", {}))
    before = {name: hashes.of(name, digest) for name, digest in files.items()}
    files.update((name, digest) for name, digest in before.items() if not name.endswith(".json"))
    manifests = {name: Artifact(artifact.directory, Path(name).stem) for name in files if name.endswith(".json")}
    # Main manifests of partitioned shape sets come last, because they contain the hashes of other manifests.
    for name, part in sorted(manifests.items(), key=lambda item: "files" in item[1].manifest()):
        facts = part.manifest()
        sealed = {**facts, **shared, "python_sha256": files[part.module_path.name]}
        if "files" in facts:
            sealed["files"] = {file: files.get(file, digest) for file, digest in facts["files"].items()}
        parts[name] = sealed_json(sealed)
        files[name] = hashlib.sha256(parts[name]).hexdigest()
        if files[name] == before[name]:
            del parts[name]
    if hashes.changed:
        edited = sorted({*manifest.get("edited", ()), *hashes.changed})
        sealed = {**manifest, **seal, **shared, "edited": edited}
        if files:
            sealed["files"] = files
        _replace(artifact.directory, {**parts, artifact.manifest_path.name: sealed_json(sealed)})
    return tuple(hashes.changed)


class _Hashes:
    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.changed: list[str] = []
        """The files that differ from the manifest."""

    def of(self, name: str, known: str) -> str:
        """The SHA-256 of a file, as `hash_of_file`."""
        digest = hash_of_file(self._directory, name)
        if digest != known:
            self.changed.append(name)
        return digest


def hash_of_file(directory: Path, name: str) -> str:
    """The SHA-256 of a file of an artifact, independent of the manifest. Raises ForgeError if it cannot be read or is
    not a file of the artifact."""
    if Path(name).name != name:
        raise ForgeError(Code.ArtifactUnreadable, f"{shortened(name)}: is no file beside the manifest")
    try:
        with (directory / name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ForgeError(Code.ArtifactUnreadable, f"{shortened(name)}: cannot be read: {error.strerror}") from error


def _replace(directory: Path, texts: dict[str, bytes]) -> None:
    """Writes all new manifests before the first one replaces an old one. The main manifest, which has the hashes of the
    others, is replaced last. If the process dies in between, the artifact still does not match its manifest, and
    `reseal` can be repeated."""
    with tempfile.TemporaryDirectory(prefix=".reseal.", suffix=f".{os.getpid()}.staging", dir=directory) as staging:
        for name, text in texts.items():
            (Path(staging) / name).write_bytes(text)
        for name in texts:
            os.replace(Path(staging) / name, directory / name)

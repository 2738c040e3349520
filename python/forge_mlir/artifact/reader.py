"""Opens a compiled model on disk."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forge_mlir.artifact.integrity import checked_weights
from forge_mlir.codes import Code
from forge_mlir.errors import Diagnostic, ForgeError, quote

Json = dict[str, Any]

FORMAT = 2
"""The format of manifests that this version writes and reads; the emitter has the same number."""
_KEYS = {"inputs", "outputs", "onnx", "versions", "weights_file", "weights_sha256", "python_sha256"}


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

    @property
    def graph_path(self) -> Path:
        """Of a CPU partition."""
        return self.directory / f"{self.name}.onnx"

    @staticmethod
    def open(path: str | os.PathLike[str]) -> Artifact:
        """The artifact behind a `<name>.py`, a `<name>.json`, or a directory with one of them. Raises ForgeError."""
        given = Path(path)
        candidates = _main_manifests(given) if given.is_dir() else [given.with_suffix(".json")]
        if len(candidates) != 1 or not candidates[0].is_file():
            raise ForgeError(
                Code.ArtifactUnreadable,
                f"{ascii(str(given))[1:-1]}: expected one compiled module, found {len(candidates)}",
            )
        return Artifact(candidates[0].parent, candidates[0].stem)

    def manifest(self) -> Json:
        """The facts of the module. Raises ForgeError when the file is not a manifest."""
        try:
            manifest = json.loads(self.manifest_path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ForgeError(Code.ArtifactUnreadable, f"{self.manifest_path}: not a manifest: {error}") from error
        if not isinstance(manifest, dict) or not manifest.keys() >= _KEYS:
            raise ForgeError(Code.ArtifactUnreadable, f"{self.manifest_path}: not a manifest of forge-mlir")
        if manifest.get("format") != FORMAT:
            found = quote(manifest.get("format"))
            reason = f"expected a manifest of format {FORMAT}, but got {found}; compile the model again"
            raise ForgeError(Code.ArtifactUnreadable, f"{self.manifest_path}: {reason}")
        return manifest

    @contextmanager
    def open_weights(self, trust_edits: bool = False) -> Iterator[Any]:
        """The weights file, open, if it is the manifest's or edits are trusted. Raises ForgeError."""
        manifest = self.manifest()
        path = self.directory / Path(manifest["weights_file"]).name
        with checked_weights(path, None if trust_edits else manifest["weights_sha256"]) as weights:
            yield weights


def _main_manifests(directory: Path) -> list[Path]:
    """The manifests in a directory, without those of partitions."""
    found = sorted(directory.glob("*.json"))
    partitions: set[str] = set()
    for path in found:
        with suppress(ForgeError, AttributeError):
            partitions |= Artifact(directory, path.stem).manifest().get("files", {}).keys()
    return [path for path in found if path.name not in partitions]

"""Opens a compiled model on disk."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forge_mlir.artifact.integrity import checked_weights, read_checked
from forge_mlir.artifact.manifest import Json, read_manifest
from forge_mlir.codes import Code
from forge_mlir.errors import Diagnostic, ForgeError, escaped, quote, shortened
from forge_mlir.support.json_text import json_object

_MOST_HEADER = 100 << 20
"""The limit of safetensors itself, in bytes."""


@dataclass(frozen=True)
class Artifact:
    """A compiled model on disk."""

    directory: Path
    name: str
    warnings: tuple[Diagnostic, ...] = ()
    from_cache: bool = False
    """Whether the artifact comes from a cache."""
    manifest_sha256: str = field(default="", compare=False)
    """The hash of the manifest that this process wrote, in case another process replaces the artifact. "" if it wrote
    none."""

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
        """The path of the graph of a CPU partition."""
        return self.directory / f"{self.name}.onnx"

    @staticmethod
    def open(path: str | os.PathLike[str]) -> Artifact:
        """The artifact at a `<name>.py`, a `<name>.json`, or a directory that contains one. Raises ForgeError."""
        given = Path(path)
        found = _main_manifests(given) if given.is_dir() else [given.with_suffix(".json")]
        candidates = [path for path in found if path.is_file()]
        if not candidates and not given.exists():
            raise ForgeError(Code.FileUnreadable, f"{escaped(given)}: there is no such file or directory")
        if len(candidates) != 1:
            raise ForgeError(
                Code.ArtifactUnreadable,
                f"{escaped(given)}: expected one compiled module, found {len(candidates)}",
            )
        return Artifact(candidates[0].parent, candidates[0].stem)

    def manifest(self) -> Json:
        """The facts of the module. Raises ForgeError when the file is not a manifest."""
        return read_manifest(self.manifest_path)

    def shape_set(self, name: str) -> Artifact:
        """The module of one of the artifact's shape sets. Raises ForgeError if there is no such set, if its manifest
        belongs to another artifact, or if the file that loads modules has been edited."""
        manifest = self.manifest()
        sets = {entry["name"]: entry["module"] for entry in manifest.get("shape_sets", ())}
        if name not in sets:
            known = ", ".join(map(quote, sets)) or "none"
            raise ForgeError(Code.ShapeSetUnknown, f"there is no shape set {quote(name)}; there are {known}")
        read_checked(self.module_path, manifest["python_sha256"])
        module = Artifact(self.directory, Path(sets[name]).name, self.warnings)
        read_checked(module.manifest_path, manifest["files"][module.manifest_path.name])
        return module

    def shape_set_for(self, shapes: Mapping[str, Sequence[int] | None]) -> Artifact:
        """The module of the shape set for inputs of these shapes (None for values without a shape). Without shape sets,
        the artifact itself."""
        sets = self.manifest().get("shape_sets", ())
        if not sets:
            return self
        for entry in sets:
            if {name: None if shape is None else list(shape) for name, shape in shapes.items()} == entry["inputs"]:
                return self.shape_set(entry["name"])
        given = _shown(shapes)
        known = "; ".join(f"{quote(entry['name'])} takes {_shown(entry['inputs'])}" for entry in sets)
        raise ForgeError(Code.ShapeSetUnknown, f"no shape set takes {given}: {known}")

    def calls(self) -> int:
        """The number of Forge calls of all modules."""
        manifest = self.manifest()
        if "shape_sets" in manifest:
            return sum(self.shape_set(entry["name"]).calls() for entry in manifest["shape_sets"])
        if "partitions" in manifest:
            return sum(sum(part["ops"].values()) for part in manifest["partitions"] if part["kind"] == "device")
        from forge_mlir.artifact.source.calls import count_calls

        return count_calls(self.source(), manifest)

    def source(self) -> str:
        """The text of the module, which may have been edited. Raises ForgeError for a file that is not text."""
        try:
            return self.module_path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise ForgeError(
                Code.ArtifactUnreadable, f"{shortened(self.module_path.name)}: cannot be read: {escaped(error)}"
            ) from error

    def stored_weights(self) -> list[str]:
        """The names of the tensors in the weights file, read without torch. Raises ForgeError for a damaged file."""
        try:
            with self.weights_path.open("rb") as file:
                size = int.from_bytes(file.read(8), "little")
                header = json_object(file.read(min(size, _MOST_HEADER)))
        except (OSError, ValueError) as error:
            raise ForgeError(
                Code.ArtifactUnreadable, f"{shortened(self.weights_path.name)}: no weights file: {error}"
            ) from error
        return [name for name in header if name != "__metadata__"]

    def referenced_weights(self) -> set[tuple[str, int, int]]:
        """The weights that are read from files of the model: file, offset and size in bytes of each."""
        manifest = self.manifest()
        weights = [stored for weight in manifest.get("weights", ()) for stored in (weight, *weight.get("steps", ()))]
        found = {(stored["file"], stored["offset"], stored["nbytes"]) for stored in weights if "file" in stored}
        for name in manifest.get("files", ()):
            if name.endswith(".json"):
                found |= Artifact(self.directory, name.removesuffix(".json")).referenced_weights()
        return found

    @contextmanager
    def open_weights(self, trust_edits: bool = False) -> Iterator[Any]:
        """Opens the weights file. It has to match the manifest unless edits are trusted. Raises ForgeError."""
        manifest = self.manifest()
        path = self.directory / Path(manifest["weights_file"]).name
        with checked_weights(path, None if trust_edits else manifest["weights_sha256"]) as weights:
            yield weights


def _shown(shapes: Mapping[str, Sequence[int] | None]) -> str:
    return ", ".join(f"{quote(name)} {list(shape or ())}" for name, shape in shapes.items()) or "no inputs"


def _main_manifests(directory: Path) -> list[Path]:
    """The manifests in a directory, without those of partitions."""
    # The tables of weights that --to and --dump-dir write beside IR are no manifests.
    found = sorted(path for path in directory.glob("*.json") if not path.name.endswith(".weights.json"))
    partitions: set[str] = set()
    for path in found:
        with suppress(ForgeError, AttributeError):
            partitions |= Artifact(directory, path.stem).manifest().get("files", {}).keys()
    return [path for path in found if path.name not in partitions]

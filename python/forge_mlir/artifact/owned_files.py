"""The files that an earlier compilation wrote into a directory, which a compilation of the same name may replace."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forge_mlir.artifact.manifest import is_as_sealed
from forge_mlir.errors import escaped
from forge_mlir.support.json_text import json_object

_PART = re.compile(r"(?:_[0-9A-Za-z_]+)?\.(?:py|json|onnx)")
"""The suffixes of file names of partitions and shape sets after the name of the artifact."""


@dataclass(frozen=True)
class OwnedFiles:
    """The files, or the reason why none may be replaced although the directory has a manifest of that name."""

    names: frozenset[str] = frozenset()
    reason: str = ""

    @staticmethod
    def of(directory: Path, name: str) -> OwnedFiles:
        """Files are owned if the manifest describes the module next to it (or there is none, because a compilation was
        killed) and no file has changed since. Files that `reseal` accepted belong to the user."""
        module, weights, facts = (f"{name}.{suffix}" for suffix in ("py", "safetensors", "json"))
        text = _bytes_of(directory / facts)
        manifest = _object_of(text)
        digest, weights_file = manifest.get("python_sha256"), manifest.get("weights_file")
        edited = manifest.get("edited", [])
        if not isinstance(digest, str) or not isinstance(weights_file, str) or not isinstance(edited, list):
            return OwnedFiles()
        expected = {module: digest, weights: manifest.get("weights_sha256")}

        def is_edited(file: str) -> bool:
            is_there = os.path.lexists(directory / file)
            return file in edited or (is_there and expected[file] not in (None, _sha256(directory / file)))

        if is_edited(module):
            return _edited(directory / module)
        if weights_file != weights:  # Shape sets and partitions share the weights file of their artifact.
            return OwnedFiles(
                reason=f"{escaped(directory / module)}: is a module of another artifact in this directory"
            )
        if facts in edited or not is_as_sealed(text):
            return _edited(directory / facts)
        if is_edited(weights):
            return _edited(directory / weights)
        files = manifest.get("files")
        parts = {
            file
            for file, hashed in (files.items() if isinstance(files, dict) else ())
            if file.startswith(name) and _PART.fullmatch(file.removeprefix(name))
            if file not in edited and hashed == _sha256(directory / file)
        }
        return OwnedFiles(frozenset({module, weights, facts, *parts}))


def not_ours(path: Path) -> str:
    return f"{escaped(path)}: is there and was not written by forge-mlir, or has changed since"


def _edited(path: Path) -> OwnedFiles:
    return OwnedFiles(reason=f"{escaped(path)}: has changed since forge-mlir wrote it")


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _object_of(text: bytes) -> dict[str, Any]:
    try:
        return json_object(text)
    except ValueError:
        return {}


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""

"""Reads the files of an artifact, each only as the manifest describes it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, quote


def read_checked(path: Path, digest: str | None) -> bytes:
    """The bytes of `path`, read once: what was hashed is what the caller gets. Without a `digest` any bytes will do.
    Raises ForgeError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ForgeError(
            Code.ArtifactUnreadable, f"{quote(path.name)[1:-1]}: cannot be read: {error.strerror}"
        ) from error
    if digest is not None and hashlib.sha256(data).hexdigest() != digest:
        raise changed(path)
    return data


@contextmanager
def checked_weights(path: Path, digest: str | None) -> Iterator[Any]:
    """A weights file of which the SHA-256 is `digest`, if one is given, opened with safetensors. Raises ForgeError.

    The file is hashed once, and read through the descriptor that was hashed: a file put in its place meanwhile is not.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with path.open("rb") as file:
            if digest is not None and hashlib.file_digest(file, "sha256").hexdigest() != digest:
                raise changed(path)
            with safe_open(f"/proc/self/fd/{file.fileno()}", framework="pt") as weights:
                yield weights
    except (OSError, SafetensorError) as error:
        raise ForgeError(
            Code.ArtifactUnreadable, f"{quote(path.name)[1:-1]}: cannot load the weights: {error}"
        ) from error


def changed(path: Path) -> ForgeError:
    return ForgeError(
        Code.ArtifactChanged,
        f"{quote(path.name)[1:-1]} is not the file that the manifest describes; compile the model again, or accept an "
        "edit: forge-mlir reseal DIRECTORY",
    )

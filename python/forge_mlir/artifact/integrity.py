"""Reads the files of an artifact and checks them against the hashes in the manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, shortened


def read_checked(path: Path, digest: str | None) -> bytes:
    """The bytes of `path`, read once, so that the caller gets the bytes that were hashed. Without a `digest` any bytes
    are accepted. Raises ForgeError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ForgeError(
            Code.ArtifactUnreadable, f"{shortened(path.name)}: cannot be read: {error.strerror}"
        ) from error
    if digest is not None and hashlib.sha256(data).hexdigest() != digest:
        raise changed(path)
    return data


@contextmanager
def checked_weights(path: Path, digest: str | None) -> Iterator[Any]:
    """Opens a weights file with safetensors, whose SHA-256 has to be `digest` if one is given. Raises ForgeError.

    The file is hashed once and read through the same descriptor, so that a file that replaces it meanwhile is not read.
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
            Code.ArtifactUnreadable, f"{shortened(path.name)}: cannot load the weights: {error}"
        ) from error


def changed(path: Path) -> ForgeError:
    return ForgeError(
        Code.ArtifactChanged,
        f"{shortened(path.name)} is not the file that the manifest describes; compile the model again, or accept an "
        "edit: forge-mlir reseal DIRECTORY",
    )

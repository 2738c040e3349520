"""Reads the files of an artifact and checks them against the hashes in the manifest."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, shortened

_MARK, _BLANK = "forge-mlir:generated:", "0" * 64
_DIGEST = re.compile(f'"generator": "{_MARK}([0-9a-f]{{64}})"')


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


def sealed_json(facts: Mapping[str, Any]) -> bytes:
    """Serialises a manifest with the SHA-256 of its own text, in which the hash itself is replaced by zeros. A later
    compilation recognises edited manifests by it."""
    marked = {**facts, "generator": f"{_MARK}{_BLANK}"}
    calls = marked.pop("calls", None)
    text = json.dumps(marked, indent=2, sort_keys=True, allow_nan=False)
    if calls is not None:
        text = f'{text.removesuffix("}").rstrip()},\n  "calls": {_table_text(calls, "  ")}\n}}'
    text += "\n"
    return _with_digest(text, hashlib.sha256(text.encode()).hexdigest()).encode()


def _table_text(table: Any, indent: str) -> str:
    """A table of calls as JSON, with one line per call."""
    if isinstance(table, dict) and "line" not in table:
        entries = [f"{json.dumps(name)}: {_table_text(value, indent + '  ')}" for name, value in table.items()]
        brackets = "{}"
    elif isinstance(table, list) and any(isinstance(row, dict) for row in table):
        entries, brackets = [_table_text(row, indent) for row in table], "[]"
    else:
        return json.dumps(table)
    inner = f",\n{indent}  ".join(entries)
    return f"{brackets[0]}\n{indent}  {inner}\n{indent}{brackets[1]}" if entries else brackets


def is_as_sealed(text: bytes) -> bool:
    """Whether a manifest is unchanged since `sealed_json` wrote it; true for one without the hash."""
    decoded = text.decode("utf-8", "replace")
    found = _DIGEST.search(decoded)
    if found is None:
        return '"generator"' not in decoded
    return hashlib.sha256(_with_digest(decoded, _BLANK).encode()).hexdigest() == found[1]


def _with_digest(text: str, digest: str) -> str:
    return _DIGEST.sub(lambda found: found[0].replace(found[1], digest), text, count=1)


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

"""The manifest of a compiled model, `<name>.json`: reads and writes it.

Its facts come from the emitter (`lib/Target/Python/Manifest.cpp`: inputs, outputs, weights, the table of calls, the
trace, partitions), from `compiler/facts.py` (the ONNX model, versions, options) and from `artifact/writer.py` (hashes,
and the locations of weights).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from forge_mlir.artifact.contradictions import contradictions
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, quote
from forge_mlir.support.json_text import json_object

Json = dict[str, Any]

FORMAT = 2
"""The manifest format that this version writes and reads; the same number is in the emitter."""
_NONE = type(None)
_ONNX_VALUE = {"name": str, "dtype": (str, _NONE), "shape": (list, _NONE)}
_FORM = {
    "inputs": [(dict, int)],
    "outputs": [{"onnx_name": str}],
    "onnx": {"inputs": [_ONNX_VALUE], "outputs": [_ONNX_VALUE]},
    "versions": dict,
    "weights_file": str,
    "weights_sha256": str,
    "python_sha256": str,
    "compiled?": {"flags?": [str]},
    "weights?": [{"name": str, "kind": str, "dtype": str, "shape": [int]}],
    "files?": {"*": str},
    "edited?": [str],
    "values?": [{"onnx_name": str, "dtype": (str, _NONE), "shape": (list, _NONE)}],
    "partitions?": [{"module": str, "kind": str, "inputs": [int], "outputs": [int], "nodes": [{"results": [str]}]}],
    "shape_sets?": [{"name": str, "module": str, "inputs": {"*": (list, _NONE)}}],
}
"""The facts that readers rely on: types, lists of a form, and forms by key; "?" marks optional keys, "*" is any key."""
_MARK, _BLANK = "forge-mlir:generated:", "0" * 64
_DIGEST = re.compile(f'"generator": "{_MARK}([0-9a-f]{{64}})"')


def read_manifest(path: Path) -> Json:
    """The facts of a manifest. Raises ForgeError when the file is not a manifest of this format."""
    try:
        manifest = json_object(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ForgeError(Code.ArtifactUnreadable, f"{path}: not a manifest: {error}") from error
    if not manifest.keys() >= {key for key in _FORM if not key.endswith("?")}:
        raise ForgeError(Code.ArtifactUnreadable, f"{path}: not a manifest of forge-mlir")
    if manifest.get("format") != FORMAT:
        found = quote(manifest.get("format"))
        reason = f"expected a manifest of format {FORMAT}, but got {found}; compile the model again"
        raise ForgeError(Code.ArtifactUnreadable, f"{path}: {reason}")
    if (misfit := next(_misfits(manifest, _FORM, ""), None)) is not None:
        reason = f"{quote(misfit)} is missing or has another type than manifests of forge-mlir have"
        raise ForgeError(Code.ArtifactUnreadable, f"{path}: {reason}")
    if (contradiction := next(contradictions(manifest), None)) is not None:
        raise ForgeError(Code.ArtifactUnreadable, f"{path}: {contradiction}")
    return manifest


def _misfits(value: Any, form: Any, path: str) -> Iterator[str]:
    """The paths of the parts of `value` that do not have the `form`, which is described at `_FORM`."""
    if isinstance(form, dict) and isinstance(value, dict):
        inner = {key.rstrip("?"): each for key, each in form.items() if not key.endswith("?") or key[:-1] in value}
        inner = dict.fromkeys(value, form["*"]) if "*" in form else inner
        for key, each in inner.items():
            where = f"{path}.{key}".lstrip(".")
            yield from _misfits(value[key], each, where) if key in value else (where,)
    elif isinstance(form, list) and isinstance(value, list):
        for at, part in enumerate(value):
            yield from _misfits(part, form[0], f"{path}[{at}]")
    elif isinstance(form, (dict, list)) or not isinstance(value, form):
        yield path


def write_manifest(directory: Path, name: str, facts: Mapping[str, Any]) -> str:
    """Writes `<name>.json`. Returns its SHA-256."""
    text = sealed_json(facts)
    (directory / f"{name}.json").write_bytes(text)
    return hashlib.sha256(text).hexdigest()


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

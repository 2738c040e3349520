"""Emits IR at call level, from the passes or the MLIR tools, as an artifact."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from forge_mlir import _native
from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.weight_table import read_weight_table
from forge_mlir.artifact.writer import ArtifactContents, Part, write_artifact
from forge_mlir.codes import Code
from forge_mlir.dialects.crossing import failure
from forge_mlir.errors import Diagnostic, ForgeError, Report, quote
from forge_mlir.onnx_model.dtypes import element_by_name, name_of_ir_type
from forge_mlir.onnx_model.storage.weights import WeightRef
from forge_mlir.support.outputs import check_folder, reading
from forge_mlir.support.sandbox import Limits, isolated


def emit_file(
    ir: bytes,
    directory: str | os.PathLike[str],
    *,
    name: str = "",
    beside: str | os.PathLike[str] = "",
    table: Path | None = None,
    force: bool = False,
    limits: Limits | None = None,
) -> Artifact:
    """Emits the function of a module at call level, text or bytecode, as `compile` writes a model.

    Weights are those in the IR and those of `table`, by default the table that the IR names, in the directory `beside`.
    The IR is untrusted and is parsed in a child process under `limits`. Raises ForgeError as `write_emitted` does.
    """
    check_folder(Path(directory))
    found = isolated("MLIR", lambda: Emitted.of(ir, name), limits or Limits())
    if found.table and os.path.basename(found.table) != found.table:
        reason = f"expected forge.weights to name a file beside the IR, but got {quote(found.table)}"
        raise ForgeError(Code.ExternalDataEscapes, reason)
    if table is None and found.table:
        table = Path(beside, found.table)
    weights = read_weight_table(table) if table else {}
    with reading(Path(weight.file.path) for weight in weights.values() if weight.file is not None):
        return write_emitted(found, directory, weights, force=force)


class Emitted(NamedTuple):
    """The result of the native module for some IR."""

    emitted: _native.Emitted | None
    reports: list[Report]
    weights: dict[str, WeightRef]
    """The weights in the IR, by key."""
    table: str
    """The name of the table of its other weights, or ""."""

    @staticmethod
    def of(ir: bytes, name: str) -> Emitted:
        emitted, reports = _native.emit_python(ir, name)
        table, _ = _native.weight_table(ir)
        return Emitted(emitted, reports, carried_weights(ir), table or "")


def carried_weights(ir: bytes) -> dict[str, WeightRef]:
    """The weights that a module contains, by key."""
    found, _ = _native.weights(ir)
    return {
        key: WeightRef(name or key, name_of_ir_type(element) or element, tuple(shape), len(data), data=data)
        for key, name, element, shape, data in found or ()
    }


def write_emitted(
    found: Emitted, directory: str | os.PathLike[str], others: Mapping[str, WeightRef], *, force: bool = False
) -> Artifact:
    """Writes all files or none. Raises ForgeError for a module that is not at call level or is partitioned, for weights
    that are neither in the IR nor in `others` or do not fit their dtype, and, unless `force` is given, for files in
    `directory` that `compile` would not replace."""
    if found.emitted is None:
        raise failure(Code.NotEmittable, "the module cannot be written", found.reports)
    stem, python, text, parts = found.emitted
    if parts:
        reason = "a partitioned model needs its ONNX graph to be written; compile it with forge-mlir"
        raise ForgeError(Code.NotEmittable, reason)
    manifest = json.loads(text)
    weights = {**others, **found.weights}
    errors = tuple(error for weight in manifest["weights"] for error in _unfit(weight, weights))
    if errors:
        raise ForgeError(Code.WeightUnfit, "the module cannot be written", errors)
    program = ArtifactContents(Part(stem, python, manifest)).without_traces()
    warnings = tuple(Diagnostic.all_of(found.reports))
    return write_artifact(directory, program, weights, {}, warnings, force)


def _unfit(weight: Json, weights: Mapping[str, WeightRef]) -> Iterator[Diagnostic]:
    """Errors for weights of a manifest that cannot be written."""
    source = weight["source"]
    for step in source.get("steps", [{**source, "shape": weight["shape"]}]):
        if "key" not in step:
            continue
        ref, reason = weights.get(step["key"]), ""
        if ref is None:
            reason = (
                "has no data in the IR: it was imported by reference; give its table with --weight-table, or compile "
                "the model with forge-mlir"
            )
        else:
            count = _count(ref.shape)
            if element_by_name(ref.dtype).nbytes(count) != ref.nbytes:
                reason = f"has {ref.nbytes} bytes of data, which do not fit {ref.dtype} {list(ref.shape)}"
            elif count != _count(step["shape"]):
                reason = f"of shape {list(ref.shape)} does not fit {step['shape']}"
        if reason:
            text = f"weight {quote(weight['onnx_name'])} (key {quote(step['key'])}) {reason}"
            yield Diagnostic("error", text, code=Code.WeightUnfit)


def _count(shape: tuple[int, ...] | list[int]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count

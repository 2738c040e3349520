"""The compilation of an imported model: passes, emitter, and the facts in the manifest."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from forge_mlir import _native
from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.writer import ArtifactContents, Part
from forge_mlir.codes import Code
from forge_mlir.compiler.facts import bytecode_of, facts_of
from forge_mlir.compiler.floats.float_formats import in_float_format
from forge_mlir.compiler.integers import facts_of_unproven, ranges_of, with_onnx_ops
from forge_mlir.compiler.open_dims import open_dims_diagnostics, open_dims_warnings, open_inputs
from forge_mlir.compiler.option_types.values import limits_of, value_of
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.errors import Diagnostic, ForgeError, counted
from forge_mlir.importer import ImportedModel
from forge_mlir.lowerings.running import LoweringRun
from forge_mlir.onnx_model.dtypes import element_by_name, name_of_ir_type
from forge_mlir.onnx_model.storage.weights import WeightRef
from forge_mlir.support.progress import phase

if TYPE_CHECKING:
    from forge_mlir._native import PassRun
    from forge_mlir.compiler.pass_pipeline import OnPass

Emitted = tuple[str, str, str, list[tuple[str, str, str]]]


def accepted(lowered: Sequence[Lowered]) -> list[ArtifactContents]:
    """The contents of all modules. Raises ForgeError with all diagnostics if a model was refused."""
    programs = [one.emitted for one in lowered if one.emitted is not None]
    if len(programs) == len(lowered):
        return programs
    found = tuple(dict.fromkeys(diagnostic for one in lowered for diagnostic in one.diagnostics))
    refused = sum(diagnostic.severity == "error" for diagnostic in found)
    raise ForgeError(
        Code.ModelRefused,
        f"{lowered[0].label}: cannot be compiled, {counted(refused, 'error')}",
        found,
    ) from next((one.cause for one in lowered if one.cause), None)


@dataclass(frozen=True)
class Lowered:
    """A model after all passes. `emitted` is None if the model was refused; `imported` is None if the model has no IR
    and runs on the CPU as a whole."""

    label: str
    emitted: ArtifactContents | None
    diagnostics: tuple[Diagnostic, ...]
    imported: ImportedModel | None
    facts: Json
    """The facts about the ONNX model and the tools for the manifest."""
    cause: BaseException | None = None
    """The first exception of a user's lowering."""

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(found for found in self.diagnostics if found.severity == "warning")

    @property
    def weights(self) -> dict[str, WeightRef]:
        return self.imported.weights if self.imported else {}


def lower_imported(
    imported: ImportedModel,
    label: str,
    stem: str,
    traced: bool,
    observers: Sequence[OnPass],
    by_reference: bool,
    options: Options,
) -> Lowered:
    """The second half of `forge_mlir.compiler.lower.lower`."""
    warnings = [Diagnostic("warning", text, code=Code.ModelAdjusted, model=label) for text in imported.warnings]
    inputs = open_inputs(imported)
    if value_of(options, "fallback") == "error" and (found := open_dims_diagnostics(inputs, label)):
        return Lowered(label, None, (*warnings, *found), imported, facts_of(imported))
    warnings += open_dims_warnings(inputs, label)  # CPU partitions may have inputs with open dims.
    options = in_float_format(imported, options)
    own = LoweringRun(options.get("lowerings", ()))
    with phase("compile"):
        emitted, reports = _native.compile(
            bytecode_of(imported), pipeline(options), stem, _all_of(observers), own.native(), by_reference
        )
    reported = with_onnx_ops(Diagnostic.all_of(reports), imported)
    diagnostics = (*warnings, *(replace(found, model=label) for found in reported))
    if emitted and own.failures:  # Errors in a user's lowering must not be hidden by running the node on the CPU.
        emitted, diagnostics = None, (*diagnostics, *(replace(found, model=label) for found in own.reports))
    lowered = None
    if emitted:
        lowered, errors = _program(emitted, imported, traced, options)
        diagnostics = (*diagnostics, *(replace(found, model=label) for found in errors))
    cause = own.failures[0] if own.failures else None
    facts = {**facts_of(imported, ranges_of(imported, options)), **facts_of_unproven(diagnostics)}
    return Lowered(label, lowered, diagnostics, imported, facts, cause)


def _all_of(observers: Sequence[OnPass]) -> OnPass | None:
    def call(run: PassRun) -> None:
        for observer in observers:
            observer(run)

    return call if observers else None


def _program(
    emitted: Emitted, imported: ImportedModel, traced: bool, options: Options
) -> tuple[ArtifactContents | None, list[Diagnostic]]:
    """The modules to write; None, with an error per node, if no engine can run some node of a CPU partition."""
    name, python, text, modules = emitted
    manifest = _facts(text, traced)
    if not modules:
        return ArtifactContents(Part(name, python, manifest)), []
    from forge_mlir.compiler.cpu.engines import choose_engines, metadata_of
    from forge_mlir.compiler.cpu.subgraphs import CpuSubgraphs

    assert imported.graph is not None
    for value in manifest["values"]:
        value["dtype"] = name_of_ir_type(value["dtype"])
        value["bytes"] = _bytes(value)
    for partition in manifest["partitions"]:
        for constant in partition["constants"]:
            constant["dtype"] = name_of_ir_type(constant["dtype"])
    values = manifest["values"]
    subgraphs = CpuSubgraphs(imported.graph, imported.placeholders)
    proofs, errors = choose_engines(
        subgraphs, manifest["partitions"], values, value_of(options, "cpu_exact"), limits_of(options)
    )
    if errors:
        return None, errors
    parts = []
    for partition, (stem, source, facts) in zip(manifest["partitions"], modules, strict=True):
        if partition["kind"] == "cpu":
            proof = proofs[partition["module"]]
            partition |= {"engine": proof.engine, "exact": proof.exact}
            parts.append(Part(stem, source, {}, subgraphs.part(partition, values, metadata_of(partition))))
            continue
        part = _facts(facts, traced)
        named = {}
        for role, entries in (("inputs", part["inputs"]), ("outputs", part["outputs"])):
            known = [values[index] for index in partition[role]]
            named[role] = [
                {"name": entry["onnx_name"], "dtype": value["dtype"], "shape": value["shape"]}
                for entry, value in zip(entries, known, strict=True)
            ]
        parts.append(Part(stem, source, {**part, "onnx": named}))
    return ArtifactContents(Part(name, python, manifest), parts), []


def _bytes(value: Json) -> int | None:
    """The size of a value of a manifest; None for text, and if its type or shape is not fixed."""
    if value["dtype"] in (None, "string") or value["shape"] is None:
        return None
    return element_by_name(value["dtype"]).nbytes(math.prod(value["shape"]))


def _facts(manifest: str, traced: bool) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(manifest)
    trace = facts.pop("trace", [])  # Absent if the device holds no ONNX value unchanged.
    return {**facts, "trace": trace} if traced else facts

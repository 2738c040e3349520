"""An ONNX model through all passes, with nothing written yet."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from onnx import ModelProto

from forge_mlir import _native
from forge_mlir.artifact.reader import Json
from forge_mlir.artifact.writer import ArtifactContents, Part
from forge_mlir.codes import Code
from forge_mlir.compiler.facts import bytecode_of, facts_of, versions
from forge_mlir.compiler.integers import facts_of_unproven, ranges_of, state_ranges, with_onnx_ops
from forge_mlir.compiler.open_dims import open_dims_diagnostics, open_inputs
from forge_mlir.compiler.option_values import check_options, limits_of, value_of
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.errors import Diagnostic, ForgeError
from forge_mlir.importer import ImportedModel, OnnxImportError, import_onnx
from forge_mlir.importer.request import Extraction
from forge_mlir.lowerings.running import LoweringRun
from forge_mlir.onnx_model.dtypes import element_by_name, name_of_ir_type
from forge_mlir.onnx_model.errors import import_error
from forge_mlir.onnx_model.weights import WeightRef
from forge_mlir.support.progress import phase

if TYPE_CHECKING:
    from torch_mlir import ir

    from forge_mlir._native import PassRun
    from forge_mlir.compiler.pass_pipeline import OnPass
    from forge_mlir.compiler.stage_files import StageFiles

Emitted = tuple[str, str, str, list[tuple[str, str, str]]]


def accepted(lowered: Sequence[Lowered]) -> list[ArtifactContents]:
    """What was made of models. Raises ForgeError with all diagnostics where one was refused."""
    programs = [one.emitted for one in lowered if one.emitted is not None]
    if len(programs) == len(lowered):
        return programs
    found = tuple(dict.fromkeys(diagnostic for one in lowered for diagnostic in one.diagnostics))
    refused = sum(diagnostic.severity == "error" for diagnostic in found)
    raise ForgeError(
        Code.ModelRefused,
        f"{lowered[0].label}: cannot be compiled, {refused} error{'s' if refused != 1 else ''}",
        found,
    ) from next((one.cause for one in lowered if one.cause), None)


@dataclass(frozen=True)
class Lowered:
    """A model after all passes. `emitted` is None when the model was refused; `imported` is None for one that has no
    IR and runs on the CPU as a whole."""

    label: str
    emitted: ArtifactContents | None
    diagnostics: tuple[Diagnostic, ...]
    imported: ImportedModel | None
    facts: Json
    """What the manifest says about the ONNX model and the tools."""
    cause: Exception | None = None
    """What a lowering of the user's raised first."""

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(found for found in self.diagnostics if found.severity == "warning")

    @property
    def weights(self) -> dict[str, WeightRef]:
        return self.imported.weights if self.imported else {}


def lower(
    source: str | os.PathLike[str] | ModelProto,
    *,
    name: str | None = None,
    traced: bool = False,
    stages: StageFiles | None = None,
    on_pass: OnPass | None = None,
    by_reference: bool = False,
    **options: Unpack[Options],
) -> Lowered:
    """`compile` (or `compile_traced`) without writing anything but `stages`. With `by_reference` modules also read
    weights that are left in files of the ONNX model. Raises OnnxImportError for a model that cannot be imported, and
    Stopped when `stages` wants no more."""
    try:
        with phase("import"):
            imported = import_model(source, traced=traced, **options)
    except OnnxImportError as error:
        if not error.unsupported or options.get("fallback") != "cpu":
            raise
        from forge_mlir.compiler.whole_model import on_cpu

        stem = name or (None if isinstance(source, ModelProto) else Path(source).stem)
        program, facts = on_cpu(source, stem, options, error)
        warning = Diagnostic("warning", f"the whole model runs on the CPU: {error.message}", code=Code.WholeModelOnCpu)
        label = "model" if isinstance(source, ModelProto) else ascii(os.fspath(source))[1:-1]
        return Lowered(label, program, (warning,), None, {**facts, **versions()})
    label = ascii(imported.path)[1:-1] if imported.path else "model"
    stem = name or (Path(imported.path).stem if imported.path else imported.name)
    if stages is not None:
        stages.begin(imported, stem)
    warnings = [Diagnostic("warning", text, code=Code.ModelAdjusted, model=label) for text in imported.warnings]
    # A CPU partition may take an open input.
    if value_of(options, "fallback") == "error" and (found := open_dims_diagnostics(open_inputs(imported), label)):
        return Lowered(label, None, (*warnings, *found), imported, facts_of(imported))
    observers = [each for each in (on_pass, stages.after if stages else None) if each is not None]
    own = LoweringRun(options.get("lowerings", ()))
    with phase("compile"):
        emitted, reports = _native.compile(
            bytecode_of(imported), pipeline(options), stem, _all_of(observers), own.native(), by_reference
        )
    told = with_onnx_ops(Diagnostic.all_of(reports), imported)
    diagnostics = (*warnings, *(replace(found, model=label) for found in told))
    if emitted and own.failures:  # A bug is no reason to run a node on the CPU.
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


def import_model(
    source: str | os.PathLike[str] | ModelProto, *, traced: bool = False, **options: Unpack[Options]
) -> ImportedModel:
    """The model before all passes, with its graph if it is to be `traced`. Raises OnnxImportError."""
    check_options(options)
    own = LoweringRun(options.get("lowerings", ()))
    shapes = {sample: value.shape for sample, value in (options.get("sample_inputs") or {}).items()}
    imported = import_onnx(
        source,
        input_shapes={**shapes, **(options.get("input_shapes") or {})},
        dims=options.get("dims"),
        bind=options.get("bind"),
        overridable=value_of(options, "overridable"),
        float_quantization=value_of(options, "quantization") == "float",
        extraction=Extraction(value_of(options, "extract_inputs"), value_of(options, "extract_outputs")),
        is_known=lambda domain, op, opset: own.has(domain, op, opset) or is_known(domain, op, opset),
        max_expansion=value_of(options, "max_expansion"),
        keep_graph=traced or value_of(options, "fallback") == "cpu",
        limits=limits_of(options),
    )
    _refuse_float8(imported.module)
    state_ranges(imported.module, ranges_of(imported, options))
    return imported


def _program(
    emitted: Emitted, imported: ImportedModel, traced: bool, options: Options
) -> tuple[ArtifactContents | None, list[Diagnostic]]:
    """What to write; None with an error for each node that nothing can run on the CPU."""
    name, python, text, modules = emitted
    manifest = _facts(text, traced)
    if not modules:
        return ArtifactContents(Part(name, python, manifest)), []
    from forge_mlir.compiler.cpu_engines import choose_engines, metadata_of
    from forge_mlir.compiler.cpu_subgraphs import CpuSubgraphs

    assert imported.graph is not None
    for value in manifest["values"]:
        value["dtype"] = name_of_ir_type(value["dtype"])
        value["bytes"] = _bytes(value)
    for partition in manifest["partitions"]:
        for constant in partition["constants"]:
            constant["dtype"] = name_of_ir_type(constant["dtype"])
    values = manifest["values"]
    subgraphs = CpuSubgraphs(imported.graph, imported.placeholders)
    engines, errors = choose_engines(subgraphs, manifest["partitions"], values, limits_of(options))
    if errors:
        return None, errors
    parts = []
    for partition, (stem, source, facts) in zip(manifest["partitions"], modules, strict=True):
        if partition["kind"] == "cpu":
            partition["engine"] = engines[partition["module"]]
            partition["exact"] = value_of(options, "cpu_exact")
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
    """Size of a value of a manifest; None where its type or shape is not fixed, and for text."""
    if value["dtype"] in (None, "string") or value["shape"] is None:
        return None
    return element_by_name(value["dtype"]).nbytes(math.prod(value["shape"]))


def _facts(manifest: str, traced: bool) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(manifest)
    if not traced:
        facts.pop("trace", None)
    return facts


def _refuse_float8(module: ir.Module) -> None:
    """LLVM 22 cannot read how torch-mlir's MLIR writes constants of 8-bit floats; the device has none anyway."""
    from torch_mlir import ir

    found: list[str] = []

    def visit(operation: ir.Operation) -> ir.WalkResult:
        value = operation.attributes.get("torch.onnx.value", None)
        if value is None or "f8E" not in (kind := str(value.type)):
            return ir.WalkResult.ADVANCE
        found.append(f"constant at {operation.location}: the device has no values of type {kind}")
        return ir.WalkResult.INTERRUPT

    module.operation.walk(visit)
    if found:
        raise import_error(Code.TypeNotImported, found[0], hint="export it in a wider type", unsupported=True)


def is_known(domain: str, op: str, opset: int) -> bool:
    """Whether there is a converter for a node of this op at this opset of its domain."""
    return _oldest_converters().get((domain, op), opset + 1) <= opset


@cache
def _oldest_converters() -> dict[tuple[str, str], int]:
    oldest: dict[tuple[str, str], int] = {}
    for domain, op, since in _native.registered_ops():
        oldest[domain, op] = min(since, oldest.get((domain, op), since))
    return oldest

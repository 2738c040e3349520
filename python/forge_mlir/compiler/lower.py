"""Runs all passes on an ONNX model without writing the result."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from onnx import ModelProto

from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.compiler.floats.float_formats import check_float_format
from forge_mlir.compiler.option_types.values import check_options, limits_of, value_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import escaped
from forge_mlir.importer import ImportedModel, OnnxImportError, import_onnx
from forge_mlir.importer.request import Extraction, IsKnown, ProgramRequest
from forge_mlir.onnx_model.errors import import_error
from forge_mlir.support.progress import phase

if TYPE_CHECKING:
    from torch_mlir import ir

    from forge_mlir.compiler.compilation import Lowered
    from forge_mlir.compiler.pass_pipeline import OnPass
    from forge_mlir.compiler.stages.files import StageFiles


# The dialects of the IR besides torch. Loading all dialects of torch_mlir takes as long as importing a model.
_DIALECTS = ("func",)


def lower(
    source: str | os.PathLike[str] | ModelProto,
    *,
    name: str | None = None,
    traced: bool = False,
    stages: StageFiles | None = None,
    on_pass: OnPass | None = None,
    by_reference: bool = False,
    program: ProgramRequest | None = None,
    **options: Unpack[Options],
) -> Lowered:
    """`compile` (or `compile_traced`) which writes nothing except `stages`. With `by_reference`, modules can read
    weights that stay in files of the ONNX model. Raises OnnxImportError for a model that cannot be imported, and
    Stopped after the last of `stages`."""
    try:
        with phase("import"):
            imported = import_model(source, traced=traced, program=program, **options)
    except OnnxImportError as error:
        if not error.unsupported or options.get("fallback") != "cpu":
            raise
        from forge_mlir.compiler.cpu.whole_model import lowered_on_cpu

        return lowered_on_cpu(source, name, options, error)
    from forge_mlir.artifact.names import module_stem
    from forge_mlir.compiler.compilation import lower_imported

    label = escaped(imported.path) if imported.path else "model"
    stem = module_stem(name or (Path(imported.path).stem if imported.path else imported.name))
    stem = stem.encode("utf-8", "replace").decode()  # The name of a file need not be UTF-8.
    if stages is not None:
        stages.begin(imported, stem)
    observers = [each for each in (on_pass, stages.after if stages else None) if each is not None]
    return lower_imported(imported, label, stem, traced, observers, by_reference, options)


def import_model(
    source: str | os.PathLike[str] | ModelProto,
    *,
    traced: bool = False,
    program: ProgramRequest | None = None,
    **options: Unpack[Options],
) -> ImportedModel:
    """The imported model, with its graph if it is `traced`. Raises OnnxImportError."""
    check_options(options)
    check_float_format(options)
    samples = options.get("sample_inputs") or {}
    shapes = {sample: value.shape for sample, value in samples.items() if hasattr(value, "shape")}
    imported = import_onnx(
        source,
        input_shapes={**shapes, **(options.get("input_shapes") or {})},
        dims=options.get("dims"),
        bind=options.get("bind"),
        overridable=value_of(options, "overridable"),
        float_quantization=value_of(options, "quantization") == "float",
        extraction=Extraction(value_of(options, "extract_inputs"), value_of(options, "extract_outputs")),
        is_known=_is_known_with(options),
        program=program,
        max_expansion=value_of(options, "max_expansion"),
        keep_graph=traced or value_of(options, "fallback") == "cpu",
        limits=limits_of(options),
        dialects=_DIALECTS,
        meanwhile=_load_rest,
    )
    from forge_mlir.compiler.facts import bytecode_of
    from forge_mlir.compiler.integers import ranges_of, state_ranges

    try:
        if b"f8E" in bytecode_of(imported):  # Any float8 type; inspecting every op would take longer.
            _refuse_float8(imported.module)
        state_ranges(imported.module, ranges_of(imported, options))
    except OnnxImportError as error:
        raise error.in_model(escaped(imported.path) if imported.path else "") from error.__cause__
    return imported


def _load_rest() -> None:
    """Loads what is needed after the import while the import waits for its child process."""
    from forge_mlir.compiler.facts import tool_versions

    import_module("forge_mlir.compiler.compilation")
    import_module("torch_mlir.dialects.builtin")  # Otherwise loaded with the type of the first function.
    tool_versions()


def _refuse_float8(module: ir.Module) -> None:
    """LLVM 22 cannot read constants of 8-bit floats in the format of torch-mlir's MLIR; the device does not support
    them anyway."""
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


def _is_known_with(options: Options) -> IsKnown:
    lowerings = options.get("lowerings")
    if not lowerings:
        return is_known
    from forge_mlir.lowerings.running import LoweringRun

    own = LoweringRun(lowerings)
    return lambda domain, op, opset: own.has(domain, op, opset) or is_known(domain, op, opset)


def is_known(domain: str, op: str, opset: int) -> bool:
    """Whether there is a converter for this op at this opset of its domain."""
    return _oldest_converters().get((domain, op), opset + 1) <= opset


@cache
def _oldest_converters() -> dict[tuple[str, str], int]:
    oldest: dict[tuple[str, str], int] = {}
    for domain, op, since in _native.registered_ops():
        oldest[domain, op] = min(since, oldest.get((domain, op), since))
    return oldest

"""`import_onnx`: an ONNX model as torch-mlir IR, its weights left where they are."""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import onnx
from google.protobuf.message import DecodeError, EncodeError  # type: ignore[import-untyped]
from onnx import GraphProto, ModelProto, TypeProto, ValueInfoProto
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.importer.limits import MAX_EXPANSION
from forge_mlir.importer.passes.bind_inputs import Bindings
from forge_mlir.importer.passes.check_graph import check_inferred, normalise_graph
from forge_mlir.importer.passes.check_sizes import check_limits
from forge_mlir.importer.passes.dense_experts import compute_experts_densely
from forge_mlir.importer.passes.expand_functions import Expansion, IsKnown
from forge_mlir.importer.passes.extract import Extraction, extract_graph
from forge_mlir.importer.passes.float_quantization import compute_pairs_in_float
from forge_mlir.importer.passes.hoist_weights import hoist_weights
from forge_mlir.importer.passes.infer_shapes import check_model, infer_shapes
from forge_mlir.importer.passes.inline_functions import inline_functions
from forge_mlir.importer.passes.overridable import keep_inputs
from forge_mlir.importer.passes.own_opsets import has_own_opsets
from forge_mlir.importer.passes.resolve_sequences import resolve_sequences
from forge_mlir.importer.torch_nodes import Weights, build_module
from forge_mlir.onnx_model.dtypes import element_type
from forge_mlir.onnx_model.errors import OnnxImportError, import_error, quote, tensor_label
from forge_mlir.onnx_model.external_data import ExternalData
from forge_mlir.onnx_model.file_formats import refuse_other_formats
from forge_mlir.onnx_model.names import check_names
from forge_mlir.onnx_model.opsets import normalise_opsets
from forge_mlir.onnx_model.sparse import make_dense
from forge_mlir.onnx_model.weightless import WeightlessModel, placeholder_of, scan
from forge_mlir.onnx_model.weights import WeightFile, WeightRef
from forge_mlir.support.sandbox import Limits, isolated

# A default is in the manifest, which every run reads.
_LARGEST_DEFAULT = 1 << 20


@dataclass(frozen=True)
class _Asked:
    """What a user wants changed: what inputs are bound to, which initializers stay inputs, quantisation in float."""

    bindings: Bindings
    overridable: tuple[str, ...]
    float_quantization: bool


@dataclass(frozen=True)
class TensorInfo:
    """An input or output of a model: its ONNX name, element type (numpy or ml_dtypes name) and shape.

    A dim is a number, or the str name of its symbol ("" when it has none). `shape` is None when not even the rank is
    known. For values that are no tensors `dtype` reads like "sequence(float32)".
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...] | None


@dataclass(frozen=True)
class ImportedModel:
    """A model as IR. `weights` maps each `dense_resource` key in `module` to where its bytes are."""

    module: ir.Module
    weights: dict[str, WeightRef]
    name: str
    inputs: list[TensorInfo]
    outputs: list[TensorInfo]
    opset: dict[str, int]
    ir_version: int
    producer: str
    path: str | None
    warnings: list[str]
    nodes: int
    """Of the main graph, as it was imported, without constants."""
    graph: ModelProto | None = None
    """The model as it was imported, without weights; only with `keep_graph`."""
    placeholders: dict[int, WeightRef] = field(default_factory=dict)
    """The weights by the placeholders that the tensors of `graph` have for their data."""
    defaults: dict[str, npt.NDArray[np.generic]] = field(default_factory=dict)
    """The values of the inputs that need not be given."""


def import_onnx(
    source: str | os.PathLike[str] | ModelProto,
    *,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    dims: Mapping[str, int] | None = None,
    bind: Mapping[str, npt.NDArray[np.generic]] | None = None,
    overridable: Sequence[str] = (),
    extraction: Extraction | None = None,
    is_known: IsKnown | None = None,
    max_expansion: int = MAX_EXPANSION,
    float_quantization: bool = False,
    keep_graph: bool = False,
    limits: Limits | None = None,
    context: ir.Context | None = None,
) -> ImportedModel:
    """Imports an ONNX file (or a ModelProto, which is serialised once) without loading its weights.

    `input_shapes` ({"image": (1, 3, 224, 224)}) and `dims` ({"batch": 1}) give open dims of the inputs their sizes.
    `bind` turns inputs into constants ({"axes": array}); `overridable` names initializers that stay the inputs which
    they are too, with their values as defaults. `extraction` leaves the part of the model between tensors.
    Nodes whose (domain, op, opset) `is_known` denies are replaced by the function bodies that ONNX defines them with,
    of at most `max_expansion` nodes in all; without `is_known` every node stays as it is. With `float_quantization`
    pairs of QuantizeLinear and DequantizeLinear only cut off what the quantised type cannot hold. With `keep_graph` the
    result holds the graph that was imported, and the nodes in the IR say the names of their results.
    onnx's own code sees the model in a child process under `limits` (by default those of `Limits`).
    The IR is made in `context`, or in a new one; torch-mlir's dialects are registered in it. Raises OnnxImportError,
    and nothing else, for every model that cannot be imported.
    """
    path = None if isinstance(source, ModelProto) else os.fspath(source)
    try:
        weightless, weights = scan_source(source)
        bindings = Bindings(input_shapes or {}, dims or {}, bind or {})
        return _import(
            weightless,
            weights,
            path,
            _Asked(bindings, tuple(overridable), float_quantization),
            extraction or Extraction(),
            Expansion(is_known, max_expansion),
            keep_graph,
            limits or Limits(),
            context,
        )
    except OnnxImportError as error:
        raise error.in_model(ascii(path)[1:-1] if path else "") from error.__cause__


def scan_source(source: str | os.PathLike[str] | ModelProto) -> tuple[WeightlessModel, Weights]:
    """A model without its weights, and where those are. Raises OnnxImportError."""
    return _scan_proto(source) if isinstance(source, ModelProto) else _scan_file(os.fspath(source))


def _scan_file(path: str) -> tuple[WeightlessModel, Weights]:
    try:
        # O_NONBLOCK: opening a FIFO would wait for its writer.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        raise import_error(
            Code.FileUnreadable, f"cannot be opened: {getattr(error, 'strerror', None) or error}"
        ) from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise import_error(Code.FileUnreadable, "is not a regular file")
        if status.st_size == 0:
            raise import_error(Code.FileDamaged, "the file is empty", hint="its download or export did not finish")
        with mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) as mapped:
            refuse_other_formats(mapped[:512])
            weightless = scan(mapped, ExternalData.beside(path))
    finally:
        os.close(descriptor)
    return weightless, Weights(weightless.spans, WeightFile.of(os.path.realpath(path), status), b"")


def _scan_proto(model: ModelProto) -> tuple[WeightlessModel, Weights]:
    try:
        # The one copy: protobuf gives no view of a field, and the caller may change the model afterwards.
        data: bytes = model.SerializeToString()
    except (EncodeError, ValueError) as error:
        raise import_error(
            Code.ModelTooLarge,
            "the ModelProto cannot be serialised",
            hint="save it with external data and import the file",
        ) from error
    weightless = scan(data, ExternalData(()))
    return weightless, Weights(weightless.spans, None, data if weightless.spans else b"")


def _import(
    weightless: WeightlessModel,
    weights: Weights,
    path: str | None,
    asked: _Asked,
    extraction: Extraction,
    expansion: Expansion,
    keep_graph: bool,
    limits: Limits,
    context: ir.Context | None,
) -> ImportedModel:
    onnx.defs.has("Identity")  # onnx loads its schemas here, not again in every child
    try:
        normalised = isolated("onnx", lambda: _normalise(weightless, asked, extraction, expansion), limits)
        model = ModelProto.FromString(normalised.proto)
        inputs = _entry_inputs(model.graph)
        if context is None:
            context = ir.Context()
        torch_dialect.register_dialect(context)
        module = build_module(model, context, weights, [_symbols(value.type) for value in inputs], keep_graph)
        if not module.operation.verify():
            raise import_error(Code.ImportFailed, "torch-mlir made IR that does not verify")
        return ImportedModel(
            module=module,
            weights=weights.by_key,
            name=model.graph.name,
            inputs=[_info(value) for value in inputs],
            outputs=[_info(value) for value in model.graph.output],
            opset=normalised.opset,
            ir_version=model.ir_version,
            producer=" ".join(filter(None, (model.producer_name, model.producer_version))),
            path=path,
            warnings=normalised.warnings,
            nodes=sum(node.op_type != "Constant" for node in model.graph.node),
            graph=model if keep_graph else None,
            placeholders=weights.by_placeholder if keep_graph else {},
            defaults={name: _default(name, proto, weights) for name, proto in normalised.defaults.items()},
        )
    except OnnxImportError:
        raise
    except ForgeError as error:  # the child died
        raise import_error(error.code, error.message) from error
    except Exception as error:  # onnx, protobuf and MLIR raise what they like on a hostile model
        raise import_error(
            Code.ImportFailed, f"cannot be imported: {type(error).__name__}: {quote(error)[1:-1]}"
        ) from error


@dataclass(frozen=True)
class _NormalisedModel:
    """A weightless that is checked, sorted, typed and expanded."""

    proto: bytes
    opset: dict[str, int]
    warnings: list[str]
    defaults: dict[str, bytes]
    """Tensors by the inputs that need not be given."""


def _normalise(
    weightless: WeightlessModel, asked: _Asked, extraction: Extraction, expansion: Expansion
) -> _NormalisedModel:
    """Everything that is done with onnx's own code."""
    warnings = list(weightless.warnings)
    try:
        model = ModelProto.FromString(weightless.proto)
    except DecodeError as error:
        if "alloc failed" in str(error):
            raise MemoryError from error
        raise import_error(
            Code.FileDamaged,
            "not a readable ONNX file: protobuf cannot parse it",
            hint="it is damaged, cut short or no ONNX model",
        ) from error
    if not model.HasField("graph"):
        raise import_error(Code.FileDamaged, "it has no graph", hint="it is damaged, cut short or no ONNX model")
    check_names(model)
    normalise_opsets(model)
    make_dense(model.graph)
    model = inline_functions(model)
    opset = normalise_opsets(model)
    defaults = keep_inputs(model, asked.overridable)
    # Inputs that extraction makes can only be bound after it.
    bindings = asked.bindings
    early, late = bindings.split({value.name for value in model.graph.input}) if extraction.inputs else (bindings, None)
    early.apply(model)
    normalise_graph(model.graph, warnings)
    hoist_weights(model.graph)
    check_limits(model.graph)
    check_model(model)
    if extraction:
        infer_shapes(model, warnings)
        extract_graph(model.graph, extraction)
    if late is not None:
        late.apply(model)
    infer_shapes(model, warnings)
    # Both, before shapes are known again. They read ops as the model's opset has them.
    rewrites = expansion.is_known is not None and not has_own_opsets(model)
    if rewrites and resolve_sequences(model) | compute_experts_densely(model):
        infer_shapes(model, warnings)
    if asked.float_quantization and (pairs := compute_pairs_in_float(model)):
        warnings.append(
            f"{pairs} pairs of QuantizeLinear and DequantizeLinear are computed in float: results differ from the "
            "model's by their rounding, and forge-mlir verify tells by how much"
        )
    check_inferred(model.graph)
    expansion.run(model)
    return _NormalisedModel(
        model.SerializeToString(), opset, warnings, {name: t.SerializeToString() for name, t in defaults.items()}
    )


def _default(name: str, proto: bytes, weights: Weights) -> npt.NDArray[np.generic]:
    """The value of an input that need not be given."""
    tensor = onnx.TensorProto.FromString(proto)
    placeholder = placeholder_of(tensor)
    dtype = element_type(tensor.data_type, tensor_label(name)).name
    if placeholder is None:
        value: npt.NDArray[np.generic] = onnx.numpy_helper.to_array(tensor)
    else:
        value = replace(weights.ref_of(placeholder), name=name, dtype=dtype, shape=tuple(tensor.dims)).array()
    if value.nbytes > _LARGEST_DEFAULT:
        raise import_error(
            Code.InputConflict,
            f"it has {value.nbytes} bytes, more than the {_LARGEST_DEFAULT} that an overridable input may have",
            where=tensor_label(name),
        )
    return value


def _entry_inputs(graph: GraphProto) -> list[ValueInfoProto]:
    """The inputs a caller must give: those without an initializer (old models list their weights as inputs too)."""
    constants = {tensor.name for tensor in graph.initializer}
    return [value for value in graph.input if value.name not in constants]


def _symbols(proto: TypeProto) -> list[str]:
    return [dim.dim_param for dim in proto.tensor_type.shape.dim]


def _info(value: ValueInfoProto) -> TensorInfo:
    tensor = value.type.tensor_type
    shape = (
        tuple(d.dim_value if d.HasField("dim_value") else d.dim_param for d in tensor.shape.dim)
        if tensor.HasField("shape")
        else None
    )
    return TensorInfo(value.name, _type_name(value.type, value.name), shape)


def _type_name(proto: TypeProto, name: str) -> str:
    kind = proto.WhichOneof("value")
    if kind == "tensor_type":
        return element_type(proto.tensor_type.elem_type, tensor_label(name)).name
    if kind in ("sequence_type", "optional_type"):
        return f"{kind.removesuffix('_type')}({_type_name(getattr(proto, kind).elem_type, name)})"
    return "unknown"

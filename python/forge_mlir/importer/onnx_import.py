"""`import_onnx` imports an ONNX model as torch-mlir IR without loading its weights."""

from __future__ import annotations

import mmap
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import onnx
from google.protobuf.message import EncodeError  # type: ignore[import-untyped]
from onnx import GraphProto, ModelProto, TensorProto, TypeProto, ValueInfoProto

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped, shortened
from forge_mlir.importer.ir_files import is_ir, model_of_ir
from forge_mlir.importer.limits import MAX_EXPANSION
from forge_mlir.importer.request import Extraction, IsKnown, NormalisedModel, ProgramRequest, Request
from forge_mlir.importer.weights import Weights
from forge_mlir.onnx_model.dtypes import element_type, type_text
from forge_mlir.onnx_model.errors import OnnxImportError, import_error, tensor_label
from forge_mlir.onnx_model.file_formats import refuse_other_formats
from forge_mlir.onnx_model.graph import messages_of_type
from forge_mlir.onnx_model.storage.external_data import ExternalData
from forge_mlir.onnx_model.storage.weightless import WeightlessModel, placeholder_of, restore, scan
from forge_mlir.onnx_model.storage.weights import WeightFile, WeightRef
from forge_mlir.support.sandbox import Limits, isolating

if TYPE_CHECKING:
    from torch_mlir import ir

# Defaults are stored in the manifest, which every run reads.
_LARGEST_DEFAULT = 1 << 20


class TensorInfo(NamedTuple):
    """An input or output of a model: its ONNX name, element type (numpy or ml_dtypes name) and shape.

    A dim is an integer, or its symbol as str ("" if it has none). `shape` is None if the rank is unknown. For values
    other than tensors, `dtype` is a text such as "sequence(float32)".
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...] | None
    element_shape: tuple[int, ...] | None = None
    """The shape of the tensors in a sequence or optional; None if it is not fixed."""


@dataclass(frozen=True)
class ImportedModel:
    """A model as IR. `weights` maps the `dense_resource` keys in `module` to the locations of their bytes."""

    module: ir.Module
    weights: dict[str, WeightRef]
    name: str
    inputs: list[TensorInfo]
    outputs: list[TensorInfo]
    opset: dict[str, int]
    ir_version: int
    producer: str
    path: str | None
    files: tuple[str, ...]
    """The model's file, and its external data files."""
    warnings: list[str]
    nodes: int
    """The number of nodes of the main graph at import, without constants."""
    graph: ModelProto | None = None
    """The imported model without weights; only with `keep_graph`."""
    placeholders: dict[int, WeightRef] = field(default_factory=dict)
    """The weights by the placeholders for the data of tensors in `graph`."""
    defaults: dict[str, npt.NDArray[np.generic]] = field(default_factory=dict)
    """The values of optional inputs."""
    generation: dict[str, Any] | None = None
    """The roles of the inputs and outputs of a program of a language model."""


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
    program: ProgramRequest | None = None,
    keep_graph: bool = False,
    limits: Limits | None = None,
    context: ir.Context | None = None,
    dialects: Sequence[str] | None = None,
    meanwhile: Callable[[], object] | None = None,
) -> ImportedModel:
    """Imports an ONNX file (or a ModelProto, which is serialised once) without loading its weights.

    An MLIR file of torch-mlir's ONNX importer is first converted to a ModelProto, with its weights.

    `input_shapes` ({"image": (1, 3, 224, 224)}) and `dims` ({"batch": 1}) set the sizes of open dims. `bind` replaces
    inputs by constants ({"axes": array}); `overridable` names initializers that stay inputs, with their values as
    defaults. `extraction` restricts the model to the part between tensors. Nodes whose (domain, op, opset) `is_known`
    rejects are replaced by their ONNX function bodies, up to `max_expansion` nodes in all; without `is_known` every
    node is kept. With `float_quantization`, pairs of QuantizeLinear and DequantizeLinear only clip to the range of the
    quantised type. `program` selects one program of a language model. With `keep_graph`, the result contains the
    imported graph, and nodes in the IR have the names of their results. onnx's own code runs in a child process under
    `limits` (default: those of `Limits`); `meanwhile` is called while the child is working. The IR is created in
    `context`, or in a new one with `dialects` (by default all of torch_mlir, so that ops of any dialect can be added);
    those of torch-mlir itself are registered in it. Raises OnnxImportError, and nothing else, for every model that
    cannot be imported.
    """
    path = None if isinstance(source, ModelProto) else os.fspath(source)
    asked = Request(
        input_shapes or {},
        dims or {},
        bind or {},
        tuple(overridable),
        extraction or Extraction(),
        is_known,
        max_expansion,
        float_quantization,
        program,
    )
    try:
        weightless, weights = scan_source(source)
        made_in = (context, dialects)
        return _import(weightless, weights, path, asked, keep_graph, limits or Limits(), made_in, meanwhile)
    except OnnxImportError as error:
        raise error.in_model(escaped(path) if path else "") from error.__cause__


def scan_source(source: str | os.PathLike[str] | ModelProto) -> tuple[WeightlessModel, Weights]:
    """A model without its weights, and their locations. Raises OnnxImportError."""
    return _scan_proto(source) if isinstance(source, ModelProto) else _scan_file(os.fspath(source), set())


def whole_model(source: str | os.PathLike[str] | ModelProto) -> bytes:
    """A model with its weights, as protobuf serialises it. Raises OnnxImportError."""
    weightless, weights = scan_source(source)
    model = weightless.parsed()
    for tensor in messages_of_type(model, TensorProto):
        if (placeholder := placeholder_of(tensor)) is not None:
            restore(tensor, weights.ref_of(placeholder))
    try:
        return bytes(model.SerializeToString(deterministic=True))
    except (EncodeError, ValueError) as error:
        raise import_error(Code.ModelTooLarge, "the model has 2 GiB or more, which no ModelProto holds") from error


def files_of(path: str | os.PathLike[str]) -> list[Path]:
    """The file of a model, and its external data files: up to the first one that is missing or damaged, if the model
    cannot be read."""
    asked: set[str] = set()
    with suppress(ForgeError):
        _scan_file(os.fspath(path), asked)
    return [Path(path), *map(Path, sorted(asked))]


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[int]:
    """The descriptor of a model's file. Raises OnnxImportError unless it is a regular file that is not empty."""
    try:
        # O_NONBLOCK, because opening a FIFO would wait for its writer.
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
        yield descriptor
    finally:
        os.close(descriptor)


def _scan_file(path: str, asked: set[str]) -> tuple[WeightlessModel, Weights]:
    """Adds the external data files that were looked for to `asked`."""
    with opened(path) as descriptor:
        status = os.fstat(descriptor)
        with mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ) as mapped:
            if is_ir(path):
                return _scan_data(model_of_ir(path))
            refuse_other_formats(mapped[:512])
            weightless = scan(mapped, ExternalData.beside(path, asked))
    return weightless, Weights(weightless.spans, WeightFile.of(os.path.realpath(path), status), b"")


def _scan_proto(model: ModelProto) -> tuple[WeightlessModel, Weights]:
    try:
        # The only copy: protobuf provides no view of a field, and the caller may change the model later.
        data: bytes = model.SerializeToString()
    except (EncodeError, ValueError) as error:
        raise import_error(
            Code.ModelTooLarge,
            "the ModelProto cannot be serialised",
            hint="save it with external data and import the file",
        ) from error
    return _scan_data(data)


def _scan_data(data: bytes) -> tuple[WeightlessModel, Weights]:
    weightless = scan(data, ExternalData(()))
    return weightless, Weights(weightless.spans, None, data if weightless.spans else b"")


def _import(
    weightless: WeightlessModel,
    weights: Weights,
    path: str | None,
    asked: Request,
    keep_graph: bool,
    limits: Limits,
    made_in: tuple[ir.Context | None, Sequence[str] | None],
    meanwhile: Callable[[], object] | None,
) -> ImportedModel:
    if "forge_mlir.importer.torch_nodes" in sys.modules:
        # Not the first model of this process, so there may be more: loaded here, the passes are inherited by all
        # children.
        _load_passes()
    try:
        with isolating("onnx", partial(_normalise, weightless, asked), limits, _load_passes) as result:
            # Loaded while the child is working.
            from forge_mlir.importer.torch_nodes import build_module, torch_context

            context = torch_context(*made_in)
            if meanwhile:
                meanwhile()
            normalised = result()
        model = ModelProto.FromString(normalised.proto)
        inputs = _entry_inputs(model.graph)
        dims = [_symbols(value.type) for value in inputs]
        caches = (normalised.generation or {}).get("caches", [])
        loopback = {present: past for past, present in caches}
        module = build_module(model, context, weights, dims, keep_graph, loopback)
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
            files=(*([path] if path else ()), *weightless.files),
            warnings=normalised.warnings,
            nodes=sum(node.op_type != "Constant" for node in model.graph.node),
            graph=model if keep_graph else None,
            placeholders=weights.by_placeholder if keep_graph else {},
            defaults={name: _default(name, proto, weights) for name, proto in normalised.defaults.items()},
            generation=normalised.generation,
        )
    except OnnxImportError:
        raise
    except ForgeError as error:  # the child died
        raise import_error(error.code, error.message) from error
    except Exception as error:  # onnx, protobuf and MLIR raise many exception types on a malicious model
        raise import_error(
            Code.ImportFailed, f"cannot be imported: {type(error).__name__}: {shortened(error)}"
        ) from error


def _load_passes() -> None:
    """Loads what only the child needs."""
    import_module("forge_mlir.importer.normalise")
    onnx.defs.has("Identity")  # makes onnx load its schemas


def _normalise(weightless: WeightlessModel, asked: Request) -> NormalisedModel:
    """The part that runs in the child process."""
    from forge_mlir.importer.normalise import normalise

    return normalise(weightless, asked)


def _default(name: str, proto: bytes, weights: Weights) -> npt.NDArray[np.generic]:
    """The default value of an optional input."""
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
    """The inputs that a caller must provide: those without an initializer (old models also list weights as inputs)."""
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
    return TensorInfo(value.name, _type_name(value.type, value.name), shape, _element_shape(value.type))


def _element_shape(proto: TypeProto) -> tuple[int, ...] | None:
    kind = proto.WhichOneof("value")
    if kind not in ("sequence_type", "optional_type"):
        return None
    inner = getattr(proto, kind).elem_type
    if inner.WhichOneof("value") != "tensor_type":
        return _element_shape(inner)
    dims = inner.tensor_type.shape.dim
    is_fixed = inner.tensor_type.HasField("shape") and all(dim.HasField("dim_value") for dim in dims)
    return tuple(dim.dim_value for dim in dims) if is_fixed else None


def _type_name(proto: TypeProto, name: str) -> str:
    if proto.WhichOneof("value") == "tensor_type":
        return element_type(proto.tensor_type.elem_type, tensor_label(name)).name
    return type_text(proto)

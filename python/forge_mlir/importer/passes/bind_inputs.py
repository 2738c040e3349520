"""Binds graph inputs at compile time: sizes of open dims, or whole values."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, TensorShapeProto, TypeProto, numpy_helper

from forge_mlir.codes import Code
from forge_mlir.onnx_model.dtypes import MAX_TENSOR_BITS, element_type
from forge_mlir.onnx_model.errors import import_error, quote, tensor_label
from forge_mlir.onnx_model.graph import all_graphs


@dataclass(frozen=True)
class Bindings:
    """What a user binds: shapes by input, sizes by symbol, values by input."""

    shapes: Mapping[str, Sequence[int]]
    dims: Mapping[str, int]
    values: Mapping[str, npt.NDArray[np.generic]]

    def split(self, names: Container[str]) -> tuple[Bindings, Bindings]:
        """The bindings of the inputs `names` (and of all symbols), and those of other inputs."""

        def of(known: bool) -> Bindings:
            shapes = {name: shape for name, shape in self.shapes.items() if (name in names) == known}
            values = {name: value for name, value in self.values.items() if (name in names) == known}
            return Bindings(shapes, self.dims if known else {}, values)

        return of(True), of(False)

    def apply(self, model: ModelProto) -> None:
        """Binds inputs of `model`. Raises OnnxImportError for bindings that do not fit it or each other."""
        values = {name: np.asarray(value) for name, value in self.values.items()}
        bind_dims(model, self.shapes, self.dims)
        bind_dims(model, {name: value.shape for name, value in values.items()}, {})
        bind_values(model, values)


def bind_dims(
    model: ModelProto, input_shapes: Mapping[str, Sequence[int]] | None, dims: Mapping[str, int] | None
) -> None:
    """Replaces open dims of the inputs of `model`, and the symbols bound that way wherever they occur.

    `input_shapes` has whole shapes by input name, `dims` sizes by symbol. Declared intermediate shapes are dropped,
    because they were made for the open dims; shape inference restores them. Raises OnnxImportError for unknown names
    and symbols, and for sizes that contradict the model or each other.
    """
    if not input_shapes and not dims:
        return
    graph = model.graph
    constants = {tensor.name for tensor in graph.initializer}
    types = {value.name: value.type for value in graph.input if value.name not in constants}
    for tp in types.values():
        _forget_nameless(tp)
    symbols = {d.dim_param for tp in types.values() for d in tp.tensor_type.shape.dim if d.dim_param}
    bound: dict[str, int] = {}
    for symbol, size in (dims or {}).items():
        if symbol not in symbols:
            raise import_error(
                Code.InputUnknown,
                f"no input has a dimension {quote(symbol)}",
                hint=_list("its dimensions are", symbols),
            )
        _bind(bound, symbol, _size(size, quote(symbol)))
    for name, shape in (input_shapes or {}).items():
        if any(name.startswith(f"{other}.") for other, tp in types.items() if not tp.HasField("tensor_type")):
            continue  # a part of a sequence or map in a sample
        if name not in types:
            raise import_error(
                Code.InputUnknown, f"there is no input {quote(name)}", hint=_list("its inputs are", types)
            )
        _bind_input(types[name], name, shape, bound)
    for inner in all_graphs(graph):
        del inner.value_info[:]
        for value in (*inner.input, *inner.output):
            _substitute(value.type, bound)


def bind_values(model: ModelProto, values: Mapping[str, npt.NDArray[np.generic]] | None) -> None:
    """Replaces inputs of `model` by constants, by input name. Their shapes must be bound already.

    This is for operands that may vary in ONNX but must be constant for the device: axes, shapes, pads, split sizes.
    Raises OnnxImportError for an unknown input and for a value of another dtype.
    """
    graph = model.graph
    for name, value in (values or {}).items():
        found = next((info for info in graph.input if info.name == name), None)
        if found is None or any(tensor.name == name for tensor in graph.initializer):
            raise import_error(Code.InputUnknown, f"there is no input {quote(name)} to bind")
        declared = element_type(found.type.tensor_type.elem_type, tensor_label(name)).name
        if value.dtype.name != declared:
            raise import_error(
                Code.InputConflict, f"the bound value is {value.dtype.name}, not {declared}", where=tensor_label(name)
            )
        native = value.astype(value.dtype.newbyteorder("="), copy=False)
        graph.initializer.append(numpy_helper.from_array(native, name))
        graph.input.remove(found)


def _bind_input(proto: TypeProto, name: str, shape: Sequence[int], bound: dict[str, int]) -> None:
    where = tensor_label(name)
    if proto.WhichOneof("value") != "tensor_type":
        raise import_error(Code.InputConflict, "it is no tensor and has no shape to give", where=where)
    sizes = [_size(size, f"dimension {axis} of {quote(name)}") for axis, size in enumerate(shape)]
    tensor = proto.tensor_type
    if not tensor.HasField("shape"):
        tensor.shape.SetInParent()
        for size in sizes:
            tensor.shape.dim.add().dim_value = size
        return
    if len(sizes) != len(tensor.shape.dim):
        raise import_error(
            Code.InputConflict,
            f"shape {sizes} has rank {len(sizes)}, but the model says {_shown(tensor.shape)}",
            where=where,
        )
    shown = _shown(tensor.shape)
    for dim, size in zip(tensor.shape.dim, sizes, strict=True):
        # Some exporters write an open dim as a negative size or 0.
        if dim.HasField("dim_value") and dim.dim_value > 0 and dim.dim_value != size:
            raise import_error(
                Code.InputConflict, f"shape {sizes} contradicts the model, which says {shown}", where=where
            )
        if dim.dim_param:
            _bind(bound, dim.dim_param, size)
        dim.dim_value = size


def _forget_nameless(proto: TypeProto) -> None:
    """Removes the symbol "?" from dims: exporters write it for every unknown dim, so that it does not mean one size."""
    for dim in proto.tensor_type.shape.dim:
        if dim.dim_param == "?":
            dim.ClearField("dim_param")


def _bind(bound: dict[str, int], symbol: str, size: int) -> None:
    if bound.setdefault(symbol, size) != size:
        raise import_error(Code.InputConflict, f"dimension {quote(symbol)} cannot be both {bound[symbol]} and {size}")


def _size(size: int, what: str) -> int:
    if isinstance(size, bool) or not isinstance(size, Integral) or not 0 <= size <= MAX_TENSOR_BITS:
        raise import_error(Code.InputConflict, f"{what} cannot have the size {quote(size)}")
    return int(size)


def _substitute(proto: TypeProto, bound: dict[str, int]) -> None:
    kind = proto.WhichOneof("value")
    if kind == "tensor_type":
        for dim in proto.tensor_type.shape.dim:
            if dim.dim_param in bound:
                dim.dim_value = bound[dim.dim_param]
    elif kind in ("sequence_type", "optional_type"):
        _substitute(getattr(proto, kind).elem_type, bound)


def _shown(shape: TensorShapeProto) -> str:
    dims = (
        str(d.dim_value) if d.HasField("dim_value") else quote(d.dim_param) if d.dim_param else "?" for d in shape.dim
    )
    return f"[{', '.join(dims)}]"


def _list(text: str, names: object) -> str:
    assert isinstance(names, (dict, set))
    shown = sorted(names)[:16]
    return f"{text} {', '.join(map(quote, shown))}" if shown else f"{text} all fixed"

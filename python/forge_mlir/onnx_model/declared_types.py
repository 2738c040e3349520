"""Checks whether the types that a model declares for one value are consistent."""

from __future__ import annotations

from onnx import TensorProto, TypeProto

from forge_mlir.codes import Code
from forge_mlir.onnx_model.errors import OnnxImportError, import_error, tensor_label


def check_types(name: str, one: TypeProto, other: TypeProto) -> None:
    """Raises OnnxImportError unless the value `name` can have both types."""
    check_kind(name, one, other)
    if not shapes_agree(one, other):
        raise _two_types(name)


def check_tensor_type(tensor: TensorProto, declared: TypeProto) -> None:
    """Raises OnnxImportError unless `tensor` has its declared type."""
    found = declared.tensor_type
    if declared.WhichOneof("value") != "tensor_type" or found.elem_type != tensor.data_type:
        raise _two_types(tensor.name)
    if found.HasField("shape") and not (
        len(found.shape.dim) == len(tensor.dims)
        and all(
            d.dim_value == size for d, size in zip(found.shape.dim, tensor.dims, strict=True) if d.HasField("dim_value")
        )
    ):
        raise _two_types(tensor.name)


def check_kind(name: str, one: TypeProto, other: TypeProto) -> None:
    """Raises OnnxImportError unless both types have the same kind and element type; shapes may differ."""
    kinds = one.WhichOneof("value"), other.WhichOneof("value")
    if kinds[0] != kinds[1] or one.tensor_type.elem_type != other.tensor_type.elem_type:
        raise _two_types(name)


def _two_types(name: str) -> OnnxImportError:
    return import_error(Code.ShapesContradict, "two different types are declared for it", where=tensor_label(name))


def shapes_agree(one: TypeProto, other: TypeProto) -> bool:
    """Whether a tensor can have both shapes. Open dims and unknown ranks match anything."""
    a, b = one.tensor_type, other.tensor_type
    if not a.HasField("shape") or not b.HasField("shape"):
        return True
    return len(a.shape.dim) == len(b.shape.dim) and all(
        m.dim_value == n.dim_value
        for m, n in zip(a.shape.dim, b.shape.dim, strict=True)
        if m.HasField("dim_value") and n.HasField("dim_value")
    )

"""Converts types, tensors and names of torch-mlir's IR to those of ONNX."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from onnx import TensorProto, TypeProto
from torch_mlir import ir

from forge_mlir.codes import Code
from forge_mlir.onnx_model.dtypes import ElementType, element_by_name, element_count, name_of_ir_type
from forge_mlir.onnx_model.errors import OnnxImportError, import_error, quote

_TENSOR = re.compile(r"(?:v?tensor)<(?:\*|\[([^]]*)\]),(.+)>")
_NESTED = re.compile(r"(list|optional)<(.+)>")
_FLOAT8 = {
    "f8E4M3FN": "float8_e4m3fn",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E5M2": "float8_e5m2",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
}
_HANDLE = re.compile(r"dense_resource<(.+)> : [^:]*\Z", re.DOTALL)
_BLOB = re.compile(rb'^ {6}(.+): "0x([0-9A-Fa-f]*)",?$', re.MULTILINE)
_ALIGNMENT_BYTES = 4


def type_proto(text: str) -> TypeProto | None:
    """The ONNX type for an IR type; None for unspecified ones (`!torch.none`, `!torch.vtensor`)."""
    text = text.removeprefix("!torch.")
    if tensor := _TENSOR.fullmatch(text):
        proto = TypeProto()
        proto.tensor_type.elem_type = _element(tensor[2]).code
        if tensor[1] is not None:
            proto.tensor_type.shape.SetInParent()
            for dim in filter(None, tensor[1].split(",")):
                added = proto.tensor_type.shape.dim.add()
                if dim != "?":
                    added.dim_value = int(dim)
        return proto
    if nested := _NESTED.fullmatch(text):
        inner = type_proto(nested[2])
        if inner is None:
            return None
        if nested[1] == "list":
            return TypeProto(sequence_type=TypeProto.Sequence(elem_type=inner))
        return TypeProto(optional_type=TypeProto.Optional(elem_type=inner))
    if text in ("none", "vtensor", "tensor"):
        return None
    raise _unknown_type(text)


def name_of(location: ir.Location) -> str:
    """The name in a location; "" if it is a file location or unknown."""
    return str(getattr(location, "name_str", ""))


@dataclass(frozen=True)
class Blobs:
    """The bytes of a module's resources, by key as MLIR prints it."""

    by_key: dict[str, bytes]

    @staticmethod
    def of(module: ir.Module) -> Blobs:
        """The resources of `module`. They are read from the printed module, because the bindings give no access to the
        bytes."""
        text: bytes = module.operation.get_asm(binary=True)
        # Line breaks in strings are printed as escapes, so that this can only be the resource section.
        start = text.rfind(b"\n{-#\n")
        found = _BLOB.finditer(text, start) if start >= 0 else ()
        return Blobs({blob[1].decode(): bytes.fromhex(blob[2].decode()) for blob in found})

    def tensor(self, value: ir.Attribute, where: str) -> TensorProto:
        """The tensor of an attribute. Raises OnnxImportError for other attributes."""
        if not isinstance(getattr(value, "type", None), ir.RankedTensorType):
            raise import_error(
                Code.ImportFailed, f"the attribute {quote(str(value)[:60])} is none of ONNX", where=where
            )
        shape = ir.RankedTensorType(value.type)
        element = _element(str(shape.element_type))
        dims = tuple(shape.shape)
        count = element_count(dims, element.bits, where)
        if handle := _HANDLE.match(str(value)):
            raw = self._resource(handle[1], element, count, where)
        else:
            raw = _dense(value, element, where)
        return TensorProto(data_type=element.code, dims=dims, raw_data=raw)

    def _resource(self, key: str, element: ElementType, count: int, where: str) -> bytes:
        blob = self.by_key.get(key, b"")[_ALIGNMENT_BYTES:]
        if len(blob) == element.nbytes(count):
            return blob
        if element.bits < 8 and len(blob) == count:  # one element per byte
            return _packed(np.frombuffer(blob, np.uint8))
        reason = (
            f"its data, the resource {quote(key)}, has {len(blob)} bytes, but its type needs {element.nbytes(count)}"
        )
        raise import_error(Code.TensorData, reason, where=where, hint="print the module without eliding resources")


def _dense(value: ir.Attribute, element: ElementType, where: str) -> bytes:
    """The elements of `dense<...>` in the layout of `raw_data`."""
    try:
        array = np.array(value)
    except (TypeError, ValueError, NotImplementedError) as error:
        raise import_error(
            Code.TypeNotImported, f"values of {element.name} written as dense<...> cannot be read", where=where
        ) from error
    if array.dtype == np.object_ or array.dtype.itemsize * 8 != element.bits:
        raise import_error(
            Code.TypeNotImported, f"values of {element.name} written as dense<...> cannot be read", where=where
        )
    return np.ascontiguousarray(array).tobytes()


def _packed(values: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> bytes:
    """Packs 4-bit elements, two per byte, low bits first."""
    even = np.append(values, np.zeros(len(values) % 2, np.uint8)) & 0x0F
    return (even[0::2] | even[1::2] << 4).astype(np.uint8).tobytes()


def _element(text: str) -> ElementType:
    name = _FLOAT8.get(text) or name_of_ir_type(text)
    try:
        return element_by_name(name or "")
    except KeyError:
        raise _unknown_type(text) from None


def _unknown_type(text: str) -> OnnxImportError:
    return import_error(Code.TypeNotImported, f"the type {quote(text)} is none of ONNX")

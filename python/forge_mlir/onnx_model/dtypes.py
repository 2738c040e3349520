"""Element types of ONNX tensors: names, widths, and the protobuf field of their typed (non-raw) data."""

from __future__ import annotations

from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import numpy.typing as npt
from onnx import TensorProto, TypeProto, helper

from forge_mlir.codes import Code
from forge_mlir.onnx_model.errors import import_error

MAX_TENSOR_BITS = 2**63 - 1
MAX_RANK = 32
"""The largest rank of a tensor: numpy broadcasts no others."""


class ElementType(NamedTuple):
    """One ONNX element type.

    `name` is the numpy (or ml_dtypes) name; `bits` its width in `raw_data` (sub-byte types are packed, low bits first),
    0 for strings; `field` the TensorProto field that holds typed data; `numpy` the type of an unpacked array.
    """

    code: int
    name: str
    bits: int
    field: str
    numpy: npt.DTypeLike

    def nbytes(self, count: int) -> int:
        """The size of `raw_data` for `count` elements, in bytes."""
        return (count * self.bits + 7) // 8


_TABLE = (
    ElementType(TensorProto.FLOAT, "float32", 32, "float_data", np.float32),
    ElementType(TensorProto.UINT8, "uint8", 8, "int32_data", np.uint8),
    ElementType(TensorProto.INT8, "int8", 8, "int32_data", np.int8),
    ElementType(TensorProto.UINT16, "uint16", 16, "int32_data", np.uint16),
    ElementType(TensorProto.INT16, "int16", 16, "int32_data", np.int16),
    ElementType(TensorProto.INT32, "int32", 32, "int32_data", np.int32),
    ElementType(TensorProto.INT64, "int64", 64, "int64_data", np.int64),
    ElementType(TensorProto.STRING, "string", 0, "string_data", np.object_),
    ElementType(TensorProto.BOOL, "bool", 8, "int32_data", np.bool_),
    ElementType(TensorProto.FLOAT16, "float16", 16, "int32_data", np.float16),
    ElementType(TensorProto.DOUBLE, "float64", 64, "double_data", np.float64),
    ElementType(TensorProto.UINT32, "uint32", 32, "uint64_data", np.uint32),
    ElementType(TensorProto.UINT64, "uint64", 64, "uint64_data", np.uint64),
    ElementType(TensorProto.COMPLEX64, "complex64", 64, "float_data", np.complex64),
    ElementType(TensorProto.COMPLEX128, "complex128", 128, "double_data", np.complex128),
    ElementType(TensorProto.BFLOAT16, "bfloat16", 16, "int32_data", ml_dtypes.bfloat16),
    ElementType(TensorProto.FLOAT8E4M3FN, "float8_e4m3fn", 8, "int32_data", ml_dtypes.float8_e4m3fn),
    ElementType(TensorProto.FLOAT8E4M3FNUZ, "float8_e4m3fnuz", 8, "int32_data", ml_dtypes.float8_e4m3fnuz),
    ElementType(TensorProto.FLOAT8E5M2, "float8_e5m2", 8, "int32_data", ml_dtypes.float8_e5m2),
    ElementType(TensorProto.FLOAT8E5M2FNUZ, "float8_e5m2fnuz", 8, "int32_data", ml_dtypes.float8_e5m2fnuz),
    ElementType(TensorProto.UINT4, "uint4", 4, "int32_data", ml_dtypes.uint4),
    ElementType(TensorProto.INT4, "int4", 4, "int32_data", ml_dtypes.int4),
)
_TYPED = ("float_data", "int32_data", "int64_data", "double_data", "uint64_data", "string_data")
_FEW = 64
_BY_CODE = {element.code: element for element in _TABLE}
_BY_NAME = {element.name: element for element in _TABLE}


def element_by_name(name: str) -> ElementType:
    """The element type by its name in `WeightRef.dtype` and `TensorInfo.dtype`."""
    return _BY_NAME[name]


def is_floating(dtype: np.dtype[Any]) -> bool:
    """Whether an array has a floating-point type; numpy's kind does not include most of those of ml_dtypes."""
    return dtype.kind == "f" or (dtype.kind == "V" and dtype.name.startswith(("bfloat", "float")))


def is_integer(dtype: np.dtype[Any]) -> bool:
    """Whether an array has an integer type, also one of ml_dtypes, for which numpy has no kind."""
    return dtype.kind in "iu" or (dtype.kind == "V" and dtype.name.startswith(("int", "uint")))


def type_text(proto: TypeProto) -> str:
    """A type as text: "float32", "string", "sequence(map(int64,float32))"; "unknown" if it is not set."""
    kind = proto.WhichOneof("value")
    if kind in ("tensor_type", "sparse_tensor_type"):
        return element_text(getattr(proto, kind).elem_type)
    if kind in ("sequence_type", "optional_type"):
        return f"{kind.removesuffix('_type')}({type_text(getattr(proto, kind).elem_type)})"
    if kind == "map_type":
        return f"map({element_text(proto.map_type.key_type)},{type_text(proto.map_type.value_type)})"
    return "unknown"


def element_text(code: int) -> str:
    """The numpy (or ml_dtypes) name of an ONNX `data_type`, also for invalid numbers."""
    if code in _BY_CODE:
        return _BY_CODE[code].name
    if code == TensorProto.UNDEFINED:
        return "undefined"
    return helper.tensor_dtype_to_np_dtype(code).name if code in TensorProto.DataType.values() else "unknown"


def element_type(code: int, where: str) -> ElementType:
    """The element type of an ONNX `data_type`. Raises OnnxImportError if torch-mlir has no such type."""
    element = _BY_CODE.get(code)
    if element is None:
        if code == TensorProto.UNDEFINED:
            raise import_error(Code.TensorData, "its element type is not set", where=where)
        known = TensorProto.DataType.values()
        name = TensorProto.DataType.Name(code) if code in known else f"number {code}"
        raise import_error(
            Code.TypeNotImported,
            f"element type {name} is not supported",
            where=where,
            hint="cast it to a wider type",
            unsupported=True,
        )
    return element


def element_count(dims: tuple[int, ...], bits: int, where: str) -> int:
    """The product of `dims`. Raises OnnxImportError for a negative dim, for too many of them, and for a size beyond any
    address space."""
    if len(dims) > MAX_RANK:
        reason = f"its shape has {len(dims)} dimensions, and at most {MAX_RANK} are supported"
        raise import_error(Code.TensorTooLarge, reason, where=where)
    count = 1
    for dim in dims:
        if dim < 0:
            raise import_error(Code.TensorData, f"shape {list(dims)[:16]} has a negative dimension", where=where)
        count *= dim
        if count * max(bits, 1) > MAX_TENSOR_BITS and 0 not in dims:
            raise import_error(Code.TensorTooLarge, f"shape {list(dims)[:16]} is too large to address", where=where)
    return count


def raw_bytes(tensor: TensorProto, where: str) -> bytes:
    """The data of a tensor in the layout of `raw_data` (little-endian, sub-byte types packed), from either field.

    Raises OnnxImportError if the data does not fit the shape, or is in both fields.
    """
    element = element_type(tensor.data_type, where)
    if element.bits == 0:
        raise import_error(Code.TypeNotImported, "string tensors are not supported", where=where, unsupported=True)
    count = element_count(tuple(tensor.dims), element.bits, where)
    need = element.nbytes(count)
    typed = [field for field in _TYPED if len(getattr(tensor, field))]
    if tensor.HasField("raw_data"):
        raw: bytes = tensor.raw_data
        if raw and typed:
            raise import_error(Code.TensorData, f"it has both raw_data and {typed[0]}", where=where)
        if not typed:
            check_length(len(raw), need, "raw_data", where)
            return raw
    for field in typed:
        if field != element.field:
            raise import_error(
                Code.TensorData, f"{element.name} data belongs in {element.field}, but {field} is filled", where=where
            )
    kept = getattr(tensor, element.field)
    # numpy would convert a list of small and large unsigned integers to floats.
    dtype = np.uint64 if element.field == "uint64_data" else None
    # A list is converted faster than a protobuf container, but needs more memory.
    values = np.asarray(kept[:] if len(kept) <= _FEW else kept, dtype)
    return _from_typed(element, values, count, need, where)


def check_data(tensor: TensorProto, where: str) -> None:
    """Raises OnnxImportError if the data of a tensor, which may be text, does not fit its shape, or is in two
    fields."""
    if tensor.data_type != TensorProto.STRING:
        raw_bytes(tensor, where)
        return
    count = element_count(tuple(tensor.dims), 0, where)
    if len(tensor.string_data) != count or any(len(getattr(tensor, field)) for field in _TYPED[:-1]):
        raise import_error(
            Code.TensorData, f"it has {len(tensor.string_data)} strings, but its shape needs {count}", where=where
        )


def check_length(found: int, need: int, field: str, where: str) -> None:
    if found != need:
        raise import_error(
            Code.TensorData, f"{field} holds {found} bytes, but its shape and type need {need}", where=where
        )


def _from_typed(element: ElementType, values: npt.NDArray[np.generic], count: int, need: int, where: str) -> bytes:
    complex_parts = 2 if element.name.startswith("complex") else 1
    items = need if element.bits < 8 else count * complex_parts  # int4: one item per packed byte
    if len(values) != items:
        raise import_error(
            Code.TensorData, f"{element.field} holds {len(values)} values, but its shape needs {items}", where=where
        )
    if element.field in ("float_data", "double_data"):
        return values.astype("<f4" if element.field == "float_data" else "<f8").tobytes()
    if element.name == "bool":
        return values.astype(np.bool_).tobytes()
    # Numeric values must be in range; bit patterns (f16, bf16, f8, pairs of int4) use their full width.
    width = 8 if element.bits < 8 else element.bits
    integer = np.dtype(f"<i{width // 8}" if element.name.startswith("int") and element.bits >= 8 else f"<u{width // 8}")
    if len(values):
        info = np.iinfo(integer)
        low, high = int(values.min()), int(values.max())
        if low < int(info.min) or high > int(info.max):
            raise import_error(
                Code.TensorData, f"value {low if low < int(info.min) else high} is no {element.name}", where=where
            )
    return values.astype(integer).tobytes()


def name_of_ir_type(mlir_type: str | None) -> str | None:
    """The numpy name of an importer's element type; None if it has none."""
    if mlir_type is None:
        return None
    known = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16", "i1": "bool",
             "!torch.str": "string", "complex<f32>": "complex64", "complex<f64>": "complex128"}  # fmt: skip
    if mlir_type in known:
        return known[mlir_type]
    if mlir_type.startswith(("si", "ui")):
        return ("int" if mlir_type.startswith("si") else "uint") + mlir_type[2:]
    return None

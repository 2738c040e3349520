"""Copies a model without its weights.

The weightless model is the same ModelProto with every large tensor reduced to its name, type and shape, and a
placeholder that refers to the recorded `Span` of its bytes. Everything else, including small tensors, is copied: the
graph is complete for checking, shape inference and constant folding, but has the size of the graph alone.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import NamedTuple

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from onnx import ModelProto, TensorProto

from forge_mlir.codes import Code
from forge_mlir.onnx_model.dtypes import check_length, element_count, element_type, raw_bytes
from forge_mlir.onnx_model.errors import import_error, tensor_label
from forge_mlir.onnx_model.storage.external_data import ExternalData
from forge_mlir.onnx_model.storage.weights import WeightFile, WeightRef
from forge_mlir.onnx_model.storage.wire import (
    BYTES,
    VARINT,
    Buffer,
    Field,
    damaged,
    fields,
    message,
    read_varint,
    signed,
    varint,
)

INLINE_BYTES = 1024
"""Tensors of at most this many bytes stay in the graph."""

KNOWN_BYTES = 1 << 20
"""The limit for booleans and integers of 32 and 64 bits (indices, shapes, masks), whose values the compiler may need;
and for attributes other than `value`, such as the trees of ai.onnx.ml.TreeEnsemble, which cannot be passed in as
constants."""

UNIFORM_BYTES = 1 << 16
"""The limit for splats, such as all-zero biases and all-one scales, which need no call."""

_KNOWN = ("bool", "int32", "int64")

MAX_NESTING = 24
"""The most nested graphs. protobuf's own parser stops at 100 messages; each level of subgraph takes three."""

_PLACEHOLDER = "forge-weight:"

# The submessages that can contain a tensor: message -> field number -> message.
_PATHS = {
    "model": {7: "graph", 25: "function"},
    "graph": {1: "node", 5: "tensor"},
    "function": {7: "node", 11: "attribute"},
    "node": {5: "attribute"},
    "attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph"},
}
_ONLY_ONCE = {("model", 7), ("attribute", 5), ("attribute", 6)}
_TRAINING_INFO = 20
SCALARS = {
    "attribute": re.compile(
        rb"(?s:\x3d.{4}|\x40[\x80-\xff]{0,9}[\x00-\x7f]|%s)++"
        % b"|".join(b"\x4a" + re.escape(bytes([length])) + b".{%d}" % length for length in range(16))
    )
}
"""One or more fields of a message that cannot contain a tensor: floats (field 7), ints (8) and short strings (9) of an
attribute. Trees of ai.onnx.ml have millions of them. Possessive, so that a match does not keep backtracking state."""

# TensorProto fields that hold elements, and those among them whose packed form is the raw little-endian layout.
_TYPED = {4, 5, 6, 7, 10, 11}
_PACKED_IS_RAW = {4: ("float32", "complex64"), 10: ("float64", "complex128")}


class Span(NamedTuple):
    """The bytes of a weight: in the scanned model (`file` and `data` are None), in another file, or in `data`."""

    offset: int
    nbytes: int
    file: WeightFile | None = None
    data: bytes | None = None


@dataclass
class WeightlessModel:
    """`proto` is the serialised ModelProto without weights; `spans[i]` is the data of placeholder `i`; `files` are the
    external data files of the model."""

    proto: bytes
    spans: list[Span] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    files: tuple[str, ...] = ()

    def parsed(self) -> ModelProto:
        """The model, parsed by protobuf. Raises OnnxImportError, and MemoryError."""
        try:
            return ModelProto.FromString(self.proto)
        except DecodeError as error:
            if "alloc failed" in str(error):
                raise MemoryError from error
            raise import_error(
                Code.FileDamaged,
                "not a readable ONNX file: protobuf cannot parse it",
                hint="it is damaged, cut short or no ONNX model",
            ) from error


def placeholder_of(tensor: TensorProto) -> int | None:
    """The index of the span of a weightless tensor; None for a tensor with its data inside.

    A file cannot contain placeholders of its own: the scan replaces every external tensor by a placeholder or by its
    data.
    """
    if tensor.data_location != TensorProto.EXTERNAL:
        return None
    return int(tensor.external_data[0].value.removeprefix(_PLACEHOLDER))


def restore(tensor: TensorProto, weight: WeightRef) -> None:
    """Replaces the placeholder of a weightless tensor by its data."""
    tensor.raw_data = bytes(weight.view())
    tensor.ClearField("data_location")
    del tensor.external_data[:]


def scan(buf: Buffer, external: ExternalData) -> WeightlessModel:
    """Scans the serialised ModelProto in `buf`. Raises OnnxImportError if it is malformed or the data of a tensor does
    not fit its shape."""
    result = WeightlessModel(b"")
    result.proto = _Scan(buf, external, result).copy("model", 0, len(buf), 0)
    result.files = tuple(sorted({file.path for file in external.files.values()}))
    return result


@dataclass
class _Scan:
    buf: Buffer
    external: ExternalData
    out: WeightlessModel

    def copy(self, kind: str, start: int, end: int, graphs: int) -> bytes:
        """The message in [start, end) with reduced tensors. `graphs` is the nesting depth of graphs."""
        if kind in ("tensor", "setting"):
            return self._tensor(start, end, nested=graphs > 1, known=kind == "setting")
        graphs += kind == "graph"
        if graphs > MAX_NESTING:
            raise import_error(Code.NestingTooDeep, f"graphs are nested more than {MAX_NESTING} deep")
        paths = _PATHS[kind]
        parts: list[bytes] = []
        seen: set[int] = set()
        kept = start  # [kept, next rewritten field) is copied as a whole
        for item in fields(self.buf, start, end, SCALARS.get(kind)):
            below = paths.get(item.number) if item.wire == BYTES else None
            if (kind, item.number) in _ONLY_ONCE:
                if item.number in seen:
                    raise damaged(item.start, f"a second field {item.number} of the {kind}")
                seen.add(item.number)
            if kind == "model" and item.number == _TRAINING_INFO:
                self.out.warnings.append("training information in the model is ignored")
                parts.append(self.buf[kept : item.start])
                kept = item.end
            elif below is not None and self._may_hold_weights(item):
                if (kind, below) == ("attribute", "tensor") and self._attribute_name(start, end) != b"value":
                    below = "setting"
                parts.append(self.buf[kept : item.start])
                parts.append(message(item.number, self.copy(below, item.data, item.end, graphs)))
                kept = item.end
        parts.append(self.buf[kept:end])
        return b"".join(parts)

    def _may_hold_weights(self, item: Field) -> bool:
        # An external tensor is small here but may have much data elsewhere; it always contains the key "location".
        return item.end - item.data > INLINE_BYTES or self.buf.find(b"location", item.data, item.end) >= 0

    def _attribute_name(self, start: int, end: int) -> bytes:
        names = [item for item in fields(self.buf, start, end) if item.number == 1 and item.wire == BYTES]
        return bytes(self.buf[names[-1].data : names[-1].end]) if names else b""

    def _tensor(self, start: int, end: int, nested: bool, known: bool) -> bytes:
        dims: list[int] = []
        code = 0
        name = b""
        raw: Field | None = None
        typed: list[Field] = []
        external = False
        entries: list[tuple[str, str]] = []
        for item in fields(self.buf, start, end):
            match item.number, item.wire:
                case 1, 0:
                    dims.append(signed(item.value))
                case 1, 2:
                    at = item.data
                    while at < item.end:
                        value, at = read_varint(self.buf, at, item.end)
                        dims.append(signed(value))
                case 2, 0:
                    code = item.value
                case 8, 2:
                    name = self.buf[item.data : item.end]
                case 9, 2:
                    raw = item
                case 13, 2:
                    entries.append(self._entry(item))
                case 14, 0:
                    external = item.value == TensorProto.EXTERNAL
                case number, _ if number in _TYPED:
                    typed.append(item)
        where = tensor_label(name.decode("utf-8", "backslashreplace"))
        element = element_type(code, where)
        if element.bits == 0:
            return self.buf[start:end]  # strings are refused later, when the node is known
        need = element.nbytes(element_count(tuple(dims), element.bits, where))
        # Shape inference reads 1-D integers as shapes, which in a subgraph cannot be passed in as constants.
        inline = need <= (KNOWN_BYTES if known or element.name in _KNOWN else INLINE_BYTES)
        inline = inline or (nested and len(dims) < 2 and "int" in element.name)
        head = b"".join((
            b"".join(varint(1 << 3 | VARINT) + varint(dim) for dim in dims),
            varint(2 << 3 | VARINT), varint(code), message(8, name),
        ))  # fmt: skip

        if external:
            if (raw is not None and raw.end > raw.data) or typed:
                raise import_error(Code.TensorData, "it has data inside the model and external data too", where=where)
            if need == 0:
                return head + message(9, b"")
            file, offset = self.external.locate(entries, need, where)
            if inline or need <= UNIFORM_BYTES:
                data = _read(file, offset, need, where)
                if inline or _is_uniform(data, element.bits):
                    return head + message(9, data)
            return self._placeholder(head, Span(offset, need, file))
        if raw is not None and not typed:
            check_length(raw.end - raw.data, need, "raw_data", where)
            if inline or (need <= UNIFORM_BYTES and _is_uniform(self.buf[raw.data : raw.end], element.bits)):
                return self.buf[start:end]
            return self._placeholder(head, Span(raw.data, need))
        if inline:
            return self.buf[start:end]  # checked when it becomes an attribute
        if raw is None and len(typed) == 1 and typed[0].wire == BYTES:
            only = typed[0]
            if element.name in _PACKED_IS_RAW.get(only.number, ()) and only.end - only.data == need:
                if need <= UNIFORM_BYTES and _is_uniform(self.buf[only.data : only.end], element.bits):
                    return self.buf[start:end]
                return self._placeholder(head, Span(only.data, need))
        parsed = TensorProto.FromString(self.buf[start:end])
        return self._placeholder(head, Span(0, need, data=raw_bytes(parsed, where)))

    def _placeholder(self, head: bytes, span: Span) -> bytes:
        placeholder = message(1, b"location") + message(2, f"{_PLACEHOLDER}{len(self.out.spans)}".encode())
        self.out.spans.append(span)
        return head + message(13, placeholder) + varint(14 << 3 | VARINT) + varint(TensorProto.EXTERNAL)

    def _entry(self, item: Field) -> tuple[str, str]:
        pair = {1: "", 2: ""}
        for part in fields(self.buf, item.data, item.end):
            if part.number in pair and part.wire == BYTES:
                pair[part.number] = self.buf[part.data : part.end].decode("utf-8", "backslashreplace")
        return pair[1], pair[2]


def _is_uniform(data: bytes, bits: int) -> bool:
    # Sub-byte elements: a splat has equal bytes.
    size = max(bits // 8, 1)
    return data == data[:size] * (len(data) // size)


def _read(file: WeightFile, offset: int, nbytes: int, where: str) -> bytes:
    descriptor = file.open()
    try:
        data = os.pread(descriptor, nbytes, offset)
    finally:
        os.close(descriptor)
    check_length(len(data), nbytes, "the external data file", where)
    return data

"""A scanner for the protobuf wire format that skips over messages without parsing them.

It reads from an `mmap` (or `bytes`), so that skipped fields are not paged in.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from typing import NamedTuple

from forge_mlir.codes import Code
from forge_mlir.onnx_model.errors import import_error

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5

Buffer = mmap.mmap | bytes


class Field(NamedTuple):
    """A field of a message: `number` and `wire` type from the tag, the whole field at [start, end), its payload at
    [data, end). `value` is the number if the field is a varint."""

    number: int
    wire: int
    start: int
    data: int
    end: int
    value: int


def read_varint(buf: Buffer, at: int, end: int) -> tuple[int, int]:
    """The varint at `at` and the offset after it. Raises OnnxImportError beyond `end` or after ten bytes."""
    value = shift = 0
    while at < end:
        byte = buf[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, at
        shift += 7
        if shift > 63:
            break
    raise damaged(at, "a number does not end")


def damaged(at: int, what: str) -> Exception:
    return import_error(
        Code.FileDamaged,
        f"not a readable ONNX file: {what} at byte {at}",
        hint="it is damaged, cut short or no ONNX model",
    )


def fields(buf: Buffer, start: int, end: int, skip: re.Pattern[bytes] | None = None) -> Iterator[Field]:
    """The fields of the message in [start, end), in file order. Raises OnnxImportError if it is malformed. `skip`
    matches runs of whole fields to skip."""
    at = start
    while at < end:
        if skip is not None and (run := skip.match(buf, at, end)) is not None:
            at = run.end()
            continue
        tag = buf[at]
        data = at + 1
        if tag >= 0x80:
            tag, data = read_varint(buf, at, end)
        number, wire, value = tag >> 3, tag & 7, 0
        if not 0 < number < 1 << 29:
            raise damaged(at, "an impossible field number")
        if wire == BYTES:
            length, data = read_varint(buf, data, end)
            stop = data + length
        elif wire == VARINT:
            value, stop = read_varint(buf, data, end)
        elif wire == FIXED64:
            stop = data + 8
        elif wire == FIXED32:
            stop = data + 4
        else:
            raise damaged(at, f"wire type {wire}")
        if stop > end:
            raise damaged(at, f"a field reaches {stop - end} bytes past the end of what holds it")
        yield Field(number, wire, at, data, stop, value)
        at = stop


def signed(value: int) -> int:
    """Interprets a varint as int64."""
    return value - (1 << 64) if value >> 63 else value


def varint(value: int) -> bytes:
    """The encoding of a non-negative (or two's complement 64-bit) number."""
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def message(number: int, payload: bytes) -> bytes:
    """A length-delimited field."""
    return varint(number << 3 | BYTES) + varint(len(payload)) + payload

"""The location of a weight's bytes, and access to them without loading the whole model."""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forge_mlir.codes import Code
from forge_mlir.onnx_model.dtypes import element_by_name
from forge_mlir.onnx_model.errors import import_error, quote

CHUNK = 1 << 20


class WeightFile(NamedTuple):
    """A file in its state at import; `open` fails if it has changed since."""

    path: str
    size: int
    modified_ns: int
    inode: tuple[int, int]

    @staticmethod
    def of(path: str, status: os.stat_result) -> WeightFile:
        return WeightFile(path, status.st_size, status.st_mtime_ns, (status.st_dev, status.st_ino))

    def open(self) -> int:
        """A read-only descriptor, which the caller closes. Raises OnnxImportError if the file is gone or was
        replaced."""
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except OSError as error:
            raise import_error(
                Code.ExternalDataMissing, f"weight file {quote(self.path)} cannot be opened: {error.strerror}"
            ) from error
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or WeightFile.of(self.path, status) != self:
            os.close(descriptor)
            raise import_error(
                Code.WeightsChanged,
                f"weight file {quote(self.path)} has changed since the import",
                hint="import it again",
            )
        return descriptor


@dataclass(frozen=True)
class WeightRef:
    """The bytes of a large tensor: `nbytes` at `offset` of `file`, or of `data` if the source has no file.

    `name` is the exact ONNX name; `dtype` a numpy or ml_dtypes name ("float32", "bfloat16", "int64", "int4"). The bytes
    are in ONNX's raw layout: little-endian, C order, sub-byte types packed low bits first.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    nbytes: int
    offset: int = 0
    file: WeightFile | None = None
    data: bytes = field(default=b"", repr=False)

    def view(self) -> memoryview:
        """The raw bytes, read-only and memory-mapped. Raises OnnxImportError if the file has changed."""
        if self.file is None:
            return memoryview(self.data)[self.offset : self.offset + self.nbytes]
        # Mappings start at a page boundary and exist as long as a view of them.
        page = self.offset - self.offset % mmap.ALLOCATIONGRANULARITY
        descriptor = self.file.open()
        try:
            mapped = mmap.mmap(descriptor, self.offset - page + self.nbytes, access=mmap.ACCESS_READ, offset=page)
        finally:
            os.close(descriptor)
        return memoryview(mapped)[self.offset - page :]

    def sha256(self) -> str:
        """The SHA-256 of the raw bytes, in hexadecimal. Raises OnnxImportError if the file has changed."""
        import hashlib

        digest = hashlib.sha256()
        for chunk in self.chunks():
            digest.update(chunk)
        return digest.hexdigest()

    def array(self) -> npt.NDArray[np.generic]:
        """The tensor as a read-only array over the mapped file. Only sub-byte types are copied, to unpack them."""
        element = element_by_name(self.dtype)
        raw = np.frombuffer(self.view(), dtype=np.uint8)
        if element.bits < 8:
            pairs = np.stack([raw & 0x0F, raw >> 4], axis=-1).reshape(-1)[: int(np.prod(self.shape))]
            if self.dtype == "int4":
                pairs = (pairs.astype(np.int8) ^ 8) - 8
            raw = pairs.astype(element.numpy).view()
        else:
            raw = raw.view(np.dtype(element.numpy))
        raw.flags.writeable = False
        return raw.reshape(self.shape)

    def chunks(self, size: int = CHUNK) -> Iterator[bytes]:
        """The raw bytes in chunks of at most `size`, without mapping the file."""
        if self.file is None:
            for at in range(self.offset, self.offset + self.nbytes, size):
                yield self.data[at : min(at + size, self.offset + self.nbytes)]
            return
        descriptor = self.file.open()
        try:
            at, end = self.offset, self.offset + self.nbytes
            while at < end:
                chunk = os.pread(descriptor, min(size, end - at), at)
                if not chunk:
                    raise import_error(
                        Code.WeightsChanged, f"weight file {quote(self.file.path)} ended early", hint="import it again"
                    )
                yield chunk
                at += len(chunk)
        finally:
            os.close(descriptor)

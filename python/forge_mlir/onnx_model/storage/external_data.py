"""Locates external tensor data, and refuses locations outside of the model's own directories."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from forge_mlir.codes import Code
from forge_mlir.onnx_model.errors import import_error, quote
from forge_mlir.onnx_model.storage.weights import WeightFile

_NUMBER = re.compile(r"[0-9]{1,19}", re.ASCII)
_NOT_RELATIVE = re.compile(r"[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]*://|/")
_KEYS = ("location", "offset", "length", "checksum")


@dataclass(frozen=True)
class ExternalData:
    """Opens the data files of one model.

    `roots` are the directories that may contain data files: that of the given path, and that of the actual model file.
    They differ in the Hugging Face cache, where `snapshots/<revision>/model.onnx` and its data file are links into one
    `blobs` directory. `files` caches opened files, `checksums` hashed ones. `asked` gets the path of each file that was
    looked for, even if it is missing.
    """

    roots: tuple[str, ...]
    asked: set[str] = field(default_factory=set)
    files: dict[str, WeightFile] = field(default_factory=dict)
    checksums: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def beside(path: str, asked: set[str]) -> ExternalData:
        """The data files of the model file at `path`."""
        given, real = os.path.dirname(os.path.abspath(path)), os.path.dirname(os.path.realpath(path))
        return ExternalData((given,) if given == real else (given, real), asked)

    def locate(self, entries: Sequence[tuple[str, str]], need: int, where: str) -> tuple[WeightFile, int]:
        """The file and the offset of a tensor of `need` bytes, from the `external_data` entries of its TensorProto.

        Raises OnnxImportError unless the entries are valid and all bytes are within a regular file under the roots.
        """
        keys = [key for key, _ in entries]
        for key in _KEYS:
            if keys.count(key) > 1:
                raise import_error(Code.ExternalDataDamaged, f"external data has two entries for {key}", where=where)
        given = dict(entries)
        location = given.get("location", "")
        offset = _number(given.get("offset", "0"), "offset", where)
        length = _number(given.get("length", str(need)), "length", where)
        if length != need:
            raise import_error(
                Code.ExternalDataDamaged,
                f"external data has length {length}, but its shape and type need {need} bytes",
                where=where,
            )
        file = self._file(location, where)
        if offset + length > file.size:
            raise import_error(
                Code.ExternalDataDamaged,
                f"external data needs bytes {offset} to {offset + length} of {quote(location)}, which has {file.size}",
                where=where,
                hint="the data file is cut short or belongs to another model",
            )
        if "checksum" in given and given["checksum"].lower() != self._sha1(location, file):
            raise import_error(
                Code.ExternalDataDamaged,
                f"external data file {quote(location)} has not the checksum {quote(given['checksum'])}",
                where=where,
                hint="the data file is damaged or belongs to another model",
            )
        return file, offset

    def _sha1(self, location: str, file: WeightFile) -> str:
        """The SHA-1 of the whole file, as ONNX defines the checksum."""
        if location not in self.checksums:
            import hashlib

            with os.fdopen(file.open(), "rb") as stream:
                self.checksums[location] = hashlib.file_digest(stream, "sha1").hexdigest()
        return self.checksums[location]

    def _file(self, location: str, where: str) -> WeightFile:
        known = self.files.get(location)
        if known is not None:
            return known
        if not self.roots:
            raise import_error(
                Code.ExternalDataMissing,
                f"its data is in the file {quote(location)}, which a ModelProto does not say where to look for",
                where=where,
                hint="import the model by its path, or load it with its external data",
            )
        parts = PurePosixPath(location).parts
        if not parts or "\0" in location or "\\" in location or ".." in parts or _NOT_RELATIVE.match(location):
            raise import_error(
                Code.ExternalDataEscapes,
                f"external data location {quote(location)} is not a relative path below the model",
                where=where,
            )
        paths = [os.path.join(root, *parts) for root in self.roots]
        asked = next(filter(os.path.lexists, paths), paths[0])
        self.asked.add(asked)
        if not os.path.lexists(asked):
            raise import_error(
                Code.ExternalDataMissing,
                f"external data file {quote(location)} is missing",
                where=where,
                hint="put it beside the model",
            )
        file = self._open(os.path.realpath(asked), location, where)
        self.files[location] = file
        return file

    def _open(self, real: str, location: str, where: str) -> WeightFile:
        for root in map(os.path.realpath, self.roots):
            if os.path.commonpath((root, real)) == root and real != root:
                try:
                    return _regular_file(root, real)
                except OSError as error:
                    reason = error.strerror or "it is no regular file"
                    raise import_error(
                        Code.ExternalDataMissing,
                        f"external data file {quote(location)} cannot be read: {reason}",
                        where=where,
                    ) from error
        raise import_error(
            Code.ExternalDataEscapes,
            f"external data file {quote(location)} leads out of the model's directory",
            where=where,
        )


def _number(text: str, key: str, where: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise import_error(
            Code.ExternalDataDamaged, f"external data has {key} {quote(text)}, which is no byte count", where=where
        )
    return int(text)


def _regular_file(root: str, real: str) -> WeightFile:
    """Opens `real`, a path without links, one directory at a time below `root` without following links, so that a link
    that is created after the check is refused. Raises OSError."""
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
    *folders, last = os.path.relpath(real, root).split(os.sep)
    at = os.open(root, os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY)
    try:
        for folder in folders:
            below = os.open(folder, flags | os.O_DIRECTORY, dir_fd=at)
            os.close(at)
            at = below
        # O_NONBLOCK, because opening a FIFO would wait for its writer.
        descriptor = os.open(last, flags | os.O_NONBLOCK, dir_fd=at)
    finally:
        os.close(at)
    try:
        status = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "")
    return WeightFile.of(real, status)

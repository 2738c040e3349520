"""A JSON table of the weights that IR refers to by key.

It lists the files that hold weights, with their state at import, and for each key the dtype, shape and location of a
weight.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, quote
from forge_mlir.onnx_model.dtypes import element_by_name
from forge_mlir.onnx_model.storage.weights import WeightFile, WeightRef
from forge_mlir.support.json_text import json_object
from forge_mlir.support.outputs import Writer


def read_weight_table(path: Path) -> dict[str, WeightRef]:
    """The weights by key. Raises ForgeError for a table that cannot be read, a weight without a type, and files that
    have changed since the import."""
    return _Reader(path).weights()


def write_weight_table(weights: Mapping[str, WeightRef], table: Path) -> dict[Path, Writer]:
    """Writers for the table and, before it, for a file of the weights that have no file because the importer computed
    them."""
    loose = {key: weight for key, weight in weights.items() if weight.file is None}
    data = table.with_suffix(".bin")
    offsets: dict[str, int] = {}
    written = data

    def write_data(path: Path) -> None:
        nonlocal written
        written = path
        offsets.update(_write_data(path, loose))

    def write_table(path: Path) -> None:
        # The state of the file once it contains our mark.
        made = WeightFile.of(str(data.resolve()), written.stat()) if loose else None
        files: dict[WeightFile, int] = {}
        entries = {}
        for key, weight in weights.items():
            file, offset = (weight.file, weight.offset) if weight.file is not None else (made, offsets[key])
            assert file is not None
            index = files.setdefault(file, len(files))
            entries[key] = {"dtype": weight.dtype, "shape": weight.shape, "file": index, "offset": offset}
        shown = [
            {"path": _beside(file.path, table), "size": file.size, "modified_ns": file.modified_ns} for file in files
        ]
        text = json.dumps({"files": shown, "weights": entries}, indent=2)
        path.write_text(f"{text}\n", encoding="ascii")

    return {**({data: write_data} if loose else {}), table: write_table}


def _write_data(path: Path, weights: Mapping[str, WeightRef]) -> dict[str, int]:
    """Writes the weights; returns their offsets. Weights with equal content are stored once, as in the weights file."""
    offsets: dict[bytes, int] = {}
    found = {}
    with path.open("wb") as stream:
        for key, weight in weights.items():
            data = bytes(weight.view())
            if data not in offsets:
                offsets[data] = stream.tell()
                stream.write(data)
            found[key] = offsets[data]
    return found


def _beside(path: str, table: Path) -> str:
    """The path of a file in the table: only its name if it is in the same directory, so that both can be moved."""
    return os.path.basename(path) if os.path.dirname(path) == str(table.parent.resolve()) else path


class _Reader:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._files: dict[int, WeightFile] = {}
        try:
            table = json_object(path.read_bytes())
        except FileNotFoundError:
            self._refuse(Code.ExternalDataMissing, "is not there; put it beside the IR, or name it with --weight-table")
        except (OSError, ValueError):
            table = {}
        weights, files = table.get("weights"), table.get("files")
        if not isinstance(weights, dict) or not isinstance(files, list):
            self._refuse(Code.ExternalDataDamaged, "expected a table that forge-mlir wrote")
        self._weights, self._listed = weights, files

    def _refuse(self, code: Code, reason: str) -> NoReturn:
        raise ForgeError(code, f"weight table {quote(str(self._path))}: {reason}")

    def weights(self) -> dict[str, WeightRef]:
        return {key: self._weight(key, entry) for key, entry in self._weights.items()}

    def _weight(self, key: str, entry: Any) -> WeightRef:
        facts = entry if isinstance(entry, dict) else {}
        dtype, shape = facts.get("dtype"), facts.get("shape")
        try:
            element = element_by_name(str(dtype))
        except KeyError:
            element = None
        is_shape = isinstance(shape, list) and all(isinstance(size, int) and size >= 0 for size in shape)
        if element is None or not element.bits or not isinstance(shape, list) or not is_shape:
            self._refuse(Code.ExternalDataDamaged, f"weight {quote(key)} has no type")
        file, offset = self._file(facts.get("file")), facts.get("offset")
        count = 1
        for size in shape:
            count *= size
        nbytes = element.nbytes(count)
        if not isinstance(offset, int) or not 0 <= offset <= file.size - nbytes:
            self._refuse(Code.ExternalDataDamaged, f"weight {quote(key)} lies outside of its file")
        return WeightRef(key, element.name, tuple(shape), nbytes, offset, file)

    def _file(self, index: Any) -> WeightFile:
        """A file of the table. Raises ForgeError if it has changed since the import."""
        if index in self._files:
            return self._files[index]
        entry = self._listed[index] if isinstance(index, int) and 0 <= index < len(self._listed) else None
        name = entry.get("path") if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or not isinstance(name, str):
            self._refuse(Code.ExternalDataDamaged, f"it has no file {index}")
        path = self._path.parent / name
        try:
            status = path.stat()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self._refuse(Code.ExternalDataMissing, f"weight file {quote(str(path))} cannot be opened: {reason}")
        if not stat.S_ISREG(status.st_mode):
            self._refuse(Code.ExternalDataMissing, f"weight file {quote(str(path))} is no ordinary file")
        if (status.st_size, status.st_mtime_ns) != (entry.get("size"), entry.get("modified_ns")):
            self._refuse(Code.WeightsChanged, f"weight file {quote(str(path))} has changed since the import")
        self._files[index] = WeightFile.of(str(path), status)
        return self._files[index]

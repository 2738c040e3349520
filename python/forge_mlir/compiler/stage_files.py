"""A model between its stages, as files that the MLIR tools read.

`<name>.mlir` is the IR with names and locations, `<name>.weights.json` says where its weights are: the IR names this
table (`forge.weights`), and forge-translate maps the files in it. Facts that only the manifest needs are in the IR too
(`forge.facts`), so that the tools emit what `compile` does, byte by byte.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from torch_mlir import ir

from forge_mlir import _native
from forge_mlir.codes import Code
from forge_mlir.compiler.facts import bytecode_of, facts_of
from forge_mlir.errors import Diagnostic, ForgeError, quote
from forge_mlir.importer import ImportedModel
from forge_mlir.onnx_model.weights import WeightFile, WeightRef

Stage = Literal["import", "forge", "call", "python"]
STAGES: tuple[Stage, ...] = ("import", "forge", "call", "python")
"""What a model becomes: IR of an importer, the forge dialect, its call level, and a Python module."""

_LAST_PASS = {"convert-onnx-to-forge": "forge", "forge-verify-emittable": "call"}
"""The pass behind which the IR is at a stage."""


class Stopped(Exception):
    """A compilation that shall go no further. `StageFiles` raises it in its callback."""


@dataclass
class StageFiles:
    """Writes the stages of one model into `directory`, up to `last`: `<name>.1-import.mlir`, ...

    With `only` none but the last one. Files that are there are replaced with `force` only.
    """

    directory: Path
    last: Stage = "python"
    only: bool = False
    force: bool = False
    written: list[Path] = field(default_factory=list)
    _name: str = ""

    def begin(self, imported: ImportedModel, name: str) -> None:
        """The import stage. Raises Stopped when it is the last one."""
        self._name = name
        self._make_directory()
        _name_module(imported, name, self._write_table(imported))
        self._reached("import", lambda file: _write_module(bytecode_of(imported), file))

    def after(self, run: _native.PassRun) -> None:
        """Called with each pass that ran."""
        stage = _LAST_PASS.get(run.name)
        if stage is not None and run.op == "":
            self._reached(stage, lambda file: _write_text(file, run.ir()))

    def _reached(self, stage: str, write: Any) -> None:
        number = STAGES.index(stage) + 1
        if not self.only or stage == self.last:
            file = self.directory / f"{self._name}.{number}-{stage}.mlir"
            _make_room(file, self.force)
            write(file)
            self.written.append(file)
        if stage == self.last:
            raise Stopped

    def _write_table(self, imported: ImportedModel) -> Path:
        table = self.directory / f"{self._name}.weights.json"
        write_weight_table(imported, table, self.force)
        return table

    def _make_directory(self) -> None:
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _cannot_write(self.directory, error) from error


def write_import(
    imported: ImportedModel,
    file: str | os.PathLike[str],
    name: str,
    *,
    inline_weights: bool = False,
    force: bool = False,
) -> None:
    """Writes an imported model as text, or as bytecode if `file` ends in .mlirbc, for the MLIR tools. `name` is what
    its Python module will be called.

    A table of where the weights are comes beside it, unless `inline_weights` puts them into the file. Files that are
    there are replaced with `force` only. Raises ForgeError.
    """
    path = Path(file)
    _make_room(path, force)
    if inline_weights:
        with TemporaryDirectory() as directory:
            table = Path(directory, "weights.json")
            write_weight_table(imported, table, force)
            _name_module(imported, name, None)
            _write_module(bytecode_of(imported), path, table)
    else:
        table = path.with_name(f"{path.name.removesuffix('.mlirbc').removesuffix('.mlir')}.weights.json")
        write_weight_table(imported, table, force)
        _name_module(imported, name, table)
        _write_module(bytecode_of(imported), path)


def write_weight_table(imported: ImportedModel, table: Path, force: bool) -> None:
    """Writes where the weights of a model are: files as they were at the import, and each weight's type and place.

    Weights that have no file, because the importer made them, go into one beside the table.
    """
    _make_room(table, force)
    files: dict[WeightFile, int] = {}
    loose = [key for key, weight in imported.weights.items() if weight.file is None]
    try:
        places = _write_data(_data_file(table), {key: imported.weights[key] for key in loose}, force)
        weights = {}
        for key, weight in imported.weights.items():
            file, offset = places[key] if weight.file is None else (weight.file, weight.offset)
            index = files.setdefault(file, len(files))
            weights[key] = {"dtype": weight.dtype, "shape": weight.shape, "file": index, "offset": offset}
        shown = [
            {"path": _beside(file.path, table), "size": file.size, "modified_ns": file.modified_ns} for file in files
        ]
        text = json.dumps({"files": shown, "weights": weights}, indent=2)
        table.write_text(f"{text}\n", encoding="ascii")
    except OSError as error:
        raise _cannot_write(table, error) from error


def _data_file(table: Path) -> Path:
    return table.with_suffix(".bin")


def _write_data(file: Path, weights: Mapping[str, WeightRef], force: bool) -> dict[str, tuple[WeightFile, int]]:
    if not weights:
        return {}
    _make_room(file, force)
    offsets: dict[bytes, int] = {}
    with file.open("wb") as stream:
        for weight in weights.values():
            data = bytes(weight.view())
            if data not in offsets:  # One place for one content, as in the weights file.
                offsets[data] = stream.tell()
                stream.write(data)
    made = WeightFile.of(str(file.resolve()), file.stat())
    return {key: (made, offsets[bytes(weight.view())]) for key, weight in weights.items()}


def _beside(path: str, table: Path) -> str:
    """A file as the table names it: by its name where it is beside the table, so that both can be moved."""
    return os.path.basename(path) if os.path.dirname(path) == str(table.parent.resolve()) else path


def _name_module(imported: ImportedModel, name: str, table: Path | None) -> None:
    attributes = imported.module.operation.attributes
    facts = facts_of(imported)
    del facts["onnx"]["opset"]  # The function says it; a domain may be "", and no attribute of MLIR's has that name.
    with imported.module.context:
        attributes["sym_name"] = ir.StringAttr.get(name)
        attributes["forge.facts"] = _attribute(facts)
        if table is not None:
            attributes["forge.weights"] = ir.StringAttr.get(table.name)


def _attribute(fact: Any) -> ir.Attribute:
    if isinstance(fact, dict):
        return ir.DictAttr.get({key: _attribute(value) for key, value in fact.items()})
    if isinstance(fact, (list, tuple)):
        return ir.ArrayAttr.get([_attribute(value) for value in fact])
    if isinstance(fact, int):
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), fact)
    return ir.UnitAttr.get() if fact is None else ir.StringAttr.get(fact)


def _make_room(file: Path, force: bool) -> None:
    try:
        if not force and os.path.lexists(file):
            raise ForgeError(Code.CannotWrite, f"{quote(file)[1:-1]}: is there already; move it away, or give --force")
        file.unlink(missing_ok=True)
    except OSError as error:
        raise _cannot_write(file, error) from error


def _write_module(source: bytes, file: Path, weights: Path | None = None) -> None:
    table = b"" if weights is None else os.fsencode(weights)
    done, reports = _native.write_module(source, os.fsencode(file), file.suffix == ".mlirbc", table)
    if done is None:
        raise ForgeError(Code.CannotWrite, f"{quote(file)[1:-1]}: is not written", Diagnostic.all_of(reports))


def _write_text(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _cannot_write(file, error) from error


def _cannot_write(path: Path, error: OSError) -> ForgeError:
    return ForgeError(Code.CannotWrite, f"cannot write to {quote(path)}: {error.strerror}")

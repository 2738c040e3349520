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
from forge_mlir.support.outputs import Writer, cannot_write, check_output, write_output, write_outputs

Stage = Literal["import", "forge", "call", "python"]
STAGES: tuple[Stage, ...] = ("import", "forge", "call", "python")
"""What a model becomes: IR of an importer, the forge dialect, its call level, and a Python module."""

_LAST_PASS: dict[str, Stage] = {"convert-onnx-to-forge": "forge", "forge-verify-emittable": "call"}
"""The pass behind which the IR is at a stage."""


class Stopped(Exception):
    """A compilation that shall go no further. `StageFiles` raises it in its callback."""


@dataclass
class StageFiles:
    """Writes the stages of one model into `directory`, up to `last`: `<name>.1-import.mlir`, ...

    With `only` none but the last one. Files that are there are replaced if we wrote them, or with `force`.
    """

    directory: Path
    last: Stage = "python"
    only: bool = False
    force: bool = False
    written: list[Path] = field(default_factory=list)
    _name: str = ""
    _inputs: tuple[Path, ...] = ()
    _table: dict[Path, Writer] = field(default_factory=dict)
    """What is to be written with the first stage."""

    def begin(self, imported: ImportedModel, name: str) -> None:
        """The import stage. Raises Stopped when it is the last one."""
        self._name = name
        self._inputs = tuple(map(Path, imported.files))
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise cannot_write(self.directory, error) from error
        table = self.directory / f"{name}.weights.json"
        self._table = dict(weight_table(imported, table))
        stages = (self.last,) if self.only else STAGES[: STAGES.index(self.last) + 1]
        for path in (*self._table, *(self._file(stage) for stage in stages if stage != "python")):
            check_output(path, self._inputs, self.force)
        _name_module(imported, name, table)
        self._reached("import", _ir_writer(imported, bytecode=False))

    def after(self, run: _native.PassRun) -> None:
        """Called with each pass that ran."""
        stage = _LAST_PASS.get(run.name)
        if stage is not None and run.op == "":
            self._reached(stage, lambda file: file.write_text(run.ir(), encoding="utf-8"))

    def _file(self, stage: str) -> Path:
        return self.directory / f"{self._name}.{STAGES.index(stage) + 1}-{stage}.mlir"

    def _reached(self, stage: Stage, write: Writer) -> None:
        if not self.only or stage == self.last:
            file = self._file(stage)
            write_outputs({**self._table, file: write}, self._inputs, self.force)
            self._table = {}
            self.written.append(file)
        if stage == self.last:
            raise Stopped


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
    there are replaced if we wrote them, or with `force`. Raises ForgeError.
    """
    path, inputs = Path(file), tuple(map(Path, imported.files))
    bytecode = path.suffix == ".mlirbc"
    if inline_weights:
        with TemporaryDirectory() as directory:
            table = Path(directory, "weights.json")
            write_outputs(weight_table(imported, table))
            _name_module(imported, name, None)
            write_output(path, _ir_writer(imported, bytecode, table), inputs, force)
    else:
        table = path.with_name(f"{path.name.removesuffix('.mlirbc').removesuffix('.mlir')}.weights.json")
        _name_module(imported, name, table)
        files = {**weight_table(imported, table), path: _ir_writer(imported, bytecode)}
        write_outputs(files, inputs, force)


def weight_table(imported: ImportedModel, table: Path) -> dict[Path, Writer]:
    """What writes where the weights of a model are: files as they were at the import, and each weight's type and place.

    Weights that have no file, because the importer made them, are written to one beside the table, before it.
    """
    loose = {key: weight for key, weight in imported.weights.items() if weight.file is None}
    data = table.with_suffix(".bin")
    offsets: dict[str, int] = {}
    written = data

    def write_data(path: Path) -> None:
        nonlocal written
        written = path
        offsets.update(_write_data(path, loose))

    def write_table(path: Path) -> None:
        # As it is with the mark of a file that we wrote.
        made = WeightFile.of(str(data.resolve()), written.stat()) if loose else None
        files: dict[WeightFile, int] = {}
        weights = {}
        for key, weight in imported.weights.items():
            file, offset = (weight.file, weight.offset) if weight.file is not None else (made, offsets[key])
            assert file is not None
            index = files.setdefault(file, len(files))
            weights[key] = {"dtype": weight.dtype, "shape": weight.shape, "file": index, "offset": offset}
        shown = [
            {"path": _beside(file.path, table), "size": file.size, "modified_ns": file.modified_ns} for file in files
        ]
        text = json.dumps({"files": shown, "weights": weights}, indent=2)
        path.write_text(f"{text}\n", encoding="ascii")

    return {**({data: write_data} if loose else {}), table: write_table}


def _write_data(path: Path, weights: Mapping[str, WeightRef]) -> dict[str, int]:
    """Where each weight is in the file that it is written to, one place for one content, as in the weights file."""
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


def _ir_writer(imported: ImportedModel, bytecode: bool, weights: Path | None = None) -> Writer:
    """Writes the IR of a model as it is when it is written, with the weights of a table where one is given."""

    def write(file: Path) -> None:
        table = b"" if weights is None else os.fsencode(weights)
        file.unlink(missing_ok=True)  # The native module writes new files only.
        done, reports = _native.write_module(bytecode_of(imported), os.fsencode(file), bytecode, table)
        if done is None:
            raise ForgeError(Code.CannotWrite, f"{quote(file)[1:-1]}: is not written", Diagnostic.all_of(reports))

    return write

"""Files of a model between stages, for the MLIR tools.

`<name>.mlir` is the IR with names and locations; `<name>.weights.json` lists the locations of its weights. The IR names
this table (`forge.weights`), which `forge-mlir emit` reads. Facts that only the manifest needs are in the IR too
(`forge.facts`), so that the tools emit the same bytes as `compile`.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from torch_mlir import ir

from forge_mlir import _native
from forge_mlir.artifact.weight_table import write_weight_table
from forge_mlir.codes import Code
from forge_mlir.compiler.facts import bytecode_of, facts_of
from forge_mlir.compiler.option_types.spec import STAGES, Stage
from forge_mlir.errors import Diagnostic, ForgeError, shortened
from forge_mlir.importer import ImportedModel
from forge_mlir.support.outputs import Writer, cannot_write, check_output, write_output, write_outputs

_LAST_PASS: dict[str, Stage] = {"convert-onnx-to-forge": "forge", "forge-verify-emittable": "call"}
"""The last pass before each stage."""


class Stopped(Exception):
    """Ends a compilation after the last stage that is needed. `StageFiles` raises it in its callback."""


@dataclass
class StageFiles:
    """Writes the stages of one model into `directory`, up to `last`: `<name>.1-import.mlir`, ...

    With `only`, just the last one. Existing files are replaced if this program wrote them, or with `force`.
    """

    directory: Path
    last: Stage = "python"
    only: bool = False
    force: bool = False
    written: list[Path] = field(default_factory=list)
    _name: str = ""
    _inputs: tuple[Path, ...] = ()
    _table: dict[Path, Writer] = field(default_factory=dict)
    """Files to write with the first stage."""

    def begin(self, imported: ImportedModel, name: str) -> None:
        """Writes the import stage. Raises Stopped if it is the last one."""
        self._name = re.sub(r"[/\0]", "_", name) or "model"  # The name of an untrusted graph may be a path.
        self._inputs = tuple(map(Path, imported.files))
        table = self.directory / f"{self._name}.weights.json"
        self._table = dict(write_weight_table(imported.weights, table))
        stages = (self.last,) if self.only else STAGES[: STAGES.index(self.last) + 1]
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            for path in (*self._table, *(self._file(stage) for stage in stages if stage != "python")):
                check_output(path, self._inputs, self.force)
        except OSError as error:
            raise cannot_write(self.directory, error) from error
        _name_module(imported, name, table)
        self._reached("import", _ir_writer(imported, bytecode=False))

    def after(self, run: _native.PassRun) -> None:
        """The callback after each pass."""
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
    """Writes an imported model for the MLIR tools, as text, or as bytecode if `file` ends in .mlirbc. `name` will be
    the name of its Python module.

    The table of weights is written next to it, unless `inline_weights` puts the weights into the file. Existing files
    are replaced if this program wrote them, or with `force`. Raises ForgeError.
    """
    path, inputs = Path(file), tuple(map(Path, imported.files))
    bytecode = path.suffix == ".mlirbc"
    if inline_weights:
        _name_module(imported, name, None)
        write_output(path, _ir_writer(imported, bytecode, inline_weights=True), inputs, force)
    else:
        table = path.with_name(f"{path.name.removesuffix('.mlirbc').removesuffix('.mlir')}.weights.json")
        _name_module(imported, name, table)
        files = {**write_weight_table(imported.weights, table), path: _ir_writer(imported, bytecode)}
        write_outputs(files, inputs, force)


def _name_module(imported: ImportedModel, name: str, table: Path | None) -> None:
    attributes = imported.module.operation.attributes
    facts = facts_of(imported)
    del facts["onnx"]["opset"]  # An attribute of the function; "", a domain, cannot be the name of an attribute.
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


def _ir_writer(imported: ImportedModel, bytecode: bool, inline_weights: bool = False) -> Writer:
    """A writer for the IR of a model in its state when it is called, with or without weights."""

    def write(file: Path) -> None:
        given = imported.weights if inline_weights else {}
        weights = [(key, np.frombuffer(weight.view(), np.uint8)) for key, weight in given.items()]
        file.unlink(missing_ok=True)  # The native module does not overwrite files.
        done, reports = _native.write_module(bytecode_of(imported), os.fsencode(file), bytecode, weights)
        if done is None:
            raise ForgeError(Code.CannotWrite, f"{shortened(file)}: is not written", Diagnostic.all_of(reports))

    return write

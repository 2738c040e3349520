"""Which ops, versions and types exist, and which of them a model uses, so that the coverage of a campaign can be
counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
import onnxruntime.capi.onnxruntime_pybind11_state as runtime
from onnx import NodeProto, TensorProto, helper

from forge_mlir import _native
from yaml_file import read_yaml

_OPS = read_yaml(Path(__file__).parent / "ops.yaml")
NOT_DRAWN, EXACT, ROUNDS, SUMS, STEPS = (
    frozenset(_OPS[kind].split()) for kind in ("not_drawn", "exact", "rounds", "sums", "steps")
)
_CONTRIB = "com.microsoft"
TYPE_ATTRIBUTES = ("to", "dtype", "output_dtype")
"""Attributes that determine the type of a result."""


class Cell(NamedTuple):
    """A version of an op, and the type of one of its type variables; both texts are "" for an op without type
    variables."""

    op: tuple[str, str]
    since: int
    variable: str = ""
    dtype: str = ""

    def name(self) -> str:
        return ".".join(filter(None, self.op))


class Schema(NamedTuple):
    """The parts of a schema of onnx or onnxruntime that are used here."""

    op: tuple[str, str]
    since: int
    inputs: tuple[tuple[str, str], ...]
    variadic: bool
    attributes: frozenset[str]
    types: Mapping[str, tuple[str, ...]]

    def formal(self, at: int) -> tuple[str, str]:
        """Name and type of an operand."""
        if at < len(self.inputs):
            return self.inputs[at]
        return self.inputs[-1] if self.variadic and self.inputs else ("", "")


@cache
def schemas() -> dict[tuple[str, str], dict[int, Schema]]:
    """The versions of all ops that are drawn: those of onnx, and those of onnxruntime's own domain."""
    found: dict[tuple[str, str], dict[int, Schema]] = defaultdict(dict)
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.name not in NOT_DRAWN and not schema.deprecated:
            found[schema.domain, schema.name][schema.since_version] = _read(schema, schema.inputs)
    for schema in runtime.get_all_operator_schema():
        key = (schema.domain, schema.name)
        if schema.domain == _CONTRIB or (not schema.domain and key not in found and schema.name not in NOT_DRAWN):
            found[key][schema.since_version] = _read(schema, schema.inputs)
    return dict(found)


def _read(schema: Any, inputs: Iterable[Any]) -> Schema:
    formals = list(inputs)
    variadic = bool(formals) and "Variadic" in str(formals[-1].option)
    types = {
        constraint.type_param_str: tuple(sorted(filter(_is_drawn, constraint.allowed_type_strs)))
        for constraint in schema.type_constraints
    }
    names = tuple((formal.name, getattr(formal, "type_str", None) or formal.typeStr) for formal in formals)
    attributes = getattr(schema, "attributes", None) or {}
    key = (schema.domain, schema.name)
    return Schema(key, schema.since_version, names, variadic, frozenset(attributes), types)


def _is_drawn(written: str) -> bool:
    return written.startswith("tensor(") and "complex" not in written and written != "tensor(string)"


def schema_at(op: tuple[str, str], version: int) -> Schema | None:
    """The version of an op that an opset has."""
    since = max((number for number in schemas().get(op, {}) if number <= version), default=None)
    return None if since is None else schemas()[op][since]


def cells_of_schema(schema: Schema) -> list[Cell]:
    """One cell for each type of each type variable that a node can choose."""
    operands = {variable for _, variable in schema.inputs}
    named = not operands & schema.types.keys() and any(name in schema.attributes for name in TYPE_ATTRIBUTES)
    chosen = {variable for variable in schema.types if variable in operands or named}
    if schema.op[1] in ("Cast", "EyeLike", "QuantizeLinear") and not schema.op[0]:
        chosen |= {variable for variable in schema.types if variable not in operands}
    found = [Cell(schema.op, schema.since, name, dtype) for name in sorted(chosen) for dtype in schema.types[name]]
    return found or [Cell(schema.op, schema.since)]


def cells_of_node(node: NodeProto, version: int, dtypes: Mapping[str, np.dtype[Any]]) -> list[Cell]:
    """The cells that a node covers, as far as the types of its operands are known."""
    schema = schema_at((node.domain, node.op_type), version)
    if schema is None:
        return []
    found = {}
    for at, name in enumerate(node.input):
        variable = schema.formal(at)[1]
        if name in dtypes and variable in schema.types:
            found[variable] = _written(helper.np_dtype_to_tensor_dtype(dtypes[name]))
    for attribute in node.attribute:
        if attribute.name in TYPE_ATTRIBUTES and attribute.i:
            for variable in schema.types.keys() - {formal for _, formal in schema.inputs}:
                found[variable] = _written(attribute.i)
    made = [Cell(schema.op, schema.since, variable, dtype) for variable, dtype in found.items()]
    return made or [Cell(schema.op, schema.since)]


def _written(number: int) -> str:
    name = TensorProto.DataType.Name(number).lower() if number in TensorProto.DataType.values() else ""
    return f"tensor({name})"


@cache
def wanted() -> list[Cell]:
    """The cells of all ONNX ops that are drawn, and of the onnxruntime ops that have a converter."""
    known = {(domain, op) for domain, op, _ in _native.registered_ops()}
    known |= {(schema.domain, schema.name) for schema in onnx.defs.get_all_schemas_with_history()}
    versions = [version for op, versions in sorted(schemas().items()) if op in known for version in versions.values()]
    return [cell for version in versions for cell in cells_of_schema(version)]


class Coverage:
    """The cells of the cases, and the number of cases in which an oracle knew the expected result."""

    def __init__(self) -> None:
        self.made: Counter[Cell] = Counter()
        self.judged: Counter[Cell] = Counter()

    def add(self, cells: Iterable[Cell], judged: bool) -> None:
        for cell in cells:
            self.made[cell] += 1
            self.judged[cell] += judged

    def report(self, most: int | None = None) -> str:
        """The number of ops, versions and types, and the missing versions, of at most `most` ops."""
        cells = set(wanted())
        lines = []
        for title, seen in (("drawn", +self.made), ("judged by an oracle", +self.judged)):
            parts = []
            for what, part in (("ops", lambda cell: cell[:1]), ("versions", lambda cell: cell[:2]), ("types", tuple)):
                parts_there = {part(cell) for cell in cells}
                parts.append(f"{len(parts_there & {part(cell) for cell in seen})} of {len(parts_there)} {what}")
            lines.append(f"  {title}: {', '.join(parts)}; missing: {_missing(cells, set(seen), most) or 'none'}")
        return "\n".join(lines)


def _missing(cells: set[Cell], seen: set[Cell], most: int | None) -> str:
    versions = {(cell.name(), cell.since) for cell in cells} - {(cell.name(), cell.since) for cell in seen}
    by_op = defaultdict(list)
    for name, since in sorted(versions):
        by_op[name].append(str(since))
    shown = [f"{name} {'/'.join(numbers)}" for name, numbers in by_op.items()][:most]
    more = len(by_op) - len(shown)
    return ", ".join([*shown, f"and of {more} more ops"] if more else shown)

"""Programs of the forge dialect as lines of the generic form, which can be changed without regard to their meaning."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from torch_mlir import ir

import forge_mlir
from forge_mlir.dialects import forge
from forge_mlir.errors import ForgeError

TESTS = Path(__file__).resolve().parents[2] / "Dialect/Forge/Transforms"
_OP = re.compile(
    r'^\s*(?:(?P<results>%[\w$.-]+)(?::\d+)? = )?"(?P<name>[\w.]+)"\((?P<operands>[^)]*)\)'
    r"(?P<attributes>(?: <?\{.*\}>?)*) : \((?P<types>[^)]*)\) -> (?P<made>\(.*\)|\S+)$"
)
_TYPE = re.compile(r"tensor<[^>]*>")
_SIZE = re.compile(r"(\d+)(?=x)")
SMALL = 1 << 13
"""The largest number of elements of a value: larger programs are not computed hundreds of times."""


@dataclass(frozen=True)
class Op:
    """`name` is the name of the op; `result` is a result, also "%3#1", and the first part of several. `attributes` are
    text in braces."""

    result: str
    name: str
    operands: tuple[str, ...]
    attributes: str
    types: tuple[str, ...]
    made: tuple[str, ...]

    def results(self) -> tuple[str, ...]:
        if not self.made:
            return ()
        return (self.result,) if len(self.made) == 1 else tuple(f"{self.result}#{i}" for i in range(len(self.made)))

    def text(self) -> str:
        made = "" if not self.made else self.result + (f":{len(self.made)}" if len(self.made) > 1 else "") + " = "
        types = self.made[0] if len(self.made) == 1 else f"({', '.join(self.made)})"
        operands = f"({', '.join(self.operands)})"
        return f'{made}"{self.name}"{operands}{self.attributes} : ({", ".join(self.types)}) -> {types}'


@dataclass(frozen=True)
class Program:
    """A function of one block. `arguments` and `outputs` are (value, type)."""

    arguments: tuple[tuple[str, str], ...]
    ops: tuple[Op, ...]
    outputs: tuple[tuple[str, str], ...]
    origin: str = field(default="", compare=False)

    def text(self, name: str = "main") -> str:
        arguments = ", ".join(f"{value}: {type_}" for value, type_ in self.arguments)
        types = ", ".join(type_ for _, type_ in self.outputs)
        lines = [f"func.func @{name}({arguments}) -> ({types}) {{", *(f"  {op.text()}" for op in self.ops)]
        returned = ", ".join(value for value, _ in self.outputs)
        return "\n".join([*lines, f"  return {returned} : {types}" if types else "  return", "}", ""])

    def values(self) -> dict[str, str]:
        """The type of each value."""
        found = dict(self.arguments)
        for op in self.ops:
            found.update(zip(op.results(), op.made, strict=True))
        return found

    def elements(self) -> int:
        """The number of elements of the largest value."""
        return max((math.prod(map(int, _SIZE.findall(type_))) for type_ in self.values().values()), default=0)

    def with_ops(self, ops: Sequence[Op]) -> Program:
        return replace(self, ops=tuple(ops))


def corpus(most: int = SMALL) -> dict[str, list[Program]]:
    """The functions of lit inputs of passes that this parser can read and that have no value with more than `most`
    elements, by file."""
    small = {name: [each for each in programs if each.elements() <= most] for name, programs in _inputs().items()}
    return {name: programs for name, programs in small.items() if programs}


@cache
def _inputs() -> dict[str, list[Program]]:
    found = dict[str, list[Program]]()
    for path in sorted(TESTS.rglob("*.mlir")):
        for part in path.read_text(encoding="utf-8").split("// -----"):
            found.setdefault(path.stem, []).extend(programs_of(part, path.stem))
    return found


def programs_of(text: str, origin: str) -> list[Program]:
    """The functions of a module that have one block with forge ops only; none if the text is no module."""
    context = ir.Context()
    forge_mlir.register(context)
    try:
        module = forge.parse(text, context)
    except (ForgeError, ir.MLIRError):
        return []
    functions = (operation.operation for operation in module.body.operations)
    return [found for function in functions if (found := _program(function, origin))]


def _program(function: ir.Operation, origin: str) -> Program | None:
    if function.name != "func.func" or len(function.regions[0].blocks) != 1 or "forge.partition" in function.attributes:
        return None
    block = function.regions[0].blocks[0]
    ops: list[Op] = []
    outputs: tuple[tuple[str, str], ...] = ()
    for operation in block.operations:
        op = operation.operation
        match = _OP.match(op.get_asm(print_generic_op_form=True, use_local_scope=True))
        if match is None:
            return None
        operands = tuple(filter(None, match["operands"].split(", ")))
        types = tuple(_TYPE.findall(match["types"]))
        if len(types) != len(operands):
            return None
        if op.name == "func.return":
            outputs = tuple(zip(operands, types, strict=True))
        elif op.name.startswith("forge."):
            made = tuple(_TYPE.findall(match["made"]))
            ops.append(Op(match["results"] or "", op.name, operands, match["attributes"], types, made))
        else:
            return None
    arguments = tuple((f"%arg{i}", str(argument.type)) for i, argument in enumerate(block.arguments))
    if not ops or not outputs or not all(_TYPE.fullmatch(type_) for _, type_ in arguments):
        return None
    return Program(arguments, tuple(ops), outputs, origin)

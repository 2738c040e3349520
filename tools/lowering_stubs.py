"""Writes python/forge_mlir/lowerings/op_methods.pyi: the ops of the forge dialect as typed methods of a Builder.

They correspond to those of `_forge_ops_gen.py`, which mlir-tblgen generates from the ODS records during the build. The
file is checked in; a test compares it with the records.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from forge_mlir.lowerings.op_methods import NOT_BUILT, generated_source

ROOT = Path(__file__).resolve().parent.parent
STUB = ROOT / "python/forge_mlir/lowerings/op_methods.pyi"

_TYPES = {
    "BoolAttr": "bool",
    "DenseI64ArrayAttr": "Sequence[int]",
    "F32Attr": "float",
    "Forge_IntAttr": "int",
    "StrAttr": "str",
    "TypeAttr": "npt.DTypeLike",
}

_HEAD = '''"""Made by `python tools/lowering_stubs.py` from the ODS records; do not edit it."""

from collections.abc import Sequence

import numpy.typing as npt

from forge_mlir._native import LoweringCall
from forge_mlir.lowerings.node import Value

NOT_BUILT: frozenset[str]

def generated_source() -> str: ...

class OpMethods:
    _call: LoweringCall
    def __init__(self, call: LoweringCall) -> None: ...
'''


def stub() -> str:
    """The text of the file."""
    tree = ast.parse(Path(generated_source()).read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    lines = [_method(function, classes) for function in tree.body if isinstance(function, ast.FunctionDef)]
    return _HEAD + "".join(line for line in lines if line)


def _method(function: ast.FunctionDef, classes: dict[str, ast.ClassDef]) -> str:
    name = function.name
    op = next(
        node.func.id
        for node in ast.walk(function)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in classes
    )
    init = next(node for node in classes[op].body if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    kinds = dict(_kinds(init))
    if name in NOT_BUILT:
        return ""
    own = [arg.arg for arg in init.args.args[1:]]
    words = ["self"]
    for shown, known in zip((arg.arg for arg in function.args.args), own, strict=True):
        words.append(f"{shown}: {kinds[known]}")
    optional = [arg.arg for arg in function.args.kwonlyargs if arg.arg not in ("results", "loc", "ip")]
    if optional:
        words += ["*", *(f"{arg}: {kinds[arg]} | None = None" for arg in optional)]
    result = "list[Value]" if name == "split" else "Value"
    return _formatted(f"    def {name}(", words, f") -> {result}: ...\n")


def _formatted(head: str, words: list[str], tail: str) -> str:
    """Formats a signature as ruff does."""
    line = ", ".join(words)
    if len(head + line + tail) - 1 <= 120:
        return head + line + tail
    if len(line) + 8 <= 120:
        return f"{head}\n        {line}\n    {tail}"
    return head + "".join(f"\n        {word}," for word in words) + f"\n    {tail}"


def _kinds(init: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """The Python type of each argument of an op class."""
    for node in ast.walk(init):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        ):
            if node.func.value.id != "operands":
                continue
            argument = node.args[0]
            if isinstance(argument, ast.Name):
                yield argument.id, "Value"
            elif isinstance(argument, ast.Call) and isinstance(argument.args[0], ast.Name):
                yield argument.args[0].id, "Sequence[Value]"
        if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Subscript):
            key = target.slice
            kind = next((text for text in _texts(node.value) if text in _TYPES or text.endswith("Attr")), "")
            if isinstance(key, ast.Constant):
                yield str(key.value), _TYPES.get(kind, "object")


def _texts(value: ast.expr) -> Iterator[str]:
    return (node.value for node in ast.walk(value) if isinstance(node, ast.Constant) and isinstance(node.value, str))


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="ascii")
    sys.exit(0)

"""Every op in the reference of the dialect has an example, which is how the op prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from torch_mlir import ir

import forge_mlir
from forge_mlir.dialects import forge

PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "forge-dialect.md").read_text(encoding="utf-8")
SECTIONS: dict[str, str] = dict(re.findall(r"^### `(forge\.\w+)`(.*?)(?=^### |\Z)", PAGE, re.M | re.S))
# `%y, %z = forge.op ... : types`, where types are one type, or the types of operands and results.
LINE = re.compile(r"(?P<results>.+?) = (?P<op>forge\.\w+) (?P<rest>.*?) : (?P<types>\(?tensor<.*|\(\) -> .*)")


def _example(section: str) -> str:
    found = re.search(r"^```mlir\n(.*?)^```$", section, re.M | re.S)
    return found[1].strip() if found else ""


def _program(example: str) -> str:
    """`example` in a function whose arguments are the values that the example does not define."""
    if example.startswith("func.func"):
        return example
    made: set[str] = set()
    arguments: dict[str, str] = {}
    for line in example.splitlines():
        match = LINE.fullmatch(line)
        assert match is not None, line
        operands = re.findall(r"%\w+", match["rest"])
        types = match["types"]
        given = (
            re.findall(r"tensor<[^>]*>", types[: types.index(" -> ")]) if " -> " in types else [types] * len(operands)
        )
        arguments |= {name: type_ for name, type_ in zip(operands, given, strict=True) if name not in made}
        made |= set(re.findall(r"%\w+", match["results"]))
    signature = ", ".join(f"{name}: {type_}" for name, type_ in arguments.items())
    return f"func.func @example({signature}) {{\n{example}\nreturn\n}}"


def _renamed(text: str) -> str:
    """The lines of `text`, with values numbered in order of their appearance."""
    names: dict[str, str] = {}
    numbered = re.sub(r"%\w+(#\d+)?", lambda match: names.setdefault(match[0], f"%{len(names)}"), text)
    return "\n".join(line.strip() for line in numbered.splitlines() if line.strip())


def test_the_reference_has_every_op() -> None:
    assert set(SECTIONS) == {op.OPERATION_NAME for op in forge.OP_CLASSES}


@pytest.mark.parametrize("op", sorted(SECTIONS))
def test_the_example_of_an_op_is_parsed_and_printed_unchanged(op: str) -> None:
    example = _example(SECTIONS[op])
    assert op in example, f"{op} has no example in its record"
    context = ir.Context()
    forge_mlir.register(context)
    module = forge.parse(_program(example), context)
    printed = forge.text(module)
    assert forge.text(forge.parse(printed, context)) == printed
    functions = [forge.text(function) for function in module.body.operations]
    assert _body("\n".join(functions)) == _body(_program(example))


def _body(program: str) -> str:
    """The ops of a program, without functions and braces."""
    lines = [line for line in program.splitlines() if " = " in line or "return %" in line]
    return _renamed("\n".join(line for line in lines if "func.func" not in line))


def test_the_example_of_the_dialect() -> None:
    context = ir.Context()
    forge_mlir.register(context)
    example = _example(PAGE[: PAGE.index("## Operations")])
    module = forge.parse(example, context)
    assert _body(forge.text(module)) == _body(example)

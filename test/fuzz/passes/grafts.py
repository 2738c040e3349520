"""Joins several programs into one whose parts read each other's values, so that the result of one rewrite is matched by
another one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from fuzz.passes.text import Op, Program

_VALUE = re.compile(r"%([\w$.-]+)")
_KEY = re.compile(r'(?<=key = ")')
_SHARED = 0.7
"""The probability that an argument becomes a value of an earlier program, if there is one of its type."""


def grafted(r: Random, programs: Sequence[Program]) -> Program:
    """All `programs` as one. Outputs that a later program reads may no longer be outputs."""
    ops: list[Op] = []
    arguments: list[tuple[str, str]] = []
    outputs: list[tuple[str, str]] = []
    known: dict[str, str] = {}
    for at, program in enumerate(programs):
        names: dict[str, str] = {}
        for value, type_ in program.arguments:
            alike = [other for other, known_type in known.items() if known_type == type_]
            if alike and r.random() < _SHARED:
                names[value] = r.choice(alike[-6:])
            else:
                names[value] = f"%arg{len(arguments)}"
                arguments.append((names[value], type_))
        ops += [_renamed(op, at, names) for op in program.ops]
        outputs += [(_name(value, at, names), type_) for value, type_ in program.outputs]
        known.update((name, type_) for name, type_ in arguments)
        for op in ops[-len(program.ops) :]:
            if op.name not in ("forge.parameter", "forge.constant"):
                known.update(zip(op.results(), op.made, strict=True))
    read = {operand for op in ops for operand in op.operands}
    kept = [output for output in dict(outputs).items() if output[0] not in read or r.random() < 0.5]
    origin = " + ".join(dict.fromkeys(program.origin for program in programs))
    return Program(tuple(arguments), tuple(ops), tuple(kept or outputs[-1:]), origin)


def _renamed(op: Op, at: int, names: dict[str, str]) -> Op:
    attributes = _KEY.sub(f"{at}.", op.attributes) if op.name == "forge.parameter" else op.attributes
    operands = tuple(_name(value, at, names) for value in op.operands)
    return replace(op, result=_name(op.result, at, {}), operands=operands, attributes=attributes)


def _name(value: str, at: int, names: dict[str, str]) -> str:
    return names.get(value) or _VALUE.sub(rf"%g{at}_\1", value)

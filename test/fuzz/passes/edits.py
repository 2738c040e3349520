"""Replaces ops, names, types and sizes in all lines of a program."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from fuzz.passes.text import Op, Program


def sizes_of(type_: str) -> list[str]:
    return type_[7:-1].split("x")[:-1]


def exchanged(sizes: list[str], first: int, second: int) -> list[str]:
    made = list(sizes)
    made[first], made[second] = made[second], made[first]
    return made


def with_op(program: Program, at: int, op: Op) -> Program:
    return program.with_ops([*program.ops[:at], op, *program.ops[at + 1 :]])


def renamed(program: Program, old: str, new: str) -> Program:
    def name(value: str) -> str:
        return new if value == old else value

    ops = [replace(op, result=name(op.result), operands=tuple(map(name, op.operands))) for op in program.ops]
    arguments = tuple((name(value), type_) for value, type_ in program.arguments)
    return replace(
        program, arguments=arguments, ops=tuple(ops), outputs=tuple((name(v), t) for v, t in program.outputs)
    )


def retyped(program: Program, value: str, new: str) -> Program:
    def read(op: Op) -> Op:
        types = tuple(new if operand == value else type_ for operand, type_ in zip(op.operands, op.types, strict=True))
        return replace(op, types=types, made=(new,) if op.result == value else op.made)

    arguments = tuple((name, new if name == value else type_) for name, type_ in program.arguments)
    outputs = tuple((name, new if name == value else type_) for name, type_ in program.outputs)
    return replace(program, arguments=arguments, ops=tuple(map(read, program.ops)), outputs=outputs)


def resized(program: Program, old: str, new: str) -> Program:
    return with_texts(program, lambda text: re.sub(rf"(?<![\w.]){old}(?=x|[,\]>]| : i64)", new, text))


def with_texts(program: Program, change: Callable[[str], str]) -> Program:
    """The program with every type and attribute changed by `change`."""

    def changed(op: Op) -> Op:
        attributes = op.attributes if op.name in ("forge.parameter", "forge.constant") else change(op.attributes)
        if op.name == "forge.constant":
            attributes = change(op.attributes)
        return replace(op, attributes=attributes, types=tuple(map(change, op.types)), made=tuple(map(change, op.made)))

    arguments = tuple((value, change(type_)) for value, type_ in program.arguments)
    outputs = tuple((value, change(type_)) for value, type_ in program.outputs)
    return replace(program, arguments=arguments, ops=tuple(map(changed, program.ops)), outputs=outputs)

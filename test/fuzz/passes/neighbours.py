"""Programs next to one that a rewrite was written for. What a change makes need not be valid: that is asked later."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from fuzz.passes.text import Op, Program

_DIMENSION = re.compile(r"\b(\d+)(?=x)")


def neighbour(r: Random, program: Program) -> Program:
    """`program` after one to three changes."""
    for _ in range(r.randint(1, 3)):
        if program.ops:
            program = r.choice(CHANGES)(r, program)
    return program


def second_reader(r: Random, program: Program) -> Program:
    """One more value is an output, or something else reads it."""
    op = r.choice(program.ops)
    if not op.made:
        return program
    value, type_ = r.choice([*zip(op.results(), op.made, strict=True)])
    if r.random() < 0.5:
        return replace(program, outputs=(*program.outputs, (value, type_)))
    name = r.choice(["relu", "exp", "tanh", "abs", "sigmoid"] if type_.endswith(("f32>", "f64>")) else ["relu", "abs"])
    reader = Op("%reader", f"forge.{name}", (value,), "", (type_,), (type_,))
    if any(op.result == "%reader" for op in program.ops):
        return program
    return replace(program, ops=(*program.ops, reader), outputs=(*program.outputs, ("%reader", type_)))


def same_operand(r: Random, program: Program) -> Program:
    """An op reads one value twice, or another value of the same type."""
    at = r.randrange(len(program.ops))
    op = program.ops[at]
    if not op.operands:
        return program
    place = r.randrange(len(op.operands))
    known = program.with_ops(program.ops[:at]).values()
    alike = [value for value, type_ in known.items() if type_ == op.types[place] and value != op.operands[place]]
    twice = [value for value in op.operands if value in alike]
    if not alike:
        return program
    operands = list(op.operands)
    operands[place] = r.choice(twice if twice and r.random() < 0.7 else alike)
    return _with_op(program, at, replace(op, operands=tuple(operands)))


def weight_as_input(r: Random, program: Program) -> Program:
    """A weight becomes an argument, or an argument a weight."""
    weights = [
        op for op in program.ops if op.name in ("forge.parameter", "forge.constant") and "dense<" not in op.attributes
    ]
    if program.arguments and (not weights or r.random() < 0.3):
        value, type_ = r.choice(program.arguments)
        if len(program.arguments) == 1 or not type_.endswith("f32>"):
            return program
        weight = Op(value, "forge.parameter", (), f' <{{key = "{value[1:]}"}}>', (), (type_,))
        kept = tuple(argument for argument in program.arguments if argument[0] != value)
        return _renamed(replace(program, arguments=kept, ops=(weight, *program.ops)), value, f"%w{value[1:]}")
    if not weights:
        return program
    op = r.choice(weights)
    value = f"%arg{len(program.arguments) + 100}"
    arguments = (*program.arguments, (op.result, op.made[0]))
    return _renamed(
        replace(program, arguments=arguments, ops=tuple(o for o in program.ops if o is not op)), op.result, value
    )


def size_of_one(r: Random, program: Program) -> Program:
    """A size is 1, or another, wherever it stands."""
    sizes = sorted({size for type_ in program.values().values() for size in _DIMENSION.findall(type_)} - {"1"})
    if not sizes:
        return program
    old, new = r.choice(sizes), r.choice(["1", "1", "2", "3", "5"])
    return _texts(program, lambda text: re.sub(rf"(?<![\w.]){old}(?=x|[,\]>]| : i64)", new, text))


def other_broadcast(r: Random, program: Program) -> Program:
    """A weight or argument has 1 along an axis, one axis less, or one more of 1 in front."""
    leaves = [value for value, _ in program.arguments]
    leaves += [op.result for op in program.ops if op.name == "forge.parameter"]
    if not leaves:
        return program
    value = r.choice(leaves)
    *sizes, element = program.values()[value][7:-1].split("x")
    if not sizes:
        return program
    match r.randrange(3):
        case 0:
            sizes[r.randrange(len(sizes))] = "1"
        case 1:
            sizes = sizes[1:]
        case _:
            sizes = ["1", *sizes]
    return _retyped(program, value, f"tensor<{'x'.join([*sizes, element])}>")


def other_type(r: Random, program: Program) -> Program:
    """All floats of one type are of another."""
    new = r.choice(["f16", "bf16", "f64", "i32"])
    return _texts(program, lambda text: re.sub(r"(?<=[x<])f32(?=>)", new, text))


def other_order(r: Random, program: Program) -> Program:
    """The operands of a sum or product are exchanged, or ops come in another order."""
    at = r.randrange(len(program.ops))
    op = program.ops[at]
    if op.name in ("forge.add", "forge.multiply", "forge.concatenate") and len(op.operands) == 2 and r.random() < 0.6:
        return _with_op(program, at, replace(op, operands=op.operands[::-1], types=op.types[::-1]))
    ready = {value for value, _ in program.arguments}
    left, ordered = list(program.ops), []
    while left:
        possible = [each for each in left if ready.issuperset(each.operands)]
        if not possible:
            return program
        chosen = r.choice(possible)
        left.remove(chosen)
        ordered.append(chosen)
        ready.update(chosen.results())
    return program.with_ops(ordered)


CHANGES: tuple[Callable[[Random, Program], Program], ...] = (
    second_reader,
    same_operand,
    same_operand,
    weight_as_input,
    size_of_one,
    other_broadcast,
    other_type,
    other_order,
)


def _with_op(program: Program, at: int, op: Op) -> Program:
    return program.with_ops([*program.ops[:at], op, *program.ops[at + 1 :]])


def _renamed(program: Program, old: str, new: str) -> Program:
    def name(value: str) -> str:
        return new if value == old else value

    ops = [replace(op, result=name(op.result), operands=tuple(map(name, op.operands))) for op in program.ops]
    arguments = tuple((name(value), type_) for value, type_ in program.arguments)
    return replace(
        program, arguments=arguments, ops=tuple(ops), outputs=tuple((name(v), t) for v, t in program.outputs)
    )


def _retyped(program: Program, value: str, new: str) -> Program:
    def read(op: Op) -> Op:
        types = tuple(new if operand == value else type_ for operand, type_ in zip(op.operands, op.types, strict=True))
        return replace(op, types=types, made=(new,) if op.result == value else op.made)

    arguments = tuple((name, new if name == value else type_) for name, type_ in program.arguments)
    outputs = tuple((name, new if name == value else type_) for name, type_ in program.outputs)
    return replace(program, arguments=arguments, ops=tuple(map(read, program.ops)), outputs=outputs)


def _texts(program: Program, change: Callable[[str], str]) -> Program:
    """Every type and attribute, changed."""

    def changed(op: Op) -> Op:
        attributes = op.attributes if op.name in ("forge.parameter", "forge.constant") else change(op.attributes)
        if op.name == "forge.constant":
            attributes = change(op.attributes)
        return replace(op, attributes=attributes, types=tuple(map(change, op.types)), made=tuple(map(change, op.made)))

    arguments = tuple((value, change(type_)) for value, type_ in program.arguments)
    outputs = tuple((value, change(type_)) for value, type_ in program.outputs)
    return replace(program, arguments=arguments, ops=tuple(map(changed, program.ops)), outputs=outputs)

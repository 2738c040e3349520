"""Changes of types, sizes and numbers, and of the leaves of a program: its arguments, weights and constants."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from random import Random

from fuzz.passes.edits import renamed, resized, retyped, sizes_of, with_op, with_texts
from fuzz.passes.in_range import stays_in_range
from fuzz.passes.text import Op, Program

_DIMENSION = re.compile(r"\b(\d+)(?=x)")
_KEY = re.compile(r'(?<=key = ")')
_NUMBER = re.compile(r"(?<![\w.\"<+-])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.x\"])|(?<=dense<)-?\d+\.\d+e[+-]\d+(?=>)")


def weight_as_input(r: Random, program: Program) -> Program:
    """Makes a weight an argument, or an argument a weight."""
    weights = [
        op for op in program.ops if op.name in ("forge.parameter", "forge.constant") and "dense<" not in op.attributes
    ]
    if program.arguments and (not weights or r.random() < 0.3):
        value, type_ = r.choice(program.arguments)
        if len(program.arguments) == 1 or not type_.endswith("f32>"):
            return program
        weight = Op(value, "forge.parameter", (), f' <{{key = "{value[1:]}"}}>', (), (type_,))
        kept = tuple(argument for argument in program.arguments if argument[0] != value)
        return renamed(replace(program, arguments=kept, ops=(weight, *program.ops)), value, f"%w{value[1:]}")
    if not weights:
        return program
    op = r.choice(weights)
    value = f"%arg{len(program.arguments) + 100}"
    arguments = (*program.arguments, (op.result, op.made[0]))
    return renamed(
        replace(program, arguments=arguments, ops=tuple(o for o in program.ops if o is not op)), op.result, value
    )


def own_leaf(r: Random, program: Program) -> Program:
    """Makes an op read its own copy of a weight, constant or argument that others read too."""
    leaves = {op.result: op for op in program.ops if op.name in ("forge.parameter", "forge.constant")}
    leaves.update((value, Op(value, "", (), "", (), (type_,))) for value, type_ in program.arguments)
    read = [value for op in program.ops for value in op.operands]
    places = [(at, i) for at, op in enumerate(program.ops) for i, v in enumerate(op.operands) if read.count(v) > 1]
    places = [(at, i) for at, i in places if program.ops[at].operands[i] in leaves]
    own = "%own"
    if not places or own in program.values():
        return program
    at, place = r.choice(places)
    op = program.ops[at]
    leaf = leaves[op.operands[place]]
    read_anew = replace(op, operands=(*op.operands[:place], own, *op.operands[place + 1 :]))
    if not leaf.name:
        return replace(with_op(program, at, read_anew), arguments=(*program.arguments, (own, leaf.made[0])))
    attributes = _KEY.sub("own.", leaf.attributes)
    if attributes == leaf.attributes:
        attributes = _NUMBER.sub(lambda found: _other(r, found[0]), attributes, count=1)
    ops = [*program.ops[:at], replace(leaf, result=own, attributes=attributes), read_anew, *program.ops[at + 1 :]]
    return program.with_ops(ops)


def other_number(r: Random, program: Program) -> Program:
    """Changes a constant, or an integer in an attribute."""
    places = [(at, found) for at, op in enumerate(program.ops) for found in _NUMBER.finditer(op.attributes)]
    if not places:
        return program
    at, found = r.choice(places)
    op = program.ops[at]
    attributes = op.attributes[: found.start()] + _other(r, found[0]) + op.attributes[found.end() :]
    return with_op(program, at, replace(op, attributes=attributes))


def _other(r: Random, number: str) -> str:
    if re.fullmatch(r"-?\d+", number):
        return str(int(number) + r.choice([-1, 1, 1, 2]))
    value = float(number)
    return f"{r.choice([-value, -value, value * 2, value / 2, value + 1, 0.0]):.6e}"


def size_of_one(r: Random, program: Program) -> Program:
    """Replaces a size by 1 or by another size, in all types."""
    sizes = sorted({size for type_ in program.values().values() for size in _DIMENSION.findall(type_)} - {"1"})
    if not sizes:
        return program
    return resized(program, r.choice(sizes), r.choice(["1", "1", "2", "3", "5"]))


def other_broadcast(r: Random, program: Program) -> Program:
    """Changes the shape of a weight or argument: 1 along an axis, one axis less, or one more leading axis of 1."""
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
    return retyped(program, value, f"tensor<{'x'.join([*sizes, element])}>")


def other_type(r: Random, program: Program) -> Program:
    """Replaces float32 by another element type in all types."""
    new = r.choice(["f16", "bf16", "f64", "i32"])
    return with_texts(program, lambda text: re.sub(r"(?<=[x<])f32(?=>)", new, text))


_LEAVES = ("forge.parameter", "forge.constant", "forge.scalar_constant")
_FLOATS = ("bf16", "bf16", "f16", "f64")
_MOVES = ("forge.reshape", "forge.transpose", "forge.index", "forge.squeeze", "forge.unsqueeze", "forge.repeat")


def leaf_type(r: Random, program: Program) -> Program:
    """Replaces float32 by another float type in one or two leaves: products and sums mix float32 with a type of 16
    bits. Movement of a leaf has its type."""
    leaves = [value for value, type_ in program.arguments if type_.endswith("f32>")]
    leaves += [op.result for op in program.ops if op.name in _LEAVES and op.made[0].endswith("f32>")]
    for value in r.sample(leaves, min(len(leaves), r.randint(1, 2))):
        program = _with_float(program, value, r.choice(_FLOATS))
    return program


def _with_float(program: Program, value: str, new: str) -> Program:
    old = program.values()[value]
    type_ = old.replace("f32>", f"{new}>")
    leaf = next((op for op in program.ops if op.result == value and not op.operands), None)
    if leaf:
        attributes = leaf.attributes.replace(old, type_).replace("dtype = f32", f"dtype = {new}")
        program = with_op(program, program.ops.index(leaf), replace(leaf, attributes=attributes))
    program = retyped(program, value, type_)
    for op in program.ops:
        if op.name in _MOVES and op.operands[0] == value:
            program = _with_float(program, op.result, new)
    return program


_EXTREME = ("1.000000e+38", "1.000000e-38", "6.550400e+04", "5.960464e-08", "0.000000e+00", "-0.000000e+00")
_ORDINARY = ("5.000000e-01", "1.000000e+00", "-1.500000e+00", "2.000000e+00")
_MOST = 64
_REALS = re.compile(r"tensor<[\dx]*(f32|f16|bf16)>")
_SPLAT = re.compile(r"(?<=dense<)[^<>\[\]\"]*(?=>)")
_ELEMENT = re.compile(r"-?\d\.\d+[eE][+-]\d+")


def extreme_number(r: Random, program: Program) -> Program:
    """Replaces an element of a constant or of a small weight by 0 or by a number at the limits of a float type, if all
    steps of the program stay in the range of their types. The weight becomes a constant."""
    places = [at for at, op in enumerate(program.ops) if _has_floats(op)]
    if not places:
        return program
    at = r.choice(places)
    changed = with_op(program, at, _with_element(r, program.ops[at], r.choice(_EXTREME)))
    return changed if stays_in_range(changed) else program


def _has_floats(op: Op) -> bool:
    if op.name not in _LEAVES or not _REALS.fullmatch(op.made[0]):
        return False
    return 0 < math.prod(map(int, sizes_of(op.made[0]))) <= _MOST


def _with_element(r: Random, op: Op, number: str) -> Op:
    """`op` with one other element; of a scalar or a splat, sometimes all elements."""
    count = math.prod(map(int, sizes_of(op.made[0])))
    splat = _SPLAT.search(op.attributes)
    if op.name == "forge.scalar_constant" or (splat and r.random() < 0.3):
        return replace(op, attributes=_ELEMENT.sub(number, op.attributes, count=1))
    if op.name == "forge.constant" and not splat:
        found = r.choice([*_ELEMENT.finditer(op.attributes)] or [None])
        if found is None:
            return op
        return replace(op, attributes=op.attributes[: found.start()] + number + op.attributes[found.end() :])
    elements = [splat[0] if splat else r.choice(_ORDINARY) for _ in range(count)]
    elements[r.randrange(count)] = number
    text = f"dense<{_nested(elements, [*map(int, sizes_of(op.made[0]))])}> : {op.made[0]}"
    return replace(op, name="forge.constant", attributes=f" <{{value = {text}}}>")


def _nested(elements: list[str], sizes: list[int]) -> str:
    if not sizes:
        return elements[0]
    step = len(elements) // sizes[0]
    return f"[{', '.join(_nested(elements[i * step :][:step], sizes[1:]) for i in range(sizes[0]))}]"

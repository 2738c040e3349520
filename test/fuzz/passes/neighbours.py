"""Neighbours of a program: variations by small changes. The result need not be valid, which is checked later."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from fuzz.passes.text import Op, Program

_DIMENSION = re.compile(r"\b(\d+)(?=x)")
_AXIS = re.compile(r"axis = (-?\d+)")
_KEY = re.compile(r'(?<=key = ")')
_NUMBER = re.compile(r"(?<![\w.\"<+-])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.x\"])|(?<=dense<)-?\d+\.\d+e[+-]\d+(?=>)")


def neighbour(r: Random, program: Program) -> Program:
    """`program` after one to three changes."""
    for _ in range(r.randint(1, 3)):
        if program.ops:
            program = r.choice(CHANGES)(r, program)
    return program


def second_reader(r: Random, program: Program) -> Program:
    """Makes a value a further output, or adds an op that reads it."""
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


def _is_along_axis(op: Op) -> bool:
    """Whether all types of a concatenation have its axis: another change may have made the program invalid."""
    axis, rank = _AXIS.search(op.attributes), min(type_.count("x") for type_ in (*op.types, *op.made))
    return axis is not None and -rank <= int(axis[1]) < rank


def concatenated_again(r: Random, program: Program) -> Program:
    """Adds an output: a concatenation of operands of an existing one, of which some occur several times."""
    made = [op for op in program.ops if op.name == "forge.concatenate" and _is_along_axis(op)]
    name = "%again"
    if not made or name in program.values():
        return program
    op = r.choice(made)
    operands = [*zip(op.operands, op.types, strict=True)]
    chosen = [*operands, *(r.choice(operands) for _ in range(r.randint(1, 3)))]
    if r.random() < 0.5:
        chosen = chosen[::-1]
    axis = int(_AXIS.search(op.attributes)[1])  # type: ignore[index]
    sizes, element = _sizes(op.made[0]), op.made[0][7:-1].split("x")[-1]
    sizes[axis] = str(sum(int(_sizes(type_)[axis]) for _, type_ in chosen))
    type_ = f"tensor<{'x'.join([*sizes, element])}>"
    values, types = zip(*chosen, strict=True)
    again = Op(name, op.name, tuple(values), op.attributes, tuple(types), (type_,))
    return replace(program, ops=(*program.ops, again), outputs=(*program.outputs, (name, type_)))


def same_operand(r: Random, program: Program) -> Program:
    """Makes an op read one value twice, or another value of the same type."""
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
        return _renamed(replace(program, arguments=kept, ops=(weight, *program.ops)), value, f"%w{value[1:]}")
    if not weights:
        return program
    op = r.choice(weights)
    value = f"%arg{len(program.arguments) + 100}"
    arguments = (*program.arguments, (op.result, op.made[0]))
    return _renamed(
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
        return replace(_with_op(program, at, read_anew), arguments=(*program.arguments, (own, leaf.made[0])))
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
    return _with_op(program, at, replace(op, attributes=attributes))


def _other(r: Random, number: str) -> str:
    if re.fullmatch(r"-?\d+", number):
        return str(int(number) + r.choice([-1, 1, 1, 2]))
    value = float(number)
    return f"{r.choice([-value, -value, value * 2, value / 2, value + 1, 0.0]):.6e}"


_ALIKE = (
    ("forge.relu", "forge.tanh", "forge.sigmoid", "forge.abs", "forge.exp"),
    ("forge.add", "forge.subtract", "forge.multiply", "forge.divide"),
    ("forge.reduce_avg", "forge.reduce_sum", "forge.reduce_max"),
)


def other_op(r: Random, program: Program) -> Program:
    """Replaces an op by another one of the same types: a function, a binary operation, a reduction, or a movement."""
    kinds = {name: [other for other in group if other != name] for group in _ALIKE for name in group}
    moves = ("forge.reshape", "forge.transpose")
    places = [at for at, op in enumerate(program.ops) if op.name in kinds or op.name in moves]
    if not places:
        return program
    at = r.choice(places)
    op = program.ops[at]
    if op.name in kinds:
        return _with_op(program, at, replace(op, name=r.choice(kinds[op.name])))
    before, after = _sizes(op.types[0]), _sizes(op.made[0])
    if op.name == "forge.transpose":
        shape = f" <{{shape = array<i64: {', '.join(after)}>}}>"
        return _with_op(program, at, replace(op, name="forge.reshape", attributes=shape))
    pairs = [(i, j) for j in range(len(before)) for i in range(j) if _exchanged(before, i, j) == after]
    if not pairs:
        return program
    first, second = r.choice(pairs)
    dims = f" <{{dim0 = {first} : i64, dim1 = {second} : i64}}>"
    return _with_op(program, at, replace(op, name="forge.transpose", attributes=dims))


def _sizes(type_: str) -> list[str]:
    return type_[7:-1].split("x")[:-1]


def _exchanged(sizes: list[str], first: int, second: int) -> list[str]:
    made = list(sizes)
    made[first], made[second] = made[second], made[first]
    return made


def transposed_operand(r: Random, program: Program) -> Program:
    """Makes an op read a value after two of its axes were exchanged. If their sizes differ, they become equal, or the
    exchanged value is reshaped."""
    places = [
        (at, i) for at, op in enumerate(program.ops) for i, type_ in enumerate(op.types) if len(_sizes(type_)) > 1
    ]
    if not places or "%transposed" in program.values():
        return program
    at, i = r.choice(places)
    sizes = _sizes(program.ops[at].types[i])
    pairs = [(a, b) for b in range(len(sizes)) for a in range(b) if "1" not in (sizes[a], sizes[b])]
    if not pairs:
        return program
    first, second = r.choice([pair for pair in pairs if sizes[pair[0]] == sizes[pair[1]]] or pairs)
    if r.random() < 0.7:
        program = _resized(program, sizes[first], sizes[second])
    op = program.ops[at]
    sizes, element = _sizes(op.types[i]), op.types[i][7:-1].split("x")[-1]
    type_ = f"tensor<{'x'.join([*_exchanged(sizes, first, second), element])}>"
    dims = f" <{{dim0 = {first} : i64, dim1 = {second} : i64}}>"
    added = [Op("%transposed", "forge.transpose", (op.operands[i],), dims, (op.types[i],), (type_,))]
    if type_ != op.types[i]:
        shape = f" <{{shape = array<i64: {', '.join(sizes)}>}}>"
        added.append(Op("%reshaped", "forge.reshape", ("%transposed",), shape, (type_,), (op.types[i],)))
    read = replace(op, operands=(*op.operands[:i], added[-1].result, *op.operands[i + 1 :]))
    return program.with_ops([*program.ops[:at], *added, read, *program.ops[at + 1 :]])


def fewer_outputs(r: Random, program: Program) -> Program:
    """Removes an output, so that its value may be unused, or replaces it by an operand of its op."""
    at = r.randrange(len(program.outputs))
    value, _ = program.outputs[at]
    others = (*program.outputs[:at], *program.outputs[at + 1 :])
    if others and r.random() < 0.6:
        return replace(program, outputs=others)
    maker = next((op for op in program.ops if value in op.results()), None)
    if maker is None or not maker.operands:
        return program
    readers = [op for op in program.ops if set(maker.results()) & set(op.operands)]
    sources = tuple(dict.fromkeys(zip(maker.operands, maker.types, strict=True)))
    outputs = tuple(output for output in program.outputs if output[0] not in maker.results())
    if readers:
        return replace(program, outputs=(*others, *sources))
    return replace(program, ops=tuple(op for op in program.ops if op is not maker), outputs=(*outputs, *sources))


def size_of_one(r: Random, program: Program) -> Program:
    """Replaces a size by 1 or by another size, in all types."""
    sizes = sorted({size for type_ in program.values().values() for size in _DIMENSION.findall(type_)} - {"1"})
    if not sizes:
        return program
    return _resized(program, r.choice(sizes), r.choice(["1", "1", "2", "3", "5"]))


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
    return _retyped(program, value, f"tensor<{'x'.join([*sizes, element])}>")


def other_type(r: Random, program: Program) -> Program:
    """Replaces float32 by another element type in all types."""
    new = r.choice(["f16", "bf16", "f64", "i32"])
    return _texts(program, lambda text: re.sub(r"(?<=[x<])f32(?=>)", new, text))


def other_order(r: Random, program: Program) -> Program:
    """Exchanges the operands of a sum, product or concatenation, or reorders ops."""
    names = ("forge.add", "forge.multiply", "forge.concatenate")
    pairs = [at for at, op in enumerate(program.ops) if op.name in names and len(op.operands) == 2]
    if pairs and r.random() < 0.8:
        at = r.choice(pairs)
        op = program.ops[at]
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


Change = Callable[[Random, Program], Program]

CHANGES: tuple[Change, ...] = (
    second_reader,
    concatenated_again,
    same_operand,
    same_operand,
    weight_as_input,
    size_of_one,
    other_broadcast,
    other_type,
    other_order,
    other_order,
    own_leaf,
    own_leaf,
    other_number,
    other_op,
    other_op,
    transposed_operand,
    fewer_outputs,
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


def _resized(program: Program, old: str, new: str) -> Program:
    return _texts(program, lambda text: re.sub(rf"(?<![\w.]){old}(?=x|[,\]>]| : i64)", new, text))


def _texts(program: Program, change: Callable[[str], str]) -> Program:
    """The program with every type and attribute changed by `change`."""

    def changed(op: Op) -> Op:
        attributes = op.attributes if op.name in ("forge.parameter", "forge.constant") else change(op.attributes)
        if op.name == "forge.constant":
            attributes = change(op.attributes)
        return replace(op, attributes=attributes, types=tuple(map(change, op.types)), made=tuple(map(change, op.made)))

    arguments = tuple((value, change(type_)) for value, type_ in program.arguments)
    outputs = tuple((value, change(type_)) for value, type_ in program.outputs)
    return replace(program, arguments=arguments, ops=tuple(map(changed, program.ops)), outputs=outputs)

"""Neighbours of a program: variations by small changes. The result need not be valid, which is checked later."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from random import Random

from fuzz.passes.edits import exchanged, resized, sizes_of, with_op
from fuzz.passes.leaves import (
    extreme_number,
    leaf_type,
    other_broadcast,
    other_number,
    other_type,
    own_leaf,
    size_of_one,
    weight_as_input,
)
from fuzz.passes.text import Op, Program

_AXIS = re.compile(r"axis = (-?\d+)")


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
    sizes, element = sizes_of(op.made[0]), op.made[0][7:-1].split("x")[-1]
    sizes[axis] = str(sum(int(sizes_of(type_)[axis]) for _, type_ in chosen))
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
    return with_op(program, at, replace(op, operands=tuple(operands)))


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
        return with_op(program, at, replace(op, name=r.choice(kinds[op.name])))
    before, after = sizes_of(op.types[0]), sizes_of(op.made[0])
    if op.name == "forge.transpose":
        shape = f" <{{shape = array<i64: {', '.join(after)}>}}>"
        return with_op(program, at, replace(op, name="forge.reshape", attributes=shape))
    pairs = [(i, j) for j in range(len(before)) for i in range(j) if exchanged(before, i, j) == after]
    if not pairs:
        return program
    first, second = r.choice(pairs)
    dims = f" <{{dim0 = {first} : i64, dim1 = {second} : i64}}>"
    return with_op(program, at, replace(op, name="forge.transpose", attributes=dims))


def transposed_operand(r: Random, program: Program) -> Program:
    """Makes an op read a value after two of its axes were exchanged. If their sizes differ, they become equal, or the
    exchanged value is reshaped."""
    places = [
        (at, i) for at, op in enumerate(program.ops) for i, type_ in enumerate(op.types) if len(sizes_of(type_)) > 1
    ]
    if not places or "%transposed" in program.values():
        return program
    at, i = r.choice(places)
    sizes = sizes_of(program.ops[at].types[i])
    pairs = [(a, b) for b in range(len(sizes)) for a in range(b) if "1" not in (sizes[a], sizes[b])]
    if not pairs:
        return program
    first, second = r.choice([pair for pair in pairs if sizes[pair[0]] == sizes[pair[1]]] or pairs)
    if r.random() < 0.7:
        program = resized(program, sizes[first], sizes[second])
    op = program.ops[at]
    sizes, element = sizes_of(op.types[i]), op.types[i][7:-1].split("x")[-1]
    type_ = f"tensor<{'x'.join([*exchanged(sizes, first, second), element])}>"
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


def other_order(r: Random, program: Program) -> Program:
    """Exchanges the operands of a sum, product or concatenation, or reorders ops."""
    names = ("forge.add", "forge.multiply", "forge.concatenate")
    pairs = [at for at, op in enumerate(program.ops) if op.name in names and len(op.operands) == 2]
    if pairs and r.random() < 0.8:
        at = r.choice(pairs)
        op = program.ops[at]
        return with_op(program, at, replace(op, operands=op.operands[::-1], types=op.types[::-1]))
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
    leaf_type,
    extreme_number,
)

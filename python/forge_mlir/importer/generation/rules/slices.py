"""The rule for Slice: slices of an axis of positions."""

from __future__ import annotations

from dataclasses import replace

from onnx import NodeProto, TensorProto

from forge_mlir.importer.generation.fold import size_of
from forge_mlir.importer.generation.program import Program, Value, attributes_of, known_of
from forge_mlir.importer.generation.rules.arithmetic import given
from forge_mlir.importer.generation.rules.movement import sizes
from forge_mlir.importer.generation.rules.table_rows import lacks_rows
from forge_mlir.importer.generation.sizes import Size

_END = 1 << 31
INT64 = TensorProto.INT64


def sliced(program: Program, node: NodeProto) -> None:
    """Slices one axis after another. A slice that ends at a size becomes padding from there on; one that starts at a
    size becomes a read at a position."""
    value = given(program, node)[0]
    attributes = attributes_of(node)
    if "starts" in attributes:
        starts, ends = ([Size(each) for each in attributes[key]] for key in ("starts", "ends"))
        axes = list(attributes.get("axes", range(len(starts))))
        steps = [1] * len(starts)
    else:
        starts, ends = sizes(program, node, 1), sizes(program, node, 2)
        has = [len(node.input) > at and bool(node.input[at]) for at in (3, 4)]
        axes = [size_of(each) for each in sizes(program, node, 3)] if has[0] else list(range(len(starts)))
        steps = [size_of(each) for each in sizes(program, node, 4)] if has[1] else [1] * len(starts)
    made = replace(value, name=program.read(node.input[0]), known=None, counts=None, grid=(), by_rows=False)
    if value.counts is not None and all(start == Size(0) for start in starts) and all(step == 1 for step in steps):
        made = replace(made, counts=value.counts)
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        made = _axis(program, node, made, axis % len(value.shape), start, end, step)
    program.give(node.output[0], made)


def _bounded(program: Program, node: NodeProto, position: Size, size: Size) -> Size:
    """A start or end as a position from 0 to `size`."""
    low, high = program.span.bounds(position)
    if high < 0:
        position = position.plus(size) if not (not position.times and position.const <= -_END) else Size(0)
        low, high = program.span.bounds(position)
        if high <= 0 and low < 0:
            return Size(0)
    if low < 0:
        raise program.refused(node, "it reads positions that may be there or not")
    beyond_low, beyond_high = program.span.bounds(position.minus(size))
    if beyond_low >= 0:
        return size
    if beyond_high > 0 and not size.times:
        raise lacks_rows(program, node, size, high - 1)
    if beyond_high > 0:
        raise program.refused(node, "it ends at a position that may be there or not")
    return position


def _axis(program: Program, node: NodeProto, value: Value, axis: int, start: Size, end: Size, step: int) -> Value:
    size = value.shape[axis]
    if step != 1:
        if size.times:
            raise program.refused(node, "steps other than 1 are not supported along positions")
        end_at = size_of(end)
        held = len(range(size.const)[size_of(start) : end_at : step])
        return _cut(program, value, axis, size_of(start), end_at, step, Size(held))
    end = _bounded(program, node, end, size)
    start = _bounded(program, node, start, size)
    length = end.minus(start)
    if program.span.bounds(length)[1] <= 0 and not length.times:
        length = Size(0)
    if start == Size(0) and end == size:
        return value
    if length.times:
        held = program.held(length, node)
        if start != Size(0):
            return _from(program, value, axis, start, length, held)
        if not size.times:
            if size.const < held:
                raise lacks_rows(program, node, size, held - 1)
            return _cut(program, value, axis, 0, held, 1, length)
        if held != program.held(size, node):
            return _cut(program, value, axis, 0, held, 1, length)
        shape = tuple(length if at == axis else each for at, each in enumerate(value.shape))
        return replace(value, shape=shape, zeros=value.zeros - {axis})
    if not start.times and not end.times:
        return _cut(program, value, axis, start.const, end.const, 1, length)
    positions = known_of([start.plus(Size(at)) for at in range(length.const)], [length.const])
    made = program.emit("Gather", [value.name, program.materialise(positions, INT64)], axis=axis)
    return _taken(value, axis, length, made)


def _from(program: Program, value: Value, axis: int, start: Size, length: Size, held: int) -> Value:
    """The `length` positions from `start` on. The padding that follows has any positions."""
    most = program.held(value.shape[axis])
    if not start.times and start.const + held <= most:
        return _cut(program, value, axis, start.const, start.const + held, 1, length)
    at = program.emit("Add", [program.positions(length, 1, 0), program.materialise(known_of([start], []), INT64)])
    at = program.emit("Min", [at, program.integers(most - 1)])
    return _taken(value, axis, length, program.emit("Gather", [value.name, at], axis=axis))


def _taken(value: Value, axis: int, length: Size, made: str) -> Value:
    shape = tuple(length if at == axis else each for at, each in enumerate(value.shape))
    return replace(value, name=made, shape=shape, zeros=value.zeros - {axis}, counts=None)


def _cut(program: Program, value: Value, axis: int, start: int, end: int, step: int, length: Size) -> Value:
    numbers = [program.integers(each) for each in (start, end, axis, step)]
    made = program.emit("Slice", [value.name, *numbers])
    shape = tuple(length if at == axis else each for at, each in enumerate(value.shape))
    return replace(value, name=made, shape=shape, zeros=value.zeros - {axis})

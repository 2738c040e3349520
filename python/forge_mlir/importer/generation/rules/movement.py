"""Rules for movement ops: where their results have padding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import numpy as np
from onnx import NodeProto, TensorProto, numpy_helper

from forge_mlir.importer.generation.fold import axes_of, known_value, product, size_of
from forge_mlir.importer.generation.program import ALL_ZERO, Program, Value, attributes_of, counts_of, known_of
from forge_mlir.importer.generation.rules.arithmetic import Rule, broadcast, given
from forge_mlir.importer.generation.sizes import Size


def sizes(program: Program, node: NodeProto, at: int) -> list[Size]:
    """Operand `at` as a list of integers. Raises OnnxImportError if it is not constant."""
    value = program.value(node.input[at])
    known = known_value(value) if value is not None else None
    if known is None:
        raise program.refused(node, "a size, index or shape that it reads is not known")
    return known


def shape_of(program: Program, node: NodeProto) -> None:
    attributes = attributes_of(node)
    shape = program.values[node.input[0]].shape[attributes.get("start", 0) : attributes.get("end")]
    if node.op_type == "Size":
        known = known_of([reduce(product, shape, Size(1))], [])
    else:
        known = known_of([Size(size.const, size.times) for size in shape], [len(shape)])
    program.give(node.output[0], Value("", TensorProto.INT64, tuple(map(Size, known.shape)), known))


def transpose(program: Program, node: NodeProto) -> None:
    (value,) = given(program, node)
    order = attributes_of(node).get("perm") or list(range(len(value.shape)))[::-1]
    program.copy(node)
    counts = counts_of(value)
    counts = counts if counts in (None, ALL_ZERO) else order.index(counts)
    zeros = frozenset(order.index(axis) for axis in value.zeros)
    shape = tuple(value.shape[axis] for axis in order)
    program.give(node.output[0], Value(node.output[0], value.dtype, shape, None, zeros, counts))


def _reshaped(program: Program, node: NodeProto, value: Value, shape: Sequence[Size]) -> None:
    """Reshapes `value`. A size that depends on n either stays a whole axis at the same position, or is merged with
    adjacent axes; the padding then follows the positions of each row."""

    found, shape = _laid_out(program, node, value.shape, shape)
    moved = {old: new for old, new in found if value.shape[old].times == shape[new].times == 1}
    held = _held(program, node, shape)
    if node.op_type == "Reshape" or value.padded:
        made = program.emit("Reshape", [program.read(node.input[0]), program.integers(*held)])
    else:
        program.copy(node)
        made = node.output[0]
    counts = counts_of(value)
    if counts not in (None, ALL_ZERO):
        counts = moved[counts] if counts in moved else _same_axis(value, counts, shape)
    zeros = frozenset(moved[axis] for axis in value.zeros if axis in moved)
    program.give(node.output[0], Value(made, value.dtype, tuple(shape), None, zeros, counts))


def _held(program: Program, node: NodeProto, shape: Sequence[Size]) -> list[int]:
    """The fixed sizes for `shape`, which may have joined axes of positions."""
    return [
        size.times * program.held(inner(program, node, size), node) if size.times > 1 else program.held(size, node)
        for size in shape
    ]


def _laid_out(
    program: Program, node: NodeProto, old: Sequence[Size], new: Sequence[Size]
) -> tuple[list[tuple[int, int]], list[Size]]:
    """The pairs of position axes before and after a reshape, and the new sizes, including those of merged axes.

    A reshape keeps the order of elements. It keeps the axes of positions if as many elements as before are between two
    of them, or before the first and after the last one."""
    between, positions = [1], []
    for axis, size in enumerate(old):
        if not size.times:
            between[-1] *= size.const
            continue
        between[-1] *= size.times // size.after
        positions.append((axis, inner(program, node, size)))
        between.append(size.after)
    pairs: list[tuple[int, int]] = []
    shape: list[Size] = []
    passed = 1  # elements since the last axis of positions
    for axis, size in enumerate(new):
        if not size.times:
            passed *= size.const
            shape.append(size)
            continue
        at = len(pairs)
        # The elements that precede the positions within this axis.
        merged = between[at] // passed if passed and between[at] % passed == 0 else 0
        fits = at < len(positions) and merged and size.times % merged == 0
        if not fits or positions[at][1] != inner(program, node, size):
            raise program.refused(node, "its result joins or splits an axis of positions")
        passed = size.times // merged
        shape.append(Size(size.const, size.times, passed))
        pairs.append((positions[at][0], axis))
    if len(pairs) != len(positions) or passed != between[-1]:
        raise program.refused(node, "its result joins or splits an axis of positions")
    return pairs, shape


def inner(program: Program, node: NodeProto, size: Size) -> Size:
    """The size of the positions in a merged axis."""
    if size.const % size.times:
        raise program.refused(node, "its result joins or splits an axis of positions")
    return Size(size.const // size.times, 1)


def _same_axis(value: Value, axis: int, shape: Sequence[Size]) -> int | None:
    """The index of an axis in a shape that differs from that of `value` only in axes of size 1; None otherwise."""
    old = [at for at, size in enumerate(value.shape) if size != Size(1)]
    new = [at for at, size in enumerate(shape) if size != Size(1)]
    if axis not in old or [value.shape[at] for at in old] != [shape[at] for at in new]:
        return None
    return new[old.index(axis)]


def reshape(program: Program, node: NodeProto) -> None:
    value = given(program, node)[0]
    target = sizes(program, node, 1)
    copies = not attributes_of(node).get("allowzero")
    shape = [value.shape[at] if size == Size(0) and copies else size for at, size in enumerate(target)]
    if Size(-1) in shape:
        shape[shape.index(Size(-1))] = _rest(program, node, value.shape, [s for s in shape if s != Size(-1)])
    _reshaped(program, node, value, shape)


def _rest(program: Program, node: NodeProto, all_sizes: Sequence[Size], others: Sequence[Size]) -> Size:
    """The size that completes `others` to the product of `all_sizes`."""
    (count, open_sizes), (known, taken) = (_product(program, node, each) for each in (all_sizes, others))
    for size in taken:
        if size not in open_sizes:
            raise program.refused(node, f"a size of {size} does not fit")
        open_sizes.remove(size)
    if known == 0 or count % known or len(open_sizes) > 1:
        raise program.refused(node, "its result joins or splits an axis of positions")
    return open_sizes[0].scaled(count // known) if open_sizes else Size(count // known)


def _product(program: Program, node: NodeProto, sizes: Sequence[Size]) -> tuple[int, list[Size]]:
    """The product of the constant sizes, and the list of sizes that depend on n."""
    count, positions = 1, []
    for size in sizes:
        if size.times > 1:
            count *= size.times
            positions.append(inner(program, node, size))
        elif size.times:
            positions.append(size)
        else:
            count *= size.const
    return count, positions


def axes_changed(program: Program, node: NodeProto) -> None:
    """Unsqueeze, Squeeze and Flatten."""
    value = given(program, node)[0]
    attributes, rank = attributes_of(node), len(value.shape)
    if node.op_type == "Flatten":
        axis = attributes.get("axis", 1) % (rank + 1)
        one = Size(1)
        front = _rest(program, node, value.shape[:axis], []) if axis else one
        _reshaped(program, node, value, [front, _rest(program, node, value.shape[axis:], [])])
        return
    given_axes = sizes(program, node, 1) if len(node.input) > 1 else None
    axes = axes_of(None if given_axes is None else known_of(given_axes, [len(given_axes)]), attributes)
    if node.op_type == "Unsqueeze":
        kept = iter(value.shape)
        total = rank + len(axes or ())
        ones = {axis % total for axis in axes or ()}
        _reshaped(program, node, value, [Size(1) if at in ones else next(kept) for at in range(total)])
        return
    gone = (
        {axis % rank for axis in axes}
        if axes is not None
        else {at for at, size in enumerate(value.shape) if size == Size(1)}
    )
    _reshaped(program, node, value, [size for at, size in enumerate(value.shape) if at not in gone])


def expand(program: Program, node: NodeProto) -> None:
    _expanded(program, node, given(program, node)[0], sizes(program, node, 1))


def _expanded(program: Program, node: NodeProto, value: Value, target: Sequence[Size]) -> None:
    """Repeats axes of size 1."""
    shape = broadcast(program, node, [value.shape, target])
    offset = len(shape) - len(value.shape)
    held = program.integers(*_held(program, node, shape))
    made = program.emit("Expand", [program.read(node.input[0]), held])
    zeros = frozenset(axis + offset for axis in value.zeros)
    counts = counts_of(value)
    if counts not in (None, ALL_ZERO):  # one position that is repeated does not count
        counts = counts + offset if value.shape[counts] == shape[counts + offset] else None
    program.give(node.output[0], Value(made, value.dtype, shape, None, zeros, counts))


def tile(program: Program, node: NodeProto) -> None:
    """Repeats axes. Repeated positions are joined with the axis of the repetitions, which precedes them."""
    value, repeats = given(program, node)[0], sizes(program, node, 1)
    if all(count == Size(1) or size == Size(1) for size, count in zip(value.shape, repeats, strict=True)):
        _expanded(program, node, value, repeats)
        return
    times = [size_of(size) for size in repeats]
    program.copy(node)
    pairs = zip(value.shape, times, strict=True)
    shape = tuple(replace(size, const=size.const * count, times=size.times * count) for size, count in pairs)
    counts = counts_of(value)
    kept = counts if counts in (None, ALL_ZERO) or times[counts] == 1 else None
    zeros = frozenset(axis for axis in value.zeros if times[axis] == 1)
    program.give(node.output[0], Value(node.output[0], value.dtype, shape, None, zeros, kept))


def filled(program: Program, node: NodeProto) -> None:
    """ConstantOfShape."""
    shape = sizes(program, node, 0)
    tensor = attributes_of(node).get("value")
    element = numpy_helper.to_array(tensor).reshape(-1)[:1] if tensor is not None else np.zeros(1, np.float32)
    held = program.integers(*_held(program, node, shape))
    made = program.emit("Expand", [program.constant(element.reshape(())), held])
    zeros = frozenset(at for at, size in enumerate(shape) if size.times == 1 and not element.any())
    dtype = tensor.data_type if tensor is not None else TensorProto.FLOAT
    program.give(node.output[0], Value(made, dtype, tuple(shape), None, zeros))


def counted(program: Program, node: NodeProto) -> None:
    """Range from a constant start to a size that depends on n."""
    start, limit, delta = (sizes(program, node, at)[0] for at in range(3))
    length = limit.minus(start)
    if delta != Size(1):
        raise program.refused(node, "steps other than 1 are not supported here")
    dtype = program.values[node.input[0]].dtype
    if not length.times:
        numbers = known_of([start.plus(Size(at)) for at in range(length.const)], [length.const])
        made = program.materialise(numbers, dtype)
        program.give(node.output[0], Value(made, dtype, (length,)))
        return
    program.held(length, node)
    made = program.positions(length, 1, 0)
    if start != Size(0):
        made = program.emit("Add", [made, program.materialise(known_of([start], []), TensorProto.INT64)])
    if dtype != TensorProto.INT64:
        made = program.emit("Cast", [made], to=dtype)
    program.give(node.output[0], Value(made, dtype, (length,), counts=0 if start == Size(0) else None))


def triangle(program: Program, node: NodeProto) -> None:
    value = given(program, node)[0]
    program.held_shape(value.shape, node)
    if len(node.input) > 1 and node.input[1]:
        size_of(sizes(program, node, 1)[0])
    program.copy(node)
    program.give(
        node.output[0],
        replace(value, name=node.output[0], known=None, zeros=frozenset(), counts=None, grid=(), by_rows=False),
    )


def concat(program: Program, node: NodeProto) -> None:
    values = given(program, node)
    rank = len(values[0].shape)
    axis = attributes_of(node)["axis"] % rank
    everything = [(program.read(name), value) for name, value in zip(node.input, values, strict=True)]
    parts = [part for part in everything if part[1].shape[axis] != Size(0)] or everything[:1]
    if len(parts) == 1:
        program.give(node.output[0], replace(parts[0][1], name=parts[0][0], known=None))
        return
    total = Size(0)
    for _, value in parts:
        total = total.plus(value.shape[axis])
    shape = tuple(total if at == axis else size for at, size in enumerate(values[0].shape))
    if not total.times:
        program.copy(node, [name for name, _ in parts])
        zeros = frozenset.intersection(*(value.zeros for _, value in parts))
        counts = [counts_of(value) if axis == rank - 1 and total == Size(len(parts)) else None for _, value in parts]
        grid = () if None in counts else tuple(each for each in counts if each is not None)
        program.give(node.output[0], Value(node.output[0], values[0].dtype, shape, None, zeros, None, grid))
        return
    (old, first), (new, second) = parts[0], parts[-1]
    if not any(value.shape[axis].times for _, value in parts[:-1]):
        made = program.emit("Concat", [name for name, _ in parts], axis=axis)
        held = [program.integers(each) for each in (0, program.held(total, node), axis)]
        made = program.emit("Slice", [made, *held])
        program.give(node.output[0], Value(made, second.dtype, shape, None, second.zeros & {axis}))
        return
    more = program.held(total, node) - program.held(first.shape[axis], node)
    if len(parts) != 2 or second.shape[axis] != Size(1) or more > 1:
        raise program.refused(node, "only one position can be appended to those that are there")
    if more:
        old = program.emit("Concat", [old, new], axis=axis)
    at = program.materialise(known_of([first.shape[axis]], []), TensorProto.INT64)
    here = program.emit("Equal", [program.positions(total, rank, axis), at])
    made = program.emit("Where", [here, new, old])
    program.held_shape(shape, node)
    zeros = frozenset([axis]) & first.zeros if not more else frozenset()
    program.give(node.output[0], Value(made, values[0].dtype, shape, None, zeros))


def split(program: Program, node: NodeProto) -> None:
    value = given(program, node)[0]
    attributes = attributes_of(node)
    axis = attributes.get("axis", 0) % len(value.shape)
    if value.shape[axis].times:
        raise program.refused(node, "it splits an axis of positions")
    if "split" in attributes:
        parts = list(attributes["split"])
    elif len(node.input) > 1 and node.input[1]:
        parts = [size_of(size) for size in sizes(program, node, 1)]
    else:
        part = -(-value.shape[axis].const // len(node.output))
        parts = [min(part, value.shape[axis].const - part * at) for at in range(len(node.output))]
    program.copy(node)
    for name, part in zip(node.output, parts, strict=True):
        shape = tuple(Size(part) if at == axis else size for at, size in enumerate(value.shape))
        program.give(name, Value(name, value.dtype, shape, None, value.zeros))


RULES: dict[str, Rule] = {
    "Shape": shape_of,
    "Size": shape_of,
    "Transpose": transpose,
    "Reshape": reshape,
    "Unsqueeze": axes_changed,
    "Squeeze": axes_changed,
    "Flatten": axes_changed,
    "Expand": expand,
    "ConstantOfShape": filled,
    "Range": counted,
    "Trilu": triangle,
    "Concat": concat,
    "Split": split,
    "Tile": tile,
}

"""Rules for ops that read or write at indices."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import cycle

from onnx import NodeProto, TensorProto

from forge_mlir.importer.generation.fold import known_value, product
from forge_mlir.importer.generation.program import ALL_ZERO, Program, Value, attributes_of, known_of
from forge_mlir.importer.generation.rules.arithmetic import Rule, given
from forge_mlir.importer.generation.rules.movement import sizes
from forge_mlir.importer.generation.rules.table_rows import indices_of_rows
from forge_mlir.importer.generation.sizes import Size


def gather(program: Program, node: NodeProto) -> None:
    """Gathers rows of a table, or positions: at constant indices, or all positions in order."""
    data, indices = given(program, node)
    axis = attributes_of(node).get("axis", 0) % len(data.shape)
    shape = (*data.shape[:axis], *indices.shape, *data.shape[axis + 1 :])
    if _in_order(data.shape[axis], indices):
        _as_it_is(program, node, data, shape)
        return
    size, at = data.shape[axis], program.read(node.input[1])
    if size.times:
        known = known_value(indices)
        if known is None:
            raise program.refused(node, "the positions that it reads are not known")
        moved = [each.plus(size) if program.span.bounds(each)[1] < 0 else each for each in known]
        if any(program.span.bounds(each)[0] < 0 for each in moved):
            raise program.refused(node, "it reads positions that may be there or not")
        at = program.materialise(
            known_of(moved, [len(moved)]).reshape(tuple(s.const for s in indices.shape)), TensorProto.INT64
        )
    else:
        at = indices_of_rows(program, node, size, indices, at)
    program.copy(node, [program.read(node.input[0]), at])
    program.give(node.output[0], Value(node.output[0], data.dtype, shape))


def quantised_rows(program: Program, node: NodeProto) -> None:
    """GatherBlockQuantized of a table without positions. Bytes hold several numbers of the last axis."""
    (data, indices, scales), attributes = given(program, node)[:3], attributes_of(node)
    axis = attributes.get("gather_axis", 0) % len(data.shape)
    if any(value.padded for value in (data, scales)):
        raise program.refused(node, "it reads positions beyond the length")
    inputs = [program.read(name) for name in node.input]
    inputs[1] = indices_of_rows(program, node, data.shape[axis], indices, inputs[1])
    program.copy(node, inputs)
    packed = 8 // attributes.get("bits", 4) if data.dtype == TensorProto.UINT8 else 1
    rest = (*data.shape[axis + 1 : -1], data.shape[-1].scaled(packed))
    program.give(node.output[0], Value(node.output[0], scales.dtype, (*data.shape[:axis], *indices.shape, *rest)))


def elements(program: Program, node: NodeProto) -> None:
    """GatherElements and ScatterElements along an axis without padding: each position is independent."""
    data, indices, *_ = given(program, node)
    axis = attributes_of(node).get("axis", 0) % len(data.shape)
    others = (at for at in range(len(data.shape)) if at != axis)
    if data.shape[axis].times or any(
        data.shape[at] != indices.shape[at] and (data.shape[at].times or indices.shape[at].times) for at in others
    ):
        raise program.refused(node, "the positions of its indices are not known")
    inputs = [program.read(name) for name in node.input]
    inputs[1] = indices_of_rows(program, node, data.shape[axis], indices, inputs[1])
    program.copy(node, inputs)
    shape = indices.shape if node.op_type == "GatherElements" else data.shape
    program.give(node.output[0], Value(node.output[0], data.dtype, shape))


def top(program: Program, node: NodeProto) -> None:
    """TopK along an axis without padding: each position is independent."""
    value = given(program, node)[0]
    axis = attributes_of(node).get("axis", -1) % len(value.shape)
    if value.shape[axis].times:
        raise program.refused(node, "it reads positions beyond the length")
    count = sizes(program, node, 1)[0]
    shape = tuple(count if at == axis else size for at, size in enumerate(value.shape))
    program.copy(node)
    for name, dtype in zip(node.output, (value.dtype, TensorProto.INT64), strict=True):
        if name:
            program.give(name, Value(name, dtype, shape))


def one_hot(program: Program, node: NodeProto) -> None:
    """OneHot: each position is independent. An index beyond the classes, as in the padding, gives no 1."""
    indices, _, values = given(program, node)
    at = attributes_of(node).get("axis", -1) % (len(indices.shape) + 1)
    classes = sizes(program, node, 1)[0]
    program.copy(node)
    shape = (*indices.shape[:at], classes, *indices.shape[at:])
    program.give(node.output[0], Value(node.output[0], values.dtype, shape))


def rotary(program: Program, node: NodeProto) -> None:
    """RotaryEmbedding: each position is independent, and has its own position id, or its own angles."""
    table, positions = (2, 1) if node.domain else (1, 3)
    value, inputs = program.values[node.input[0]], [program.read(name) for name in node.input]
    if len(inputs) > positions and inputs[positions]:
        indices, rows = program.values[node.input[positions]], program.values[node.input[table]].shape[0]
        if len(indices.shape) == 1:  # the position of the first token
            last = Size(program.held(value.shape[-2]) - 1)
            indices = replace(indices, known=known_of([each.plus(last) for each in known_value(indices) or []], [-1]))
        inputs[positions] = indices_of_rows(program, node, rows, indices, inputs[positions])
    program.copy(node, inputs)
    program.give(node.output[0], Value(node.output[0], value.dtype, value.shape))


def _in_order(size: Size, indices: Value) -> bool:
    """Whether `indices` are 0, 1, 2, ..., `size` - 1."""
    if not size.times or len(indices.padded) > 1:
        return False
    return indices.linear and reduce(product, indices.shape, Size(1)) == size


def _is_there(program: Program, at: Size, size: Size) -> bool:
    """Whether an axis of `size` has the position `at` for each length."""
    low = program.span.bounds(at)[0]
    return program.span.bounds(at.minus(size))[1] < 0 and (low >= 0 or (not size.times and low >= -size.const))


def _is_row_major(indices: Value, sizes: tuple[Size, ...]) -> bool:
    """Whether `indices` are those of all elements of a tensor of `sizes`, in row-major order."""
    if len(indices.grid) != len(sizes):
        return False
    axes = [axis for axis in indices.grid if axis != ALL_ZERO]
    found = [Size(1) if axis == ALL_ZERO else indices.shape[axis] for axis in indices.grid]
    others = (size for axis, size in enumerate(indices.shape[:-1]) if axis not in axes)
    return found == [*sizes] and axes == sorted(set(axes)) and all(size == Size(1) for size in others)


def _as_it_is(program: Program, node: NodeProto, data: Value, shape: tuple[Size, ...]) -> None:
    """The result has the elements of `data` in their order, and `shape`."""
    if shape == data.shape:
        program.give(node.output[0], replace(data, name=program.read(node.input[0]), known=None))
        return
    held = program.held_shape(shape, node)
    made = program.emit("Reshape", [program.read(node.input[0]), program.integers(*held)])
    program.give(node.output[0], Value(made, data.dtype, shape))


def scatter(program: Program, node: NodeProto) -> None:
    """A ScatterND at all positions in order is its updates. One at rows that are no positions leaves padding at its
    positions."""
    data, indices, updates = given(program, node)
    combines = attributes_of(node).get("reduction", b"none") != b"none"
    depth = indices.shape[-1].const
    picked, rest = data.shape[:depth], data.shape[depth:]
    if not combines and updates.shape == data.shape and _is_row_major(indices, data.shape):
        program.give(node.output[0], replace(updates, name=program.read(node.input[2])))
        return
    if any(size.times for size in (*picked, *indices.shape)) or updates.shape != (*indices.shape[:-1], *rest):
        raise program.refused(node, "it writes to positions that are not known")
    program.copy(node)
    program.give(node.output[0], Value(node.output[0], data.dtype, data.shape))


def gather_nd(program: Program, node: NodeProto) -> None:
    """A GatherND at all positions in order is its data. Rows of a table are read if the indices are known to be in
    bounds."""
    data, indices = given(program, node)
    depth = indices.shape[-1]
    if attributes_of(node).get("batch_dims") or depth.times:
        raise program.refused(node, "batch_dims are not supported here")
    picked, rest = data.shape[: depth.const], data.shape[depth.const :]
    shape = (*indices.shape[:-1], *rest)
    in_order = _in_order(picked[0], indices) if depth == Size(1) else _is_row_major(indices, picked)
    if in_order:
        _as_it_is(program, node, data, shape)
        return
    if depth == Size(1) and not picked[0].times:
        at = indices_of_rows(program, node, picked[0], indices, program.read(node.input[1]))
        program.copy(node, [program.read(node.input[0]), at])
        program.give(node.output[0], Value(node.output[0], data.dtype, shape))
        return
    if indices.known is not None and all(
        _is_there(program, at, size) for at, size in zip(indices.known.reshape(-1), cycle(picked))
    ):
        program.copy(node)
        program.give(node.output[0], Value(node.output[0], data.dtype, shape))
        return
    if any(size.times for size in picked):
        raise program.refused(node, "the positions that it reads are not known")
    raise program.refused(node, "it may read positions that are not there")


RULES: dict[str, Rule] = {
    "Gather": gather,
    "GatherBlockQuantized": quantised_rows,
    "GatherElements": elements,
    "ScatterElements": elements,
    "TopK": top,
    "OneHot": one_hot,
    "GatherND": gather_nd,
    "ScatterND": scatter,
    "RotaryEmbedding": rotary,
}

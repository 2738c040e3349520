"""Replaces updates at the positions of a mask by `Where`.

PyTorch exports `x.masked_scatter(mask, rows)` and `x[mask] = rows` as `NonZero` of the mask, and a `ScatterND` with one
update for each position. Their number is only known at run time. On the device, `Where` selects between `x` and an
update for each element. The n-th row is for the n-th position of the mask, which `CumSum` counts. The result is the
same for every model that runs: then there are as many updates as positions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, TypeProto, helper, numpy_helper

from forge_mlir.importer.passes.typed_values import attribute_of, constants_of, static_shape, types_of
from forge_mlir.onnx_model.graph import all_names, fresh_name, names_read
from forge_mlir.support.opsets import default_opset

_FIRST_OPSET = 12
"""The first opset whose Clip takes integers."""


def select_by_masks(model: ModelProto) -> bool:
    """Rewrites the sorted and typed `model` in place. Returns whether anything has changed."""
    graph = model.graph
    if default_opset(model) < _FIRST_OPSET:
        return False
    made_by = {name: node for node in graph.node if not node.domain for name in node.output}
    updates = _Updates(types_of(graph), constants_of(graph), made_by, all_names(graph))
    nodes: list[NodeProto] = []
    replaced: set[str] = set()
    for node in graph.node:
        selection = updates.selection(node)
        nodes += selection or [NodeProto.FromString(node.SerializeToString())]
        if selection:
            replaced.update(node.input[1:])
    if not replaced:
        return False
    read = {value.name for value in graph.output}
    kept: list[NodeProto] = []
    for node in reversed(nodes):
        if replaced & {*node.output} and read.isdisjoint(node.output):
            replaced |= names_read(node)
        else:
            read |= names_read(node)
            kept.append(node)
    del graph.node[:]
    graph.node.extend(reversed(kept))
    return True


@dataclass
class _Rows:
    """The value `source` as rows of the sizes `row`."""

    source: str
    count: int
    """The number of rows, or -1 if it is not known. If there is only one, it is for all positions."""
    row: tuple[int, ...]


@dataclass
class _Updates:
    types: Mapping[str, TypeProto]
    constants: Mapping[str, TensorProto]
    made_by: Mapping[str, NodeProto]
    names: set[str]

    def selection(self, node: NodeProto) -> list[NodeProto]:
        """Nodes that compute the same as `node`, if it updates the positions of a mask; else none."""
        if node.op_type != "ScatterND" or node.domain or attribute_of(node, "reduction", b"none") != b"none":
            return []
        data, indices, updates = node.input
        positions = self._maker(indices, "Transpose")
        if positions is None or attribute_of(positions, "perm", [1, 0]) != [1, 0]:
            return []
        found, shape = self._maker(positions.input[0], "NonZero"), self._shape(data)
        if found is None or not shape or 0 in shape or self._shape(found.input[0]) != shape:
            return []
        mask, axes = self._mask_of_rows(found.input[0], shape)
        rows = self._rows(updates, math.prod(shape[axes:]))
        return self._nodes(node, mask, shape, axes, rows) if rows else []

    def _mask_of_rows(self, mask: str, shape: tuple[int, ...]) -> tuple[str, int]:
        """A value with one element for each row of `mask`, and the number of axes that precede a row."""
        source = mask
        while (node := self._maker(source, "Expand")) is not None:
            source = node.input[0]
        sizes = self._shape(source) or ()
        axes = max((axis for axis, size in enumerate(sizes, len(shape) - len(sizes)) if size != 1), default=-1) + 1
        return (source, axes) if sizes and math.prod(sizes) == math.prod(shape[:axes]) else (mask, len(shape))

    def _rows(self, updates: str, size: int) -> _Rows | None:
        """The flat `updates` as rows of `size` elements. Their number is that of the positions."""
        if (part := self._maker(updates, "Slice")) is not None:
            flat = self._maker(part.input[0], "Reshape")
            known = max(self._known_elements(name) for name in (part.input[0], *(flat.input[:1] if flat else ())))
            has_steps = any(part.input[4:]) and self._integers(part, 4) != [1]
            if known == 0 or known % size or self._integers(part, 1) != [0] or has_steps:
                return None
            return _Rows(part.input[0], -1, (size,))
        flat = self._maker(updates, "Reshape")
        expanded = self._maker(flat.input[0], "Expand") if flat else None
        sizes = self._maker(expanded.input[1], "Concat") if expanded else None
        if expanded is None or sizes is None or self._shape(sizes.input[0]) != (1,):
            return None
        source, last = self._shape(expanded.input[0]), [self._integers(sizes, at) for at in range(1, len(sizes.input))]
        row = tuple(size for part in last for size in part or ())
        if source is None or None in last or len(source) > len(row) + 1:
            return None
        try:
            shape = np.broadcast_shapes(source[max(0, len(source) - len(row)) :], row)
        except ValueError:  # The model is not valid; the nodes are refused.
            return None
        if math.prod(shape) != size:
            return None
        return _Rows(expanded.input[0], source[0] if len(source) > len(row) else 1, shape)

    def _nodes(self, node: NodeProto, mask: str, shape: tuple[int, ...], axes: int, rows: _Rows) -> list[NodeProto]:
        nodes: list[NodeProto] = []

        def op(kind: str, *operands: str, **attributes: int) -> str:
            name = fresh_name(f"{node.output[0]}/{kind}", self.names)
            nodes.append(helper.make_node(kind, operands, [name], node.name, **attributes))
            return name

        def constant(value: int | tuple[int, ...], dtype: type = np.int64) -> str:
            name = fresh_name(f"{node.output[0]}/constant", self.names)
            tensor = numpy_helper.from_array(np.array(value, dtype))
            nodes.append(helper.make_node("Constant", [], [name], value=tensor))
            return name

        row, ones = shape[axes:], (1,) * len(shape[axes:])
        kept = op("Cast", mask, to=TensorProto.BOOL)
        taken, elements = rows.source, self._known_elements(rows.source)
        if rows.count > 0 and elements not in (1, rows.count * math.prod(row)):
            taken = op("Expand", taken, constant((rows.count, *rows.row) if rows.count > 1 else rows.row))
        if rows.count == 1:
            taken = op("Reshape", taken, constant(row if elements > 1 else ()))
        else:
            taken = op("Reshape", taken, constant((rows.count, *row)))
            numbers = op("Cast", op("Reshape", kept, constant((-1,))), to=TensorProto.INT32)
            number = op("Sub", op("CumSum", numbers, constant(0)), constant(1, np.int32))
            # An index is only outside of the rows for elements that are not updated, and in models that do not run.
            count = op("Cast", op("Gather", op("Shape", taken), constant(0)), to=TensorProto.INT32)
            at = op("Clip", number, constant(0, np.int32), op("Sub", count, constant(1, np.int32)))
            taken = op("Reshape", op("Gather", taken, at), constant(shape))
        chosen = op("Reshape", kept, constant((*shape[:axes], *ones)))
        return [*nodes, helper.make_node("Where", [chosen, taken, node.input[0]], node.output, node.name)]

    def _maker(self, name: str, op: str) -> NodeProto | None:
        """The node that computes `name`, if its op is `op`."""
        node = self.made_by.get(name)
        return node if node is not None and node.op_type == op else None

    def _shape(self, name: str) -> tuple[int, ...] | None:
        return static_shape(self.types.get(name))

    def _known_elements(self, name: str) -> int:
        """The product of the known sizes of `name`, which divides its number of elements."""
        dims = self.types.get(name, TypeProto()).tensor_type.shape.dim
        return math.prod(dim.dim_value for dim in dims if dim.HasField("dim_value"))

    def _integers(self, node: NodeProto, at: int) -> list[int] | None:
        """The elements of the operand at `at` if it is a constant."""
        tensor = self.constants.get(node.input[at])
        return None if tensor is None else [int(each) for each in numpy_helper.to_array(tensor).reshape(-1)]

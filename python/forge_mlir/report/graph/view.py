"""The graph of a model for display: types of values, partitions, and folded boxes."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import onnx.defs
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, numpy_helper

from forge_mlir.onnx_model.dtypes import element_by_name, element_text, type_text
from forge_mlir.onnx_model.graph import constant_value
from forge_mlir.onnx_model.storage.weightless import placeholder_of
from forge_mlir.report.graph.folding import FoldedNode, Group, Kind, folded, scope_of
from forge_mlir.report.partition import PartitionSummary

_MOST_SHOWN, _LONGEST = 6, 40


@dataclass(frozen=True)
class ValueRow:
    """A value of the graph. In `shape`, open dims are names or None; it is None if the rank is unknown.

    `constant` is set for weights and constants; `text` has their elements if there are few.
    """

    dtype: str
    shape: tuple[int | str | None, ...] | None
    constant: bool = False
    text: str = ""


def values_of(graph: ModelProto) -> dict[str, ValueRow]:
    """The values of the main graph by name, with types where known."""
    main = graph.graph
    found = {info.name: value_of_info(info) for info in (*main.value_info, *main.output, *main.input)}
    constants = ((node.output[0], constant_value(node)) for node in main.node if len(node.output) == 1)
    tensors = [*((tensor.name, tensor) for tensor in main.initializer), *constants]
    found.update({name: _of_tensor(tensor) for name, tensor in tensors if tensor is not None})
    return found


def value_of_info(info: ValueInfoProto) -> ValueRow:
    """The declared type of a value."""
    if info.type.WhichOneof("value") != "tensor_type":
        return ValueRow(type_text(info.type), None)
    tensor = info.type.tensor_type
    shape = None
    if tensor.HasField("shape"):
        shape = tuple(dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None for dim in tensor.shape.dim)
    return ValueRow(element_text(tensor.elem_type), shape)


def _of_tensor(tensor: TensorProto) -> ValueRow:
    text = ""
    if math.prod(tensor.dims) <= _MOST_SHOWN and len(tensor.dims) < 2 and placeholder_of(tensor) is None:
        values = [f"{value:.6g}" if isinstance(value, float) else str(value)[:_LONGEST] for value in _elements(tensor)]
        text = f"[{', '.join(values)}]" if tensor.dims else values[0]
    return ValueRow(element_text(tensor.data_type), tuple(tensor.dims), True, text)


def _elements(tensor: TensorProto) -> list[Any]:
    if tensor.data_type == TensorProto.STRING:  # onnx decodes UTF-8 only, and text of ONNX is bytes.
        return [text.decode("utf-8", "replace") for text in tensor.string_data]
    found: list[Any] = numpy_helper.to_array(tensor).ravel().tolist()
    return found


def bytes_of(tensor: TensorProto) -> int:
    """The size of a tensor's elements; for text, the number of characters."""
    try:
        return element_by_name(element_text(tensor.data_type)).nbytes(math.prod(tensor.dims)) or sum(
            map(len, tensor.string_data)
        )
    except KeyError:  # a type that is not supported
        return 0


def roles_of(node: NodeProto, opset: int) -> tuple[str, ...]:
    """The names in the ONNX schema of the inputs of `node` that are present; empty for an op that onnx does not
    know."""
    names = _input_names(node.op_type, node.domain, opset)
    if not names:
        return ()
    # The last one is variadic.
    return tuple(names[min(at, len(names) - 1)] for at, value in enumerate(node.input) if value)


@cache
def _input_names(op: str, domain: str, opset: int) -> tuple[str, ...]:
    try:
        schema = onnx.defs.get_schema(op, opset, domain) if not domain else onnx.defs.get_schema(op, domain=domain)
    except onnx.defs.SchemaError:
        return ()
    return tuple(formal.name for formal in schema.inputs)


def partition_of(
    nodes: Sequence[NodeProto],
    names: Sequence[str],
    calls: Iterable[tuple[str, str]],
    partitions: Sequence[PartitionSummary],
) -> list[str]:
    """The partition of each node; "" if there are no partitions. `calls` are (module, node). A node without a call,
    because it was fused into another, is in the partition of a user or operand."""
    if not partitions:
        return [""] * len(nodes)
    known = {node.name: part.module for part in partitions for node in part.cpu_nodes}
    for module, node in calls:
        known.setdefault(node, module)
    found = _from_neighbours(nodes, [known.get(name, "") for name in names], both_ways=True)
    return [module or partitions[0].module for module in found]


def holders_of(nodes: Sequence[NodeProto], names: Sequence[str], called: Container[str]) -> list[str]:
    """For each node that is not `called`, the first later node that is, whose calls include it; otherwise ""."""
    found = _from_neighbours(nodes, [name if name in called else "" for name in names], both_ways=False)
    return ["" if holder == name else holder for name, holder in zip(names, found, strict=True)]


def _from_neighbours(nodes: Sequence[NodeProto], known: list[str], *, both_ways: bool) -> list[str]:
    """Completes unknown entries with that of the first user, or, with `both_ways`, of an operand."""
    found = list(known)
    makers = {value: at for at, node in enumerate(nodes) for value in node.output if value}
    read = [[makers[value] for value in node.input if value in makers] for node in nodes]
    readers: list[list[int]] = [[] for _ in nodes]
    for at, before in enumerate(read):
        for maker in before:
            readers[maker].append(at)
    ways = [(range(len(nodes) - 1, -1, -1), readers), (range(len(nodes)), read)]
    for order, near in ways if both_ways else ways[:1]:
        for at in order:
            found[at] = found[at] or next((found[other] for other in near[at] if found[other]), "")
    return found


def tree_of(
    nodes: Sequence[NodeProto],
    names: Sequence[str],
    values: Mapping[str, ValueRow],
    modules: Sequence[str],
    partitions: Sequence[PartitionSummary],
) -> tuple[Group | int, ...]:
    """The nodes in boxes: partitions at the top level, if there are any, then the boxes of `folded`."""
    known = [
        FoldedNode(
            scope_of(name, {entry.key: entry.value for entry in node.metadata_props}),
            node.op_type,
            tuple((row.dtype, row.shape) for row in map(values.get, node.output) if row is not None),
        )
        for node, name in zip(nodes, names, strict=True)
    ]
    if not partitions:
        return folded(known)
    boxes = []
    for part in partitions:
        members = [at for at, module in enumerate(modules) if module == part.module]
        if members:
            kind: Kind = "cpu" if part.kind == "cpu" else "device"
            label = f"{part.module} ({part.engine})" if part.engine else part.module
            boxes.append((members[0], Group(label, kind, folded(known, members))))
    return tuple(box for _, box in sorted(boxes, key=lambda box: box[0]))

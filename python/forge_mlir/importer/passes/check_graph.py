"""Checks the rules of ONNX graphs that neither onnx's checker nor its shape inference enforces, and sorts nodes."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from functools import partial

from onnx import AttributeProto, GraphProto, NodeProto, TensorProto, TypeProto

from forge_mlir.codes import Code
from forge_mlir.errors import Diagnostic
from forge_mlir.onnx_model.dtypes import check_data, element_count, element_type
from forge_mlir.onnx_model.errors import import_error, quote, tensor_label
from forge_mlir.onnx_model.graph import constant_value, names_read, node_where, subgraphs
from forge_mlir.onnx_model.storage.weightless import placeholder_of

_REFUSED = {
    AttributeProto.UNDEFINED,
    AttributeProto.SPARSE_TENSOR,
    AttributeProto.SPARSE_TENSORS,
    AttributeProto.TYPE_PROTO,
    AttributeProto.TYPE_PROTOS,
    AttributeProto.GRAPHS,
}
_RING_SHOWN = 12


def normalise_graph(graph: GraphProto, warnings: list[str], outer: frozenset[str] = frozenset()) -> None:
    """Checks `graph` and its subgraphs, and sorts its nodes if necessary. `outer` are the names of outer graphs. Raises
    OnnxImportError for the first violation."""
    _drop_unread_text(graph)
    inputs = _unique((value.name for value in graph.input), "graph input")
    constants = _unique((tensor.name for tensor in graph.initializer), "initializer")
    if outer and inputs & constants:
        raise import_error(
            Code.NameTwice, "subgraph input has an initializer", where=tensor_label(min(inputs & constants))
        )
    for tensor in graph.initializer:
        if placeholder_of(tensor) is None:
            check_data(tensor, tensor_label(tensor.name))
    sound: set[bytes] = set()
    for value in (*graph.input, *graph.output, *graph.value_info):
        _check_type_once(value.type, partial(tensor_label, value.name), sound)

    given = inputs | constants
    producer: dict[str, int] = {}
    for index, node in enumerate(graph.node):
        _check_attributes(node)
        for name in node.output:
            if name in producer or name in given:
                other = "an input or initializer" if name in given else "another node"
                raise import_error(
                    Code.NameTwice, f"its output {quote(name)} is also {other}'s", where=node_where(node)
                )
            if name:
                producer[name] = index
    visible = frozenset(given.union(producer, outer))
    for node in graph.node:
        for inner in subgraphs(node):
            normalise_graph(inner, warnings, visible)
    _sort(graph, producer, visible, warnings)
    for value in graph.output:
        if value.name not in visible:
            raise import_error(
                Code.ValueUndefined, "graph output is produced by nothing", where=tensor_label(value.name)
            )


def _drop_unread_text(graph: GraphProto) -> None:
    """Removes unused strings, for which the IR has no type."""
    text = [
        (items, index, item.output if isinstance(item, NodeProto) else [item.name])
        for items in (graph.node, graph.initializer)
        for index, item in enumerate(items)
        if _is_text(item)
    ]
    if not text:
        return
    read = {value.name for value in graph.output}.union(*map(names_read, graph.node))
    for items, index, names in reversed(text):
        if not read.intersection(names):
            del items[index]


def _is_text(item: NodeProto | TensorProto) -> bool:
    tensor = item if isinstance(item, TensorProto) else constant_value(item)
    return tensor is not None and bool(tensor.data_type == TensorProto.STRING)


def check_type(proto: TypeProto, where: str) -> None:
    """Raises OnnxImportError for element types, dims and value kinds that the IR cannot represent."""
    match proto.WhichOneof("value"):
        case "tensor_type":
            element = element_type(proto.tensor_type.elem_type, where)
            dims = [d.dim_value if d.HasField("dim_value") else 1 for d in proto.tensor_type.shape.dim]
            if any(dim < 0 for dim in dims):
                raise import_error(
                    Code.ModelInvalid,
                    f"its shape has the negative dimension {min(dims)}",
                    where=where,
                    hint="a dimension that varies must be left open or named, not negative",
                )
            element_count(tuple(dims), element.bits, where)
        case "sequence_type":
            check_type(proto.sequence_type.elem_type, where)
        case "optional_type":
            check_type(proto.optional_type.elem_type, where)
        case None:
            pass
        case kind:
            raise import_error(
                Code.TypeNotImported,
                f"values of {str(kind).replace('_', ' ')} are not supported",
                where=where,
                unsupported=True,
            )


def check_inferred(graph: GraphProto) -> None:
    """Opens dims of size -1, which onnx's inference uses for unknown sizes. Raises OnnxImportError, naming the node,
    for other impossible types that it infers (its arithmetic overflows), and for an optional that no pass has
    resolved."""
    types = {value.name: value.type for value in (*graph.output, *graph.value_info)}
    sound: set[bytes] = set()
    for node in graph.node:
        for inner in subgraphs(node):
            check_inferred(inner)
        for attribute in node.attribute:
            if attribute.type in _REFUSED:
                raise _not_imported(node, attribute)
        for name in node.output:
            if name in types:
                _check_type_once(types[name], partial(node_where, node), sound)


def _check_type_once(proto: TypeProto, where: Callable[[], str], sound: set[bytes]) -> None:
    """Opens unknown dims in a type and checks it; types in `sound` have been checked already."""
    if proto.SerializeToString() not in sound:
        _open_unknown(proto)
        check_type(proto, where())
        sound.add(proto.SerializeToString())


def _open_unknown(proto: TypeProto) -> None:
    """Opens dims of size -1, which exporters and onnx's inference use for unknown sizes."""
    for dim in proto.tensor_type.shape.dim:
        if dim.dim_value == -1:
            dim.ClearField("value")


def _unique(names: Iterable[str], what: str) -> set[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise import_error(Code.NameTwice, f"two {what}s have this name", where=tensor_label(name))
        if not name:
            raise import_error(Code.ModelInvalid, f"{what} without a name")
        seen.add(name)
    return seen


def _check_attributes(node: NodeProto) -> None:
    seen: set[str] = set()
    for attribute in node.attribute:
        if attribute.name in seen:
            raise import_error(
                Code.NameTwice, f"attribute {quote(attribute.name)} is given twice", where=node_where(node)
            )
        seen.add(attribute.name)
        if attribute.ref_attr_name:
            shown = quote(attribute.name)
            raise import_error(
                Code.ModelInvalid, f"attribute {shown} refers to a function's, but is in none", where=node_where(node)
            )
        # The type of an absent optional, which may be resolved later.
        if attribute.type in _REFUSED and node.op_type != "Optional":
            raise _not_imported(node, attribute)
        for tensor in (attribute.t,) if attribute.type == AttributeProto.TENSOR else attribute.tensors:
            if placeholder_of(tensor) is None:  # the scan has checked all others
                check_data(tensor, f"{node_where(node)}: tensor in {quote(attribute.name)}")


def _not_imported(node: NodeProto, attribute: AttributeProto) -> Exception:
    kind = AttributeProto.AttributeType.Name(attribute.type)
    return import_error(
        Code.AttributeNotImported,
        f"attribute {quote(attribute.name)} of kind {kind} is not supported",
        where=node_where(node),
        unsupported=True,
    )


def _sort(graph: GraphProto, producer: dict[str, int], visible: frozenset[str], warnings: list[str]) -> None:
    """Sorts the nodes of `graph` topologically: keeps the given order if it is valid, otherwise uses the closest one.
    Raises OnnxImportError for values without a producer and for cycles."""
    needs: list[set[int]] = []
    in_order = True
    for index, node in enumerate(graph.node):
        reads = names_read(node)
        for name in reads:
            if name not in visible:
                raise import_error(
                    Code.ValueUndefined, f"its input {quote(name)} is produced by nothing", where=node_where(node)
                )
        needs.append({producer[name] for name in reads if name in producer})
        in_order = in_order and all(before < index for before in needs[-1])
    if in_order:
        return
    users: list[list[int]] = [[] for _ in needs]
    for index, before in enumerate(needs):
        for other in before:
            users[other].append(index)
    waiting = [len(before) for before in needs]
    ready = [index for index, count in enumerate(waiting) if count == 0]
    order: list[int] = []
    while ready:
        index = heapq.heappop(ready)
        order.append(index)
        for user in users[index]:
            waiting[user] -= 1
            if waiting[user] == 0:
                heapq.heappush(ready, user)
    if len(order) < len(needs):
        ring = _ring(needs, {index for index, count in enumerate(waiting) if count})
        lines = tuple(node_where(graph.node[index]) for index in ring[:_RING_SHOWN])
        more = (f"... and {len(ring) - _RING_SHOWN} more",) if len(ring) > _RING_SHOWN else ()
        raise import_error(
            Code.GraphCycle,
            f"the graph has a cycle of {len(ring)} nodes",
            where=node_where(graph.node[ring[0]]),
            diagnostics=(
                Diagnostic(
                    "note",
                    "each of these reads what the next one produces, the last what the first does",
                    notes=(*lines, *more),
                ),
            ),
        )
    nodes = [NodeProto.FromString(graph.node[index].SerializeToString()) for index in order]
    del graph.node[:]
    graph.node.extend(nodes)
    warnings.append(f"nodes of graph {quote(graph.name)} are not in topological order; they were sorted")


def _ring(needs: list[set[int]], stuck: set[int]) -> list[int]:
    """A cycle among `stuck` nodes, each of which depends on another of them."""
    path: list[int] = []
    index: dict[int, int] = {}
    at = min(stuck)
    while at not in index:
        index[at] = len(path)
        path.append(at)
        at = min(needs[at] & stuck)
    return path[index[at] :]

"""Traverses the nodes and subgraphs of a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from google.protobuf.message import Message  # type: ignore[import-untyped]
from onnx import GraphProto, NodeProto, TensorProto, helper

from forge_mlir.errors import node_label

_OPSET_KEY = "forge.opset"
_SCALARS = {"value_float": TensorProto.FLOAT, "value_int": TensorProto.INT64, "value_string": TensorProto.STRING}
"""The attributes of Constant that are scalars; with an "s" at the end of the name they are lists."""


def node_where(node: NodeProto) -> str:
    return node_label(node.name, node.op_type, node.domain, tuple(node.output[:1]))


def subgraphs(node: NodeProto) -> Iterator[GraphProto]:
    """The subgraphs in a node's attributes."""
    return _inner((node,))


def _inner(nodes: Iterable[NodeProto]) -> Iterator[GraphProto]:
    for node in nodes:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield attribute.g
            if attribute.graphs:  # almost always empty; checked for performance
                yield from attribute.graphs


def all_graphs(graph: GraphProto) -> Iterator[GraphProto]:
    """`graph` and all its subgraphs. The scan of the file limits the nesting."""
    yield graph
    for inner in _inner(graph.node):
        yield from all_graphs(inner)


def all_nodes(nodes: Sequence[NodeProto]) -> Iterator[NodeProto]:
    """`nodes` and the nodes in their subgraphs."""
    yield from nodes
    for graph in _inner(nodes):
        yield from all_nodes(graph.node)


def messages_of_type(message: Message, kind: type[Message]) -> Iterator[Message]:
    """All messages of a type within `message`."""
    if isinstance(message, kind):
        yield message
    for field, value in message.ListFields():
        if field.message_type is not None:
            for inner in (value,) if isinstance(value, Message) else value:
                yield from messages_of_type(inner, kind)


def all_names(graph: GraphProto) -> set[str]:
    """The names of all values in `graph` and its subgraphs."""
    names: set[str] = set()
    for each in all_graphs(graph):
        names.update(value.name for value in (*each.input, *each.output, *each.initializer))
        names.update(name for node in each.node for name in (*node.input, *node.output))
    return names


def names_read(node: NodeProto) -> set[str]:
    """The outer names that a node or its subgraphs read."""
    names = {name for name in node.input if name}
    for graph in subgraphs(node):
        inner: set[str] = {value.name for value in graph.output}
        local = {v.name for v in graph.input} | {t.name for t in graph.initializer}
        for child in graph.node:
            inner |= names_read(child)
            local.update(child.output)
        names |= inner - local
    return names


def constant_value(node: NodeProto) -> TensorProto | None:
    """The value of a Constant node of the default domain as a tensor; None for other nodes."""
    if node.op_type != "Constant" or node.domain or len(node.output) != 1:
        return None
    for attribute in node.attribute:
        if attribute.name == "value" and attribute.HasField("t"):
            return attribute.t
        if attribute.name in _SCALARS:
            return helper.make_tensor("", _SCALARS[attribute.name], [], [helper.get_attribute_value(attribute)])
        if attribute.name.removesuffix("s") in _SCALARS:
            values = helper.get_attribute_value(attribute)
            return helper.make_tensor("", _SCALARS[attribute.name.removesuffix("s")], [len(values)], values)
    return None


def fresh_name(name: str, taken: set[str]) -> str:
    """`name`, with a number appended if it is taken. The result is added to `taken`."""
    made, number = name, 0
    while made in taken:
        number += 1
        made = f"{name}_{number}"
    taken.add(made)
    return made


def node_opset(node: NodeProto) -> int | None:
    """The opset that `set_node_opset` assigned to the node, if any."""
    for entry in node.metadata_props:
        if entry.key == _OPSET_KEY:
            return int(entry.value)
    return None


def set_node_opset(node: NodeProto, opset: int) -> None:
    """Annotates a node from a function body with the opset of that body."""
    drop_node_opset(node)
    node.metadata_props.add(key=_OPSET_KEY, value=str(opset))


def drop_node_opset(node: NodeProto) -> None:
    """Removes the annotation of `set_node_opset` that a file may contain."""
    for at in reversed(range(len(node.metadata_props))):
        if node.metadata_props[at].key == _OPSET_KEY:
            del node.metadata_props[at]

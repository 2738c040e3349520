"""Moves the weights of subgraphs to the main graph, whose values are visible in subgraphs.

There a weight keeps its location, whatever happens to the node around it. Besides, onnxruntime does not support
external data for constants of subgraphs.
"""

from __future__ import annotations

from collections.abc import Mapping

from onnx import GraphProto, NodeProto, TensorProto

from forge_mlir.onnx_model.graph import all_graphs, all_names, constant_value, fresh_name, subgraphs
from forge_mlir.onnx_model.storage.weightless import placeholder_of


def hoist_weights(graph: GraphProto) -> None:
    """Makes every tensor with placeholder data in a subgraph of `graph` an initializer of `graph`.

    New names contain the path of the subgraph; outputs of a subgraph that are weights get an Identity.
    """
    inner = [each for node in graph.node for found in subgraphs(node) for each in all_graphs(found)]
    if not any(_weights(each) for each in inner):
        return
    taken = all_names(graph)
    for node in graph.node:
        for found in subgraphs(node):
            _hoist(found, graph, taken, {})


def _weights(graph: GraphProto) -> dict[str, TensorProto]:
    """The weights of `graph` itself by value name: initializers and Constant nodes."""
    found = {tensor.name: tensor for tensor in graph.initializer if placeholder_of(tensor) is not None}
    for node in graph.node:
        value = constant_value(node)
        if value is not None and placeholder_of(value) is not None:
            found[node.output[0]] = value
    return found


def _hoist(graph: GraphProto, main: GraphProto, taken: set[str], outer: Mapping[str, str]) -> None:
    """`outer` maps names of weights that outer graphs gave away to their new names."""
    local = {value.name for value in (*graph.input, *graph.initializer)}
    local |= {name for node in graph.node for name in node.output}
    renamed = {old: new for old, new in outer.items() if old not in local}
    for name, tensor in _weights(graph).items():
        moved = main.initializer.add()
        moved.CopyFrom(tensor)
        moved.name = renamed[name] = fresh_name(f"{graph.name or 'branch'}.{name}", taken)
    kept = [tensor for tensor in graph.initializer if tensor.name not in renamed]
    nodes = [node for node in graph.node if node.op_type != "Constant" or node.output[0] not in renamed]
    _replace(graph, kept, nodes)
    for node in graph.node:
        node.input[:] = [renamed.get(name, name) for name in node.input]
        for inner in subgraphs(node):
            _hoist(inner, main, taken, renamed)
    for name in dict.fromkeys(value.name for value in graph.output):
        if name in renamed:
            graph.node.append(NodeProto(op_type="Identity", input=[renamed[name]], output=[name]))


def _replace(graph: GraphProto, initializers: list[TensorProto], nodes: list[NodeProto]) -> None:
    kept = GraphProto(initializer=initializers, node=nodes)
    del graph.initializer[:]
    del graph.node[:]
    graph.initializer.extend(kept.initializer)
    graph.node.extend(kept.node)

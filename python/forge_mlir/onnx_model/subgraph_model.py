"""Extracts nodes of a model as a model of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from onnx import FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto, ValueInfoProto, helper

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.onnx_model.accuracy import multiply_floats
from forge_mlir.onnx_model.graph import all_nodes, names_read, node_opset, node_where, subgraphs
from forge_mlir.onnx_model.opsets import since_version
from forge_mlir.onnx_model.storage.weightless import placeholder_of, restore
from forge_mlir.onnx_model.storage.weights import WeightRef
from forge_mlir.support.opsets import declared_opsets

# Ops whose semantics changed between versions with the same signature: onnxruntime interprets nodes in a function of
# another opset by the opset of the model.
_CHANGED_IN_PLACE = ("Softmax", "LogSoftmax", "Hardmax")
_OWN_DOMAIN = "forge_mlir.opset"


def subgraph_model(
    model: ModelProto,
    weights: Mapping[int, WeightRef],
    nodes: Sequence[NodeProto],
    inputs: Sequence[ValueInfoProto],
    outputs: Sequence[ValueInfoProto],
    constants: Sequence[TensorProto],
    facts: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """Nodes of an imported model as a serialised model of their own, with `facts` as its metadata.

    Tensors in attributes get their data from `weights` by placeholder. MatMulNBits does not round its operands.
    """
    graph = GraphProto(name=model.graph.name or "subgraph")
    opsets = _common_opsets(nodes, declared_opsets(model))
    functions: list[FunctionProto] = []
    for node in nodes:
        graph.node.append(_in_opset(node, opsets, functions))
        _fill_attributes(graph.node[-1], weights)
    multiply_floats(all_nodes(graph.node))
    for function in functions:
        for node in function.node:
            _fill_attributes(node, weights)
    graph.initializer.extend(constants)
    graph.input.extend(inputs)
    graph.output.extend(outputs)
    used = {"", *(node.domain for node in all_nodes(graph.node))}
    imports = [helper.make_opsetid(domain, version) for domain, version in opsets.items() if domain in used]
    if functions:
        imports.append(helper.make_opsetid(_OWN_DOMAIN, 1))
    partition = ModelProto(ir_version=max(model.ir_version, 8), graph=graph, functions=functions)
    partition.opset_import.extend(imports)
    helper.set_model_props(partition, dict(facts))
    return bytes(partition.SerializeToString(deterministic=True))


def _fill_attributes(node: NodeProto, weights: Mapping[int, WeightRef]) -> None:
    """Adds the data of tensors in attributes of `node` and of the nodes in its subgraphs."""
    for attribute in node.attribute:
        for tensor in (attribute.t, *attribute.tensors) if attribute.HasField("t") else attribute.tensors:
            placeholder = placeholder_of(tensor)
            if placeholder is not None:
                restore(tensor, weights[placeholder])
    for graph in subgraphs(node):
        for inner in graph.node:
            _fill_attributes(inner, weights)


def _common_opsets(nodes: Sequence[NodeProto], opsets: Mapping[str, int]) -> dict[str, int]:
    """`opsets` of the model, in which the opset of a domain is replaced if all `nodes` of the domain have the same
    meaning in it."""
    chosen = dict(opsets)
    for domain, version in opsets.items():
        written = [(node.op_type, node_opset(node) or version) for node in all_nodes(nodes) if node.domain == domain]
        for candidate in dict.fromkeys((version, *(own for _, own in written))):
            if all(since_version(op, own, domain) == since_version(op, candidate, domain) for op, own in written):
                chosen[domain] = candidate
                break
    return chosen


def _in_opset(node: NodeProto, opsets: Mapping[str, int], functions: list[FunctionProto]) -> NodeProto:
    """A copy of `node` for a model with `opsets`. A node from a function body of another opset in which its op differs,
    also one in a subgraph, becomes a call of a function with that opset."""
    copy = NodeProto()
    copy.CopyFrom(node)
    del copy.metadata_props[:]
    for graph in subgraphs(copy):
        inner = [_in_opset(each, opsets, functions) for each in graph.node]
        del graph.node[:]
        graph.node.extend(inner)
    own = node_opset(node)
    if own is None:
        return copy
    outer = opsets.get(node.domain, own)
    if since_version(node.op_type, own, node.domain) == since_version(node.op_type, outer, node.domain):
        return copy
    if node.op_type in _CHANGED_IN_PLACE and not node.domain:
        raise ForgeError(
            Code.CpuPartition,
            f"{node_where(node)}: an op of opset {own} cannot be in one CPU partition with nodes of opset {outer}, "
            "because onnxruntime would take it for theirs",
        )
    captured = names_read(node) - set(node.input)
    if captured:
        raise ForgeError(
            Code.CpuPartition,
            f"{node_where(node)}: a CPU partition cannot hold its subgraphs, which have another opset",
        )
    inputs = [name for name in node.input if name]
    outputs = [name for name in node.output if name]
    imports = [helper.make_opsetid(node.domain, own)]
    name = f"{node.op_type}_{len(functions)}"
    functions.append(helper.make_function(_OWN_DOMAIN, name, inputs, outputs, [copy], imports))
    return helper.make_node(name, inputs, outputs, name=node.name, domain=_OWN_DOMAIN)

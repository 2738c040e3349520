"""Inlines model-local functions, with a bound on what they may grow to."""

from __future__ import annotations

import onnx.inliner
from onnx import FunctionProto, ModelProto, NodeProto

from forge_mlir.codes import Code
from forge_mlir.onnx_model.errors import import_error, quote
from forge_mlir.onnx_model.graph import all_graphs, node_where, subgraphs
from forge_mlir.onnx_model.opsets import since_version

MAX_NODES = 200_000
"""Nodes that all calls together may expand to. A file of a kilobyte can ask for 2^14 (each function calling the
previous one twice), and onnx's inliner would try."""

_Key = tuple[str, str, str]


def inline_functions(model: ModelProto) -> ModelProto:
    """`model` with every call of a model-local function replaced by its body; `model` itself when it has none.

    Raises OnnxImportError for recursion, for bodies that grow past MAX_NODES and for what onnx's inliner refuses.
    """
    if not model.functions:
        return model
    table: dict[_Key, FunctionProto] = {}
    for function in model.functions:
        key = (function.domain, function.name, function.overload)
        if key in table:
            raise import_error(Code.NameTwice, f"function {quote(function.name)} is defined twice")
        table[key] = function
    sizes: dict[_Key, int] = {}
    total = sum(_node_size(node, table, sizes, ()) for node in model.graph.node)
    if total > MAX_NODES + len(model.graph.node):
        raise import_error(Code.ExpansionTooLarge, f"its functions expand to more than {MAX_NODES} nodes")
    model = _with_common_opsets(model)
    inlined: ModelProto = onnx.inliner.inline_local_functions(model)
    for graph in all_graphs(inlined.graph):
        for node in graph.node:
            if _key(node) in table:
                raise import_error(
                    Code.FunctionNotInlined,
                    "the function it calls cannot be inlined",
                    where=node_where(node),
                    hint="its opset versions differ from those of the model, and so do its ops",
                )
    del inlined.functions[:]
    return inlined


def _with_common_opsets(model: ModelProto) -> ModelProto:
    """`model` with every function declared for the model's opsets, where its ops are the same in both versions."""
    versions = {entry.domain: entry.version for entry in model.opset_import}
    copy = ModelProto()
    copy.CopyFrom(model)
    for function in copy.functions:
        graphs = [graph for node in function.node for inner in subgraphs(node) for graph in all_graphs(inner)]
        nodes = [*function.node, *(node for graph in graphs for node in graph.node)]
        for entry in function.opset_import:
            wanted = versions.get(entry.domain, entry.version)
            used = {node.op_type for node in nodes if node.domain == entry.domain}
            spans = [{since_version(op, version, entry.domain) for version in (entry.version, wanted)} for op in used]
            if all(len(span) == 1 for span in spans):
                entry.version = wanted
    return copy


def _key(node: NodeProto) -> _Key:
    return (node.domain, node.op_type, node.overload)


def _node_size(
    node: NodeProto, table: dict[_Key, FunctionProto], sizes: dict[_Key, int], active: tuple[_Key, ...]
) -> int:
    """Nodes that `node` becomes, itself included, saturating above MAX_NODES."""
    size = 1 + sum(_node_size(inner, table, sizes, active) for graph in subgraphs(node) for inner in graph.node)
    key = _key(node)
    if key in table:
        if key in active:
            ring = " calls ".join(quote(name) for _, name, _ in (*active[active.index(key) :], key))
            raise import_error(Code.FunctionNotInlined, f"its functions call themselves: {ring}")
        if len(active) > 64:
            raise import_error(Code.NestingTooDeep, "its functions call each other more than 64 deep")
        if key not in sizes:
            sizes[key] = sum(_node_size(inner, table, sizes, (*active, key)) for inner in table[key].node)
        size += sizes[key]
    return min(size, 2 * MAX_NODES)

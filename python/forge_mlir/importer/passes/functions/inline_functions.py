"""Inlines model-local functions, with a limit on the resulting number of nodes."""

from __future__ import annotations

from collections.abc import Sequence

import onnx.defs
import onnx.inliner
from onnx import FunctionProto, ModelProto, NodeProto

from forge_mlir.codes import Code
from forge_mlir.importer.passes.functions.own_opsets import forget_opsets, keep_opsets
from forge_mlir.onnx_model.errors import import_error, quote
from forge_mlir.onnx_model.graph import all_nodes, fresh_name, subgraphs
from forge_mlir.support.opsets import declared_opsets, default_opset

MAX_NODES = 200_000
"""The largest number of nodes that all calls together may expand to. A file of a kilobyte can request 2^14 (each
function calls the previous one twice), and onnx's inliner would try."""

_Key = tuple[str, str, str]


def inline_functions(model: ModelProto) -> ModelProto:
    """`model` with all calls of model-local functions inlined; `model` itself if there are none.

    Nodes of a function for another opset keep that opset if their op differs in it. Raises OnnxImportError for
    recursion, for bodies with more than MAX_NODES nodes in all, and as `keep_opsets` does.
    """
    forget_opsets(model)
    if not model.functions:
        return model
    table: dict[_Key, FunctionProto] = {}
    for function in model.functions:
        key = (function.domain, function.name, function.overload)
        if key in table:
            raise import_error(Code.NameTwice, f"function {quote(function.name)} is defined twice")
        table[key] = function
    if any(function.overload for function in model.functions):
        model = _without_overloads(model)
        table = {(function.domain, function.name, ""): function for function in model.functions}
    # ONNX leaves open which of the two an op is that also is a function; in onnxruntime it is the op.
    opset = default_opset(model)
    table = {key: table[key] for key in table if key[0] or not onnx.defs.has(key[1], opset)}
    sizes: dict[_Key, int] = {}
    total = sum(_node_size(node, table, sizes, ()) for node in model.graph.node)
    if total > MAX_NODES + len(model.graph.node):
        raise import_error(Code.ExpansionTooLarge, f"its functions expand to more than {MAX_NODES} nodes")
    levels = _levels(model, table)
    inlined = _with_common_opsets(model, {key for level in levels for key in level})
    # Callers first: which attributes a call has is known only after its caller has been inlined.
    for level in levels:
        _fill_defaults(inlined, table)
        inlined = onnx.inliner.inline_selected_functions(inlined, [key[:2] for key in level], exclude=False)
    del inlined.functions[:]
    return inlined


def _without_overloads(model: ModelProto) -> ModelProto:
    """A copy of `model` in which each overload of a function has a name of its own: onnx's inliner selects functions by
    their names."""
    copy = ModelProto()
    copy.CopyFrom(model)
    nodes = [node for owner in (copy.graph, *copy.functions) for node in all_nodes(owner.node)]
    taken = {node.op_type for node in nodes} | {function.name for function in copy.functions}
    names: dict[_Key, str] = {}
    for function in filter(lambda function: function.overload, copy.functions):
        key = (function.domain, function.name, function.overload)
        function.name = names[key] = fresh_name(f"{function.name}:{function.overload}", taken)
        function.overload = ""
    for node in nodes:
        if (name := names.get(_key(node))) is not None:
            node.op_type, node.overload = name, ""
    return copy


def _levels(model: ModelProto, table: dict[_Key, FunctionProto]) -> list[list[_Key]]:
    """The called functions in groups, such that the callers of a function are in earlier groups. The calls must not be
    recursive."""
    depths: dict[_Key, int] = {}
    calls = {key: _calls(function.node, table) for key, function in table.items()}
    reached, depth = _calls(model.graph.node, table), 0
    while reached:
        depths.update(dict.fromkeys(reached, depth))
        reached, depth = {inner for key in reached for inner in calls[key]}, depth + 1
    return [[key for key, at in depths.items() if at == level] for level in range(depth)]


def _calls(nodes: Sequence[NodeProto], table: dict[_Key, FunctionProto]) -> set[_Key]:
    """The functions that `nodes`, and the nodes in their subgraphs, call."""
    return {key for node in all_nodes(nodes) if (key := _key(node)) in table}


def _fill_defaults(model: ModelProto, table: dict[_Key, FunctionProto]) -> None:
    """Adds default values for absent attributes to every call.

    A call within a function may refer to an attribute of that function, which may also be absent; that is resolved when
    the function is inlined.
    """
    for owner in (model.graph, *model.functions):
        for node in all_nodes(owner.node):
            if (function := table.get(_key(node))) is not None:
                given = {attribute.name for attribute in node.attribute}
                node.attribute.extend(default for default in function.attribute_proto if default.name not in given)


def _with_common_opsets(model: ModelProto, called: set[_Key]) -> ModelProto:
    """`model` in which the `called` functions are declared for the opsets of the model. Domains that only nodes of
    these functions have are added to its opsets."""
    copy = ModelProto()
    copy.CopyFrom(model)
    del copy.functions[:]
    copy.functions.extend(f for f in model.functions if (f.domain, f.name, f.overload) in called)
    versions = declared_opsets(copy)
    for function in copy.functions:
        used = {node.domain for node in all_nodes(function.node) if _key(node) not in called}
        for entry in function.opset_import:
            if entry.domain in used and entry.domain not in versions:
                versions[entry.domain] = entry.version
                copy.opset_import.add().CopyFrom(entry)
        keep_opsets(copy, function)
        _compute_outputs(function)
    return copy


def _compute_outputs(function: FunctionProto) -> None:
    """Gives each output of `function` that is also an input, or another output, a node of its own: onnx's inliner has
    one name for both."""
    taken = {name for node in all_nodes(function.node) for name in (*node.input, *node.output)}
    taken.update(function.input, function.output)
    seen = set(function.input)
    for at, name in enumerate(function.output):
        if name in seen:
            function.output[at] = fresh_name(name, taken)
            function.node.append(NodeProto(op_type="Identity", input=[name], output=[function.output[at]]))
        seen.add(name)


def _key(node: NodeProto) -> _Key:
    return (node.domain, node.op_type, node.overload)


def _node_size(
    node: NodeProto, table: dict[_Key, FunctionProto], sizes: dict[_Key, int], active: tuple[_Key, ...]
) -> int:
    """The number of nodes that `node` becomes, including itself, saturating above MAX_NODES."""
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

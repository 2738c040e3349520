"""The function bodies with which ONNX itself defines some of its ops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import onnx
from onnx import AttributeProto, FunctionProto, GraphProto, NodeProto, TypeProto

from forge_mlir.onnx_model.graph import fresh_name, names_read, subgraphs

_OLDEST_UNSAID = 15
"""Bodies that do not say for which opset of the default domain they are written use ops in their form of this one."""


def function_body(node: NodeProto, opset: int, types: Sequence[TypeProto]) -> FunctionProto | None:
    """The body of a node of a standard op at `opset` of its domain, None where ONNX has none. `types` are the types of
    the node's inputs: some bodies depend on them.

    A body says in its `opset_import` for which opset it is written: the newest not above `opset`, else the oldest. Any
    of them defines the same op, because a change of the op's meaning is a new version of the op.
    """
    # onnx's body keeps that graph as a graph of a loop over a sequence.
    if node.op_type == "SequenceMap":
        return None
    try:
        schema = onnx.defs.get_schema(node.op_type, opset, node.domain)
    except onnx.defs.SchemaError:
        return None
    fixed, dependent = schema.function_opset_versions, schema.context_dependent_function_opset_versions
    version = _version(fixed or dependent, opset)
    if version is None:
        return None
    body = FunctionProto()
    try:
        if fixed:
            body.ParseFromString(schema.get_function_with_opset_version(version))
        elif all(_is_typed(proto) for name, proto in zip(node.input, types, strict=True) if name):
            given = [proto.SerializeToString() for proto in types]
            made = schema.get_context_dependent_function_with_opset_version(version, node.SerializeToString(), given)
            body.ParseFromString(made)
    except Exception:  # onnx raises what it likes for types it cannot build a body for
        return None
    fits = len(node.input) <= len(body.input) and len(node.output) <= len(body.output)
    return body if body.node and fits else None


def body_opsets(body: FunctionProto, opsets: Mapping[str, int]) -> dict[str, int] | None:
    """The opsets for which `body` is written, where the nodes around it have `opsets`. Some bodies say nothing of the
    default domain; those are valid in every opset from _OLDEST_UNSAID on, and None before."""
    said = {entry.domain: entry.version for entry in body.opset_import}
    unsaid = opsets.get("", onnx.defs.onnx_opset_version())
    if "" in said or unsaid >= _OLDEST_UNSAID:
        return {"": unsaid, **said}
    return None


def isolated(node: NodeProto, taken: set[str]) -> tuple[NodeProto, dict[str, str]]:
    """`node` with other names for what its graphs read from around it, and which name stands for which. Where a body
    has such a graph inside, the body's own names are nearer."""
    read = sorted(names_read(NodeProto(attribute=node.attribute)))
    if not read:
        return node, {}
    other = {name: fresh_name(f"outer/{name}", taken) for name in read}
    copy = NodeProto.FromString(node.SerializeToString())
    for graph in subgraphs(copy):
        _rename(graph, other)
    return copy, {new: name for name, new in other.items()}


def _rename(graph: GraphProto, other: Mapping[str, str]) -> None:
    own = {value.name for value in graph.input} | {tensor.name for tensor in graph.initializer}
    other = {name: new for name, new in other.items() if name not in own}
    for node in graph.node:
        node.input[:] = [other.get(name, name) for name in node.input]
        for inner in subgraphs(node):
            _rename(inner, other)
        # What the graph makes itself from here on hides what is around it.
        other = {name: new for name, new in other.items() if name not in node.output}
    for value in graph.output:
        value.name = other.get(value.name, value.name)


def call_attributes(node: NodeProto, opset: int) -> dict[str, AttributeProto]:
    """What the references in a body stand for: the node's attributes, and the defaults of those it leaves out."""
    schema = onnx.defs.get_schema(node.op_type, opset, node.domain)
    defaults = {name: attribute.default_value for name, attribute in schema.attributes.items()}
    given = {name: value for name, value in defaults.items() if value.type != AttributeProto.UNDEFINED}
    given.update((attribute.name, attribute) for attribute in node.attribute)
    return given


def _version(versions: Sequence[int], opset: int) -> int | None:
    below = [version for version in versions if version <= opset]
    return max(below) if below else min(versions, default=None)


def _is_typed(proto: TypeProto) -> bool:
    return bool(proto.tensor_type.elem_type)

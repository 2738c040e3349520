"""The function bodies by which ONNX defines some of its ops."""

from __future__ import annotations

from collections.abc import Sequence

import onnx
from onnx import AttributeProto, FunctionProto, NodeProto, TypeProto

_GRAPHS = (AttributeProto.GRAPH, AttributeProto.GRAPHS)


def function_body(node: NodeProto, opset: int, types: Sequence[TypeProto]) -> FunctionProto | None:
    """The function body of a node of a standard op at `opset` of its domain; None if ONNX has none. `types` are the
    types of the node's inputs, on which some bodies depend.

    The `opset_import` of a body is the newest one not above `opset`, or else the oldest. All of them define the same
    op, because a change of its semantics is a new version of the op.
    """
    # A subgraph reads names of outer graphs, which a body could capture (for example that of SequenceMap).
    if any(attribute.type in _GRAPHS for attribute in node.attribute):
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
    except Exception:  # onnx raises many exception types if it cannot build a body
        return None
    fits = len(node.input) <= len(body.input) and len(node.output) <= len(body.output)
    return body if body.node and fits else None


def call_attributes(node: NodeProto, opset: int) -> dict[str, AttributeProto]:
    """The values for attribute references in a body: the node's attributes, and defaults for absent ones."""
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

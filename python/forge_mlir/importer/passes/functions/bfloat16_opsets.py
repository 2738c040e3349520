"""Handles bfloat16 nodes in opsets in which their op does not support bfloat16 yet.

Conv, LSTM, InstanceNormalization and others support bfloat16 since opset 22, TopK since 24, Einsum since 28, but
exporters also write them in older opsets. Such a node gets the first opset that supports it, if the op changed in
nothing but its types until then.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import onnx
from onnx import GraphProto, ModelProto, TensorProto

from forge_mlir.onnx_model.graph import all_graphs, node_opset, set_node_opset
from forge_mlir.onnx_model.opsets import since_version
from forge_mlir.support.opsets import default_opset

_FIRST = 22
"""Ops that gained the type in an earlier opset also changed in other ways."""
_TYPE = "tensor(bfloat16)"


def take_bfloat16(model: ModelProto) -> None:
    """Sets the opset of such nodes, in a model with bfloat16, to the one in which their ops gained the type."""
    opset = default_opset(model)
    graphs = list(all_graphs(model.graph)) if 0 < opset < onnx.defs.onnx_opset_version() else []
    if not any(map(_has_bfloat16, graphs)):
        return
    for graph in graphs:
        for node in graph.node:
            if not node.domain and node_opset(node) is None and (gained := _gained_bfloat16(node.op_type, opset)):
                set_node_opset(node, gained)


def _has_bfloat16(graph: GraphProto) -> bool:
    """Whether a constant or a declared value of `graph` has the type, or a Cast produces it."""
    return TensorProto.BFLOAT16 in _element_types(graph)


def _element_types(graph: GraphProto) -> Iterator[int]:
    yield from (tensor.data_type for tensor in graph.initializer)
    for value in (*graph.input, *graph.output, *graph.value_info):
        yield value.type.tensor_type.elem_type
    for node in graph.node:
        if node.op_type in ("Cast", "Constant", "ConstantOfShape"):
            yield from (each.t.data_type for each in node.attribute if each.HasField("t"))
            yield from (each.i for each in node.attribute if each.name == "to")


@cache
def _gained_bfloat16(op: str, opset: int) -> int | None:
    """The opset in which `op` gained bfloat16, if that was its first change after `opset` and changed only its types;
    otherwise None."""
    later = range(max(opset, _FIRST - 1) + 1, onnx.defs.onnx_opset_version() + 1)
    since = since_version(op, opset, "")
    changed = next((version for version in later if since_version(op, version, "") != since), None)
    try:
        old, new = (onnx.defs.get_schema(op, version, "") for version in (opset, changed or opset))
    except onnx.defs.SchemaError:
        return None
    defaults = [{name: each.default_value for name, each in schema.attributes.items()} for schema in (old, new)]
    same = defaults[0] == defaults[1] and len(old.inputs) == len(new.inputs)
    return changed if new.since_version == changed and same and _takes(new) and not _takes(old) else None


def _takes(schema: onnx.defs.OpSchema) -> bool:
    """Whether every float operand may be bfloat16."""
    floats = [set(operand.types) for operand in schema.inputs if "tensor(float)" in operand.types]
    return all(_TYPE in types for types in floats)

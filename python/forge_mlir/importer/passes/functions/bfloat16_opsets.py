"""Nodes in bfloat16 of an opset whose op has no such type yet.

Until opset 22, Conv, LSTM, InstanceNormalization and others took no bfloat16, and exporters write them for older
opsets all the same. Such a node is what it is in opset 22, if the op changed in nothing but its types until then.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import onnx
from onnx import GraphProto, ModelProto, TensorProto

from forge_mlir.onnx_model.graph import all_graphs, node_opset, set_node_opset
from forge_mlir.onnx_model.opsets import since_version

_OPSET = 22
"""The first in which they have the type."""
_TYPE = "tensor(bfloat16)"


def take_bfloat16(model: ModelProto) -> None:
    """Gives those nodes of a model that holds bfloat16 the opset 22."""
    opset = next((entry.version for entry in model.opset_import if not entry.domain), _OPSET)
    graphs = list(all_graphs(model.graph)) if opset < _OPSET else []
    if not any(map(_has_bfloat16, graphs)):
        return
    for graph in graphs:
        for node in graph.node:
            if not node.domain and node_opset(node) is None and _gained_bfloat16_alone(node.op_type, opset):
                set_node_opset(node, _OPSET)


def _has_bfloat16(graph: GraphProto) -> bool:
    """Whether a constant or a declared value of `graph` has the type, or a Cast gives it."""
    return TensorProto.BFLOAT16 in _element_types(graph)


def _element_types(graph: GraphProto) -> Iterator[int]:
    yield from (tensor.data_type for tensor in graph.initializer)
    for value in (*graph.input, *graph.output, *graph.value_info):
        yield value.type.tensor_type.elem_type
    for node in graph.node:
        if node.op_type in ("Cast", "Constant", "ConstantOfShape"):
            yield from (
                attribute.t.data_type if attribute.HasField("t") else attribute.i for attribute in node.attribute
            )


@cache
def _gained_bfloat16_alone(op: str, opset: int) -> bool:
    """Whether the op differs between `opset` and opset 22 by its types alone, of which bfloat16 is one."""
    if since_version(op, opset, "") != since_version(op, _OPSET - 1, ""):
        return False
    try:
        old, new = (onnx.defs.get_schema(op, version, "") for version in (opset, _OPSET))
    except onnx.defs.SchemaError:
        return False
    same = set(old.attributes) == set(new.attributes) and len(old.inputs) == len(new.inputs)
    return new.since_version == _OPSET and same and _takes(new) and not _takes(old)


def _takes(schema: onnx.defs.OpSchema) -> bool:
    """Whether every operand that may be a float may be one of bfloat16."""
    floats = [set(operand.types) for operand in schema.inputs if "tensor(float)" in operand.types]
    return all(_TYPE in types for types in floats)

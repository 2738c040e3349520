"""The types, shapes and constants of the values in a graph, for passes that rewrite nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import GraphProto, NodeProto, TensorProto, TypeProto, helper, numpy_helper

from forge_mlir.onnx_model.graph import constant_value
from forge_mlir.onnx_model.hints import is_hint
from forge_mlir.onnx_model.storage.weightless import placeholder_of


def types_of(graph: GraphProto) -> dict[str, TypeProto]:
    types = {t.name: helper.make_tensor_type_proto(t.data_type, tuple(t.dims)) for t in graph.initializer}
    declared = (*graph.output, *graph.value_info, *graph.input)
    types.update((value.name, value.type) for value in declared if not is_hint(value))
    for node in graph.node:
        if (value := constant_value(node)) is not None:
            types[node.output[0]] = helper.make_tensor_type_proto(value.data_type, tuple(value.dims))
    return types


def constants_of(graph: GraphProto) -> dict[str, TensorProto]:
    """The constants whose values are in the model."""
    found = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if (value := constant_value(node)) is not None:
            found[node.output[0]] = value
        elif node.op_type == "ConstantOfShape" and not node.domain:
            found[node.output[0]] = attribute_of(node, "value", numpy_helper.from_array(np.zeros(1, np.float32)))
    return {name: tensor for name, tensor in found.items() if placeholder_of(tensor) is None}


def static_shape(proto: TypeProto | None) -> tuple[int, ...] | None:
    if proto is None or not proto.tensor_type.HasField("shape"):
        return None
    dims = proto.tensor_type.shape.dim
    return tuple(dim.dim_value for dim in dims) if all(dim.HasField("dim_value") for dim in dims) else None


def attribute_of(node: NodeProto, name: str, default: Any) -> Any:
    return next((helper.get_attribute_value(each) for each in node.attribute if each.name == name), default)

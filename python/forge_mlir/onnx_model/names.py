"""Checks that names are valid text: protobuf returns `bytes` instead of `str` for strings that are not UTF-8."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from onnx import FunctionProto, ModelProto, NodeProto, TypeProto, ValueInfoProto

from forge_mlir.codes import Code
from forge_mlir.onnx_model.errors import import_error, quote
from forge_mlir.onnx_model.graph import all_graphs, subgraphs


def check_names(model: ModelProto) -> None:
    """Raises OnnxImportError for the first name in `model` that is not valid UTF-8."""
    for text in _texts(model):
        if not isinstance(text, str):
            raise import_error(Code.FileDamaged, f"a name in it is not valid UTF-8: {quote(text)}")


def _texts(model: ModelProto) -> Iterator[object]:
    yield from (model.producer_name, model.producer_version)
    yield from (entry.domain for entry in model.opset_import)
    graphs = [*all_graphs(model.graph)]
    for function in model.functions:
        yield from _of_function(function)
        graphs += [g for node in function.node for outer in subgraphs(node) for g in all_graphs(outer)]
    for graph in graphs:
        yield graph.name
        yield from (tensor.name for tensor in graph.initializer)
        for value in chain(graph.input, graph.output, graph.value_info):
            yield from _of_value(value)
        yield from _of_nodes(graph.node)


def _of_function(function: FunctionProto) -> Iterator[object]:
    yield from (function.name, function.domain, function.overload)
    yield from chain(function.input, function.output, function.attribute)
    yield from (entry.domain for entry in function.opset_import)
    yield from _of_nodes(function.node)


def _of_nodes(nodes: list[NodeProto]) -> Iterator[object]:
    for node in nodes:
        yield from (node.name, node.op_type, node.domain, node.overload)
        yield from chain(node.input, node.output)
        for attribute in node.attribute:
            yield attribute.name
            yield attribute.ref_attr_name
            if attribute.HasField("t"):
                yield attribute.t.name


def _of_value(value: ValueInfoProto) -> Iterator[object]:
    yield value.name
    proto: TypeProto = value.type
    while (kind := proto.WhichOneof("value")) in ("sequence_type", "optional_type"):
        proto = getattr(proto, kind).elem_type
    if kind == "tensor_type":
        yield from (dim.dim_param for dim in proto.tensor_type.shape.dim)

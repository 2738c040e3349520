"""Types for the inputs of Loop and Scan bodies, which ONNX lets a model leave out.

onnx's shape inference uses the types of what enters the loop but does not write them down, and torch-mlir has a type
for a body's arguments only if it is written down.
"""

from __future__ import annotations

from collections.abc import Iterator

import onnx
from onnx import GraphProto, NodeProto, TensorProto, TypeProto

from forge_mlir.importer.opsets import subgraphs

_Types = dict[str, TypeProto]


def type_body_inputs(graph: GraphProto, outer: _Types | None = None) -> None:
    """Fills in missing types of body inputs in `graph` and below. `outer` are the types of the names around it."""
    known = dict(outer or {})
    known.update((value.name, value.type) for value in (*graph.value_info, *graph.input, *graph.output))
    for tensor in graph.initializer:
        known[tensor.name] = onnx.helper.make_tensor_type_proto(tensor.data_type, tensor.dims)
    for node in graph.node:
        for body in subgraphs(node):
            for value, proto in zip(body.input, _entering(node, body, known), strict=False):
                if proto is not None and value.type.WhichOneof("value") is None:
                    value.type.CopyFrom(proto)
            type_body_inputs(body, known)


def _entering(node: NodeProto, body: GraphProto, known: _Types) -> Iterator[TypeProto | None]:
    """The type of each input of `body`, None where it cannot be told."""
    if node.domain or node.op_type not in ("Loop", "Scan"):
        return
    if node.op_type == "Loop":  # body: (counter, condition, carried...) -> (condition, carried..., scanned...)
        yield onnx.helper.make_tensor_type_proto(TensorProto.INT64, [])
        yield onnx.helper.make_tensor_type_proto(TensorProto.BOOL, [])
        states, slices = node.input[2:], node.input[:0]
        leaving = body.output[1:]
    else:  # body: (state..., one slice of each scanned...) -> (state..., scanned...)
        count = next((a.i for a in node.attribute if a.name == "num_scan_inputs"), 0)
        states, slices = node.input[: len(node.input) - count], node.input[len(node.input) - count :]
        leaving = body.output[:]
    for name, leaves in zip(states, leaving, strict=False):
        yield _state(known.get(name), leaves.type)
    axes = next((list(a.ints) for a in node.attribute if a.name == "scan_input_axes"), [0] * len(slices))
    for name, axis in zip(slices, axes, strict=False):
        yield _slice(known.get(name), axis)


def _state(enters: TypeProto | None, leaves: TypeProto) -> TypeProto | None:
    if enters is None:
        return None
    proto = TypeProto()
    proto.CopyFrom(enters)
    if enters.HasField("tensor_type") and enters != leaves:
        proto.tensor_type.ClearField("shape")  # it changes from one iteration to the next
    return proto


def _slice(scanned: TypeProto | None, axis: int) -> TypeProto | None:
    if scanned is None or not scanned.HasField("tensor_type"):
        return None
    proto = TypeProto()
    proto.CopyFrom(scanned)
    dims = proto.tensor_type.shape.dim
    if -len(dims) <= axis < len(dims):
        del dims[axis]
    return proto

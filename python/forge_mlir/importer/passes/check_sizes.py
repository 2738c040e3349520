"""Refuses models for which onnx's shape inference would need unbounded memory or time.

The length of a shape vector is the rank of a reshape, and inference allocates every dim, so that a few bytes of a model
can request 2^60 of them. Lengths that follow directly from the model are checked here; a length that only inference
computes (repeated Concats of a value with itself) is not.
"""

from __future__ import annotations

import math

from onnx import GraphProto, NodeProto, TensorProto, numpy_helper

from forge_mlir.codes import Code
from forge_mlir.importer.limits import MAX_FILL, MAX_VECTOR
from forge_mlir.onnx_model.dtypes import MAX_RANK, raw_bytes
from forge_mlir.onnx_model.errors import import_error, quote
from forge_mlir.onnx_model.graph import constant_value, node_where, subgraphs
from forge_mlir.onnx_model.storage.weightless import placeholder_of

_SHAPE_OPERAND = {"Reshape": 1, "Expand": 1, "ConstantOfShape": 0}


def check_limits(graph: GraphProto, outer: dict[str, int] | None = None) -> None:
    """Raises OnnxImportError for shape vectors and fills in `graph` and its subgraphs that are beyond any practical
    use.

    `outer` has the known lengths of vectors in outer graphs.
    """
    lengths = dict(outer or {})
    constants: dict[str, TensorProto] = {tensor.name: tensor for tensor in graph.initializer}
    for declared in (*graph.input, *graph.value_info):
        shape = declared.type.tensor_type.shape.dim
        if len(shape) == 1:
            lengths[declared.name] = shape[0].dim_value
    for node in graph.node:
        if (value := constant_value(node)) is not None:
            constants[node.output[0]] = value
    lengths.update((name, tensor.dims[0]) for name, tensor in constants.items() if len(tensor.dims) == 1)
    for node in graph.node:
        for inner in subgraphs(node):
            check_limits(inner, lengths)
        if node.op_type == "Einsum" and not node.domain:
            _check_equation(node)
        if node.op_type == "Range" and not node.domain:
            _check_range(node, constants)
        at = _SHAPE_OPERAND.get(node.op_type)
        if at is None or node.domain or len(node.input) <= at:
            continue
        if lengths.get(node.input[at], 0) > MAX_RANK:
            raise import_error(
                Code.TensorTooLarge,
                f"its result would have {lengths[node.input[at]]} dimensions",
                where=node_where(node),
            )
        if node.op_type == "ConstantOfShape" and node.input[0] in constants:
            _check_fill(node, constants[node.input[0]])


def _check_equation(node: NodeProto) -> None:
    """onnx's inference does not terminate on a stray dot."""
    equation = next((a.s for a in node.attribute if a.name == "equation"), b"")
    terms = equation.replace(b"->", b",").split(b",")
    if any(b"." in term.replace(b"...", b"", 1) for term in terms):
        raise import_error(
            Code.ModelInvalid,
            f"its equation {quote(equation.decode('utf-8', 'replace'))} has dots that are no ellipsis",
            where=node_where(node),
        )


def _check_fill(node: NodeProto, shape: TensorProto) -> None:
    if placeholder_of(shape) is not None or shape.data_type != TensorProto.INT64:
        return
    raw = raw_bytes(shape, node_where(node))
    dims = [int.from_bytes(raw[at : at + 8], "little", signed=True) for at in range(0, len(raw), 8)]
    count = 1
    for dim in dims:
        count *= dim
    _check_count(node, count, MAX_VECTOR if len(dims) == 1 else MAX_FILL)


def _check_range(node: NodeProto, constants: dict[str, TensorProto]) -> None:
    bounds = [numpy_helper.to_array(constants[name]) for name in node.input if _is_number(constants.get(name))]
    if len(bounds) != 3:
        return
    start, limit, delta = (bound.item() for bound in bounds)
    if delta and math.isfinite(length := (limit - start) / delta):
        _check_count(node, math.ceil(length), MAX_VECTOR)


def _is_number(tensor: TensorProto | None) -> bool:
    return (
        tensor is not None
        and placeholder_of(tensor) is None
        and tensor.data_type != TensorProto.STRING
        and math.prod(tensor.dims) == 1
    )


def _check_count(node: NodeProto, count: int, most: int) -> None:
    if count > most:
        raise import_error(Code.TensorTooLarge, f"it makes a tensor of {count} elements", where=node_where(node))

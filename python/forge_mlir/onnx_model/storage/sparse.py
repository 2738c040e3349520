"""Converts the sparse tensors of a model to dense ones; the compiler supports only these."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from onnx import AttributeProto, GraphProto, SparseTensorProto, TensorProto

from forge_mlir.codes import Code
from forge_mlir.onnx_model.dtypes import element_count, element_type, raw_bytes
from forge_mlir.onnx_model.errors import import_error, tensor_label
from forge_mlir.onnx_model.graph import node_where, subgraphs

MAX_DENSE_BYTES = 1 << 24


def make_dense(graph: GraphProto) -> None:
    """Converts the sparse initializers and the `sparse_value` of each Constant, including subgraphs, to dense tensors.

    Raises OnnxImportError for one that violates ONNX's rules or is too large.
    """
    for sparse in graph.sparse_initializer:
        name = sparse.values.name
        graph.initializer.append(_dense(sparse, name, tensor_label(name)))
    del graph.sparse_initializer[:]
    for node in graph.node:
        for attribute in node.attribute:
            if node.op_type == "Constant" and not node.domain and attribute.name == "sparse_value":
                if attribute.type != AttributeProto.SPARSE_TENSOR:
                    raise import_error(
                        Code.TensorData, "attribute 'sparse_value' is no sparse tensor", where=node_where(node)
                    )
                dense = _dense(attribute.sparse_tensor, "", node_where(node))
                attribute.Clear()
                attribute.name, attribute.type = "value", AttributeProto.TENSOR
                attribute.t.CopyFrom(dense)
        for inner in subgraphs(node):
            make_dense(inner)


def _dense(sparse: SparseTensorProto, name: str, where: str) -> TensorProto:
    element = element_type(sparse.values.data_type, where)
    dims = tuple(sparse.dims)
    count = element_count(dims, element.bits, where)
    need = element.nbytes(count)
    if element.bits < 8 or need > MAX_DENSE_BYTES:
        raise import_error(
            Code.TypeNotImported,
            f"a sparse tensor of {element.name}, {need} bytes, is not supported",
            hint="store it dense",
        )
    values = _array(sparse.values, where).view(np.dtype((np.void, element.bits // 8)))
    indices = _linear_indices(sparse, values.size, where)
    # ONNX requires sorted, unique indices.
    if indices.size and (indices[0] < 0 or indices[-1] >= count or (np.diff(indices) <= 0).any()):
        raise import_error(
            Code.TensorData, "the indices of a sparse tensor are out of range or not in ascending order", where=where
        )
    dense = np.zeros(count, values.dtype)
    dense[indices] = values
    return TensorProto(dims=dims, data_type=sparse.values.data_type, name=name, raw_data=dense.tobytes())


def _linear_indices(sparse: SparseTensorProto, count: int, where: str) -> npt.NDArray[np.int64]:
    """The linear index of each value."""
    dims, shape = tuple(sparse.dims), tuple(sparse.indices.dims)
    if tuple(sparse.values.dims) != (count,) or sparse.indices.data_type != TensorProto.INT64:
        raise import_error(
            Code.TensorData, "a sparse tensor needs a list of values, and indices of type int64", where=where
        )
    indices = _array(sparse.indices, where).view("<i8")
    if shape == (count,):
        return indices
    if shape != (count, len(dims)):
        raise import_error(
            Code.TensorData, f"the indices of a sparse tensor have shape {list(shape)[:16]}", where=where
        )
    table = indices.reshape(shape)
    if (table < 0).any() or (table >= np.array(dims, np.int64)).any():
        raise import_error(Code.TensorData, "an index of a sparse tensor is out of range", where=where)
    strides = np.cumprod([1, *dims[:0:-1]], dtype=np.int64)[::-1]
    return np.asarray(table @ strides, np.int64)


def _array(tensor: TensorProto, where: str) -> npt.NDArray[np.uint8]:
    if tensor.data_location == TensorProto.EXTERNAL:
        raise import_error(
            Code.TypeNotImported,
            "sparse tensors with external data are not supported",
            where=where,
            hint="store them dense",
        )
    return np.frombuffer(raw_bytes(tensor, where), np.uint8)

"""Sparse tensors become dense ones."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, SparseTensorProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.execute.run import run
from forge_mlir.importer import OnnxImportError, import_onnx
from forge_mlir.onnx_model.storage.sparse import make_dense
from sample_models.importing import model, value

X, Y = value("x", 2, 3), value("y", 2, 3)


def sparse(values: np.ndarray, indices: object, dims: list[int], name: str = "w") -> SparseTensorProto:
    return helper.make_sparse_tensor(
        numpy_helper.from_array(values, name), numpy_helper.from_array(np.array(indices, np.int64)), dims
    )


def added(tensor: SparseTensorProto) -> ModelProto:
    proto = model([helper.make_node("Add", ["x", "w"], ["y"])], [X], [Y])
    proto.graph.sparse_initializer.append(tensor)
    return proto


@pytest.mark.parametrize("indices", [[1, 5], [[0, 1], [1, 2]]])
@pytest.mark.parametrize("dtype", ["float32", "int32", "float16", "bool"])
def test_values_are_placed(indices: object, dtype: str) -> None:
    graph = added(sparse(np.array([1, 3], dtype), indices, [2, 3])).graph
    make_dense(graph)
    dense = numpy_helper.to_array(graph.initializer[0])
    np.testing.assert_array_equal(dense, np.array([[0, 1, 0], [0, 0, 3]], dtype))
    assert dense.dtype == dtype
    assert not graph.sparse_initializer


def test_large_and_empty(tmp_path: object) -> None:
    shape = (50, 60)
    for values, indices in (([2.5, -1], [7, 2999]), ([], [])):
        tensor = sparse(np.array(values, np.float32), indices, [*shape])
        proto = model([helper.make_node("Add", ["x", "w"], ["y"])], [X], [Y])
        for info in (proto.graph.input[0], proto.graph.output[0]):
            for dim, size in zip(info.type.tensor_type.shape.dim, shape, strict=True):
                dim.dim_value = size
        proto.graph.sparse_initializer.append(tensor)
        expected = np.ones(shape, np.float32)
        expected.reshape(-1)[np.array(indices, int)] += np.array(values, np.float32)
        artifact = compile(proto, str(tmp_path))
        np.testing.assert_array_equal(run(artifact, {"x": np.ones(shape, np.float32)})["y"], expected)


@pytest.mark.parametrize(
    ("values", "indices", "dims", "word"),
    [
        ([1, 2], [5, 1], [2, 3], "ascending"),
        ([1, 2], [1, 1], [2, 3], "ascending"),
        ([1, 2], [1, 6], [2, 3], "out of range"),
        ([1, 2], [-1, 2], [2, 3], "out of range"),
        ([1, 2], [[0, 1], [0, 3]], [2, 3], "out of range"),
        ([1, 2], [[0, 1, 0], [0, 2, 0]], [2, 3], "have shape"),
        ([1, 2], [1], [2, 3], "have shape"),
        ([[1, 2]], [1, 2], [2, 3], "list of values"),
        ([1, 2], [1, 2], [1 << 40], "store it dense"),
    ],
)
def test_invalid_sparse_tensors_are_refused(values: object, indices: object, dims: list[int], word: str) -> None:
    with pytest.raises(OnnxImportError, match=word):
        import_onnx(added(sparse(np.array(values, np.float32), indices, dims)))

"""Tensors are stored inline or by reference, with exactly the bytes of the model."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper
from torch_mlir import ir

from forge_mlir.importer import ImportedModel, OnnxImportError, import_onnx
from forge_mlir.onnx_model.storage.weightless import KNOWN_BYTES, UNIFORM_BYTES
from sample_models.importing import external, linear, model, named, operators, save, value, weights

ELEMENTS = {
    TensorProto.FLOAT: np.float32,
    TensorProto.UINT8: np.uint8,
    TensorProto.INT8: np.int8,
    TensorProto.UINT16: np.uint16,
    TensorProto.INT16: np.int16,
    TensorProto.INT32: np.int32,
    TensorProto.INT64: np.int64,
    TensorProto.BOOL: np.bool_,
    TensorProto.FLOAT16: np.float16,
    TensorProto.DOUBLE: np.float64,
    TensorProto.UINT32: np.uint32,
    TensorProto.UINT64: np.uint64,
    TensorProto.COMPLEX64: np.complex64,
    TensorProto.COMPLEX128: np.complex128,
    TensorProto.BFLOAT16: ml_dtypes.bfloat16,
    TensorProto.FLOAT8E4M3FN: ml_dtypes.float8_e4m3fn,
    TensorProto.FLOAT8E5M2: ml_dtypes.float8_e5m2,
    TensorProto.UINT4: ml_dtypes.uint4,
    TensorProto.INT4: ml_dtypes.int4,
}


def constant(tensor: TensorProto) -> ModelProto:
    dims = list(tensor.dims)
    out = helper.make_tensor_value_info("y", tensor.data_type, dims)
    return model([helper.make_node("Identity", ["w"], ["y"])], [], [out], [tensor], opsets={"": 21})


def make(code: int, count: int, raw: bool) -> TensorProto:
    values = (np.arange(count) % 7 + 1).astype(ELEMENTS[code])
    if raw:
        return numpy_helper.from_array(values, "w")
    flat = values.tolist() if code not in (TensorProto.UINT4, TensorProto.INT4) else values.astype(np.int32).tolist()
    return helper.make_tensor("w", code, [count], flat)


@pytest.mark.parametrize("raw", [True, False], ids=["raw", "typed"])
@pytest.mark.parametrize("code", ELEMENTS, ids=TensorProto.DataType.Name)
def test_every_element_type_by_reference(code: int, raw: bool, tmp_path: Path) -> None:
    may_index = code in (TensorProto.BOOL, TensorProto.INT32, TensorProto.INT64)
    tensor = make(code, KNOWN_BYTES + 1 if may_index else 2501, raw)
    (weight,) = import_onnx(save(constant(tensor), tmp_path)).weights.values()
    expected = numpy_helper.to_array(tensor)
    assert weight.dtype == expected.dtype.name
    assert weight.array().dtype == expected.dtype
    assert weight.array().tobytes() == expected.tobytes()
    assert b"".join(weight.chunks(100)) == bytes(weight.view())
    assert weight.nbytes == len(weight.view())


@pytest.mark.alike(keep=57)
@pytest.mark.parametrize("raw", [True, False], ids=["raw", "typed"])
@pytest.mark.parametrize("count", [0, 1, 5])
@pytest.mark.parametrize("code", ELEMENTS, ids=TensorProto.DataType.Name)
def test_every_element_type_inline(code: int, count: int, raw: bool) -> None:
    tensor = make(code, count, raw)
    imported = import_onnx(constant(tensor))
    assert not imported.weights
    # The bindings have no class for complex elements, so that the attribute is compared as text.
    text = named(imported, "Constant").get_asm(assume_verified=True)
    spelled = text[text.index("= dense<") + 2 : text.rindex("} :")]
    tensor_type = spelled[spelled.rindex(" : ") + 3 :]
    assert tensor_type.startswith(f"tensor<{count}x")
    expected = text_of(tensor, tensor_type)
    if "complex" in tensor_type:
        assert spelled == expected
    else:
        with imported.module.context:
            assert ir.Attribute.parse(spelled) == ir.Attribute.parse(expected)


def text_of(tensor: TensorProto, tensor_type: str) -> str:
    """The dense attribute of a tensor as text, written by hand."""

    def scalar(x: object) -> str:
        if isinstance(x, bool):
            return "true" if x else "false"
        if isinstance(x, complex):
            return f"({x.real:.6e},{x.imag:.6e})"
        return f"{x:.6e}" if isinstance(x, float) else str(x)

    array = numpy_helper.to_array(tensor)
    wide = array.astype(np.float64) if array.dtype.kind == "V" and "float" in array.dtype.name else array
    wide = wide.astype(np.int64) if "int4" in array.dtype.name else wide
    values = ", ".join(scalar(x) for x in wide.tolist())
    return f"dense<[{values}]> : {tensor_type}" if len(array) > 1 else f"dense<{values}> : {tensor_type}"


def test_file_weights_stay_in_the_file(tmp_path: Path) -> None:
    path = save(linear(), tmp_path)
    imported = import_onnx(path)
    ((key, weight),) = imported.weights.items()
    assert (weight.name, weight.dtype, weight.shape) == ("w", "float32", (32, 16))
    assert weight.file is not None
    assert weight.file.path == str(path)
    assert path.read_bytes()[weight.offset :][: weight.nbytes] == weights(32, 16).tobytes()
    np.testing.assert_array_equal(weight.array(), weights(32, 16))
    assert not weight.array().flags.writeable
    assert weight.view().readonly
    text = str(imported.module)
    assert f"dense_resource<{key}> : tensor<32x16xf32>" in text
    assert "dialect_resources" not in text


@pytest.mark.parametrize("kept", ["raw", "typed", "external"])
@pytest.mark.parametrize("name", ["float32", "float16", "int8"])
def test_elements_that_are_all_equal_are_inline(name: str, kept: str, tmp_path: Path) -> None:
    def imported(values: np.ndarray) -> ImportedModel:
        tensor = numpy_helper.from_array(values, "w")
        if kept == "typed":
            tensor = helper.make_tensor("w", tensor.data_type, [len(values)], values.tolist())
        path = tmp_path / "model.onnx"
        onnx.save(constant(tensor), path, save_as_external_data=kept == "external", size_threshold=0)
        return import_onnx(path)

    dtype = np.dtype(name)
    count = UNIFORM_BYTES // dtype.itemsize
    ones = np.ones(count, dtype)
    if kept != "typed" or name == "float32":  # In other typed fields, an element is a varint.
        assert "dense<1" in named(imported(ones), "Constant").get_asm()
    ones[-1] = 2
    assert len(imported(ones).weights) == 1
    assert len(imported(np.ones(count + 1, dtype)).weights) == 1


def test_proto_weights_are_a_snapshot() -> None:
    proto = linear()
    (weight,) = import_onnx(proto).weights.values()
    proto.graph.initializer[0].raw_data = bytes(2048)
    np.testing.assert_array_equal(weight.array(), weights(32, 16))
    assert b"".join(weight.chunks(1000)) == weights(32, 16).tobytes()


def test_external_weights(tmp_path: Path) -> None:
    (weight,) = import_onnx(external(tmp_path)).weights.values()
    assert weight.file is not None
    assert weight.file.path == str(tmp_path / "weights.bin")
    assert weight.offset == 64
    np.testing.assert_array_equal(weight.array(), weights(32, 16))
    assert b"".join(weight.chunks(999)) == weights(32, 16).tobytes()


def test_a_small_external_tensor_is_read_for_folding(tmp_path: Path) -> None:
    (tmp_path / "shape.bin").write_bytes(np.array([4, 8], np.int64).tobytes())
    shape = TensorProto(name="s", dims=[2], data_type=TensorProto.INT64, data_location=TensorProto.EXTERNAL)
    shape.external_data.add(key="location", value="shape.bin")
    node = helper.make_node("Reshape", ["x", "s"], ["y"])
    imported = import_onnx(save(model([node], [value("x", 32)], [value("y", None, None)], [shape]), tmp_path))
    assert imported.outputs[0].shape == (4, 8)
    assert "dense<[4, 8]> : tensor<2xsi64>" in str(imported.module)


def test_changed_file_is_refused(tmp_path: Path) -> None:
    path = external(tmp_path)
    (weight,) = import_onnx(path).weights.values()
    (tmp_path / "weights.bin").write_bytes(bytes(64 + 2048 + 1))
    for use in (weight.view, weight.array, lambda: list(weight.chunks())):
        with pytest.raises(OnnxImportError, match="changed since the import"):
            use()


def test_weights_of_constant_nodes_have_different_keys() -> None:
    names = ["a b", "a/b", "a_b", "1x", "é", '"; x = "']
    nodes = [
        helper.make_node("Constant", [], [name], value=numpy_helper.from_array(weights(300) + at, "value"))
        for at, name in enumerate(names)
    ]
    nodes.append(helper.make_node("Sum", names, ["y"]))
    imported = import_onnx(model(nodes, [], [value("y", 300)]))
    assert [w.name for w in imported.weights.values()] == names
    assert len(imported.weights) == len(names)
    for at, (key, weight) in enumerate(imported.weights.items()):
        np.testing.assert_array_equal(weight.array(), weights(300) + at)
        assert f"dense_resource<{key}>" in str(imported.module)
        assert key.isascii()
        assert key.replace(".", "_").isidentifier()
    locations = [str(o.location) for o in operators(imported) if o.name == "torch.operator"]
    assert locations[:2] == ['loc("a b")', 'loc("a/b")']


def test_two_imports_in_one_context() -> None:
    context = ir.Context()
    first, second = (import_onnx(linear(), context=context) for _ in range(2))
    for imported in (first, second):
        assert isinstance(imported, ImportedModel)
        (key,) = imported.weights
        assert f"dense_resource<{key}>" in str(imported.module)
    assert set(first.weights).isdisjoint(second.weights)


def test_big_integer_vectors_do_not_break_inference() -> None:
    """onnx's inference reads 1-D integers as shapes and fails on those without data."""
    table = numpy_helper.from_array(np.arange(KNOWN_BYTES), "w")
    nodes = [
        helper.make_node("Constant", [], ["k"], value=table),
        helper.make_node("Add", ["k", "w"], ["t"]),
        helper.make_node("Unsqueeze", ["t", "axes"], ["y"]),
    ]
    axes = numpy_helper.from_array(np.array([0]), "axes")
    imported = import_onnx(model(nodes, [], [value("y", None, None, dtype=TensorProto.INT64)], [table, axes]))
    assert imported.outputs[0].shape == (1, KNOWN_BYTES)
    assert sorted(w.name for w in imported.weights.values()) == ["k", "w"]
    assert not imported.warnings

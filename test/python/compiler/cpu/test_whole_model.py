"""Models without IR run on the CPU as a whole."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.codes import Code
from forge_mlir.compiler.cpu import whole_model
from forge_mlir.execute.values.random_inputs import random_inputs
from forge_mlir.support.sandbox import ChildFailed

X = helper.make_tensor_value_info("x", TensorProto.FLOAT, [8, 8])


node = helper.make_node


def regions(artifact: forge_mlir.Artifact) -> list[tuple[str, list[str]]]:
    return [(region["kind"], [n["op"] for n in region["nodes"]]) for region in artifact.manifest()["partitions"]]


def test_a_model_without_ir_runs_as_a_whole(tmp_path: Path) -> None:
    """2-bit integers have no IR type."""
    graph = helper.make_graph(
        [node("Cast", ["x"], ["y"], to=TensorProto.INT2)],
        "g",
        [X],
        [helper.make_tensor_value_info("y", TensorProto.INT2, [8, 8])],
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)])
    with pytest.raises(ForgeError, match="INT2"):
        forge_mlir.compile(proto, tmp_path)
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu")
    assert regions(artifact) == [("cpu", ["Model"])]
    assert "whole model" in str(artifact.warnings[0])
    (y,) = forge_mlir.run(artifact, {"x": np.ones((8, 8), np.float32)}).values()
    assert np.array_equal(y.astype(np.int8), np.ones((8, 8), np.int8))


@pytest.mark.parametrize("dtype", [ml_dtypes.int2, ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e8m0fnu])
def test_inputs_of_types_without_ir(dtype: Any, tmp_path: Path) -> None:
    """onnxruntime opens some of these graphs, but numpy cannot give it such values."""
    code = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    x = helper.make_tensor_value_info("x", code, [2])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])
    graph = helper.make_graph([node("Cast", ["x"], ["y"], to=TensorProto.FLOAT)], "g", [x], [y])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)], ir_version=11)
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (found,) = forge_mlir.run(artifact, {"x": np.array([1, 1], dtype)}).values()
    np.testing.assert_array_equal(found, np.ones(2, np.float32))


def test_outputs_need_no_shape_and_a_graph_no_name(tmp_path: Path) -> None:
    """As for a model with IR."""
    y = helper.make_tensor_value_info("y", TensorProto.INT2, None)
    graph = helper.make_graph([node("Cast", ["x"], ["y"], to=TensorProto.INT2)], "", [X], [y])
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 25)])
    given = proto.SerializeToString()
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu")
    (found,) = forge_mlir.run(artifact, {"x": np.ones((8, 8), np.float32)}).values()
    assert found.shape == (8, 8)
    assert proto.SerializeToString() == given


def test_a_limit_is_not_blamed_on_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def exceeded(*_: object) -> bytes:
        raise ChildFailed(Code.TimeLimit, "onnx took too long")

    monkeypatch.setattr(whole_model, "isolated", exceeded)
    with pytest.raises(ChildFailed, match="took too long"):
        forge_mlir.compile(dictionaries(), tmp_path, fallback="cpu")


def dictionaries() -> ModelProto:
    """The default output of scikit-learn's converter: a ZipMap, whose maps have no IR type."""
    zipped = helper.make_sequence_type_proto(
        helper.make_map_type_proto(TensorProto.INT64, helper.make_tensor_type_proto(TensorProto.FLOAT, []))
    )
    graph = helper.make_graph(
        [helper.make_node("ZipMap", ["x"], ["y"], domain="ai.onnx.ml", classlabels_int64s=[4, 5])],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["rows", 2])],
        [helper.make_value_info("y", zipped)],
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)


@pytest.mark.parametrize("given", [{"input_shapes": {"x": (3, 2)}}, {"dims": {"rows": 3}}], ids=["shapes", "dims"])
def test_a_model_without_ir_takes_sizes(given: dict[str, Any], tmp_path: Path) -> None:
    """As in luscinia, which was refused because of such options."""
    artifact = forge_mlir.compile(dictionaries(), tmp_path, fallback="cpu", **given)
    x = np.arange(6, dtype=np.float32).reshape(3, 2)
    (y,) = forge_mlir.run(artifact, {"x": x}).values()
    assert list(y) == [dict(zip((4, 5), row, strict=True)) for row in x.tolist()]
    with pytest.raises(ForgeError, match="3"):
        forge_mlir.run(artifact, {"x": x[:2]})


def test_random_inputs_fit_a_model_without_ir(tmp_path: Path) -> None:
    artifact = forge_mlir.compile(dictionaries(), tmp_path, name="some", fallback="cpu")
    with pytest.raises(ForgeError, match="no random values for 'x'"):  # The number of rows is unknown.
        random_inputs(artifact.manifest())
    artifact = forge_mlir.compile(dictionaries(), tmp_path, name="fixed", fallback="cpu", input_shapes={"x": (3, 2)})
    inputs = random_inputs(artifact.manifest())
    assert {name: (value.dtype.name, value.shape) for name, value in inputs.items()} == {"x": ("float32", (3, 2))}
    assert forge_mlir.run(artifact, inputs)
    with pytest.raises(ForgeError, match=r"expected shape \[3, 2\], but got \[2, 2\]"):
        forge_mlir.run(artifact, {"x": np.zeros((2, 2), np.float32)})


def test_declared_sizes_of_outputs_do_not_bind_a_model_without_ir(tmp_path: Path) -> None:
    """As in luscinia: LightGBM's exporter declares the shape [1] for the labels of all rows."""
    proto = dictionaries()
    proto.graph.node.append(helper.make_node("ArgMax", ["x"], ["label"], axis=1, keepdims=0))
    proto.graph.output.append(helper.make_tensor_value_info("label", TensorProto.INT64, [1]))
    artifact = forge_mlir.compile(proto, tmp_path, fallback="cpu")
    found = forge_mlir.run(artifact, {"x": np.float32([[1, 2], [4, 3], [5, 6]])})
    assert found["label"].tolist() == [1, 0, 1]


def test_a_model_without_ir_takes_values(tmp_path: Path) -> None:
    x = np.ones((1, 2), np.float32)
    artifact = forge_mlir.compile(dictionaries(), tmp_path, fallback="cpu", bind={"x": x})
    (y,) = forge_mlir.run(artifact, {}).values()
    assert list(y) == [{4: 1.0, 5: 1.0}]


def test_sizes_that_do_not_fit_a_model_without_ir_are_refused(tmp_path: Path) -> None:
    for given, reason in (
        ({"input_shapes": {"x": (3, 4)}}, r"shape \[3, 4\] contradicts the model"),
        ({"dims": {"batch": 3}}, "no input has a dimension 'batch'"),
        ({"extract_outputs": ["x"]}, "map type are not supported"),
    ):
        with pytest.raises(ForgeError, match=reason):
            forge_mlir.compile(dictionaries(), tmp_path, fallback="cpu", **given)  # type: ignore[arg-type]

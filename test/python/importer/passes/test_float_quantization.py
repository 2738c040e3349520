"""`--quantization=float`: pairs of QuantizeLinear and DequantizeLinear clip, but do not round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from forge_mlir import ForgeError, import_onnx
from forge_mlir.bisect import bisect_model
from forge_mlir.compiler.driver import compile
from forge_mlir.execute.run import run
from forge_mlir.report.check import check
from forge_mlir.verify import golden_outputs, verify_model
from sample_models.repository import data_of, stored

X = np.linspace(-9, 9, 24, dtype=np.float32).reshape(2, 3, 4)


def pair(
    scale: Any, zero: Any, other: Any = None, opset: int = 17, reads: tuple[str, ...] = (), **axis: int
) -> ModelProto:
    """y = DequantizeLinear(QuantizeLinear(x)) with these constants, the second with another scale if one is given; the
    quantised value is an output, too, if it is in `reads`."""
    constants = {"scale": np.asarray(scale, np.float32), "zero": np.asarray(zero)}
    constants["other"] = np.asarray(scale if other is None else other, np.float32)
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["q"], "quantise", **axis),
        helper.make_node("DequantizeLinear", ["q", "other", "zero"], ["y"], "dequantise", **axis),
    ]
    kind = helper.np_dtype_to_tensor_dtype(constants["zero"].dtype)
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, X.shape)]
    outputs += [helper.make_tensor_value_info(name, kind, X.shape) for name in reads]
    return model(nodes, outputs, constants, opset)


def model(nodes: list[NodeProto], outputs: list[Any], constants: dict[str, Any], opset: int = 17) -> ModelProto:
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, X.shape)]
    tensors = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "g", inputs, outputs, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def result(source: ModelProto, directory: Path, x: np.ndarray = X) -> dict[str, np.ndarray]:
    return run(compile(source, directory, quantization="float"), {"x": x})


@pytest.mark.parametrize("opset", [10, 13, 21])
def test_clipping_is_kept_and_rounding_is_removed(tmp_path: Path, opset: int) -> None:
    # With a zero point of 0 the pair is a Relu; 255 steps of 1/64 end below 4.
    y = result(pair(1 / 64, np.uint8(0), opset=opset), tmp_path)["y"]
    np.testing.assert_array_equal(y, np.clip(X, 0, np.float32(255 / 64)))


@pytest.mark.parametrize(("zero", "low", "high"), [(np.int8(3), -131, 124), (np.uint16(7), -7, 65528)])
def test_bounds_of_each_type(tmp_path: Path, zero: Any, low: int, high: int) -> None:
    opset = 21
    wide = np.linspace(-9e4, 9e4, X.size, dtype=np.float32).reshape(X.shape)
    y = result(pair(0.5, zero, opset=opset), tmp_path, wide)["y"]
    np.testing.assert_array_equal(y, np.clip(wide, low / 2, high / 2))


@pytest.mark.parametrize("axis", [1, -2])
def test_a_scale_per_channel(tmp_path: Path, axis: int) -> None:
    scales, zeros = np.float32([0.01, 0.02, 0.04]), np.int8([0, -128, 127])
    y = result(pair(scales, zeros, axis=axis), tmp_path)["y"]
    low, high = ((np.float64(bound) - zeros) * scales.astype(np.float64) for bound in (-128, 127))
    bounds = (value.astype(np.float32).reshape(3, 1) for value in (low, high))
    np.testing.assert_array_equal(y, np.clip(X, *bounds))


@pytest.mark.parametrize(
    "source",
    [
        pair(0.25, np.int8(0), other=0.5),
        pair(np.float32([0.1, 0.2, 0.3]), np.int8([0, 0, 0]), other=np.float32([0.1, 0.2, 0.4]), axis=1),
    ],
    ids=["scalar", "channel"],
)
def test_unsupported_quantization_is_compiled_exactly(tmp_path: Path, source: ModelProto) -> None:
    y = result(source, tmp_path)["y"]
    np.testing.assert_array_equal(y, golden_outputs(source.SerializeToString(), {"x": X})["y"])
    assert check(source, quantization="float").warnings == ()


def test_integers_with_another_user_are_kept(tmp_path: Path) -> None:
    source = pair(0.25, np.int8(0), reads=("q",))
    found = result(source, tmp_path)
    np.testing.assert_array_equal(found["y"], X)
    np.testing.assert_array_equal(found["q"], golden_outputs(source.SerializeToString(), {"x": X})["q"])


def test_pairs_in_subgraphs_and_constants_around_them() -> None:
    source = pair(0.25, np.int8(0))
    branch = helper.make_graph(list(source.graph.node), "b", [], [helper.make_tensor_value_info("y", 1, X.shape)])
    cond = helper.make_node("ReduceMax", ["x"], ["m"], "max", keepdims=0)
    above = helper.make_node("Greater", ["m", "scale"], ["c"], "greater")
    choice = helper.make_node("If", ["c"], ["z"], "if", then_branch=branch, else_branch=branch)
    constants = {"scale": np.float32(0.25), "zero": np.int8(0), "other": np.float32(0.25)}
    outer = model([cond, above, choice], [helper.make_tensor_value_info("z", 1, X.shape)], constants)
    imported = import_onnx(outer, keep_graph=True, float_quantization=True)
    assert imported.graph is not None
    inner = [attribute.g for attribute in imported.graph.graph.node[-1].attribute]
    assert [[node.op_type for node in graph.node] for graph in inner] == [["Clip"], ["Clip"]]
    assert imported.warnings[0].startswith("2 pairs ")


def test_verify_judges_the_float_model_and_tells_the_difference() -> None:
    (folder,) = stored("resnet18_qdq")
    inputs, _ = data_of(folder)
    found = verify_model(folder / "model.onnx", inputs, quantization="float")
    assert found.passed
    assert len(found.nodes) > 20
    assert [row.name for row in found.quantized] == ["logits"]
    assert 1e-4 < found.quantized[0].relative < 0.02
    assert found.json()["quantized"][0]["relative"] == found.quantized[0].relative
    assert verify_model(folder / "model.onnx", inputs).quantized == ()


def test_fewer_kernels() -> None:
    (folder,) = stored("resnet18_qdq")
    costs = [check(folder / "model.onnx", cost_summary=True, quantization=how).cost for how in ("float", "exact")]
    assert costs[0] is not None
    assert costs[1] is not None
    assert costs[0].after.kernels * 2 < costs[1].after.kernels


def test_bisect_says_why_not(tmp_path: Path) -> None:
    onnx.save(pair(0.25, np.int8(0)), tmp_path / "model.onnx")
    with pytest.raises(ForgeError, match="quantization=float"):
        bisect_model(tmp_path / "model.onnx", quantization="float")


def test_an_invalid_pair_is_refused() -> None:
    verdict = check(pair(np.float32([0.1, 0.2]), np.int8([0, 0]), axis=7), quantization="float")
    assert not verdict.supported
    assert [problem.message for problem in verdict.warnings if "pairs" in problem.message] == []


def test_bounds_of_a_type_without_a_zero_point(tmp_path: Path) -> None:
    source = pair(0.0625, np.int8(0), opset=21)
    for node in source.graph.node:
        del node.input[2]
    source.graph.node[0].attribute.append(helper.make_attribute("output_dtype", TensorProto.INT8))
    y = result(source, tmp_path)["y"]
    np.testing.assert_array_equal(y, np.clip(X, np.float32(-8), np.float32(7.9375)))


def test_bounds_have_names_that_no_input_has(tmp_path: Path) -> None:
    source = pair(0.25, np.int8(0))
    source.graph.input.append(helper.make_tensor_value_info("y_low", TensorProto.FLOAT, [2]))
    artifact = compile(source, tmp_path, quantization="float")
    assert [info["name"] for info in artifact.manifest()["onnx"]["inputs"]] == ["x", "y_low"]


def test_a_scale_that_is_a_number_of_a_constant_node(tmp_path: Path) -> None:
    source = pair(0.25, np.int8(0))
    source.graph.node.insert(0, helper.make_node("Constant", [], ["s"], value_float=0.25))
    for node in source.graph.node[1:]:
        node.input[1] = "s"
    np.testing.assert_array_equal(result(source, tmp_path)["y"], X)

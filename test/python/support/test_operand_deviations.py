"""Operands for which an engine is known to deviate."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import helper

from forge_mlir.execute.onnx.subgraph import OnnxGraph
from forge_mlir.support.known_deviations import Program
from forge_mlir.support.operand_deviations import deviates_for


def deviates(op: str, *operands: np.ndarray, **attributes: Any) -> bool:
    """Whether onnxruntime is known to deviate for ordinary operands."""
    values = {f"x{at}": operand for at, operand in enumerate(operands)}
    node = helper.make_node(op, list(values), ["y"], **attributes)
    engine: Program = "onnxruntime"
    return deviates_for(engine, node, values, ordinary=True)


def test_operands_that_saturate() -> None:
    weights = {number: np.full((2, 2), number, np.int8) for number in (-128, -65, 64, 127)}
    x = np.ones((2, 2), np.uint8)
    for number, saturates in {-128: True, -65: True, 64: False, 127: True}.items():
        assert deviates("MatMulInteger", x, weights[number]) == saturates
    assert not deviates("MatMul", x, weights[127])
    assert not deviates("GRU", np.array([np.inf], np.float32))


def test_a_scale_of_sixteen_bits() -> None:
    x = np.ones(2, np.float32)
    assert deviates("QuantizeLinear", x, np.float16(0.1).reshape(1))
    assert not deviates("QuantizeLinear", x, x[:1])


def test_a_cast_to_four_bits() -> None:
    x, like = np.ones(2, np.float32), np.ones(1, ml_dtypes.uint4)
    assert deviates("CastLike", x, like)
    assert not deviates("CastLike", x.astype(np.int8), like)
    assert not deviates("CastLike", x, like.astype(np.uint8))


def test_a_transposed_matrix_times_a_vector() -> None:
    """onnxruntime multiplies by the elements of the matrix in their order: here by the matrix itself."""
    matrix, vector = np.arange(16, dtype=np.float32).reshape(4, 4), np.arange(4, dtype=np.float32)
    for x, y, transposes, is_known in (
        (matrix, vector, {"transA": 1}, True),
        (matrix[None], vector, {"transA": 1}, True),
        (matrix, vector, {"transB": 1}, False),
        (vector, matrix, {"transA": 1}, False),
        (vector, matrix, {"transB": 1}, False),
        (matrix, matrix, {"transA": 1}, False),
    ):
        assert deviates("FusedMatMul", x, y, **transposes) == is_known
        made = helper.make_node("FusedMatMul", ["x", "y"], ["z"], domain="com.microsoft", **transposes)
        graph = helper.make_graph(
            [made],
            "g",
            [helper.make_tensor_value_info(name, 1, each.shape) for name, each in (("x", x), ("y", y))],
            [helper.make_tensor_value_info("z", 1, None)],
        )
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
        left, right = (
            each.swapaxes(-1, -2) if each.ndim > 1 and name in transposes else each
            for name, each in (("transA", x), ("transB", y))
        )
        (found,) = OnnxGraph(model.SerializeToString(), "m", engines=["onnxruntime"]).run([x, y])
        assert np.array_equal(found, left @ right) != is_known


STEPS = np.tile(np.float32([-1, 1, 1, -1]), (1, 2, 3, 1))


@pytest.mark.parametrize(
    ("x", "axes", "is_known"),
    [
        (STEPS, [0, 2, 3], False),
        (STEPS, [0, 1, 2], True),
        (STEPS, [3], False),
        (STEPS + 1000, [3], False),
        (STEPS / 100, [3], False),
        (STEPS / 2000 + 8, [3], True),
        (np.zeros((2, 0), np.float32), [1], False),
    ],
)
def test_almost_equal_elements(x: np.ndarray, axes: list[int], is_known: bool) -> None:
    assert deviates("MeanVarianceNormalization", x, axes=axes) == is_known


@pytest.mark.parametrize(
    ("x", "epsilon", "is_known"),
    [
        (STEPS, 1e-5, False),
        (STEPS + 1, 1e-5, False),
        (STEPS + 3, 1e-5, True),
        (STEPS + 3, 2.0, False),
        (STEPS / 1000, 1e-5, False),
        (STEPS / 1000 + 0.1, 1e-5, True),
        (np.zeros((1, 2, 3), np.float32), 0.0, True),
        (np.zeros((1, 2, 3), np.float32), 1e-5, False),
        (np.zeros((1, 2, 0), np.float32), 1e-5, False),
    ],
)
def test_a_small_variance(x: np.ndarray, epsilon: float, is_known: bool) -> None:
    scale = np.ones(2, np.float32)
    assert deviates("GroupNormalization", x, scale, scale, num_groups=2, epsilon=epsilon) == is_known


@pytest.mark.parametrize(("mean", "is_known"), [(0.0, False), (0.5, False), (100.0, True)])
def test_onnxruntime_is_inexact_where_the_variance_is_small(mean: float, is_known: bool) -> None:
    """It is compared with float64. The mean itself has a rounding error."""
    x = np.random.default_rng(0).normal(mean, 1, (1, 2, 4096)).astype(np.float32)
    values = {"x": x, "s": np.ones(2, np.float32), "b": np.zeros(2, np.float32)}
    node = helper.make_node("GroupNormalization", [*values], ["y"], num_groups=2)
    infos = [helper.make_tensor_value_info(name, 1, None) for name in (*values, "y")]
    model = helper.make_model(
        helper.make_graph([node], "g", infos[:3], infos[3:]), opset_imports=[helper.make_opsetid("", 21)], ir_version=10
    )
    graph = OnnxGraph(model.SerializeToString(), "norm", engines=["onnxruntime"], trusts_shapes=False)
    wide = x.astype(np.float64)
    right = (wide - wide.mean(2, keepdims=True)) / np.sqrt(wide.var(2, keepdims=True) + 1e-5)
    assert (np.abs(graph.run([*values.values()])[0] - right).max() > 2e-5) == is_known
    assert deviates_for("onnxruntime", node, values, ordinary=True) == is_known


@pytest.mark.parametrize(("elements", "is_known"), [([1.5, 2, 1.5], True), ([1, 2, 3], False), ([], False)])
def test_an_operand_that_another_node_computes(elements: list[float], is_known: bool) -> None:
    node = helper.make_node("MeanVarianceNormalization", ["computed"], ["y"])
    assert deviates_for("onnxruntime", node, {"x": np.float32(elements)}, ordinary=True) == is_known


@pytest.mark.parametrize(("scale", "is_known"), [(1.3, True), (0.7, True), (1.5, False), (1.2, False)])
def test_a_length_that_float32_rounds(scale: float, is_known: bool) -> None:
    assert deviates("Resize", np.zeros((1, 20), np.float32), np.float32([1, scale])) == is_known
    assert deviates("Resize", np.zeros((1, 20), np.float32), np.float32([scale]), axes=[1]) == is_known
    assert not deviates("Resize", np.zeros((1, 20), np.float32), np.array([1, 26]))


@pytest.mark.parametrize(("bounds", "is_known"), [((), True), (("b",), True), (("", "b"), True), (("b", "b"), False)])
def test_an_infinity_without_a_bound(bounds: tuple[str, ...], is_known: bool) -> None:
    """onnxruntime makes the largest number of it, unlike onnx.reference."""
    node = helper.make_node("Clip", ["x", *bounds], ["y"])
    values = {"x": np.array([np.inf, -np.inf, np.nan, 0], np.float32), "b": np.array(1, np.float32)}
    engines: list[Program] = ["onnxruntime", "onnx.reference"]
    known = [deviates_for(engine, node, values) for engine in engines]
    assert known == [is_known, False]
    infos = [helper.make_tensor_value_info(name, 1, shape) for name, shape in (("x", [4]), ("b", []), ("y", [4]))]
    graph = helper.make_graph([node], "g", infos[:2], infos[2:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8).SerializeToString()
    feeds = [values["x"], values["b"]]
    theirs, reference = (OnnxGraph(model, "m", engines=[engine]).run(feeds)[0] for engine in engines)
    assert np.array_equal(theirs, reference, equal_nan=True) != is_known

"""Rows V1 to V4: values that are printed as Python."""

from __future__ import annotations

import ast
import math
from pathlib import Path

import numpy as np
import pytest
from hostile_models import agrees, model, refused, source_of, text, value
from onnx import ModelProto, TensorProto, helper

INFINITE = [float("inf"), float("-inf"), float("nan")]


def one(op: str, opset: int = 18, **attributes: object) -> ModelProto:
    node = helper.make_node(op, ["x"], ["y"], "the node", **attributes)
    return model([node], [value("x", [2, 3])], [value("y", [2, 3])], opset=opset)


@pytest.mark.parametrize("number", INFINITE)
def test_V1_infinity_and_nan(number: float, tmp_path: Path) -> None:
    source = source_of(
        agrees(one("LeakyRelu", alpha=number), tmp_path / "leaky", inputs={"x": -np.ones((2, 3), np.float32)})
    )
    assert f'alpha=float("{number}")' in source
    agrees(one("Elu", alpha=number), tmp_path / "elu", inputs={"x": np.full((2, 3), 0.5, np.float32)})
    pad = text("g (float[2] x, float v) => (float[4] y) <int64[2] p = {1, 1}> { y = Pad (x, p, v) }")
    pad.graph.initializer.append(helper.make_tensor("v", TensorProto.FLOAT, [], [number]))
    del pad.graph.input[1]
    agrees(pad, tmp_path / "pad", exact=True)


@pytest.mark.parametrize("bounds", [(-math.inf, math.inf), (-1.0, math.inf), (-math.inf, 1.0)])
def test_V1_infinite_bounds_of_clip(bounds: tuple[float, float], tmp_path: Path) -> None:
    proto = model(
        [helper.make_node("Clip", ["x", "low", "high"], ["y"])], [value("x", [2, 3])], [value("y", [2, 3])],
        {"low": np.float32(bounds[0]), "high": np.float32(bounds[1])},  # type: ignore[dict-item]
    )  # fmt: skip
    for at, name in enumerate(("low", "high")):
        proto.graph.initializer[at].CopyFrom(helper.make_tensor(name, TensorProto.FLOAT, [], [bounds[at]]))
    inputs = {"x": np.array([[-np.inf, -3, 0], [0.5, 3, np.inf]], np.float32)}
    agrees(proto, tmp_path / "input", inputs=inputs, exact=True)
    old = one("Clip", opset=6, min=bounds[0], max=bounds[1])
    agrees(old, tmp_path / "attribute", inputs=inputs, exact=True)


def alpha_of(source: str) -> float:
    (call,) = [
        node for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "forge.op.LeakyRelu"
    ]  # fmt: skip
    return float(ast.literal_eval(next(keyword.value for keyword in call.keywords if keyword.arg == "alpha")))


@pytest.mark.parametrize(
    ("number", "shown"),
    [(1e-5, "1e-05"), (0.1, "0.1"), (3.0, "3.0"), (16777216.0, "16777216.0"), (1e20, "1e+20"), (1 / 3, "0.33333334")],
)
def test_V2_the_shortest_float32(number: float, shown: str, tmp_path: Path) -> None:
    source = source_of(agrees(one("LeakyRelu", alpha=number), tmp_path, exact=True))
    assert f"alpha={shown})" in source
    assert np.float32(alpha_of(source)) == np.float32(number)


@pytest.mark.parametrize("bits", [0x80000000, 1, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x33D6BF95])
def test_V3_floats_are_exact(bits: int, tmp_path: Path) -> None:
    number = np.array(bits, np.uint32).view(np.float32)
    source = source_of(agrees(one("LeakyRelu", alpha=float(number)), tmp_path / "attribute", exact=True))
    assert np.float32(alpha_of(source)).tobytes() == number.tobytes()
    for shape in ([3], [64, 64]):  # Stored in the manifest, and in the weights file.
        weights = np.full(shape, number)
        weights.flat[0] = 0
        proto = model([helper.make_node("Where", ["c", "w", "x"], ["y"])], [value("x", shape)], [value("y", shape)],
                      {"w": weights, "c": np.ones(shape, bool)})  # fmt: skip
        artifact = agrees(proto, tmp_path / str(len(shape)), exact=True)
        assert artifact.weights_path.read_bytes().count(number.tobytes()) or weights.size > 1


@pytest.mark.parametrize(
    ("array", "fits"),
    [
        (np.array([2**31 - 1, -(2**31)], np.int64), True),
        (np.array([2**31, 0], np.int64), False),
        (np.array([np.iinfo(np.int64).min, 0]), False),
        (np.array([2**53 + 1, 0], np.int64), False),
        (np.array([np.iinfo(np.uint64).max, 0], np.uint64), False),
        (np.array([2**32 - 1, 0], np.uint32), False),
        (np.array([True, False]), True),
        (np.array([255, 0], np.uint8), True),
    ],
)
@pytest.mark.parametrize("repeat", [1, 2048])
def test_V3_integers_are_exact(array: np.ndarray, fits: bool, repeat: int, tmp_path: Path) -> None:
    weights = np.tile(array, repeat)
    dtype = helper.np_dtype_to_tensor_dtype(weights.dtype)
    shape = list(weights.shape)
    proto = model([helper.make_node("Where", ["c", "w", "x"], ["y"])],
                  [value("x", shape, dtype), value("c", shape, TensorProto.BOOL)], [value("y", shape, dtype)],
                  {"w": weights})  # fmt: skip
    if not fits:
        refused(proto, tmp_path, "not fit")
        return
    inputs = {"x": np.zeros(shape, weights.dtype), "c": np.ones(shape, bool)}
    agrees(proto, tmp_path, inputs=inputs, exact=True)


def test_V4_long_lists_are_not_inlined(tmp_path: Path) -> None:
    count = 200_000
    numbers = np.arange(count, dtype=np.int32)
    add = model([helper.make_node("Add", ["x", "w"], ["y"])], [value("x", [count], TensorProto.INT32)],
                [value("y", [count], TensorProto.INT32)], {"w": numbers})  # fmt: skip
    assert len(source_of(agrees(add, tmp_path / "weight"))) < 10_000
    gather = model([helper.make_node("Gather", ["x", "i"], ["y"])], [value("x", [4])], [value("y", [count])],
                   {"i": np.arange(count, dtype=np.int64) % 4})  # fmt: skip
    assert len(source_of(agrees(gather, tmp_path / "indices"))) < 10_000
    constant = model(
        [helper.make_node("Constant", [], ["w"], value_ints=list(range(count))),
         helper.make_node("Add", ["x", "w"], ["y"])],
        [value("x", [count], TensorProto.INT64)], [value("y", [count], TensorProto.INT64)])  # fmt: skip
    assert len(source_of(agrees(constant, tmp_path / "constant"))) < 10_000


def test_V4_long_lists_of_axes(tmp_path: Path) -> None:
    count = 1_000_000
    refused(one("Transpose", perm=list(range(count))), tmp_path / "perm", "the node")
    axes = np.arange(count, dtype=np.int64)
    slices = model([helper.make_node("Slice", ["x", "w", "w", "w"], ["y"], "the node")], [value("x", [2, 3])],
                   [value("y", [2, 3])], {"w": axes})  # fmt: skip
    refused(slices, tmp_path / "slice", "the node")
    shape = model([helper.make_node("Reshape", ["x", "w"], ["y"], "the node")], [value("x", [2, 3])],
                  [value("y", None)], {"w": np.ones(count, np.int64)})  # fmt: skip
    refused(shape, tmp_path / "reshape", "the node")
    reduced = model([helper.make_node("ReduceSum", ["x", "w"], ["y"], "the node")], [value("x", [2, 3])],
                    [value("y", None)], {"w": axes})  # fmt: skip
    refused(reduced, tmp_path / "reduce", "the node")

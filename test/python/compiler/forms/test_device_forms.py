"""Nodes that the device's compiler refuses as one Forge call are compiled to several, run, and compared with ONNX."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.verify import verify_model

Arrays = dict[str, np.ndarray]
RNG = np.random.default_rng(0)


def floats(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return RNG.standard_normal(shape).astype(dtype)


def model(nodes: list[onnx.NodeProto], inputs: Arrays, weights: Arrays) -> bytes:
    """A model with one output, `y`, of the first input's type."""

    def info(name: str, array: np.ndarray) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)

    first = next(iter(inputs.values()))
    result = helper.make_tensor_value_info("y", helper.np_dtype_to_tensor_dtype(first.dtype), None)
    stored = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    graph = helper.make_graph(nodes, "forms", [info(*pair) for pair in inputs.items()], [result], stored)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    return onnx.shape_inference.infer_shapes(made).SerializeToString()


def norm(x: np.ndarray, *, given: bool = False) -> tuple[bytes, Arrays]:
    """A BatchNormalization after a node into which it could be folded; its statistics are weights, or inputs if
    `given`."""
    channels = x.shape[1]
    statistics = {name: floats(channels, dtype=x.dtype.type) for name in ("scale", "bias", "mean")}
    statistics["var"] = np.abs(floats(channels, dtype=x.dtype.type)) + x.dtype.type(0.1)
    nodes = [
        helper.make_node("Relu", ["x"], ["h"]),
        helper.make_node("BatchNormalization", ["h", *statistics], ["y"], epsilon=1e-3),
    ]
    inputs = {"x": x, **(statistics if given else {})}
    return model(nodes, inputs, {} if given else statistics), inputs


def node(op: str, **operands: np.ndarray) -> tuple[bytes, Arrays]:
    return model([helper.make_node(op, list(operands), ["y"])], operands, {}), operands


def convolution(op: str, weights: np.ndarray, *, bias: bool = False, **attributes: object) -> tuple[bytes, Arrays]:
    """A convolution with 4 output channels, and a batch norm of its result."""
    stored = {"w": weights, **({"b": floats(4)} if bias else {}), **{name: floats(4) for name in ("s", "o", "m")}}
    nodes = [
        helper.make_node(op, ["x", "w", "b"] if bias else ["x", "w"], ["h"], **attributes),
        helper.make_node("BatchNormalization", ["h", "s", "o", "m", "v"], ["y"]),
    ]
    inputs = {"x": floats(1, 4, 8, 8)}
    return model(nodes, inputs, {**stored, "v": np.abs(floats(4)) + np.float32(0.1)}), inputs


def half(*shape: int) -> np.ndarray:
    return floats(*shape, dtype=np.float16)


def channelwise(x: np.ndarray, kernel: int = 1, *, bias: bool = False, norm: bool = False) -> tuple[bytes, Arrays]:
    """A depthwise convolution whose result has the size of the image, optionally with a batch norm."""
    channels, dtype = x.shape[1], x.dtype.type
    shapes = {"w": (channels, 1, *[kernel] * (x.ndim - 2)), **({"b": (channels,)} if bias else {})}
    statistics = {name: np.abs(floats(channels)) for name in ("s", "o", "m", "v")} if norm else {}
    pads = [kernel // 2] * (2 * (x.ndim - 2))
    nodes = [helper.make_node("Conv", ["x", *shapes], ["h" if norm else "y"], group=channels, pads=pads)]
    if norm:
        nodes.append(helper.make_node("BatchNormalization", ["h", *statistics], ["y"]))
    weights = {name: floats(*shape, dtype=dtype) for name, shape in shapes.items()}
    return model(nodes, {"x": x}, {**weights, **statistics}), {"x": x}


def products(first: np.ndarray, second: np.ndarray | str, *, x: tuple[int, ...] = (4, 8)) -> tuple[bytes, Arrays]:
    """Products with the same left operand and these addends. The second addend may be an op applied to the first sum. y
    has both sums."""
    weights = {"v": floats(8, 6), "w": floats(8, 6), "c": first}
    if not isinstance(second, str):
        weights["d"] = second
    nodes = [
        helper.make_node("MatMul", ["x", "v"], ["p"]),
        helper.make_node("Add", ["p", "c"], ["a"]),
        *([helper.make_node(second, ["a"], ["d"])] if isinstance(second, str) else []),
        helper.make_node("MatMul", ["x", "w"], ["q"]),
        helper.make_node("Add", ["q", "d"], ["b"]),
        helper.make_node("Concat", ["a", "b"], ["y"], axis=-1),
    ]
    inputs = {"x": floats(*x)}
    return model(nodes, inputs, weights), inputs


def steps(between: str | None) -> tuple[bytes, Arrays]:
    """Two steps of message passing on a graph whose matrix is `a`."""
    nodes = [
        helper.make_node("MatMul", ["a", "x"], ["h"]),
        *([helper.make_node(between, ["h"], ["g"])] if between else []),
        helper.make_node("MatMul", ["a", "g" if between else "h"], ["y"]),
    ]
    inputs = {"x": floats(8, 5)}
    return model(nodes, inputs, {"a": floats(8, 8)}), inputs


CASES = {
    "norm of an image": norm(floats(2, 5, 4, 6)),
    "norm of a sequence": norm(floats(2, 5, 7)),
    "norm of a batch": norm(floats(3, 5)),
    "norm, float16": norm(half(2, 5, 4, 6)),
    "norm, float64": norm(floats(2, 5, 4, 6, dtype=np.float64)),
    "norm by inputs": norm(floats(2, 5, 4, 6), given=True),
    "norm of a convolution": convolution("Conv", floats(4, 4, 3, 3), pads=[1, 1, 1, 1]),
    "norm of a convolution with bias": convolution("Conv", floats(4, 4, 3, 3), bias=True),
    "norm of a grouped convolution": convolution("Conv", floats(4, 2, 3, 3), group=2),
    "norm of a transposed convolution": convolution("ConvTranspose", floats(4, 4, 3, 3), bias=True, strides=[2, 2]),
    "norm of a grouped transposed one": convolution("ConvTranspose", floats(4, 2, 3, 3), group=2),
    "product, lower left": node("MatMul", a=floats(4, 8), b=floats(3, 8, 5)),
    "product, vector left": node("MatMul", a=floats(8), b=floats(2, 3, 8, 5)),
    "product, lower right": node("MatMul", a=floats(2, 3, 4, 8), b=floats(3, 8, 5)),
    "product, both broadcast": node("MatMul", a=floats(2, 1, 4, 8), b=floats(1, 3, 8, 5)),
    "product, some batches": node("MatMul", a=floats(2, 3, 4, 8), b=floats(2, 1, 8, 5)),
    "convolution, float16": node("Conv", x=half(1, 3, 8, 8), w=half(4, 3, 3, 3), b=half(4)),
    "number per channel": channelwise(floats(2, 4, 3, 5)),
    "number per channel and bias": channelwise(floats(2, 4, 3, 5), bias=True),
    "number per channel and norm": channelwise(floats(2, 4, 3, 5), bias=True, norm=True),
    "number per channel, float16": channelwise(half(2, 4, 3, 5)),
    "number per channel and bias, float16": channelwise(half(2, 4, 3, 5), bias=True),
    "number per channel, a sequence": channelwise(floats(2, 4, 7), bias=True),
    "number per channel, a volume": channelwise(floats(1, 4, 2, 3, 5), bias=True),
    "one pixel of a window": channelwise(floats(2, 4, 1, 1), 3, bias=True),
    "transposed convolution, float16": node("ConvTranspose", x=half(1, 3, 8, 8), w=half(3, 4, 3, 3)),
    "terms, rows": products(floats(6), floats(1, 6)),
    "terms, a row and a number": products(floats(6), floats()),
    "terms, numbers": products(floats(), floats(1, 1)),
    "terms, a row and a column": products(floats(6), floats(4, 1)),
    "terms, a row and a matrix": products(floats(6), floats(4, 6)),
    "terms, a row and what follows it": products(floats(6), "Sigmoid"),
    "terms, a matrix and what follows it": products(floats(4, 6), "Sigmoid"),
    "terms, of a vector": products(floats(6), floats(1), x=(8,)),
    "terms, of a batch": products(floats(2, 4, 6), floats(2, 1, 6), x=(2, 4, 8)),
    "two steps": steps(None),
    "two steps, a function between": steps("Tanh"),
    "seven axes": node("Mul", a=floats(2, 3, 1, 2, 2, 3, 2), b=floats(3, 2, 2, 1, 1)),
    "seven axes on both sides": node("Sub", a=floats(2, 1, 1, 2, 2, 3, 2), b=floats(3, 2, 1, 1, 1, 1)),
}


@pytest.mark.parametrize("case", CASES)
def test_results_are_those_of_onnx(case: str, tmp_path: Path) -> None:
    content, inputs = CASES[case]
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    assert verify_model(path, inputs).divergence is None


def calls(content: bytes, inputs: Arrays, folder: Path) -> list[str]:
    folder.mkdir(exist_ok=True)
    path = folder / "model.onnx"
    path.write_bytes(content)
    source = compile(path, folder / "out", sample_inputs=inputs).module_path.read_text()
    return re.findall(r"forge\.op\.(\w+)\(", source)


def test_a_scale_per_channel_is_a_multiplication(tmp_path: Path) -> None:
    assert calls(*CASES["number per channel"], tmp_path / "plain") == ["Multiply"]
    assert calls(*CASES["number per channel and bias"], tmp_path / "bias") == ["Multiply", "Add"]
    assert calls(*CASES["number per channel and norm"], tmp_path / "norm") == ["Multiply", "Add"]
    assert "Conv2d" not in calls(*CASES["number per channel, a volume"], tmp_path / "volume")
    assert "Conv2d" not in calls(*CASES["one pixel of a window"], tmp_path / "pixel")


def test_a_batch_norm_is_one_multiplication_and_one_addition(tmp_path: Path) -> None:
    made = calls(*CASES["norm of an image"], tmp_path)
    assert made == ["Relu", "Multiply", "Add"]


def test_a_batch_norm_is_folded_into_the_convolution(tmp_path: Path) -> None:
    made = calls(*CASES["norm of a convolution with bias"], tmp_path)
    assert made[-1] == "Conv2d"
    assert made.count("Conv2d") == 1


def test_biases_have_one_shape_or_are_subtracted(tmp_path: Path) -> None:
    def of(case: str) -> list[str]:
        return calls(*CASES[f"terms, {case}"], tmp_path / case.replace(" ", "-"))

    for case in ("rows", "a row and a number"):
        assert of(case) == ["Matmul"]  # The biases of both products are concatenated with their weights.
    for case in ("a row and a column", "a row and a matrix"):
        assert of(case) == ["Matmul", "Matmul", "Subtract", "Concatenate"]
    for case in ("a row and what follows it", "a matrix and what follows it"):
        assert of(case) == ["Matmul", "Sigmoid", "Matmul", "Subtract", "Concatenate"]


def test_a_product_is_not_directly_the_right_operand_of_the_next(tmp_path: Path) -> None:
    assert calls(*CASES["two steps"], tmp_path / "plain") == ["Constant", "Matmul", "Multiply", "Matmul"]
    made = calls(*CASES["two steps, a function between"], tmp_path / "function")
    assert made == ["Constant", "Matmul", "Tanh", "Multiply", "Matmul"]

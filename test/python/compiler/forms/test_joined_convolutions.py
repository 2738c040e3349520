"""Convolutions of one value whose results are concatenated or added are merged; smaller filters are padded with
zeros."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.verify import golden_outputs, random_inputs
from sample_models.goldens import assert_matches
from sample_models.node_models import assert_right, node, random

Window = dict[str, list[int]]
"""Attributes of Conv, with the shape of its kernel."""

PIXEL: Window = {"kernel_shape": [1, 1]}
THREE: Window = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
ROW: Window = {"kernel_shape": [1, 3], "pads": [0, 1, 0, 1]}
COLUMN: Window = {"kernel_shape": [3, 1], "pads": [1, 0, 1, 0]}
FIVE: Window = {"kernel_shape": [5, 5], "pads": [2, 2, 2, 2]}
WIDE: Window = {"kernel_shape": [3, 3], "pads": [2, 2, 2, 2], "dilations": [2, 2]}
EVEN: Window = {"kernel_shape": [2, 2], "pads": [0, 1, 1, 0]}
BEHIND: Window = {"kernel_shape": [2, 1], "pads": [0, 0, 1, 0]}


def model(windows: list[Window], strides: list[int], bias: bool, function: str) -> ModelProto:
    """Convolutions of x, each with an activation, concatenated, and a convolution of the result."""
    rng = np.random.default_rng(len(windows))
    nodes, weights, parts = [], [], []

    def constant(name: str, *shape: int) -> str:
        weights.append(numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32), name))
        return name

    for place, window in enumerate(windows):
        filters = 4 + place
        inputs = ["x", constant(f"w{place}", filters, 3, *window["kernel_shape"])]
        if bias:
            inputs.append(constant(f"b{place}", filters))
        nodes.append(helper.make_node("Conv", inputs, [f"c{place}"], strides=strides, **window))
        parts.append(f"f{place}" if function else f"c{place}")
        if function:
            nodes.append(helper.make_node(function, [f"c{place}"], [f"f{place}"]))
    channels = sum(4 + place for place in range(len(windows)))
    nodes.append(helper.make_node("Concat", parts, ["joined"], axis=1))
    nodes.append(helper.make_node("Conv", ["joined", constant("last", 2, channels, 1, 1)], ["y"]))
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", 1, [2, 3, 9, 8])],
        [helper.make_tensor_value_info("y", 1, None)],
        weights,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.parametrize("function", ["", "Relu", "Sigmoid"])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(
    ("windows", "strides"),
    [
        ([PIXEL, THREE], [1, 1]),
        ([THREE, PIXEL, FIVE], [1, 1]),
        ([ROW, COLUMN], [1, 1]),
        ([WIDE, PIXEL], [1, 1]),
        ([PIXEL, WIDE, WIDE], [2, 1]),
        ([PIXEL, THREE], [2, 2]),
        ([EVEN, EVEN], [1, 1]),
        ([EVEN, PIXEL, THREE], [1, 1]),
        ([BEHIND, PIXEL], [1, 1]),
    ],
)
def test_same_results(windows: list[Window], strides: list[int], bias: bool, function: str, tmp_path: Path) -> None:
    source = model(windows, strides, bias, function)
    artifact = compile(source, tmp_path, fast_math=["zero-products"])
    text = artifact.module_path.read_text()
    assert text.count("forge.op.Conv2d") + text.count("forge.op.Matmul") == 2
    assert "forge.op.Concatenate" not in text
    inputs = random_inputs(artifact.manifest())
    assert_matches(artifact, inputs, golden_outputs(source.SerializeToString(), inputs))


@pytest.mark.parametrize("function", ["Relu", "Sigmoid", "Tanh"])
@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
@pytest.mark.parametrize("is_behind", [False, True])
def test_an_infinite_pixel(function: str, infinity: float, is_behind: bool, tmp_path: Path) -> None:
    """Next to an infinite pixel, a 1x1 filter gives finite numbers, which zeros around the filter would make NaN."""
    nodes = [node("Conv", "x v", "a"), node("Conv", "x w", "b", pads=[1] * 4)]
    if is_behind:
        nodes += [node("Concat", "a b", "c", axis=1), node(function, "c", "z")]
    else:
        nodes += [node(function, "a", "c"), node(function, "b", "d"), node("Concat", "c d", "z", axis=1)]
    nodes += [node("Conv", "z u", "y")]
    x = random(1, 4, 6, 6)
    x[0, 1, 2, 2] = infinity
    weights = {"v": random(4, 4, 1, 1), "w": random(4, 4, 3, 3), "u": random(3, 8, 1, 1)}
    assert_right(nodes, {"x": x}, weights, tmp_path)


@pytest.mark.parametrize("windows", [(PIXEL, THREE), (ROW, COLUMN)])
@pytest.mark.parametrize("function", ["Relu", "Sigmoid", "Neg"])
def test_an_infinity_that_channels_share(windows: tuple[Window, Window], function: str, tmp_path: Path) -> None:
    """All weights are positive, so that the last convolution adds one infinity to finite numbers; padding with zeros
    would make it NaN."""
    nodes = [node("Conv", "x v", "a", **windows[0]), node("Conv", "x w", "b", **windows[1])]
    nodes += [node("Concat", "a b", "c", axis=1), node("Conv", "c u", "d"), node(function, "d", "y")]
    x = random(1, 16, 6, 6)
    x[0, 1, 2, 2] = np.inf
    v, w = (np.abs(random(4, 16, *window["kernel_shape"])) for window in windows)
    assert_right(nodes, {"x": x}, {"v": v, "w": w, "u": np.abs(random(3, 8, 1, 1))}, tmp_path)


def test_a_sum_of_windows_that_share_no_corner(tmp_path: Path) -> None:
    """A merged 1x3 and 3x1 filter would read the corners of the 3x3 window, multiplied by zero."""
    nodes = [
        node("Conv", "x v", "a", pads=[1, 0, 1, 0]),
        node("Conv", "x w", "b", pads=[0, 1, 0, 1]),
        node("Add", "a b", "y"),
    ]
    x = random(1, 4, 6, 6)
    x[0, 1, 2, 2] = np.inf
    assert_right(nodes, {"x": x}, {"v": random(4, 4, 3, 1), "w": random(4, 4, 1, 3)}, tmp_path)


def test_different_dilations_are_not_merged(tmp_path: Path) -> None:
    """Filters with different dilations have no common window."""
    source = model([WIDE, THREE], [1, 1], False, "Relu")
    artifact = compile(source, tmp_path)
    assert "forge.op.Concatenate" in artifact.module_path.read_text()
    inputs = random_inputs(artifact.manifest())
    assert_matches(artifact, inputs, golden_outputs(source.SerializeToString(), inputs))


def test_wide_filters(tmp_path: Path) -> None:
    """The last fire module of a SqueezeNet: 1x1 filters are padded to nine times their size."""
    rng = np.random.default_rng(3)
    shapes = {"one": (256, 64, 1, 1), "nine": (256, 64, 3, 3), "last": (2, 512, 1, 1)}
    weights = [numpy_helper.from_array(rng.standard_normal(s).astype(np.float32), name) for name, s in shapes.items()]
    nodes = [
        helper.make_node("Conv", ["x", "one"], ["a"]),
        helper.make_node("Conv", ["x", "nine"], ["b"], pads=[1, 1, 1, 1]),
        helper.make_node("Concat", ["a", "b"], ["c"], axis=1),
        helper.make_node("Conv", ["c", "last"], ["y"]),
    ]
    inputs_of, outputs_of = ([helper.make_tensor_value_info(n, 1, [1, c, 5, 5])] for n, c in (("x", 64), ("y", 2)))
    graph = helper.make_graph(nodes, "g", inputs_of, outputs_of, weights)
    source = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    artifact = compile(source, tmp_path, fast_math=["zero-products"])
    assert "forge.op.Concatenate" not in artifact.module_path.read_text()
    inputs = random_inputs(artifact.manifest())
    assert_matches(artifact, inputs, golden_outputs(source.SerializeToString(), inputs))


def summed(windows: list[Window], groups: int, norms: int, minus: bool) -> ModelProto:
    """Convolutions of x with equal channels, and batch norms of x, in one sum, scaled, with an activation."""
    rng = np.random.default_rng(groups)
    weights, nodes, parts = [], [], []

    def constant(name: str, values: np.ndarray) -> str:
        weights.append(numpy_helper.from_array(values.astype(np.float32), name))
        return name

    for place, window in enumerate(windows):
        filters = constant(f"w{place}", rng.standard_normal((6, 6 // groups, *window["kernel_shape"])))
        inputs = ["x", filters, constant(f"b{place}", rng.standard_normal(6))]
        nodes.append(helper.make_node("Conv", inputs, [f"c{place}"], group=groups, **window))
        parts.append(f"c{place}")
    for place in range(norms):
        statistics = [constant(f"{kind}{place}", rng.uniform(0.5, 2, 6)) for kind in ("scale", "shift", "mean", "var")]
        nodes.append(helper.make_node("BatchNormalization", ["x", *statistics], [f"n{place}"]))
        parts.append(f"n{place}")
    total = parts[0]
    for place, part in enumerate(parts[1:]):
        op = "Sub" if minus and place == len(parts) - 2 else "Add"
        nodes.append(helper.make_node(op, [total, part], [f"sum{place}"]))
        total = f"sum{place}"
    nodes.append(helper.make_node("Mul", [total, constant("gamma", rng.uniform(0.5, 2, (6, 1, 1)))], ["scaled"]))
    nodes.append(helper.make_node("Relu", ["scaled"], ["y"]))
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", 1, [2, 6, 7, 8])],
        [helper.make_tensor_value_info("y", 1, None)],
        weights,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.parametrize("minus", [False, True])
@pytest.mark.parametrize("groups", [1, 2, 6])
@pytest.mark.parametrize(
    ("windows", "norms"), [([THREE, PIXEL], 1), ([PIXEL], 1), ([FIVE, THREE, ROW], 0), ([WIDE, PIXEL], 2), ([], 2)]
)
def test_same_sums(windows: list[Window], norms: int, groups: int, minus: bool, tmp_path: Path) -> None:
    source = summed(windows, groups, norms, minus)
    artifact = compile(source, tmp_path)
    text = artifact.module_path.read_text()
    # One scale per channel is no convolution.
    has_filters = any(window != PIXEL or groups < 6 for window in windows)
    assert text.count("forge.op.Conv2d") + text.count("forge.op.Matmul") == has_filters
    assert text.count("forge.op.Multiply") == text.count("forge.op.Add") == (not has_filters)
    inputs = random_inputs(artifact.manifest())
    assert_matches(artifact, inputs, golden_outputs(source.SerializeToString(), inputs))

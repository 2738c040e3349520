"""Convolutions of one value, side by side, are one: filters with other windows get zeros around them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.verify import golden_outputs, random_inputs
from sample_models.goldens import assert_matches

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
    """Convolutions of x, each with a function behind it, concatenated, and a convolution of all."""
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
    artifact = compile(source, tmp_path)
    text = artifact.module_path.read_text()
    assert text.count("forge.op.Conv2d") + text.count("forge.op.Matmul") == 2
    assert "forge.op.Concatenate" not in text
    inputs = random_inputs(artifact.manifest())
    assert_matches(artifact, inputs, golden_outputs(source.SerializeToString(), inputs))


def test_unlike_distances_stay_apart(tmp_path: Path) -> None:
    """Taps at every pixel and taps at every second one have no distance in common."""
    source = model([WIDE, THREE], [1, 1], False, "Relu")
    artifact = compile(source, tmp_path)
    assert "forge.op.Concatenate" in artifact.module_path.read_text()
    inputs = random_inputs(artifact.manifest())
    assert_matches(artifact, inputs, golden_outputs(source.SerializeToString(), inputs))

"""Group norms between convolutions: with channels last, the mean of a group is the mean of the means of its
channels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.verify import golden_outputs, random_inputs
from sample_models.goldens import assert_matches
from sample_models.node_models import assert_right, node, random

RNG = np.random.default_rng(5)


def model(channels: int, groups: int, batch: int, per_group: bool, size: int) -> ModelProto:
    """A convolution, a group norm as torch's exporter writes it, an activation and another convolution. With
    `per_group` the inner norm has a scale and a bias, too."""
    inner = np.linspace(0.5, 2, groups) if per_group else np.ones(groups)
    weights = {
        "first": RNG.standard_normal((channels, 3, 3, 3)),
        "last": RNG.standard_normal((4, channels, 3, 3)),
        "s": inner,
        "t": inner - 1,
        "gamma": RNG.standard_normal((channels, 1, 1)),
        "beta": RNG.standard_normal((channels, 1, 1)),
    }
    node = helper.make_node
    nodes = [
        node("Conv", ["x", "first"], ["a"], pads=[1, 1, 1, 1]),
        node("Reshape", ["a", "joined"], ["b"]),
        node("InstanceNormalization", ["b", "s", "t"], ["c"]),
        node("Shape", ["a"], ["shape"]),
        node("Reshape", ["c", "shape"], ["d"]),
        node("Mul", ["d", "gamma"], ["e"]),
        node("Add", ["e", "beta"], ["f"]),
        node("Sigmoid", ["f"], ["g"]),
        node("Mul", ["f", "g"], ["h"]),
        node("Conv", ["h", "last"], ["y"], pads=[1, 1, 1, 1]),
    ]
    constants = [numpy_helper.from_array(value.astype(np.float32), name) for name, value in weights.items()]
    constants.append(numpy_helper.from_array(np.array([0, groups, -1]), "joined"))
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", 1, [batch, 3, size, size])],
        [helper.make_tensor_value_info("y", 1, [batch, 4, size, size])],
        constants,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.mark.parametrize("per_group", [False, True])
@pytest.mark.parametrize(("channels", "groups", "batch"), [(6, 3, 1), (6, 1, 2), (32, 8, 3), (320, 4, 1), (320, 32, 2)])
def test_same_results(channels: int, groups: int, batch: int, per_group: bool, tmp_path: Path) -> None:
    source = model(channels, groups, batch, per_group, 128 if channels == 6 else 32)
    artifact = compile(source, tmp_path)
    # Transposes at both ends only, and flattened pixels between the convolutions.
    text = artifact.module_path.read_text()
    assert text.count("forge.op.Transpose") == 4
    # One reshape for each mean of groups.
    assert text.count("forge.op.Reshape") == (4 if groups > 1 else 2)
    inputs = random_inputs(artifact.manifest())
    assert_matches(artifact, inputs, golden_outputs(source.SerializeToString(), inputs))


@pytest.mark.parametrize("function", ["Relu", "Sigmoid", "Tanh"])
@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_an_infinite_group(function: str, infinity: float, tmp_path: Path) -> None:
    """Functions that map infinities to finite numbers are applied to the mean and to the difference: the other group
    stays finite."""
    nodes = [
        node("Conv", "x first", "a", pads=[1] * 4, group=2),
        node("Reshape", "a joined", "r"),
        node("ReduceMean", "r", "m", axes=[2], keepdims=1),
        node(function, "m", "f"),
        node("Sub", "r f", "d"),
        node("Reshape", "d image", "i"),
        node(function, "i", "g"),
        node("Conv", "g last", "y", pads=[1] * 4),
    ]
    weights = {"first": np.abs(random(8, 2, 3, 3)), "last": random(4, 8, 3, 3)}
    shapes = {"joined": np.array([1, 2, -1]), "image": np.array([1, 8, 96, 96])}
    x = random(1, 4, 96, 96)
    x[0, 1, 2, 2] = infinity
    text = assert_right(nodes, {"x": x}, weights | shapes, tmp_path)
    assert "channel_last=True" in text


def test_small_images_are_transposed(tmp_path: Path) -> None:
    """For small images it costs less to transpose them around the norm."""
    source = model(320, 32, 1, False, 2)
    artifact = compile(source, tmp_path)
    assert "forge.op.ReduceAvg" in artifact.module_path.read_text()
    inputs = random_inputs(artifact.manifest())
    assert_matches(artifact, inputs, golden_outputs(source.SerializeToString(), inputs))

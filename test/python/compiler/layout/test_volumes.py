"""3D convolutions and pools, of which Forge has only the 2D ones."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, helper, numpy_helper, save

from forge_mlir.compiler.driver import compile
from forge_mlir.verify import golden_outputs, random_inputs, verify_model
from sample_models.goldens import assert_matches

RNG = np.random.default_rng(5)

node = helper.make_node


def of(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype(np.float32)


def program(nodes: list[NodeProto], shape: list[int], weights: dict[str, Any]) -> ModelProto:
    """A model of `nodes`, which compute y from x of `shape`."""
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", 1, shape)],
        [helper.make_tensor_value_info("y", 1, None)],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def convolution(shape: list[int], kernel: tuple[int, ...], groups: int = 1, **attributes: Any) -> ModelProto:
    filters = 2 * groups
    weights = {"w": of(filters, shape[1] // groups, *kernel), "b": of(filters)}
    return program([node("Conv", ["x", "w", "b"], ["y"], group=groups, **attributes)], shape, weights)


def pool(op: str, shape: list[int], **attributes: Any) -> ModelProto:
    return program([node(op, ["x"], ["y"], **attributes)], shape, {})


BATCH, ONE = [2, 6, 5, 7, 8], [1, 6, 5, 7, 8]

CONVOLUTIONS = {
    "kernel": convolution(ONE, (3, 3, 3)),
    "pads": convolution(ONE, (3, 3, 3), pads=[1, 1, 1, 1, 1, 1]),
    "pads of a batch": convolution(BATCH, (3, 3, 3), pads=[1, 1, 1, 1, 1, 1]),
    "uneven pads": convolution(BATCH, (3, 2, 3), pads=[2, 0, 1, 0, 1, 2]),
    "strides": convolution(ONE, (3, 3, 3), pads=[1, 1, 1, 1, 1, 1], strides=[2, 2, 1]),
    "strides of a batch": convolution(BATCH, (2, 3, 3), strides=[3, 1, 2]),
    "dilations": convolution(ONE, (3, 2, 2), dilations=[2, 3, 1], pads=[2, 0, 0, 2, 0, 0]),
    "same upper": convolution(ONE, (3, 3, 2), auto_pad="SAME_UPPER", strides=[2, 1, 2]),
    "same lower": convolution(BATCH, (2, 3, 3), auto_pad="SAME_LOWER", strides=[1, 2, 2]),
    "one depth": convolution(ONE, (1, 3, 3), pads=[0, 1, 1, 0, 1, 1], strides=[2, 1, 1]),
    "one depth and pads": convolution(ONE, (1, 3, 3), pads=[1, 0, 0, 2, 0, 0], strides=[2, 1, 1]),
    "one pixel": convolution(ONE, (3, 1, 1), pads=[1, 0, 0, 1, 0, 0]),
    "one pixel and strides": convolution(BATCH, (2, 1, 1), strides=[2, 2, 3], dilations=[3, 1, 1]),
    "one pixel and pads": convolution(BATCH, (3, 1, 1), pads=[1, 0, 1, 1, 0, 1]),
    "one element": convolution(BATCH, (1, 1, 1), strides=[2, 2, 2]),
    "groups": convolution(ONE, (3, 3, 3), groups=3, pads=[1, 1, 1, 1, 1, 1]),
    "groups of a batch": convolution(BATCH, (2, 3, 3), groups=6, strides=[2, 1, 1]),
    "groups of one pixel": convolution(BATCH, (3, 1, 1), groups=6, pads=[0, 0, 0, 2, 0, 0]),
    "whole depth": convolution(ONE, (5, 3, 3)),
    "a deep kernel of which pads meet the most": convolution([1, 6, 1, 7, 8], (9, 3, 3), pads=[4, 1, 1, 4, 1, 1]),
    "pads alone": convolution([1, 6, 1, 7, 8], (1, 3, 3), pads=[2, 0, 0, 0, 0, 0], strides=[4, 1, 1]),
    "patches": convolution(ONE, (2, 3, 4), strides=[2, 3, 4]),
    "patches of a batch": convolution(BATCH, (5, 2, 2), strides=[5, 2, 2], pads=[0, 1, 0, 0, 1, 0]),
    "patches and a pad": convolution(ONE, (2, 3, 3), strides=[2, 3, 3], pads=[0, 0, 0, 1, 0, 0]),
    "few filters": convolution([1, 64, 5, 32, 32], (3, 3, 3)),
}

POOLS = {
    "maximum": pool("MaxPool", BATCH, kernel_shape=[3, 2, 2], strides=[2, 2, 1]),
    "maximum and pads": pool("MaxPool", ONE, kernel_shape=[3, 3, 3], pads=[1, 1, 1, 1, 1, 1], strides=[1, 2, 2]),
    "maximum and uneven pads": pool("MaxPool", BATCH, kernel_shape=[3, 3, 3], pads=[1, 0, 2, 0, 1, 0]),
    "maximum of pixels": pool("MaxPool", ONE, kernel_shape=[1, 3, 3], strides=[1, 2, 2], ceil_mode=1),
    "maximum of depths": pool("MaxPool", BATCH, kernel_shape=[2, 1, 1], strides=[2, 1, 1]),
    "maximum of same": pool("MaxPool", ONE, kernel_shape=[2, 2, 2], auto_pad="SAME_UPPER"),
    "dilated maximum": pool("MaxPool", ONE, kernel_shape=[2, 2, 2], dilations=[2, 1, 2]),
    "average": pool("AveragePool", BATCH, kernel_shape=[2, 3, 2], strides=[1, 2, 2]),
    "average and pads": pool("AveragePool", ONE, kernel_shape=[3, 3, 3], pads=[1, 1, 0, 1, 0, 1]),
    "average of pads": pool("AveragePool", ONE, kernel_shape=[3, 2, 3], pads=[1, 1, 1, 1, 1, 1], count_include_pad=1),
    "average of depths": pool("AveragePool", ONE, kernel_shape=[5, 1, 1]),
    "global average": pool("GlobalAveragePool", BATCH),
}


@pytest.mark.parametrize("model", [*CONVOLUTIONS.values(), *POOLS.values()], ids=[*CONVOLUTIONS, *POOLS])
def test_same_results(model: ModelProto, tmp_path: Path) -> None:
    artifact = compile(model, tmp_path)
    inputs = random_inputs(artifact.manifest())
    assert_matches(artifact, inputs, golden_outputs(model.SerializeToString(), inputs))


def residual(batch: int) -> ModelProto:
    """Two convolutions with a residual connection, as in networks for video, with a gate and branches."""
    same = {"pads": [1, 1, 1, 1, 1, 1]}
    return program(
        [
            node("Conv", ["x", "w0"], ["s"], "stem", strides=[1, 2, 2], **same),
            node("Relu", ["s"], ["r"]),
            node("Conv", ["r", "w1"], ["c"], "first", **same),
            node("Relu", ["c"], ["d"]),
            node("Conv", ["d", "w2"], ["e"], "second", **same),
            node("Add", ["e", "r"], ["f"]),
            node("Relu", ["f"], ["g"]),
            node("GlobalAveragePool", ["g"], ["h"]),
            node("Sigmoid", ["h"], ["i"]),
            node("Mul", ["g", "i"], ["j"]),
            node("MaxPool", ["j"], ["k"], kernel_shape=[3, 3, 3], **same),
            node("Concat", ["k", "j"], ["l"], axis=1),
            node("Mul", ["l", "scale"], ["m"]),
            node("Conv", ["m", "w3"], ["n"], "last"),
            node("GlobalAveragePool", ["n"], ["o"]),
            node("Flatten", ["o"], ["y"]),
        ],
        [batch, 3, 4, 12, 16],
        {
            "w0": of(8, 3, 3, 3, 3),
            "w1": of(8, 8, 3, 3, 3),
            "w2": of(8, 8, 3, 3, 3),
            "scale": of(16, 1, 1, 1),
            "w3": of(5, 16, 1, 1, 1),
        },
    )


@pytest.mark.parametrize("batch", [1, 2])
def test_channels_stay_last_between_convolutions(batch: int, tmp_path: Path) -> None:
    """Transposes of the input only; verification compares the values in their ONNX layout and shape."""
    save(residual(batch), tmp_path / "model.onnx")
    text = compile(tmp_path / "model.onnx", tmp_path / "out", flat=True).module_path.read_text()
    assert text.count("forge.op.Transpose") == 3
    assert text.count("forge.op.Conv2d") + text.count("forge.op.Matmul") == 4
    verified = verify_model(tmp_path / "model.onnx")
    assert verified.passed, verified
    assert len(verified.nodes) >= 12

"""Flattened images, columns that become an image, patches, and channel shuffles: their permutations are folded into
weights, computed on rows, or cancelled, and the results are those of ONNX, whatever other users a value has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnx import NodeProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.verify import verify_model

RNG = np.random.default_rng(37)


def random(*shape: int) -> npt.NDArray[np.float32]:
    return RNG.standard_normal(shape).astype(np.float32)


def calls(
    nodes: Sequence[NodeProto],
    weights: Mapping[str, npt.ArrayLike],
    shape: Sequence[int],
    outputs: Sequence[str],
    folder: Path,
) -> list[str]:
    """The Forge calls in their order. Asserts that `verify` finds the model right and proves it equal."""
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    tensors = [numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()]
    model = onnx.shape_inference.infer_shapes(
        helper.make_model(
            helper.make_graph(nodes, "g", inputs, results, tensors),
            opset_imports=[helper.make_opsetid("", 18)],
            ir_version=9,
        )
    )
    onnx.save(model, folder / "m.onnx")
    report = verify_model(folder / "m.onnx", profiles=("normal", "mixed"))
    assert report.passed, report
    text = forge_mlir.compile(model, folder / "out", name="m", flat=True).module_path.read_text()
    return [call for call in re.findall(r"forge\.op\.(\w+)\(", text) if call != "Constant"]


def classifier(heads: int) -> tuple[list[NodeProto], dict[str, npt.ArrayLike], list[str]]:
    """A convolution and a pool, flattened, and a Gemm for each head."""
    nodes = [
        helper.make_node("Conv", ["x", "c"], ["conv"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["conv"], ["relu"]),
        helper.make_node("MaxPool", ["relu"], ["pool"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["pool"], ["flat"]),
    ]
    weights: dict[str, npt.ArrayLike] = {"c": random(5, 3, 3, 3)}
    for head in range(heads):
        nodes.append(helper.make_node("Gemm", ["flat", f"w{head}", f"b{head}"], [f"y{head}"], transB=1))
        weights |= {f"w{head}": random(4, 5 * 3 * 4), f"b{head}": random(4)}
    return nodes, weights, [f"y{head}" for head in range(heads)]


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("heads", [1, 2])
def test_the_rows_of_a_classifier_are_permuted(batch: int, heads: int, tmp_path: Path) -> None:
    nodes, weights, outputs = classifier(heads)
    made = calls(nodes, weights, (batch, 3, 6, 8), outputs, tmp_path)
    # The transposes of the input only.
    assert made.count("Transpose") == 2
    assert made[-1] == "Matmul"


def test_a_flattened_image_that_is_an_output_keeps_its_order(tmp_path: Path) -> None:
    nodes, weights, outputs = classifier(1)
    assert calls(nodes, weights, (2, 3, 6, 8), [*outputs, "flat"], tmp_path).count("Transpose") == 4


def test_weights_that_two_images_share(tmp_path: Path) -> None:
    """One image is flattened with channels last, the other is the input itself: each has its own order of rows."""
    nodes, weights, _ = classifier(1)
    nodes += [
        helper.make_node("Flatten", ["x"], ["other"]),
        helper.make_node("MatMul", ["other", "u"], ["v"]),
        helper.make_node("Gemm", ["v", "w0", "b0"], ["z"], transB=1),
    ]
    weights["u"] = random(3 * 6 * 8, 5 * 3 * 4)
    assert "Matmul" in calls(nodes, weights, (1, 3, 6, 8), ["y0", "z"], tmp_path)


@pytest.mark.parametrize("also", [[], ["columns"], ["relu"]])
def test_the_columns_of_a_decoder_are_permuted(also: list[str], tmp_path: Path) -> None:
    """Unless they have another user."""
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["product"]),
        helper.make_node("Add", ["product", "b"], ["columns"]),
        helper.make_node("Relu", ["columns"], ["relu"]),
        helper.make_node("Reshape", ["relu", "shape"], ["image"]),
        helper.make_node("ConvTranspose", ["image", "c"], ["y"], strides=[2, 2]),
    ]
    weights = {
        "w": random(6, 5 * 3 * 4),
        "b": random(5 * 3 * 4),
        "shape": np.array([0, 5, 3, 4]),
        "c": random(5, 2, 2, 2),
    }
    made = calls(nodes, weights, (2, 6), ["y", *also], tmp_path)
    # The product is not computed twice for two orders.
    assert made.count("Matmul") == 1
    assert also or "Transpose" not in made[: made.index("Conv2dTranspose")]


def shuffle(
    groups: int, size: int, side: int, window: Mapping[str, object]
) -> tuple[list[NodeProto], dict[str, npt.ArrayLike]]:
    """A grouped convolution, a channel shuffle, and another convolution, whose weights the caller adds."""
    channels = groups * size
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["conv"], group=groups),
        helper.make_node("Reshape", ["conv", "split"], ["groups"]),
        helper.make_node("Transpose", ["groups"], ["swapped"], perm=[0, 2, 1, 3, 4]),
        helper.make_node("Reshape", ["swapped", "merge"], ["shuffled"]),
        helper.make_node("Conv", ["shuffled", "v", "b"], ["y"], **window),
    ]
    return nodes, {
        "w": random(channels, size, 1, 1),
        "b": random(channels),
        "split": np.array([0, groups, size, side, side]),
        "merge": np.array([0, channels, side, side]),
    }


def between_convolutions(made: list[str]) -> list[str]:
    return made[made.index("Conv2d") + 1 : len(made) - 1 - made[::-1].index("Conv2d")]


@pytest.mark.parametrize("also", [[], ["groups"], ["swapped"], ["shuffled"]])
def test_channels_are_shuffled_as_rows(also: list[str], tmp_path: Path) -> None:
    """A value of the shuffle with another user has its ONNX layout."""
    nodes, weights = shuffle(4, 12, 28, {"group": 24, "pads": [1, 1, 1, 1]})
    weights["v"] = random(48, 2, 3, 3)
    made = calls(nodes, weights, (1, 48, 28, 28), ["y", *also], tmp_path)
    between = between_convolutions(made)
    if not also:
        assert between == ["Reshape", "Transpose", "Reshape", "Transpose", "Reshape", "Transpose", "Reshape"]
    assert "Conv2d" in made


def test_few_pixels_are_shuffled_in_one_step(tmp_path: Path) -> None:
    nodes, weights = shuffle(4, 60, 14, {"group": 120, "pads": [1, 1, 1, 1]})
    weights["v"] = random(240, 2, 3, 3)
    made = calls(nodes, weights, (1, 240, 14, 14), ["y"], tmp_path)
    assert between_convolutions(made) == ["Reshape", "Transpose", "Reshape", "Transpose", "Reshape"]


@pytest.mark.parametrize("also", [[], ["groups"], ["shuffled"]])
def test_channels_are_shuffled_after_depthwise_convolutions(also: list[str], tmp_path: Path) -> None:
    """The filters and the biases are permuted, unless their operand has another user."""
    nodes, weights = shuffle(4, 12, 28, {"group": 48, "pads": [1, 1, 1, 1], "strides": [2, 2]})
    weights["v"] = random(48, 1, 3, 3)
    made = calls(nodes, weights, (1, 48, 28, 28), ["y", *also], tmp_path)
    assert ("Transpose" in between_convolutions(made)) == bool(also)


@pytest.mark.parametrize("also", [False, True])
def test_patches_are_multiplied_by_a_matrix(also: bool, tmp_path: Path) -> None:
    """Not if another convolution uses the image, which is then in channels last in any case."""
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["conv"], strides=[32, 16]),
        helper.make_node("Reshape", ["conv", "shape"], ["columns"]),
        helper.make_node("Transpose", ["columns"], ["y"], perm=[0, 2, 1]),
    ]
    weights = {"w": random(6, 3, 32, 16), "b": random(6), "v": random(4, 3, 3, 3), "shape": np.array([0, 0, -1])}
    if also:
        nodes.append(helper.make_node("Conv", ["x", "v"], ["z"], strides=[2, 2]))
    made = calls(nodes, weights, (2, 3, 128, 192), ["y", "z"] if also else ["y"], tmp_path)
    assert (made.count("Matmul"), made.count("Conv2d")) == ((0, 2) if also else (1, 0))


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("also", [[], ["rows"], ["written"]])
def test_a_cache_is_not_transposed(batch: int, also: list[str], tmp_path: Path) -> None:
    """A row is written into the third axis as torch's newer exporter does it, with that axis transposed to the
    front."""
    nodes = [
        helper.make_node("Transpose", ["x"], ["rows"], perm=[2, 0, 1, 3]),
        helper.make_node("ReduceMax", ["x", "axis"], ["new"], keepdims=1),
        helper.make_node("Transpose", ["new"], ["row"], perm=[2, 0, 1, 3]),
        helper.make_node("ReduceSum", ["x"], ["sum"], keepdims=0),
        helper.make_node("Abs", ["sum"], ["positive"]),
        helper.make_node("Clip", ["positive", "", "last"], ["near"]),
        helper.make_node("Cast", ["near"], ["number"], to=TensorProto.INT64),
        helper.make_node("Reshape", ["number", "one"], ["at"]),
        helper.make_node("ScatterND", ["rows", "at", "row"], ["written"]),
        helper.make_node("Transpose", ["written"], ["y"], perm=[1, 2, 0, 3]),
    ]
    weights = {"axis": np.array([2]), "last": np.array(20, np.float32), "one": np.array([1, 1])}
    made = calls(nodes, weights, (batch, 4, 40, 16), ["y", *also], tmp_path)
    assert also or "Transpose" not in made

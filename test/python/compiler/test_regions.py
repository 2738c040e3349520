"""Ops on regions of interest and moved windows, compared with onnxruntime, because the conformance suite has few cases
of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
import pytest
from onnx import ModelProto, TensorProto, helper

from forge_mlir.compiler.driver import compile
from forge_mlir.execute.run import run
from sample_models.goldens import assert_same

rng = np.random.default_rng(3)
IMAGE = rng.standard_normal((2, 3, 9, 7)).astype(np.float32)
# Inside, partly outside and far outside of the image, upside down, and narrower than a pixel.
CORNERS = np.array([[0, 0, 4, 5], [-3, -2, 5, 4], [20, 20, 30, 30], [5, 6, 1, 2], [2.5, 1.5, 2.6, 8.5]], np.float32)
IMAGES = np.array([0, 1, 0, 1, 1])


def one_node(op: str, given: dict[str, npt.NDArray[Any]], opset: int, **attributes: object) -> ModelProto:
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in given.items()
    ]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([helper.make_node(op, list(given), ["y"], **attributes)], "g", inputs, [output])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)


def check(tmp_path: Path, op: str, given: dict[str, npt.NDArray[Any]], opset: int, **attributes: object) -> None:
    model = one_node(op, given, opset, **attributes)
    (expected,) = onnxruntime.InferenceSession(model.SerializeToString()).run(None, given)
    assert expected.size
    assert_same(run(compile(model, tmp_path), given)["y"], expected)


@pytest.mark.parametrize("mode", ["avg", "max"])
@pytest.mark.parametrize(
    ("opset", "more"),
    [(10, {}), (16, {}), (16, {"coordinate_transformation_mode": "output_half_pixel"})],
    ids=["10", "16", "output_half_pixel"],
)
@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_roi_align(tmp_path: Path, mode: str, opset: int, more: dict[str, str], scale: float) -> None:
    given = {"x": IMAGE, "rois": CORNERS, "images": IMAGES}
    sizes = {"output_height": 3, "output_width": 2, "sampling_ratio": 2, "spatial_scale": scale}
    check(tmp_path, "RoiAlign", given, opset, mode=mode, **sizes, **more)


@pytest.mark.parametrize("scale", [1.0, 0.7])
@pytest.mark.parametrize("shape", [[1, 1], [2, 3], [4, 4]])
def test_max_roi_pool(tmp_path: Path, scale: float, shape: list[int]) -> None:
    rois = np.concatenate([IMAGES[:, None].astype(np.float32), CORNERS], axis=1)
    check(tmp_path, "MaxRoiPool", {"x": IMAGE, "rois": rois}, 17, pooled_shape=shape, spatial_scale=scale)


@pytest.mark.parametrize(
    "attributes",
    [
        {},
        {"pads": [1, 0, 2, 1], "strides": [2, 1]},
        {"dilations": [2, 1], "offset_group": 2},
        {"group": 2, "pads": [1, 1, 1, 1]},
    ],
    ids=["plain", "strides", "dilations", "groups"],
)
@pytest.mark.parametrize("masked", [False, True])
def test_deform_conv(tmp_path: Path, attributes: dict[str, Any], masked: bool) -> None:
    x = rng.standard_normal((2, 4, 6, 5)).astype(np.float32)
    pads, strides = attributes.get("pads", [0] * 4), attributes.get("strides", [1, 1])
    dilations, groups = attributes.get("dilations", [1, 1]), attributes.get("offset_group", 1)
    size = [
        (x.shape[2 + i] + pads[i] + pads[2 + i] - 2 * dilations[i] - 1) // strides[i] + 1 if i == 0 else
        (x.shape[2 + i] + pads[i] + pads[2 + i] - dilations[i] - 1) // strides[i] + 1
        for i in range(2)
    ]  # fmt: skip
    w = rng.standard_normal((6, 4 // attributes.get("group", 1), 3, 2)).astype(np.float32)
    given = {
        "x": x,
        "w": w,
        "offset": (3 * rng.standard_normal((2, groups * 12, *size))).astype(np.float32),
        "b": rng.standard_normal(6).astype(np.float32),
    }
    if masked:
        given["mask"] = rng.random((2, groups * 6, *size)).astype(np.float32)
    check(tmp_path, "DeformConv", given, 19, **attributes)


@pytest.mark.parametrize(
    ("op", "attributes"),
    [
        ("AveragePool", {"ceil_mode": 0}),
        ("AveragePool", {"ceil_mode": 1}),
        ("AveragePool", {"ceil_mode": 1, "count_include_pad": 1}),
        ("MaxPool", {"ceil_mode": 0}),
        ("MaxPool", {"ceil_mode": 1}),
    ],
)
def test_a_pool_whose_window_exceeds_the_image(tmp_path: Path, op: str, attributes: dict[str, int]) -> None:
    check(tmp_path, op, {"x": IMAGE}, 17, kernel_shape=[10, 3], strides=[4, 2], **attributes)

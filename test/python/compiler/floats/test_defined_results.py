"""Where ONNX does not define a result, it is that of onnxruntime: pads with a crop, and empty sequences. Extrapolated
elements of a Resize have one value."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir import ForgeError


def _model(node: NodeProto, shape: list[int], constants: dict[str, np.ndarray]) -> ModelProto:
    graph = helper.make_graph(
        [node],
        "one",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in node.output],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)


@pytest.mark.parametrize("mode", ["edge", "reflect"])
@pytest.mark.parametrize("pads", [(2, -1), (-1, 2), (1, -3)])
def test_pads_with_a_crop(mode: str, pads: tuple[int, int]) -> None:
    given = {"p": np.array([0, pads[0], 0, pads[1]], np.int64)}
    assert forge_mlir.verify(_model(helper.make_node("Pad", ["x", "p"], ["y"], mode=mode), [2, 5], given)).passed


def test_pads_whose_order_matters_are_refused() -> None:
    given = {"p": np.array([0, 2, 0, -1], np.int64)}
    with pytest.raises(ForgeError, match="no defined order"):
        forge_mlir.verify(_model(helper.make_node("Pad", ["x", "p"], ["y"], mode="wrap"), [2, 5], given))


@pytest.mark.parametrize(("op", "gates"), [("LSTM", 4), ("GRU", 3), ("RNN", 1)])
def test_the_last_state_of_an_empty_sequence_is_zero(op: str, gates: int) -> None:
    random = np.random.default_rng(0)
    shapes = {"w": (1, gates * 4, 3), "r": (1, gates * 4, 4), "h": (1, 2, 4), "c": (1, 2, 4)}
    constants = {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    constants["l"] = np.array([0, 3], np.int32)
    inputs, outputs = ["x", "w", "r", "", "l", "h"], ["y", "last"]
    if op == "LSTM":
        inputs, outputs = [*inputs, "c"], [*outputs, "cell"]
    node = helper.make_node(op, inputs, outputs, hidden_size=4)
    result = forge_mlir.verify(_model(node, [5, 2, 3], constants))
    assert result.passed, result.divergence


@pytest.mark.parametrize("value", [0.1, 3.4e38, np.inf])
def test_extrapolated_elements_are_not_interpolated(value: float, tmp_path: Path) -> None:
    """Rows outside of the region have the extrapolation value in all columns."""
    given = {"roi": np.array([-1, 0, 2, 1], np.float32), "sizes": np.array([7, 9], np.int64)}
    attributes = {"mode": "cubic", "coordinate_transformation_mode": "tf_crop_and_resize"}
    node = helper.make_node("Resize", ["x", "roi", "", "sizes"], ["y"], extrapolation_value=value, **attributes)
    compiled = forge_mlir.compile(_model(node, [4, 5], given), tmp_path)
    x = np.random.default_rng(0).standard_normal((4, 5)).astype(np.float32)
    rows = forge_mlir.run(compiled, {"x": x})["y"]
    assert (rows[[0, 1, 5, 6]] == np.float32(value)).all()
    assert np.isfinite(rows[2:5]).all()

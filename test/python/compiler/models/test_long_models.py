"""Models of many equal steps compile in time proportional to their length, to programs with right results."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

import forge_mlir
from sample_models.goldens import assert_same


def model(nodes: list[onnx.NodeProto], shape: list[int], outputs: list[str], **weights: np.ndarray) -> ModelProto:
    tensors = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
    made = [onnx.ValueInfoProto(name=name) for name in outputs]
    for value in made:
        value.type.tensor_type.elem_type = TensorProto.FLOAT
    graph = helper.make_graph(nodes, "g", inputs, made, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def random(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32) * 0.5


def pads(count: int) -> ModelProto:
    """A sequence of pads by zero elements before a convolution."""
    names = ["x", *(f"v{i}" for i in range(count))]
    nodes = [helper.make_node("Pad", [a, "p"], [b], b) for a, b in pairwise(names)]
    nodes.append(helper.make_node("Conv", [names[-1], "w"], ["y"], "conv"))
    return model(nodes, [1, 4, 2, 2], ["y"], w=random(4, 4, 1, 1), p=np.zeros(8, np.int64))


def lstm(steps: int) -> ModelProto:
    nodes = [helper.make_node("LSTM", ["x", "w", "r", "b"], ["y"], "lstm", hidden_size=4)]
    return model(nodes, [steps, 1, 4], ["y"], w=random(1, 16, 4), r=random(1, 16, 4), b=random(1, 32))


def seconds_of(made: ModelProto, path: Path) -> float:
    """The processor time of this process, so that other processes do not count."""
    begin = time.process_time()
    forge_mlir.compile(made, path)
    return time.process_time() - begin


_AT_NIGHT = pytest.mark.slow


@pytest.mark.parametrize(
    ("make", "few", "many"),
    [
        (pads, 2_000, 16_000),
        pytest.param(pads, 5_000, 40_000, marks=_AT_NIGHT),
        (lstm, 32, 256),
        pytest.param(lstm, 64, 512, marks=_AT_NIGHT),
    ],
)
def test_time_grows_with_the_model(make: Callable[[int], ModelProto], few: int, many: int, tmp_path: Path) -> None:
    short, long = (seconds_of(make(count), tmp_path / str(count)) for count in (few, many))
    assert long < 24 * max(short, 0.02), "eight times as many steps"


def same_as_onnxruntime(made: ModelProto, inputs: dict[str, np.ndarray], path: Path) -> None:
    session = onnxruntime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    expected = session.run(None, inputs)
    ours = forge_mlir.run(forge_mlir.compile(made, path), inputs)
    for got, wanted in zip(ours.values(), expected, strict=True):
        assert_same(got, wanted)


def test_long_programs_are_right(tmp_path: Path) -> None:
    same_as_onnxruntime(lstm(128), {"x": random(128, 1, 4)}, tmp_path / "lstm")
    same_as_onnxruntime(pads(1000), {"x": random(1, 4, 2, 2)}, tmp_path / "pads")


@pytest.mark.parametrize("same", [("w", "r"), ("w", "w2"), ("r", "r2")])
def test_layers_of_which_only_one_has_equal_operands(same: tuple[str, str], tmp_path: Path) -> None:
    """One LSTM uses one weight twice, or shares one with the other LSTM: layers are merged by operand position, not by
    value."""
    names = {name: name for name in ("w", "r", "w2", "r2")}
    names[same[1]] = same[0]
    nodes = [
        helper.make_node("LSTM", ["x", names["w"], names["r"]], ["", "a"], "first", hidden_size=4),
        helper.make_node("LSTM", ["x", names["w2"], names["r2"]], ["", "b"], "second", hidden_size=4),
    ]
    weights = {name: random(1, 16, 4) * (1 + number) for number, name in enumerate(sorted(set(names.values())))}
    same_as_onnxruntime(model(nodes, [6, 2, 4], ["a", "b"], **weights), {"x": random(6, 2, 4)}, tmp_path)

"""Layers whose weights or nodes share names: the methods of these layers only read their arguments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

import forge_mlir
from sample_models.goldens import assert_same

Array = npt.NDArray[np.float32]


def recurrent(kind: str, length: int, layers: int, weight: str, recurrence: str) -> ModelProto:
    """Layers of 4 units whose weights have these names: `{n}` is "" for the first layer, then "_1", "_2" and so on."""
    rng, units, gates = np.random.default_rng(0), 4, {"GRU": 3, "LSTM": 4, "RNN": 1}[kind]
    nodes, weights, value = [], [], "x"
    for layer in range(layers):
        n = f"_{layer}" if layer else ""
        shapes = {
            weight.format(n=n): (1, gates * units, units),
            recurrence.format(n=n): (1, gates * units, units),
            f"B{layer}": (1, 2 * gates * units),
        }
        weights += [
            numpy_helper.from_array((rng.standard_normal(shape) * 0.4).astype(np.float32), name)
            for name, shape in shapes.items()
        ]
        weights.append(numpy_helper.from_array(np.array([1]), f"axes{layer}"))
        nodes.append(helper.make_node(kind, [value, *shapes], [f"all{layer}"], name=f"/{kind}{n}", hidden_size=units))
        value = f"y{layer}"
        nodes.append(helper.make_node("Squeeze", [f"all{layer}", f"axes{layer}"], [value], name=f"/Squeeze{n}"))
    return of_graph(nodes, weights, (length, 1, units), value)


def stacked(names: list[str]) -> ModelProto:
    """One layer for each name of its matrix; layers with equal names share the matrix."""
    rng, value, nodes = np.random.default_rng(0), "x", []
    weights = [
        numpy_helper.from_array((rng.standard_normal((16, 16)) * 0.3).astype(np.float32), name)
        for name in dict.fromkeys(names)
    ]
    for layer, name in enumerate(names):
        for op, operands in (("MatMul", [value, name]), ("Tanh", ["MatMul"]), ("Sigmoid", ["Tanh"]), ("Add", [value])):
            inputs = [f"{each}{layer}" if each in ("MatMul", "Tanh") else each for each in operands]
            inputs += [f"Sigmoid{layer}"] if op == "Add" else []
            nodes.append(helper.make_node(op, inputs, [f"{op}{layer}"], name=f"/layers.{layer}/{op}"))
        value = f"Add{layer}"
    return of_graph(nodes, weights, (4, 16), value)


def of_graph(
    nodes: list[onnx.NodeProto], weights: list[TensorProto], shape: tuple[int, ...], output: str
) -> ModelProto:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("x", output))
    graph = helper.make_graph(nodes, "g", [x], [y], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def check(model: ModelProto, folder: Path) -> None:
    shape = [dim.dim_value for dim in model.graph.input[0].type.tensor_type.shape.dim]
    inputs = {"x": np.random.default_rng(1).standard_normal(shape).astype(np.float32)}
    expected = onnxruntime.InferenceSession(model.SerializeToString()).run(None, inputs)[0]
    (result,) = forge_mlir.run(forge_mlir.compile(model, folder, name="m"), inputs).values()
    assert_same(result, expected)


@pytest.mark.parametrize("kind", ["GRU", "LSTM", "RNN"])
@pytest.mark.parametrize("names", [("W{n}", "R{n}"), ("W{n}", "/GRU{n}"), ("/GRU{n}", "R{n}"), ("/LSTM{n}", "/RNN{n}")])
@pytest.mark.parametrize(("length", "layers"), [(3, 2), (4, 2), (4, 3)])
def test_recurrent_layers(kind: str, names: tuple[str, str], length: int, layers: int, tmp_path: Path) -> None:
    check(recurrent(kind, length, layers, *names), tmp_path)


@pytest.mark.parametrize(
    "names",
    [
        ["W", *["W_1"] * 5],
        ["A", *["B"] * 5],
        ["W_1", *["W_2"] * 5],
        ["W", "W_1", "W_1", "W_3", "W_4", "W_5"],
        ["W_0", "W_1", "W_0", "W_1", "W_0", "W_1"],
        [*["W"] * 5, "W_1"],
    ],
)
def test_layers_that_share_a_matrix(names: list[str], tmp_path: Path) -> None:
    check(stacked(names), tmp_path)

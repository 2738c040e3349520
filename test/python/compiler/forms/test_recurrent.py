"""Bidirectional recurrent layers: the results are those of onnxruntime, and a step of both directions takes the calls
of one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import forge_mlir
from sample_models.goldens import assert_same

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
ACTIVATIONS = {"LSTM": ["Sigmoid", "Tanh", "Softsign"], "GRU": ["HardSigmoid", "Tanh"], "RNN": ["Relu"]}
Arrays = dict[str, npt.NDArray[Any]]


@dataclass
class Layer:
    """A layer with X of [steps, batch, 3]. Operands named in `given` are inputs of the model or weights."""

    kind: str
    steps: int = 5
    batch: int = 2
    hidden: int = 4
    direction: str = "bidirectional"
    given: tuple[str, ...] = ("B",)
    outputs: tuple[str, ...] = ("Y", "Y_h", "Y_c")
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def directions(self) -> int:
        return 2 if self.direction == "bidirectional" else 1

    def arrays(self) -> Arrays:
        rng = np.random.default_rng(7)
        size, gates = self.directions, GATES[self.kind] * self.hidden
        shapes = {
            "X": (self.steps, self.batch, 3),
            "W": (size, gates, 3),
            "R": (size, gates, self.hidden),
            "B": (size, 2 * gates),
            "initial_h": (size, self.batch, self.hidden),
            "initial_c": (size, self.batch, self.hidden),
            "P": (size, 3 * self.hidden),
        }
        arrays: Arrays = {name: rng.standard_normal(shape, np.float32) / 2 for name, shape in shapes.items()}
        arrays["sequence_lens"] = rng.permutation(np.linspace(1, self.steps, self.batch).astype(np.int32))
        return {name: arrays[name] for name in ("X", "W", "R", *self.given)}

    def names(self) -> tuple[list[str], list[str]]:
        """The operands and results of the node; absent ones are empty."""
        count = 8 if self.kind == "LSTM" else 6
        order = ["X", "W", "R", "B", "sequence_lens", "initial_h", "initial_c", "P"][:count]
        results = ["Y", "Y_h", "Y_c"][: 3 if self.kind == "LSTM" else 2]
        operands = [name if name in ("X", "W", "R", *self.given) else "" for name in order]
        return operands, [name if name in self.outputs else "" for name in results]

    def model(self, arrays: Arrays, layout: int = 0) -> onnx.ModelProto:
        """W, R, B and P are weights. With layout 1, the batch is the first axis of the states and of X."""
        operands, results = self.names()
        attributes = {"hidden_size": self.hidden, "direction": self.direction, **self.attributes}
        if layout:
            attributes["layout"] = layout
        node = helper.make_node(self.kind, operands, results, "layer", **attributes)
        weights = [numpy_helper.from_array(arrays[name], name) for name in ("W", "R", "B", "P") if name in arrays]
        inputs = [
            helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
            for name, value in arrays.items()
            if name not in ("W", "R", "B", "P")
        ]
        shape = [self.steps, self.directions, self.batch, self.hidden]
        shapes = {"Y": [shape[axis] for axis in (2, 0, 1, 3)] if layout else shape}
        final = [shape[axis] for axis in ((2, 1, 3) if layout else (1, 2, 3))]
        outputs = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shapes.get(name, final)) for name in results if name
        ]
        graph = helper.make_graph([node], "g", inputs, outputs, weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def batch_first(arrays: Arrays) -> Arrays:
    axes = {"X": (1, 0, 2), "initial_h": (1, 0, 2), "initial_c": (1, 0, 2), "Y": (2, 0, 1, 3), "Y_h": (1, 0, 2)}
    axes["Y_c"] = (1, 0, 2)
    return {name: value.transpose(axes[name]) if name in axes else value for name, value in arrays.items()}


def inputs_of(model: onnx.ModelProto, arrays: Arrays) -> Arrays:
    return {value.name: arrays[value.name] for value in model.graph.input}


def check(layer: Layer, folder: Path, layout: int = 0) -> list[str]:
    """The Forge calls of the layer in order. Asserts that the results are those of onnxruntime with layout 0."""
    arrays = layer.arrays()
    model = layer.model(arrays)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [value.name for value in model.graph.output]
    expected = dict(zip(names, session.run(None, inputs_of(model, arrays)), strict=True))
    if layout:
        arrays, expected = batch_first(arrays), batch_first(expected)
        model = layer.model(arrays, layout)
    artifact = forge_mlir.compile(model, folder / "out", name="m", flat=True)
    found = forge_mlir.run(artifact.module_path, inputs_of(model, arrays))
    assert_same(found, expected)
    text = artifact.module_path.read_text()
    return [call for call in re.findall(r"forge\.op\.(\w+)\(", text) if call != "Constant"]


ALL = ("B", "sequence_lens", "initial_h")
OPTIONS = {
    "defaults": {"given": ()},
    "bias": {},
    "one row": {"batch": 1},
    "one step": {"steps": 1},
    "two steps": {"steps": 2, "given": ALL},
    "lengths": {"given": ("B", "sequence_lens"), "batch": 4},
    "states": {"given": ("B", "initial_h")},
    "all": {"given": ALL, "hidden": 6, "batch": 3},
    "clip": {"given": ALL, "attributes": {"clip": 0.3}},
    "outputs": {"given": ALL, "outputs": ("Y",)},
    "final": {"given": ALL, "outputs": ("Y_h",)},
}


@pytest.mark.alike(keep=14)
@pytest.mark.parametrize("layout", [0, 1])
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("kind", GATES)
def test_both_directions(kind: str, options: str, layout: int, tmp_path: Path) -> None:
    check(Layer(kind, **OPTIONS[options]), tmp_path, layout)  # type: ignore[arg-type]


SPECIAL = {
    "cell state": Layer("LSTM", given=("B", "initial_h", "initial_c")),
    "peepholes": Layer("LSTM", given=(*ALL, "initial_c", "P")),
    "peepholes and clip": Layer("LSTM", given=("B", "P"), attributes={"clip": 0.4}),
    "input forget": Layer("LSTM", attributes={"input_forget": 1}),
    "reset behind the product": Layer("GRU", given=ALL, attributes={"linear_before_reset": 1}),
    "and without biases": Layer("GRU", given=(), attributes={"linear_before_reset": 1}),
    "and in one direction": Layer("GRU", direction="reverse", attributes={"linear_before_reset": 1, "clip": 0.3}),
}


@pytest.mark.alike(keep=8)
@pytest.mark.parametrize("layout", [0, 1])
@pytest.mark.parametrize("name", SPECIAL)
def test_operands_of_one_kind_of_layer(name: str, layout: int, tmp_path: Path) -> None:
    check(SPECIAL[name], tmp_path, layout)


@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize("kind", GATES)
def test_activations_of_directions(kind: str, alike: bool, tmp_path: Path) -> None:
    one = ACTIVATIONS[kind]
    other = one if alike else [*one[:-1], "Sigmoid"]
    calls = check(Layer(kind, attributes={"activations": one + other}), tmp_path)
    shared = check(Layer(kind), tmp_path / "defaults")
    assert (calls.count("Matmul") == shared.count("Matmul")) == alike


@pytest.mark.parametrize(("alphas", "betas"), [([0.5], [2.0]), ([0.5, 0.7], [2.0, 3.0])])
def test_parameters_that_are_left_over(alphas: list[float], betas: list[float], tmp_path: Path) -> None:
    """The activations that have a parameter take the values in order."""
    attributes = {"activations": ["Sigmoid", "ScaledTanh"], "activation_alpha": alphas, "activation_beta": betas}
    check(Layer("GRU", direction="forward", attributes=attributes), tmp_path)


def test_a_state_is_kept_beside_a_large_candidate(tmp_path: Path) -> None:
    """The update gate z is 1, so that (1 - z) * c + z * h is h, whatever the candidate c, which Relu does not bound."""
    weights = np.array([[[1e3], [0], [1e8]]], np.float32)
    arrays = {"X": np.ones((1, 1, 1), np.float32), "initial_h": np.full((1, 1, 1), 0.25, np.float32)}
    node = helper.make_node(
        "GRU", ["X", "W", "R", "", "", "initial_h"], ["Y"], hidden_size=1, activations=["HardSigmoid", "Relu"]
    )
    graph = helper.make_graph(
        [node],
        "g",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, array.shape) for name, array in arrays.items()],
        [helper.make_tensor_value_info("Y", TensorProto.FLOAT, [1, 1, 1, 1])],
        [numpy_helper.from_array(weights, "W"), numpy_helper.from_array(0 * weights, "R")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    (expected,) = onnxruntime.InferenceSession(model.SerializeToString()).run(None, arrays)
    assert expected.item() == 0.25
    compiled = forge_mlir.compile(model, tmp_path)
    assert forge_mlir.run(compiled, arrays)["Y"].item() == 0.25


# The calls of a step: the slice of its inputs, the product of the state, their sum, the gates, and the states.
STEPS = {"LSTM": 13, "GRU": 12, "RNN": 3}


@pytest.mark.parametrize("given", [("B",), ("B", "sequence_lens")])
@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize("kind", STEPS)
def test_calls_of_a_step(kind: str, direction: str, given: tuple[str, ...], tmp_path: Path) -> None:
    six, five = (check(Layer(kind, steps, direction=direction, given=given), tmp_path / str(steps)) for steps in (6, 5))
    # With lengths, a step has a comparison, and a selection for each state.
    lengths = 2 + (kind == "LSTM") if len(given) > 1 else 0
    assert len(six) - len(five) == STEPS[kind] + lengths


def beside(kind: str, sources: dict[str, str], outputs: list[str]) -> onnx.ModelProto:
    """Layers by name, with the value that each reads: `x` [6, 2, 8], or the result of another layer. `both` is the
    concatenation of all."""
    rng = np.random.default_rng(11)
    gates, hidden = GATES[kind] * 4, 4
    weights: Arrays = {"shape": np.array([6, 2, 8], np.int64)}
    nodes = []
    for name, source in sources.items():
        shapes = {"w": (2, gates, 8), "r": (2, gates, hidden), "b": (2, 2 * gates)}
        weights.update({f"{part}_{name}": rng.standard_normal(shape, np.float32) / 2 for part, shape in shapes.items()})
        operands = [source, *(f"{part}_{name}" for part in shapes)]
        nodes += [
            helper.make_node(kind, operands, [f"y_{name}"], name, hidden_size=hidden, direction="bidirectional"),
            helper.make_node("Transpose", [f"y_{name}"], [f"t_{name}"], f"turn_{name}", perm=[0, 2, 1, 3]),
            helper.make_node("Reshape", [f"t_{name}", "shape"], [name], f"columns_{name}"),
        ]
    nodes.append(helper.make_node("Concat", list(sources), ["both"], "both", axis=-1))
    shape = dict.fromkeys(sources, (6, 2, 8)) | {"both": (6, 2, 8 * len(sources)), "x": (6, 2, 8)}
    inputs, results = (
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape[name]) for name in names]
        for names in (["x"], outputs)
    )
    stored = [numpy_helper.from_array(value, name) for name, value in weights.items()]
    graph = helper.make_graph(nodes, "g", inputs, results, stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


# The values that the layers read, and the number of layers that are not merged.
ALIKE = {
    "two": ({"a": "x", "b": "x"}, 1),
    "three": ({"a": "x", "b": "x", "c": "x"}, 1),
    "one after the other": ({"a": "x", "b": "a"}, 2),
    "a pair after a pair": ({"a": "x", "b": "x", "c": "a", "d": "b"}, 2),
    "a pair, and one after it": ({"a": "x", "b": "x", "c": "b"}, 2),
}


@pytest.mark.alike(keep=10)
@pytest.mark.parametrize("outputs", [["both"], ["a", "both"]])
@pytest.mark.parametrize("case", ALIKE)
@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_equal_layers_are_merged(kind: str, case: str, outputs: list[str], tmp_path: Path) -> None:
    sources, apart = ALIKE[case]
    model = beside(kind, sources, outputs)
    inputs = {"x": np.random.default_rng(5).standard_normal((6, 2, 8), np.float32)}
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    artifact = forge_mlir.compile(model, tmp_path / "out", name="m", flat=True)
    assert_same(forge_mlir.run(artifact, inputs), dict(zip(outputs, session.run(None, inputs), strict=True)))
    text = artifact.module_path.read_text()
    # One product of the inputs per layer; in each of six steps one product of the state, two for a GRU.
    products = 2 if kind == "GRU" else 1
    assert len(re.findall(r"forge\.op\.Matmul\(", text)) == len(sources) + 6 * products * apart

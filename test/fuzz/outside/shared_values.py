"""Random models of ordinary nodes whose values are used more than once, with the results of torch in float64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np
import torch
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from fuzz.coverage import Cell, cells_of_node
from fuzz.graphs import Sample
from fuzz.operands import Array

_OPSET = 17
_MOST_ELEMENTS = 4096
_BINARY: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "Add": torch.add,
    "Sub": torch.sub,
    "Mul": torch.mul,
    "Div": torch.div,
}
_UNARY: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "Relu": torch.relu,
    "Tanh": torch.tanh,
    "Sigmoid": torch.sigmoid,
    "Erf": torch.erf,
    "Neg": torch.neg,
}


@dataclass
class Graph:
    """A model to which nodes are added, and its values in float64. Weights are float32 numbers. `draw` selects the
    numbers of inputs and weights, `r` everything else."""

    r: Random
    draw: int = 0
    nodes: list[NodeProto] = field(default_factory=list)
    weights: list[TensorProto] = field(default_factory=list)
    values: dict[str, torch.Tensor] = field(default_factory=dict)
    readers: dict[str, int] = field(default_factory=dict)
    inputs: dict[str, Array] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seed = self.r.randrange(1 << 30)
        self.numbers = np.random.default_rng([seed, self.draw] if self.draw else seed)
        self.sizes = self.r.sample([2, 3, 4, 6, 8], 2)

    def input(self) -> None:
        image = self.r.random() < 0.3
        self.add_input([1, self.r.choice(self.sizes), 4, 4] if image else [self.r.choice([1, 2]), *self.sizes])

    def add_input(self, shape: Sequence[int]) -> None:
        name = f"x{len(self.inputs)}"
        self.inputs[name] = self.numbers.standard_normal(shape).astype(np.float32)
        self.values[name] = torch.from_numpy(self.inputs[name]).double()

    def weight(self, *shape: int, least: float = 0) -> tuple[str, torch.Tensor]:
        """A weight whose elements have at least the magnitude `least`."""
        size = 1 / np.sqrt(shape[0]) if len(shape) == 2 else 1
        array = (self.numbers.standard_normal(shape) * size).astype(np.float32)
        array = np.where(np.abs(array) < least, np.float32(least), array)
        return self.constant(array)

    def constant(self, array: Array | float) -> tuple[str, torch.Tensor]:
        name, array = f"w{len(self.weights)}", np.asarray(array, np.float32)
        self.weights.append(numpy_helper.from_array(array, name))
        return name, torch.from_numpy(array).double()

    def integers(self, *numbers: int) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.array(numbers, np.int64), name))
        return name

    def value(self) -> tuple[str, torch.Tensor]:
        """A value; the latest ones are drawn more often, so that some have several users."""
        names = [*self.values]
        name = self.r.choice(names[-4:] if self.r.random() < 0.7 else names)
        return name, self.values[name]

    def node(self, op: str, operands: list[str], made: torch.Tensor, **attributes: object) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, operands, [name], f"/{op}_{len(self.nodes)}", **attributes))
        for operand in operands:
            self.readers[operand] = self.readers.get(operand, 0) + 1
        if made.numel() <= _MOST_ELEMENTS:
            self.values[name] = made
        return name

    def step(self) -> None:
        self.r.choice(_STEPS)(self)


def _linear(graph: Graph) -> None:
    x, value = graph.value()
    w, weight = graph.weight(value.shape[-1], graph.r.choice(graph.sizes))
    graph.node("MatMul", [x, w], value @ weight)


def _by_weight(graph: Graph) -> None:
    """Multiplies, adds, subtracts or divides by a weight with a shape that broadcasts, as either operand."""
    x, value = graph.value()
    op = graph.r.choice([*_BINARY])
    shapes = [[value.shape[-1]], [1], [1] * value.dim(), [*value.shape[-2:-1], 1], list(value.shape)]
    w, weight = graph.weight(*graph.r.choice(shapes), least=0.2)
    if op != "Div" and graph.r.random() < 0.4:
        graph.node(op, [w, x], _BINARY[op](weight, value))
    else:
        graph.node(op, [x, w], _BINARY[op](value, weight))


def _of_two(graph: Graph) -> None:
    x, value = graph.value()
    y = graph.r.choice([name for name, other in graph.values.items() if other.shape == value.shape])
    op = graph.r.choice(["Add", "Add", "Sub", "Mul"])
    graph.node(op, [x, y], _BINARY[op](value, graph.values[y]))


def _function(graph: Graph) -> None:
    x, value = graph.value()
    op = graph.r.choice([*_UNARY])
    graph.node(op, [x], _UNARY[op](value))


def _with_itself(graph: Graph) -> None:
    """The product of a value and its own transpose, as of queries and keys of one projection, with or without a
    softmax."""
    x, value = graph.value()
    order = [*range(value.dim() - 2), value.dim() - 1, value.dim() - 2]
    turned = graph.node("Transpose", [x], value.transpose(-1, -2), perm=order)
    product = value @ value.transpose(-1, -2)
    name = graph.node("MatMul", [x, turned], product)
    if graph.r.random() < 0.4:
        graph.node("Softmax", [name], torch.softmax(product, -1), axis=-1)


def _norm(graph: Graph) -> None:
    x, value = graph.value()
    last = value.shape[-1]
    scale, factor = graph.weight(last)
    bias, term = graph.weight(last)
    made = torch.nn.functional.layer_norm(value, [last], factor, term, 1e-5)
    graph.node("LayerNormalization", [x, scale, bias], made, axis=-1, epsilon=1e-5)


def _pieces(graph: Graph) -> None:
    """Adjacent slices with one function each, concatenated in either order."""
    x, value = graph.value()
    axis = graph.r.randrange(1, value.dim())
    size = value.shape[axis]
    if size < 2:
        return
    cut = graph.r.randrange(1, size)
    parts = []
    for start, stop in ((0, cut), (cut, size)):
        part = value.narrow(axis, start, stop - start)
        bounds = [graph.integers(number) for number in (start, stop, axis)]
        name = graph.node("Slice", [x, *bounds], part)
        if graph.r.random() < 0.5:
            part = torch.relu(part)
            name = graph.node("Relu", [name], part)
        parts.append((name, part))
    if graph.r.random() < 0.7:
        parts = parts if graph.r.random() < 0.7 else parts[::-1]
        graph.node("Concat", [name for name, _ in parts], torch.cat([part for _, part in parts], axis), axis=axis)


def _reshape(graph: Graph) -> None:
    """Splits the last axis into heads, or merges the last two axes."""
    x, value = graph.value()
    shape = list(value.shape)
    if value.dim() == 3 and shape[-1] % 2 == 0:
        shape[-1:] = [2, shape[-1] // 2]
    else:
        shape[-2:] = [shape[-2] * shape[-1]]
    if len(shape) > 2:
        graph.node("Reshape", [x, graph.integers(*shape)], value.reshape(shape))


def _convolution(graph: Graph) -> None:
    images = [(name, value) for name, value in graph.values.items() if value.dim() == 4 and value.shape[-1] > 1]
    if not images:
        return
    x, value = graph.r.choice(images)
    size = graph.r.choice([1, 3])
    w, weight = graph.weight(graph.r.choice(graph.sizes), value.shape[1], size, size)
    pad = size // 2
    made = torch.nn.functional.conv2d(value, weight, padding=pad)
    graph.node("Conv", [x, w], made, pads=[pad] * 4)


def _mean(graph: Graph) -> None:
    x, value = graph.value()
    mean = value.mean(-1, keepdim=True)
    name = graph.node("ReduceMean", [x], mean, axes=[-1], keepdims=1)
    graph.node("Sub", [x, name], value - mean)


_STEPS: tuple[Callable[[Graph], None], ...] = (
    _linear,
    _linear,
    _by_weight,
    _by_weight,
    _of_two,
    _function,
    _with_itself,
    _norm,
    _pieces,
    _reshape,
    _convolution,
    _mean,
)


def shared_values(r: Random, draw: int = 0) -> Sample:
    """A model of 3 to 14 steps. Outputs are the values without a user, and one more. With another `draw`, the same
    nodes have other numbers."""
    graph = Graph(r, draw)
    for _ in range(r.randint(1, 2)):
        graph.input()
    for _ in range(r.randint(3, 14)):
        graph.step()
    while not graph.nodes:
        _linear(graph)
    return sample_of(graph)


def sample_of(graph: Graph) -> Sample:
    """The finished model. Outputs are the values without a user, and one more."""
    made = [node.output[0] for node in graph.nodes if node.output[0] in graph.values]
    outputs = list(dict.fromkeys([*(name for name in made if name not in graph.readers), graph.r.choice(made)]))
    onnx_inputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, array.shape) for name, array in graph.inputs.items()
    ]
    onnx_outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, list(graph.values[name].shape)) for name in outputs
    ]
    onnx_graph = helper.make_graph(graph.nodes, "shared", onnx_inputs, onnx_outputs, graph.weights)
    model = helper.make_model(onnx_graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=8)
    expected = {name: graph.values[name].numpy().astype(np.float32) for name in outputs}
    return Sample(model, graph.inputs, expected, _cells(model))


def _cells(model: ModelProto) -> list[Cell]:
    return [cell for node in model.graph.node for cell in cells_of_node(node, _OPSET, {})]

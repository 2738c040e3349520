"""Random graphs of common nodes whose values have several users, compared with onnxruntime without its rewrites."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime
import pytest
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

import forge_mlir

SIZE = 8
Arrays = dict[str, npt.NDArray[np.float32]]


class RandomGraph:
    """3 to 14 nodes on matrices. Each uses some of the last four values, so that most have several users, also as both
    operands of a node."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.values, self.nodes = ["x", "z"], list[NodeProto]()
        self.weights: Arrays = {}
        ops: tuple[Callable[[], None], ...] = (
            lambda: self.add("MatMul", self.value(), self.weight(SIZE, SIZE)),
            lambda: self.add("MatMul", self.value(), self.value()),
            lambda: self.add("Add", self.value(), self.value()),
            lambda: self.add("Mul", self.value(), self.weight(*((SIZE,) if self.random.integers(2) else ()))),
            lambda: self.add("Div", self.value(), self.weight(1)),
            lambda: self.add("LayerNormalization", self.value(), self.weight(SIZE), self.bias()),
            lambda: self.add("Transpose", self.value()),
            lambda: self.add("Add", self.value(), self.weight(SIZE)),
            lambda: self.add("Sub", self.value(), self.value()),
            lambda: self.add(str(self.random.choice(["Relu", "Tanh", "Sigmoid"])), self.value()),
            lambda: self.add("Mul", self.value(), self.value()),
            self.add_joined,
        )
        for _ in range(int(self.random.integers(3, 15))):
            ops[int(self.random.integers(len(ops)))]()

    def value(self) -> str:
        return self.values[int(self.random.integers(max(0, len(self.values) - 4), len(self.values)))]

    def weight(self, *shape: int) -> str:
        name = f"w{len(self.weights)}"
        self.weights[name] = (self.random.standard_normal(shape) * 0.5).astype(np.float32)
        return name

    def bias(self) -> str:
        return self.weight(SIZE) if self.random.integers(2) else "b"

    def add(self, op: str, *inputs: str) -> None:
        output = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [output], name=f"n{len(self.nodes)}"))
        self.values.append(output)

    def add_joined(self) -> None:
        joined = f"c{len(self.nodes)}"
        self.nodes.append(helper.make_node("Concat", [self.value(), self.value()], [joined], name=joined, axis=1))
        self.add("MatMul", joined, self.weight(2 * SIZE, SIZE))

    def model(self) -> ModelProto:
        """Outputs are the unused values, and sometimes a value that has users, too."""
        read = {value for node in self.nodes for value in node.input}
        outputs = [value for value in self.values[2:] if value not in read]
        if self.random.integers(2):
            outputs.append(self.values[int(self.random.integers(2, len(self.values)))])
        graph = helper.make_graph(
            self.nodes,
            "g",
            [tensor("x", SIZE, SIZE), tensor("z", SIZE, SIZE), tensor("b", SIZE)],
            [tensor(value, SIZE, SIZE) for value in dict.fromkeys(outputs)],
            [numpy_helper.from_array(value, name) for name, value in self.weights.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)

    def inputs(self) -> Arrays:
        shapes = {"x": (SIZE, SIZE), "z": (SIZE, SIZE), "b": (SIZE,)}
        return {name: self.random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def tensor(name: str, *shape: int) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def wrong_outputs(seed: int, folder: Path) -> Iterator[str]:
    """Outputs of which an element differs by more than 1e-4 of itself and of the tensor's mean, and by more than 100
    times the change of the output when all inputs change by 1e-6."""
    graph = RandomGraph(seed)
    model, inputs = graph.model(), graph.inputs()
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    expected = session.run(None, inputs)
    moved = session.run(None, {name: value * np.float32(1 + 1e-6) for name, value in inputs.items()})
    results = forge_mlir.run(forge_mlir.compile(model, folder, name="m"), inputs)
    for output, exact, other in zip(model.graph.output, expected, moved, strict=True):
        size = np.abs(exact.astype(np.float64))
        allowed = 1e-4 * (size + np.sqrt((size**2).mean())) + 100 * np.abs(other.astype(np.float64) - exact)
        if np.isfinite(exact).all() and not (np.abs(results[output.name] - exact) <= allowed).all():
            yield f"seed {seed}, {output.name}: {', '.join(node.op_type for node in model.graph.node)}"


@pytest.mark.alike(keep=1)
@pytest.mark.parametrize(
    "first", [0, 40, 80, *(pytest.param(at, marks=pytest.mark.slow) for at in range(120, 240, 40))]
)
def test_shared_values(first: int, tmp_path: Path) -> None:
    found = [wrong for seed in range(first, first + 40) for wrong in wrong_outputs(seed, tmp_path / str(seed))]
    assert found == []

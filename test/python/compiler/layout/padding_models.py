"""Random models of the ops that move, create and read tile padding."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

Shape = tuple[int, ...]

# Sizes around the size of a tile.
SIZES = (1, 7, 10, 32, 33, 40, 64)
UNARY = ("Exp", "Relu", "Sigmoid", "Tanh", "Abs", "Neg", "Cos", "Erf", "Sqrt", "Log", "Reciprocal")


class RandomModel:
    """A sequence with branches: each step uses values that exist, mostly the latest."""

    def __init__(self, seed: int, steps: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.nodes: list[NodeProto] = []
        self.weights: dict[str, np.ndarray] = {}
        self.shapes: dict[str, Shape] = {}
        self.input_shape = (2, self.size(), self.size())
        self.shapes["x"] = self.input_shape
        makers: tuple[Callable[[], None], ...] = (
            self.unary, self.unary, self.binary, self.binary, self.softmax, self.reduce, self.matmul, self.matmul,
            self.transpose, self.slice, self.slice, self.reshape, self.concat, self.norm, self.bounded, self.arg_max,
        )  # fmt: skip
        for _ in range(steps):
            makers[self.rng.integers(len(makers))]()

    def build(self) -> onnx.ModelProto:
        """Every unused value is an output."""
        read = {name for node in self.nodes for name in node.input}
        outputs = [name for name in self.shapes if name not in read and name != "x"]
        graph = helper.make_graph(
            self.nodes,
            "random",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.input_shape)],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, self.shapes[name]) for name in outputs],
            [numpy_helper.from_array(value, name) for name, value in self.weights.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)

    def size(self) -> int:
        return int(self.rng.choice(SIZES))

    def value(self) -> str:
        names = list(self.shapes)
        recent = names[-3:] if self.rng.random() < 0.7 else names
        return str(self.rng.choice(recent))

    def weight(self, *shape: int) -> str:
        name = f"w{len(self.weights)}"
        self.weights[name] = self.rng.normal(size=shape).astype(np.float32) / max(shape, default=1)
        return name

    def ints(self, *values: int) -> str:
        name = f"w{len(self.weights)}"
        self.weights[name] = np.array(values, np.int64)
        return name

    def add(self, op: str, inputs: list[str], shape: Shape, **attributes: object) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=f"{op}_{name}", **attributes))
        self.shapes[name] = shape
        return name

    def unary(self) -> None:
        x = self.value()
        op = str(self.rng.choice(UNARY))
        if op in ("Sqrt", "Log", "Reciprocal"):  # Elements have to be in the domain of the op; padding need not.
            shape = self.shapes[x]
            x = self.add("Sigmoid", [x], shape)
            x = self.add("Add", [x, self.weight_of(0.5)], shape)
        if op == "Exp":
            x = self.add("Tanh", [x], self.shapes[x])
        self.add(op, [x], self.shapes[x])

    def weight_of(self, value: float) -> str:
        name = f"w{len(self.weights)}"
        self.weights[name] = np.array([value], np.float32)
        return name

    def binary(self) -> None:
        x = self.value()
        shape = self.shapes[x]
        same = [name for name, other in self.shapes.items() if other == shape]
        other = str(self.rng.choice(same)) if self.rng.random() < 0.5 else self.weight(shape[-1])
        self.add(str(self.rng.choice(["Add", "Sub", "Mul", "Max"])), [x, other], shape)

    def bounded(self) -> None:
        x = self.value()
        self.add("Tanh", [x], self.shapes[x])

    def axis(self, x: str) -> int:
        return int(self.rng.integers(len(self.shapes[x]))) - len(self.shapes[x])

    def softmax(self) -> None:
        x = self.value()
        self.add(str(self.rng.choice(["Softmax", "LogSoftmax"])), [x], self.shapes[x], axis=self.axis(x))

    def reduce(self) -> None:
        x, op = self.value(), str(self.rng.choice(["ReduceMean", "ReduceMax", "ReduceSum"]))
        axis = self.axis(x)
        shape = list(self.shapes[x])
        shape[axis] = 1
        self.add(op, [x, self.ints(axis)], tuple(shape), keepdims=1)

    def arg_max(self) -> None:
        x = self.value()
        axis = self.axis(x)
        shape = list(self.shapes[x])
        shape[axis] = 1
        name = f"v{len(self.nodes)}i"
        self.nodes.append(helper.make_node("ArgMax", [x], [name], axis=axis, keepdims=1))
        self.add("Cast", [name], tuple(shape), to=TensorProto.FLOAT)

    def norm(self) -> None:
        x = self.value()
        width = self.shapes[x][-1]
        self.add("LayerNormalization", [x, self.weight(width), self.weight(width)], self.shapes[x], axis=-1)

    def matmul(self) -> None:
        x = self.value()
        *batch, height, width = self.shapes[x]
        columns = self.size()
        fitting = [n for n, s in self.shapes.items() if s[-2] == width and s[:-2] == tuple(batch)]
        if fitting and self.rng.random() < 0.6:
            other = str(self.rng.choice(fitting))
            columns = self.shapes[other][-1]
        else:
            other = self.weight(width, columns)
        self.add("MatMul", [x, other], (*batch, height, columns))

    def transpose(self) -> None:
        x = self.value()
        order = self.rng.permutation(len(self.shapes[x])).tolist()
        self.add("Transpose", [x], tuple(self.shapes[x][axis] for axis in order), perm=order)

    def slice(self) -> None:
        x = self.value()
        axis = self.axis(x)
        size = self.shapes[x][axis]
        begin = int(self.rng.choice([0, 0, min(32, size - 1), int(self.rng.integers(size))]))
        end = int(self.rng.integers(begin + 1, size + 1))
        shape = list(self.shapes[x])
        shape[axis] = end - begin
        self.add("Slice", [x, self.ints(begin), self.ints(end), self.ints(axis)], tuple(shape))

    def reshape(self) -> None:
        x = self.value()
        shape = self.shapes[x]
        new = (1, shape[0] * shape[1], shape[2]) if self.rng.random() < 0.6 else (1, shape[0], shape[1] * shape[2])
        self.add("Reshape", [x, self.ints(*new)], new)

    def concat(self) -> None:
        x, axis = self.value(), self.axis(self.value())
        shape = list(self.shapes[x])
        if shape[axis] > 100:
            return
        shape[axis] *= 2
        self.add("Concat", [x, x], tuple(shape), axis=axis)

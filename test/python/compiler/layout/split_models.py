"""Random models that split, apply equal or different ops to the parts, and concatenate them, as in models that the
rewrites for tiles change."""

from __future__ import annotations

import math

import numpy as np
import onnx
from onnx import NodeProto, TensorProto, helper, numpy_helper

Shape = tuple[int, ...]
UNARY = ("Relu", "Tanh", "Sigmoid", "Abs", "Erf")
WIDTHS = (16, 24, 32, 40, 48, 64, 80, 85, 96)
ROWS = (3, 20, 32, 64, 100)


class SplitModel:
    """One input, optionally a projection, one or two splits, a sequence of ops for each part, and a concatenation."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.nodes: list[NodeProto] = []
        self.weights: dict[str, np.ndarray] = {}
        self.outputs: dict[str, Shape] = {}
        self.count = 0
        pieces, width = int(self.rng.integers(2, 6)), int(self.rng.choice(WIDTHS))
        uneven = self.rng.random() < 0.3
        sizes = [int(size) for size in self.rng.choice(WIDTHS, pieces)] if uneven else [width] * pieces
        axis = int(self.rng.integers(3))
        shape = [int(self.rng.integers(1, 3)), int(self.rng.choice(ROWS)), int(self.rng.choice(WIDTHS))]
        shape[axis] = sum(sizes)
        self.input_shape: Shape = tuple(shape)
        value, current = "x", self.input_shape
        if axis == 2 and self.rng.random() < 0.5:
            self.input_shape = (*current[:2], 32)
            value = self.projected(value, 32, current[2])
        self.split(value, current, axis, sizes)

    def add(self, kind: str, inputs: list[str], outputs: int = 1, **attributes: object) -> list[str]:
        names = [f"v{self.count + i}" for i in range(outputs)]
        self.count += outputs
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names

    def constant(self, value: np.ndarray) -> str:
        name = f"w{len(self.weights)}"
        self.weights[name] = value
        return name

    def projected(self, value: str, size: int, width: int) -> str:
        weight = self.rng.normal(size=(size, width)).astype(np.float32) / math.sqrt(size)
        (value,) = self.add("MatMul", [value, self.constant(weight)])
        if self.rng.random() < 0.5:
            (value,) = self.add("Add", [value, self.constant(self.rng.normal(size=width).astype(np.float32))])
        return value

    def split(self, value: str, shape: Shape, axis: int, sizes: list[int]) -> None:
        names = self.add("Split", [value, self.constant(np.array(sizes, np.int64))], len(sizes), axis=axis)
        shapes: list[Shape] = [(*shape[:axis], size, *shape[axis + 1 :]) for size in sizes]
        steps = self.rng.integers(4, size=int(self.rng.integers(4)))
        for step in steps:
            arguments = self.rng.integers(1 << 30)
            for i, name in enumerate(names):
                # One part in ten gets other ops.
                own = self.rng.integers(1 << 30) if self.rng.random() < 0.1 else arguments
                names[i], shapes[i] = self.step(int(step), np.random.default_rng(own), name, shapes[i])
        self.join(names, shapes)

    def step(self, kind: int, rng: np.random.Generator, name: str, shape: Shape) -> tuple[str, Shape]:
        """The op is the same for all parts with the same `rng` state."""
        match kind:
            case 0:
                return self.add(str(rng.choice(UNARY)), [name])[0], shape
            case 1:
                order = rng.permutation(len(shape)).tolist()
                return self.add("Transpose", [name], perm=order)[0], tuple(shape[i] for i in order)
            case 2:
                new = self.reshaped(rng, shape)
                return self.add("Reshape", [name, self.constant(np.array(new, np.int64))])[0], new
            case _:
                width = int(rng.choice((32, 64)))
                return self.projected(name, shape[-1], width), (*shape[:-1], width)

    def reshaped(self, rng: np.random.Generator, shape: Shape) -> Shape:
        """Splits one axis in two, or merges two."""
        axis = int(rng.integers(len(shape)))
        if rng.random() < 0.4 and axis + 1 < len(shape) and len(shape) > 2:
            return (*shape[:axis], shape[axis] * shape[axis + 1], *shape[axis + 2 :])
        factor = int(rng.choice([size for size in (1, 2, 4, 8, 16, 32, 40, 80) if shape[axis] % size == 0]))
        cut = (shape[axis] // factor, factor) if rng.random() < 0.5 else (factor, shape[axis] // factor)
        return (*shape[:axis], *cut, *shape[axis + 1 :])

    def join(self, names: list[str], shapes: list[Shape]) -> None:
        if self.rng.random() < 0.3 or len(shapes[0]) > 4:
            self.outputs |= dict(zip(names, shapes, strict=True))
            return
        if len(set(shapes)) == 1 and self.rng.random() < 0.5:
            self.outputs[self.add("Sum", names)[0]] = shapes[0]
            return
        axis = int(self.rng.integers(len(shapes[0])))
        others = {(*shape[:axis], *shape[axis + 1 :]) for shape in shapes}
        if len(others) > 1 or len({len(shape) for shape in shapes}) > 1:
            self.outputs |= dict(zip(names, shapes, strict=True))
            return
        shape = (*shapes[0][:axis], sum(shape[axis] for shape in shapes), *shapes[0][axis + 1 :])
        self.outputs[self.add("Concat", names, axis=axis)[0]] = shape

    def build(self) -> onnx.ModelProto:
        graph = helper.make_graph(
            self.nodes,
            "splits",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.input_shape)],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in self.outputs.items()],
            [numpy_helper.from_array(value, name) for name, value in self.weights.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)

"""Random graphs in which similar ops are applied to parts of one value, compared with onnxruntime without its
rewrites."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime
import pytest
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

import forge_mlir

Arrays = dict[str, npt.NDArray[np.generic]]
BATCH, ROWS, COLUMNS = 2, 6, 12


class Neighbours:
    """A value [BATCH, ROWS, COLUMNS] is sliced, or multiplied by several weights; ops are applied to the parts; the
    parts, or their concatenation, are outputs."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.nodes = list[NodeProto]()
        self.weights: Arrays = {}
        self.outputs = list[str]()
        value = "x"
        for _ in range(int(self.random.integers(1, 3))):
            value = self.stage(value)

    def chance(self, probability: float) -> bool:
        return bool(self.random.random() < probability)

    def add(self, op: str, *inputs: str, **attributes: object) -> str:
        output = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [output], name=f"n{len(self.nodes)}", **attributes))
        return output

    def weight(self, *shape: int) -> str:
        name = f"w{len(self.weights)}"
        self.weights[name] = (self.random.standard_normal(shape) * 0.5).astype(np.float32)
        return name

    def integers(self, *values: int) -> str:
        name = f"w{len(self.weights)}"
        self.weights[name] = np.array(values, np.int64)
        return name

    def parts(self, value: str) -> tuple[list[str], int]:
        """Slices along an axis, of equal or different sizes, sometimes with a gap; or products."""
        axis = int(self.random.integers(1, 3))
        if self.chance(0.3):
            return [self.add("MatMul", value, self.weight(COLUMNS, COLUMNS)) for _ in range(3)], 0
        size = (ROWS, COLUMNS)[axis - 1]
        cuts = ((0, 2, 4, 6), (0, 1, 2, 6), (0, 3, 6), (0, 1, 2), (1, 2, 6))[int(self.random.integers(5))]
        ends = [cut * size // 6 for cut in cuts]
        parts = [
            self.add("Slice", value, self.integers(a), self.integers(b), self.integers(axis)) for a, b in pairwise(ends)
        ]
        return parts, axis

    def stage(self, value: str) -> str:
        parts, axis = self.parts(value)
        if axis == 0 and self.chance(0.7):
            shape = self.integers(BATCH, ROWS, 3, COLUMNS // 3)
            parts = [self.add("Reshape", part, shape) for part in parts]
            if self.chance(0.7):
                parts = [self.add("Transpose", part, perm=[0, 2, 1, 3]) for part in parts]
        for _ in range(int(self.random.integers(1, 5))):
            before = parts
            parts = [self.step(parts, index) for index in range(len(parts))] if self.chance(0.1) else self.steps(parts)
            if self.chance(0.15):
                self.outputs.append(before[int(self.random.integers(len(before)))])
        if axis == 0 or self.chance(0.4):
            self.outputs += parts
            return value
        order = [int(i) for i in self.random.permutation(len(parts))] if self.chance(0.3) else list(range(len(parts)))
        joined = self.add("Concat", *(parts[i] for i in order), axis=axis)
        self.outputs.append(joined)
        return value

    def steps(self, parts: list[str]) -> list[str]:
        """Applies one op to all parts, sometimes another op to one of them."""
        results = list[str]()
        other = int(self.random.integers(len(parts))) if self.chance(0.1) else None
        state = self.random.bit_generator.state
        for index in range(len(parts)):
            if index != other:
                self.random.bit_generator.state = state
            results.append(self.step(parts, index))
        return results

    def step(self, parts: list[str], index: int) -> str:
        part = parts[index]
        kind = int(self.random.integers(8))
        op = str(self.random.choice(["Add", "Mul", "Sub"]))
        if kind == 0:
            return self.add(str(self.random.choice(["Relu", "Tanh", "Sigmoid"])), part)
        if kind == 1:
            return self.add(op, part, part)
        if kind == 2:
            return self.add(op, part, self.weight(1))
        if kind == 3:
            return self.add("Mul", part, self.add("Sigmoid", part))
        if kind == 4:
            return self.add("Add", self.add("Tanh", part), "z")
        if kind == 5:
            return self.add("Neg", part)
        if kind == 6:
            # An operand of the shape of one part, with one element along the sliced axis, for all parts.
            return self.add(op, part, self.add("ReduceMean", parts[0], keepdims=1))
        return self.add("Softmax", part, axis=int(self.random.choice([1, -1])))

    def model(self) -> ModelProto:
        def tensor(name: str, *shape: int) -> ValueInfoProto:
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape or None)

        outputs = [tensor(name) for name in dict.fromkeys(self.outputs)]
        graph = helper.make_graph(
            self.nodes,
            "g",
            [tensor("x", BATCH, ROWS, COLUMNS), tensor("z", 1)],
            outputs,
            [numpy_helper.from_array(array, name) for name, array in self.weights.items()],
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


def check(seed: int, directory: Path) -> None:
    """Compiles the graph of a seed and compares each output with that of onnxruntime."""
    model = Neighbours(seed).model()
    random = np.random.default_rng(seed + 1)
    inputs = {
        "x": random.standard_normal((BATCH, ROWS, COLUMNS)).astype(np.float32),
        "z": random.standard_normal(1).astype(np.float32),
    }
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    expected = dict(zip([each.name for each in session.get_outputs()], session.run(None, inputs), strict=True))
    results = forge_mlir.run(forge_mlir.compile(model, directory, name="m"), inputs)
    for name, value in expected.items():
        np.testing.assert_allclose(results[name], value, rtol=1e-4, atol=1e-5, err_msg=f"seed {seed}, {name}")


@pytest.mark.alike(keep=2)
@pytest.mark.parametrize("first", range(0, 60, 15))
def test_results_are_those_of_onnxruntime(first: int, tmp_path: Path) -> None:
    for seed in range(first, first + 15):
        check(seed, tmp_path / str(seed))

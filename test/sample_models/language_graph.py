"""The common parts of the language models that tests make: nodes by name, and random weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper


class LanguageGraph:
    """Nodes and float32 weights of a model with hidden size `width`. Weights are N(0, 0.25), with a fixed seed."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.nodes: list[NodeProto] = []
        self.weights: list[TensorProto] = []
        self._random = np.random.default_rng(0)

    def weight(self, name: str, *shape: int) -> str:
        values = self._random.normal(0, 0.5, shape).astype(np.float32)
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def integers(self, name: str, values: int | list[int]) -> str:
        self.weights.append(numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def node(self, op: str, inputs: Sequence[str], output: str, domain: str = "", **attributes: object) -> str:
        """Adds a node whose outputs are the words of `output`; returns the first one."""
        self.nodes.append(helper.make_node(op, inputs, output.split(), name=output, domain=domain, **attributes))
        return output.split(maxsplit=1)[0]

    def product(self, x: str, name: str, columns: int) -> str:
        """`x` times a weight matrix."""
        return self.node("MatMul", [x, self.weight(f"w_{name}", self.width, columns)], name)

    def model(
        self, name: str, inputs: Sequence[ValueInfoProto], outputs: Sequence[ValueInfoProto], *, opset: int
    ) -> ModelProto:
        graph = helper.make_graph(self.nodes, name, inputs, outputs, self.weights)
        opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)


def declared(name: str, *shape: str | int, kind: int = TensorProto.FLOAT) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, list(shape))

"""Models that are typically partitioned: a detector with its selection of boxes, and a deep transformer."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper


def products() -> ModelProto:
    """Two matrix products that share a weight, with Det, which the device cannot run, between them; x and y are [8,
    8]."""
    graph = Graph(7)
    weight = graph.weight(8, 8)
    first = graph.node("MatMul", "x", weight)
    scaled = graph.node("Mul", first, graph.node("Det", first))
    graph.node("MatMul", scaled, weight, outputs=("y",))
    return graph.model({"x": [8, 8]}, {"y": (TensorProto.FLOAT, [8, 8])}, 17)


def odd_head() -> ModelProto:
    """A determinant before two matrix products."""
    g = Graph(5)
    scaled = g.node("Mul", "x", g.node("Det", "x"), outputs=("scaled",))
    g.node("MatMul", g.node("MatMul", scaled, g.weight(8, 8)), g.weight(8, 8), outputs=("y",))
    return g.model({"x": [8, 8]}, {"y": (TensorProto.FLOAT, [8, 8])}, 17)


class Graph:
    """Collects nodes with seeded weights; every call returns the name of a node's first output."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.nodes: list[Any] = []
        self.constants: list[TensorProto] = []

    def node(self, op: str, *inputs: str, outputs: tuple[str, ...] = (), **attributes: Any) -> str:
        names = outputs or (f"{op.lower()}_{len(self.nodes)}",)
        self.nodes.append(helper.make_node(op, inputs, names, f"{op}_{len(self.nodes)}", **attributes))
        return names[0]

    def constant(self, value: Any, dtype: type = np.int64) -> str:
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def weight(self, *shape: int) -> str:
        scale = np.sqrt(np.prod(shape[1:])) if len(shape) == 4 else np.sqrt(shape[0])
        return self.constant(self.rng.standard_normal(shape) / scale, np.float32)

    def model(self, inputs: dict[str, list[int]], outputs: dict[str, tuple[int, list[Any]]], opset: int) -> ModelProto:
        graph = helper.make_graph(
            self.nodes,
            "net",
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
            [helper.make_tensor_value_info(name, *kind) for name, kind in outputs.items()],
            self.constants,
        )
        domains = sorted({node.domain for node in self.nodes} - {""})
        imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, 1) for domain in domains)]
        return helper.make_model(graph, opset_imports=imports, ir_version=9)


def detector() -> ModelProto:
    """A small YOLO: convolutions with SiLU, a C2f block, an upsampling neck, two scales; then TopK, Gather and
    NonMaxSuppression over 320 boxes of 5 classes."""
    g = Graph(0)

    def conv(x: str, channels: tuple[int, int], size: int = 3, stride: int = 1) -> str:
        weights = g.weight(channels[1], channels[0], size, size), g.weight(channels[1])
        y = g.node("Conv", x, *weights, strides=[stride] * 2, pads=[size // 2] * 4)
        return g.node("Mul", y, g.node("Sigmoid", y))

    x = conv(conv("images", (3, 8), stride=2), (8, 16), stride=2)
    g.node("Split", conv(x, (16, 16), 1), g.constant([8, 8]), outputs=("left", "right"), axis=1)
    inner = g.node("Add", "right", conv(conv("right", (8, 8)), (8, 8)))
    fine = conv(g.node("Concat", "left", "right", inner, axis=1), (24, 16), 1)
    coarse = conv(fine, (16, 32), stride=2)
    scales = g.constant([1, 1, 2, 2], np.float32)
    up = g.node("Resize", coarse, "", scales, mode="nearest", coordinate_transformation_mode="asymmetric",
                nearest_mode="floor")  # fmt: skip
    fine = conv(g.node("Concat", up, fine, axis=1), (48, 16))
    heads = []
    for feature, channels, cells in ((fine, 16, 256), (coarse, 32, 64)):
        head = g.node("Conv", feature, g.weight(9, channels, 1, 1), g.weight(9))
        heads.append(g.node("Reshape", head, g.constant([1, 9, cells])))
    g.node("Split", g.node("Concat", *heads, axis=2), g.constant([4, 5]), outputs=("box", "class"), axis=1)
    boxes = g.node("Transpose", "box", perm=[0, 2, 1])
    best = g.node("ReduceMax", g.node("Sigmoid", "class"), axes=[1], keepdims=0)
    g.node("TopK", best, g.constant([100]), outputs=("top", "which"))
    zero, one = g.constant([0]), g.constant([1])
    chosen = g.node("Gather", g.node("Squeeze", boxes, zero), g.node("Squeeze", "which", zero), axis=0)
    limits = g.constant([20]), g.constant([0.5], np.float32), g.constant([0.5], np.float32)
    selected = g.node("NonMaxSuppression", g.node("Unsqueeze", chosen, zero), g.node("Unsqueeze", "top", one), *limits)
    rows = g.node("Squeeze", g.node("Gather", selected, g.constant([2]), axis=1), one)
    g.node("Gather", chosen, rows, outputs=("boxes",), axis=0)
    g.node("Gather", g.node("Squeeze", "top", zero), rows, outputs=("scores",), axis=0)
    found = {"boxes": (TensorProto.FLOAT, ["n", 4]), "scores": (TensorProto.FLOAT, ["n"])}
    return g.model({"images": [1, 3, 64, 64]}, found, 17)


def transformer(layers: int, odd: str, size: int = 32) -> ModelProto:
    """Blocks of attention and MLP; the middle one has a node of the type `odd` ("" for none)."""
    g = Graph(1)
    mask = g.node("Mul", "mask", g.constant(-1e4, np.float32))
    x = "x"
    for layer in range(layers):
        norm = g.node("LayerNormalization", x, g.weight(size), g.weight(size))
        pieces = tuple(f"{piece}_{layer}" for piece in "qkv")
        g.node("Split", g.node("MatMul", norm, g.weight(size, 3 * size)), outputs=pieces, axis=-1, num_outputs=3)
        scores = g.node("MatMul", pieces[0], g.node("Transpose", pieces[1], perm=[0, 2, 1]))
        mixed = g.node("MatMul", g.node("Softmax", g.node("Add", scores, mask), axis=-1), pieces[2])
        x = g.node("Add", x, g.node("MatMul", mixed, g.weight(size, size)))
        norm = g.node("LayerNormalization", x, g.weight(size), g.weight(size))
        hidden = g.node("Gelu", g.node("MatMul", norm, g.weight(size, 2 * size)))
        if odd and layer == layers // 2:
            hidden = g.node("Add", hidden, g.node("Det", scores)) if odd == "Det" else g.node(odd, hidden)
        x = g.node("Add", x, g.node("MatMul", hidden, g.weight(2 * size, size)))
    g.node("Identity", x, outputs=("y",))
    return g.model({"x": [1, 8, size], "mask": [1, 8, 8]}, {"y": (TensorProto.FLOAT, [1, 8, size])}, 20)

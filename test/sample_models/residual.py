"""A small residual network of convolutions, also with the quantisers that onnxruntime places around each node."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto

from sample_models.probe import FLOAT, build, node

CHANNELS, SIDE, CLASSES = 8, 8, 5


class _Layers:
    """Nodes and weights in the order in which they are added."""

    def __init__(self, quantised: bool) -> None:
        self.quantised = quantised
        self.random = np.random.default_rng(0)
        self.nodes: list[NodeProto] = []
        self.tensors: dict[str, Any] = {}

    def number(self, name: str, value: Any) -> str:
        self.tensors[name] = value
        return name

    def held(self, value: str, quantum: float, zero: np.generic) -> str:
        """Adds a quantiser and dequantiser to `value`, if the model is quantised: at most 256 steps of `quantum`."""
        if not self.quantised:
            return value
        operands = [self.number(f"{value}_scale", np.float32(quantum)), self.number(f"{value}_zero", zero)]
        self.nodes.append(node("QuantizeLinear", [value, *operands], [f"{value}_q"], f"/{value}/QuantizeLinear"))
        self.nodes.append(
            node("DequantizeLinear", [f"{value}_q", *operands], [f"{value}_d"], f"/{value}/DequantizeLinear")
        )
        return f"{value}_d"

    def weight(self, name: str, shape: tuple[int, ...], fan_in: int) -> str:
        numbers = (self.random.standard_normal(shape) / np.sqrt(fan_in)).astype(np.float32)
        if not self.quantised:
            return self.number(name, numbers)
        scale = np.float32(np.abs(numbers).max() / 127)
        operands = [self.number(f"{name}_q", np.rint(numbers / scale).astype(np.int8))]
        operands += [self.number(f"{name}_scale", scale), self.number(f"{name}_zero", np.int8(0))]
        self.nodes.append(node("DequantizeLinear", operands, [name], f"/{name}/DequantizeLinear"))
        return name

    def conv(self, value: str, name: str) -> str:
        weight = self.weight(f"{name}_w", (CHANNELS, CHANNELS, 3, 3), 9 * CHANNELS)
        bias = self.number(f"{name}_b", (self.random.standard_normal(CHANNELS) / 4).astype(np.float32))
        self.nodes.append(node("Conv", [value, weight, bias], [name], f"/{name}/Conv", pads=[1, 1, 1, 1]))
        return name

    def op(self, op: str, operands: list[str], name: str, **attributes: Any) -> str:
        self.nodes.append(node(op, operands, [name], f"/{name}/{op}", **attributes))
        return name


def residual_network(quantised: bool = False) -> ModelProto:
    """A network from an image 1x8x8x8 to 5 classes, with two blocks of two convolutions each."""
    layers = _Layers(quantised)
    value = layers.held("image", 0.03, np.int8(3))
    for block in ("one", "two"):
        inner = layers.op("Relu", [layers.conv(value, f"{block}_first")], f"{block}_inner")
        inner = layers.held(inner, 0.02, np.uint8(0))
        outer = layers.held(layers.conv(inner, f"{block}_second"), 0.03, np.int8(-5))
        value = layers.op("Relu", [layers.op("Add", [outer, value], f"{block}_sum")], f"{block}_outer")
        value = layers.held(value, 0.025, np.uint8(0))
    pooled = layers.op("GlobalAveragePool", [value], "pooled")
    flat = layers.op("Flatten", [pooled], "flat")
    weight = layers.weight("head_w", (CHANNELS, CLASSES), CHANNELS)
    layers.op("MatMul", [flat, weight], "scores")
    inputs = {"image": (FLOAT, [1, CHANNELS, SIDE, SIDE])}
    return build(layers.nodes, inputs, {"scores": FLOAT}, **layers.tensors)

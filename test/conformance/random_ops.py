"""Ops with random results: only the shape, the dtype and the range of such a result can be checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, helper, numpy_helper

from conformance.cases import Arrays

Range = tuple[float, float]


def _from_attributes(node: NodeProto, _: Arrays) -> Range:
    values = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    return float(values.get("low", 0.0)), float(values.get("high", 1.0))


def _classes(node: NodeProto, given: Arrays) -> Range:
    return 0, float(given[node.input[0]].shape[-1] - 1)


def _zero_or_scaled(node: NodeProto, given: Arrays) -> Range:
    """Dropout divides the elements that it keeps by the probability of keeping them; its mask is within the same
    range."""
    x = given[node.input[0]]
    ratio = float(given[node.input[1]]) if len(node.input) > 1 and node.input[1] else 0.5
    scaled = x / (1 - ratio)
    return min(0.0, float(scaled.min())), max(1.0, float(scaled.max()))


# The ops of ONNX 1.23 with random results, and the range of their results.
RANGES: dict[str, Callable[[NodeProto, Arrays], Range]] = {
    "Bernoulli": lambda _node, _given: (0, 1),
    "Dropout": _zero_or_scaled,
    "Multinomial": _classes,
    "RandomNormal": lambda _node, _given: (-np.inf, np.inf),
    "RandomNormalLike": lambda _node, _given: (-np.inf, np.inf),
    "RandomUniform": _from_attributes,
    "RandomUniformLike": _from_attributes,
}


def random_op(model: ModelProto, given: Arrays) -> NodeProto | None:
    """The first node of `model` with a random result, or None. Dropout has one only in training mode."""
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    constants |= {
        node.output[0]: numpy_helper.to_array(attribute.t)
        for node in model.graph.node
        for attribute in node.attribute
        if node.op_type == "Constant" and attribute.HasField("t")
    }
    for node in model.graph.node:
        if node.domain or node.op_type not in RANGES:
            continue
        if node.op_type != "Dropout" or _trains(node, {**constants, **given}):
            return node
    return None


def _trains(node: NodeProto, values: Arrays) -> bool:
    if len(node.input) < 3 or not bool(values.get(node.input[2], False)):
        return False
    ratio = values.get(node.input[1], 0.5) if node.input[1] else 0.5
    return float(ratio) > 0


def range_difference(node: NodeProto, given: Arrays, name: str, got: Any, expected: Any) -> str:
    """How `got` differs from `expected` in shape and dtype, or from the range of `node`; "" when it does not.

    If `node` is one of several, as in the function body of an op, its result is not that of the model; the range is
    then that of the suite's own result.
    """
    if not isinstance(got, np.ndarray) or got.dtype != expected.dtype or got.shape != expected.shape:
        found = f"{got.dtype}{list(got.shape)}" if isinstance(got, np.ndarray) else "nothing"
        return f"output {name} is {found}, expected {expected.dtype}{list(expected.shape)}"
    if name in node.output:
        low, high = RANGES[node.op_type](node, given)
    else:
        low, high = float(expected.min(initial=np.inf)), float(expected.max(initial=-np.inf))
    values = got.astype(np.float64)
    fits = np.isfinite(values) & (values >= low) & (values <= high)
    return "" if fits.all() else f"output {name} has {np.sum(~fits)} values outside {low:g} to {high:g}"

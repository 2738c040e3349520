"""Ops that are evaluated in float64 here, because onnx.reference rounds their steps, or is wrong for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from onnx import NodeProto, helper

from forge_mlir.execute.onnx.nodes import Values
from forge_mlir.verify.limits.quantisers import evaluate_quantiser, is_quantiser


def has_formula(node: NodeProto) -> bool:
    return is_quantiser(node) or (not node.domain and node.op_type == "LRN")


def evaluate_formula(node: NodeProto, values: Mapping[str, Any]) -> Values:
    """The result of a node that `has_formula`: floats in float64, integers in their type."""
    return evaluate_quantiser(node, values) if is_quantiser(node) else _local_response_norm(node, values)


def _local_response_norm(node: NodeProto, values: Mapping[str, Any]) -> Values:
    """x / (bias + alpha / size * sum of squares of up to `size` channels around each) ** beta."""
    settings = {"alpha": 1e-4, "beta": 0.75, "bias": 1.0}
    settings |= {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    x = np.asarray(values[node.input[0]]).astype(np.float64)
    size = int(settings["size"])
    padded = np.zeros((x.shape[0], x.shape[1] + size - 1, *x.shape[2:]))
    first = (size - 1) // 2
    padded[:, first : first + x.shape[1]] = x**2
    sums = sum((padded[:, at : at + x.shape[1]] for at in range(size)), np.zeros(x.shape))
    return {node.output[0]: x / (settings["bias"] + settings["alpha"] / size * sums) ** settings["beta"]}

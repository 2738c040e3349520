"""Ops that are evaluated in float64 here, because onnx.reference rounds their steps, or is wrong for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from onnx import NodeProto, helper

from forge_mlir.execute.onnx.nodes import Values
from forge_mlir.verify.limits.quantisers import evaluate_quantiser, is_quantiser


def has_formula(node: NodeProto) -> bool:
    return is_quantiser(node) or (not node.domain and node.op_type in _FORMULAS)


def evaluate_formula(node: NodeProto, values: Mapping[str, Any]) -> Values:
    """The result of a node that `has_formula`: floats in float64, integers in their type."""
    return evaluate_quantiser(node, values) if is_quantiser(node) else _FORMULAS[node.op_type](node, values)


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


def _mean_variance_norm(node: NodeProto, values: Mapping[str, Any]) -> Values:
    """(x - mean) / (deviation + 1e-9). ONNX's function bodies of both norms subtract the square of the mean from the
    mean of the squares, which cancels for rows of similar elements."""
    settings = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    axes, x = tuple(settings.get("axes", (0, 2, 3))), np.asarray(values[node.input[0]]).astype(np.float64)
    apart = x - x.mean(axis=axes, keepdims=True)
    return {node.output[0]: apart / (np.sqrt((apart**2).mean(axis=axes, keepdims=True)) + 1e-9)}


def _group_norm(node: NodeProto, values: Mapping[str, Any]) -> Values:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, with scale and bias by group until opset 20."""
    settings = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    x, *factors = (np.asarray(values[name]).astype(np.float64) for name in node.input)
    groups = x.reshape(x.shape[0], settings["num_groups"], -1)
    apart = groups - groups.mean(axis=2, keepdims=True)
    normal = apart / np.sqrt((apart**2).mean(axis=2, keepdims=True) + settings.get("epsilon", 1e-5))
    by = (1, -1, *(1 for _ in x.shape[2:]))
    scale, bias = (np.repeat(each, x.shape[1] // each.size).reshape(by) for each in factors)
    return {node.output[0]: normal.reshape(x.shape) * scale + bias}


_FORMULAS = {
    "LRN": _local_response_norm,
    "MeanVarianceNormalization": _mean_variance_norm,
    "GroupNormalization": _group_norm,
}

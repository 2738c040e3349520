"""Indices of the largest or smallest elements: whether rounding explains the index that a module found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from onnx import NodeProto, helper

from forge_mlir.errors import ForgeError
from forge_mlir.onnx_model.dtypes import is_floating

if TYPE_CHECKING:
    from forge_mlir.verify.judged import Judged
    from forge_mlir.verify.judges import Judges


def is_misplaced(judges: Judges, case: Judged) -> bool:
    """Whether the last of the nodes of `case` is an ArgMax or ArgMin with the index of an element whose distance from
    the largest or smallest one exceeds the rounding errors of both."""
    node = case.nodes[-1]
    operand = case.values.get(node.input[0]) if node.op_type in ("ArgMax", "ArgMin") and not node.domain else None
    if not isinstance(operand, np.ndarray) or not operand.size or case.actual.shape != case.expected.shape:
        return False
    wide = operand.astype(np.float64)
    axis = int(_attribute(node, "axis", 0)) % max(operand.ndim, 1)
    indices = case.actual if _attribute(node, "keepdims", 1) else np.expand_dims(case.actual, axis)
    if not np.isfinite(wide).all() or indices.min() < 0 or indices.max() >= operand.shape[axis]:
        return False
    bound: Any = np.zeros(())
    if is_floating(operand.dtype) and len(case.nodes) > 1:
        try:
            bound = judges.allowed(case.nodes[:-1], node.input[0], case.values, orders=True)
        except ForgeError:
            return False
    bound = np.broadcast_to(bound, operand.shape)
    sign = 1 if node.op_type == "ArgMax" else -1
    best = (sign * wide).max(axis=axis, keepdims=True)
    gap = best - sign * np.take_along_axis(wide, indices, axis)
    # Both onnxruntime and the module have rounded each of the two elements.
    either = bound.max(axis=axis, keepdims=True) + np.take_along_axis(bound, indices, axis)
    return bool((gap > 2 * either).any())


def _attribute(node: NodeProto, name: str, default: int) -> Any:
    found = next((each for each in node.attribute if each.name == name), None)
    return default if found is None else helper.get_attribute_value(found)

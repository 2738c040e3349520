"""Sums whose terms cancel.

A sum in float32 is as exact as its terms are large: where they cancel, what is left has the rounding of the largest.
That error is no implementation's fault, and its bound is the same sum of the magnitudes (N. Higham, Accuracy and
Stability of Numerical Algorithms, 2nd edition, section 4.2).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from onnx import NodeProto

from forge_mlir.verify.comparison import is_floating
from forge_mlir.verify.onnx_nodes import Values

_SUMS = frozenset(
    ("Add", "Sub", "Sum", "Mean", "MatMul", "Gemm", "Einsum", "Conv", "ConvTranspose", "CumSum", "ReduceSum")
) | {"ReduceMean", "AveragePool", "GlobalAveragePool"}
"""Ops whose results are sums of products of elements of their operands."""


def largest_term(node: NodeProto, operands: Values, evaluate: Callable[[NodeProto, Values], Values]) -> float | None:
    """The largest sum of magnitudes that `node` has for its `operands`, as `evaluate` computes it; None for an op that
    is no sum. Raises what `evaluate` raises."""
    if node.domain or node.op_type not in _SUMS:
        return None
    positive = NodeProto()
    positive.CopyFrom(node)
    if node.op_type == "Sub":
        positive.op_type = "Add"
    for attribute in positive.attribute:
        attribute.f = abs(attribute.f)
    magnitudes = {
        name: np.abs(value) if isinstance(value, np.ndarray) and is_floating(value.dtype) else value
        for name, value in operands.items()
    }
    (result,) = evaluate(positive, magnitudes).values()
    return float(np.max(np.asarray(result, np.float64), initial=0.0))

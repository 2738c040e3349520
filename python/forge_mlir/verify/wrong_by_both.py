"""Elements of a node that onnxruntime and onnx.reference agree about, and that the module has otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.verify.judged import Judged
from forge_mlir.verify.judges import MOST_WIDENED, Judges
from forge_mlir.verify.limits.not_finite import matches
from forge_mlir.verify.limits.op_classes import COMPARES, MOVES, ROUNDED
from forge_mlir.verify.limits.partial_sums import ORDERED

_NOTHING_OF_ROWS = COMPARES | MOVES | ROUNDED.keys()


def wrong_by_both(judges: Judges, case: Judged) -> str:
    """An element that is wrong by onnxruntime and by onnx.reference in float64, which agree about it; empty if there is
    none, as where one of them cannot run the node.

    Functions of rows may be off by `MOST_WIDENED` limits, which are not made for operands of such sizes.
    """
    node, is_float = case.nodes[-1], is_floating(case.expected.dtype)
    if is_float and case.name != node.output[0] and node.op_type not in MOVES:
        return ""  # Such as the mean of a norm, which has no limits of its own.
    found = judges.reference(case)
    if found is None or found.expected.shape != case.expected.shape or case.expected.dtype.kind in "OUS":
        return ""
    exact = found.expected
    if not judges.is_run_by_both(case):
        return ""
    if case.actual.shape != exact.shape or case.actual.dtype != case.expected.dtype:
        return f"{case.actual.dtype}{list(case.actual.shape)} in place of {case.expected.dtype}{list(exact.shape)}"
    orders = any(node.op_type in ORDERED for node in case.nodes)
    with np.errstate(all="ignore"):
        limits = [
            judges.limits_of(replace(each, orders=orders), each.expected) + judges.unit_of(each, each.expected)
            for each in (case, found)
        ]
        largest, none = np.fmax(*limits), np.zeros(exact.shape, bool)
        is_of_rows = any(node.op_type not in _NOTHING_OF_ROWS for node in case.nodes)
        most = (MOST_WIDENED if is_of_rows else 2) * largest
        wrong = matches(case.expected, exact, largest, none)
        for each in (case.expected, exact):
            wrong &= ~matches(case.actual, each, most, ~none)
    if not wrong.any():
        return ""
    at = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    return f"{_shown(case.actual[at])} in place of {_shown(exact[at])} at {[int(axis) for axis in at]}"


def _shown(element: Any) -> str:
    return f"{float(element):.9g}" if is_floating(np.asarray(element).dtype) else str(element)

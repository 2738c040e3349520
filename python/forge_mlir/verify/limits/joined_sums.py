"""The errors of additions that a call computes together with a sum of products, or with other additions."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import numpy as np
import numpy.typing as npt

from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.verify.comparison import epsilon
from forge_mlir.verify.limits.bounds import Case, terms_of
from forge_mlir.verify.limits.op_classes import MOVES, SUMS
from forge_mlir.verify.limits.partial_sums import joined_bound

_JOINED = ("Add", "Sub", "Mul", "Div")
"""The ops besides movement that a call with a sum may include: a scale is one of its weights."""


def join_sums(case: Case, errors: dict[str, Any], terms: dict[str, float]) -> None:
    """Adds to `errors` of an addition the error of being part of a sum in the same call; records such sums in
    `terms`."""
    node, made = case.node, case.node.output[0]
    if node.op_type in SUMS and made in case.results:
        terms[made] = terms_of(case, np.asarray(case.results[made]))
        return
    at = next((at for at, name in enumerate(node.input) if name in terms), None)
    if at is None or not (node.op_type in _JOINED or node.op_type in MOVES):
        return
    terms[made] = terms[node.input[at]]
    if node.op_type in ("Add", "Sub"):
        errors[made] = errors[made] + joined_bound(case, at, terms[made])


def merge_addends(
    case: Case, constants: Container[str], errors: dict[str, Any], addends: dict[str, npt.NDArray[Any]]
) -> None:
    """Adds to `errors` of x + a + b, for floats a and b in `constants`, the rounding of a + b: the module may add that
    to x. `addends` has the magnitudes of the constants by the name of the sum."""
    node = case.node
    at = next((at for at, name in enumerate(node.input) if name in constants), None)
    if node.op_type not in ("Add", "Sub") or at is None or not is_floating(case.operand(at).dtype):
        return
    addend, before = np.abs(np.asarray(case.operand(at)).astype(np.float64)), addends.get(node.input[1 - at])
    made = node.output[0]
    addends[made] = addend if before is None else before + addend
    if before is not None:
        rounding = epsilon(np.dtype(np.float32)) * addends[made] / 2
        errors[made] = errors[made] + np.where(np.isfinite(rounding), rounding, 0.0)

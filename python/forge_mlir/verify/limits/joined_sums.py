"""The errors of additions that a call computes together with a sum of products."""

from __future__ import annotations

from typing import Any

import numpy as np

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

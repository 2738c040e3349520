"""Whether a program computes with ordinary numbers: rounding makes no zero and no infinity of the result of a step."""

from __future__ import annotations

from typing import Any

import numpy as np
from torch_mlir import ir

import forge_mlir
from forge_mlir import _native
from forge_mlir.equivalence import functions_of
from forge_mlir.equivalence.interpreter import Evaluation
from forge_mlir.equivalence.leaves import Leaves
from forge_mlir.equivalence.numbers.algebra import Reals
from forge_mlir.equivalence.program import NotCovered
from fuzz.passes.text import Program

_RANGES = {
    "f32": (2.0**-149, float(np.finfo(np.float32).max)),
    "bf16": (2.0**-133, 2.0**127),
    "f16": (2.0**-24, 65504.0),
}
"""The least and the largest positive number of each type."""


def stays_in_range(program: Program) -> bool:
    """Whether each element of each float result is 0 or in the range of its type, for arguments of about 1. False for
    programs that are not valid."""
    checked = _native.run_pipeline(program.text().encode(), "builtin.module()")[0]
    if checked is None:
        return False
    context = ir.Context()
    forge_mlir.register(context)
    with context:
        (function,) = functions_of(ir.Module.parse(checked)).values()
    inside = True

    def watch(at: int, _: list[Any], results: list[Any]) -> None:
        nonlocal inside
        for type_, result in zip(function.ops[at].types, results, strict=True):
            if inside and type_.element in _RANGES:
                low, high = _RANGES[type_.element]
                sizes = np.abs(result)
                inside = bool(((sizes == 0) | ((sizes >= low) & (sizes <= high))).all())

    leaves = Leaves(0)
    try:
        with np.errstate(all="ignore"):
            Evaluation(Reals(), leaves.weight, watch).outputs(function, leaves.arguments(function))
    except NotCovered:
        return False
    return inside

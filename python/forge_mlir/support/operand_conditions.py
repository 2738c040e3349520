"""The conditions on operand values in rows of known deviations (`OPERAND_DEVIATIONS`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from forge_mlir.support.known_deviations import OPERAND_DEVIATIONS, Condition, Program

Array = npt.NDArray[Any]


def deviates_for(engine: Program, op: str, operands: Sequence[Array], *, ordinary: bool = False) -> bool:
    """Whether `engine` is known to deviate from ONNX for `op` with these operands; with `ordinary` by rows about such
    operands only."""
    return any(
        row.engine == engine and op in row.ops and (row.ordinary or not ordinary) and CONDITIONS[row.when](operands)
        for row in OPERAND_DEVIATIONS
    )


def _not_finite(operands: Sequence[Array]) -> bool:
    return any(_has_fractions(each) and not bool(np.isfinite(each.astype(np.float64)).all()) for each in operands)


def _huge(operands: Sequence[Array]) -> bool:
    """Whether elements exceed 2^30, so that a small factor or offset overflows Int32."""
    return any(bool((np.abs(each.astype(np.float64)) >= 2.0**30).any()) for each in operands)


def _large_quotient(operands: Sequence[Array]) -> bool:
    """Whether the quotient of the first two operands exceeds Int32 or is NaN."""
    if len(operands) < 2 or not operands[0].size or not operands[1].size:
        return True
    with np.errstate(all="ignore"):
        quotient = np.abs(operands[0].astype(np.float64)).max() / np.abs(operands[1].astype(np.float64)).min()
    return not quotient < 2.0**31


def _saturating(operands: Sequence[Array]) -> bool:
    """Whether two products of an 8-bit operand with signed 8-bit weights may exceed Int16 in sum. Floats are quantised
    by the op to any 8-bit integer, and signed integers are shifted to unsigned ones."""
    weights = [np.abs(each.astype(np.int64)) for each in operands if each.dtype == np.int8 and each.ndim]
    return any(2 * _MOST_UNSIGNED * int(each.max(initial=0)) > _MOST_OF_PAIRS for each in weights)


_MOST_UNSIGNED, _MOST_OF_PAIRS = 255, (1 << 15) - 1


def _has_fractions(values: Array) -> bool:
    """Whether values have fractions. The small integers of ml_dtypes have no numpy kind."""
    dtype = values.dtype
    return dtype.kind == "f" or (dtype.kind == "V" and dtype.name.startswith(("bfloat", "float")))


CONDITIONS: dict[Condition, Callable[[Sequence[Array]], bool]] = {
    "not finite": _not_finite,
    "not finite or huge": lambda operands: _not_finite(operands) or _huge(operands),
    "large quotient": _large_quotient,
    "saturating products": _saturating,
}

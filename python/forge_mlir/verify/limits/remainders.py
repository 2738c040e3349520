"""The error of a remainder of floats, which jumps where the quotient is an integer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from forge_mlir.verify.limits.bounds import Case


def remainder_bound(case: Case, result: Any) -> npt.NDArray[np.float64]:
    """The error of the dividend, and that of the divisor times the quotient. If they may move the quotient past an
    integer, the remainder may be any number that is smaller than the divisor."""
    x, divisor, made = (np.asarray(each).astype(np.float64) for each in (case.operand(0), case.operand(1), result))
    size = np.abs(divisor)
    moved = case.error(0) + np.abs(x) / size * case.error(1)
    jumps = (np.abs(made) <= moved) | (size - np.abs(made) <= moved)
    return np.asarray(np.nan_to_num(np.where(jumps, np.maximum(moved, size), moved), nan=np.inf, posinf=np.inf))

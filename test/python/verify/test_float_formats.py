"""Values rounded to the float format of a program."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from forge_mlir.verify.float_formats import in_format, rounding_of

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def test_finite_numbers_stay_finite() -> None:
    values = np.array([-3.4028235e38, np.inf, 1.0], np.float32)
    assert in_format(values, BFLOAT16).astype(np.float64)[0] == float(ml_dtypes.finfo(BFLOAT16).min)
    assert rounding_of(np.array([1.0, 2.0], np.float32), BFLOAT16) is None
    assert rounding_of(np.array([3, 4]), BFLOAT16) is None

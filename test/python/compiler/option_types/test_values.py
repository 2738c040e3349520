"""Option values that an option cannot have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.compiler.option_types.values import check_options
from forge_mlir.compiler.pipeline_text import pipeline
from sample_models.importing import linear


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"cpu_ops": "MatMul", "fallback": "cpu"}, "--cpu-ops: expected a list, but got 'MatMul'"),
        ({"fast_math": "no-nans"}, "--fast-math: expected a list of .*no-nans.*, but got 'no-nans'"),
        ({"patterns": "a.mlir"}, "--patterns: expected a list"),
        ({"fold_limit": -1}, "--fold-limit: expected a number of at least 0, but got '-1'"),
        ({"max_expansion": "many"}, "--max-expansion: expected a number of at least 0, but got 'many'"),
        ({"layout": "tiles", "max_weight_growth": 0.5}, "--max-weight-growth: expected a number of at least 1"),
        ({"fold_limit": 1 << 63}, "--fold-limit: expected a number of at most 9223372036854775807, but got"),
        (
            {"optimize": "exact", "fast_math": ["reciprocal"]},
            "--fast-math: its rewrites may change results",
        ),
        ({"optimize": "none", "fast_math": ["all"]}, "--fast-math: .* and --optimize=none applies none that does"),
        ({"optimize": "exact", "layout": "tiles"}, "--tiles: its rewrites may change results"),
        ({"patterns": ["absent.mlir"]}, r"absent\.mlir: is no file"),
        ({"optimize": "all"}, "--optimize: expected none, exact, default, but got 'all'"),
    ],
)
def test_impossible_values_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ForgeError, match=reason):
        forge_mlir.compile(linear(), "unused", **options)


def test_numbers_of_numpy_are_numbers() -> None:
    given: Any = {"fold_limit": np.int64(8)}
    check_options(given)
    assert pipeline(given) == pipeline({"fold_limit": 8})

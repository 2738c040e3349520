"""Results against what is right, by the comparator of `forge-mlir verify`: each element has a limit of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from forge_mlir import Artifact
from forge_mlir.verify import OUTPUT_LIMITS, Limits, compare_values, verify

CLOSE = 2e-5
"""What rounding adds up to in a model of a few ops, relative to an element and to its row."""


def assert_same(found: Any, expected: Any, relative: float = CLOSE) -> None:
    """Values of one shape and dtype, or those of `expected` by their names, differ by no more than `relative` to the
    larger of the element and the root mean square of its row; what is infinite or NaN is the same."""
    ours, theirs = (values if isinstance(values, Mapping) else {"": values} for values in (found, expected))
    assert theirs
    found = {name: value if isinstance(value := ours[name], (list, dict)) else np.asarray(value) for name in theirs}
    rows = compare_values(found, theirs, Limits(relative, OUTPUT_LIMITS.pcc))
    assert [f"{row.name}: {row.explain()}" for row in rows if not row.passed] == []


def assert_matches(artifact: Artifact, inputs: dict[str, np.ndarray], goldens: dict[str, np.ndarray]) -> None:
    """Every output of `goldens` is right, as `forge-mlir verify` judges."""
    comparisons = verify(artifact, inputs, goldens)
    assert comparisons
    assert [row for row in comparisons if not row.passed] == []

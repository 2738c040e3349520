"""Results against what is right, by the comparator of `forge-mlir verify`: each element has a limit of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from forge_mlir import Artifact
from forge_mlir.execute.run import run
from forge_mlir.verify import OUTPUT_LIMITS, Limits, compare_values

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


def assert_matches(
    artifact: Artifact, inputs: dict[str, Any], goldens: Mapping[str, Any], relative: float = CLOSE
) -> None:
    """The outputs of the artifact are `goldens`."""
    found = run(artifact, inputs)
    assert found.keys() <= goldens.keys()
    assert_same(found, {name: goldens[name] for name in found}, relative)

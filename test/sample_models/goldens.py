"""Compares results with expected ones by the comparator of `forge-mlir verify`, which has a limit for each element."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from forge_mlir import Artifact
from forge_mlir.execute.run import run
from forge_mlir.verify import OUTPUT_LIMITS, Limits, compare_values

CLOSE = 2e-5
"""The rounding error of a model of a few ops, relative to an element and to its row."""


def assert_same(found: Any, expected: Any, relative: float = CLOSE) -> None:
    """Two values, or the values of two mappings by name, have the same shape and dtype and differ by no more than
    `relative` to the larger of the element and the root mean square of its row; infinities and NaN are equal."""
    ours, theirs = (values if isinstance(values, Mapping) else {"": values} for values in (found, expected))
    assert theirs
    found = {name: value if isinstance(value := ours[name], (list, dict)) else np.asarray(value) for name in theirs}
    rows = compare_values(found, theirs, Limits(relative, OUTPUT_LIMITS.pcc))
    assert [f"{row.name}: {row.explain()}" for row in rows if not row.passed] == []


def assert_matches(
    artifact: Artifact, inputs: dict[str, Any], goldens: Mapping[str, Any], relative: float = CLOSE
) -> None:
    """The outputs of the artifact are equal to `goldens`."""
    found = run(artifact, inputs)
    assert found.keys() <= goldens.keys()
    assert_same(found, {name: goldens[name] for name in found}, relative)

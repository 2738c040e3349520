"""An artifact's results against what is right."""

from __future__ import annotations

import numpy as np

from forge_mlir import Artifact
from forge_mlir.verify import verify


def assert_matches(artifact: Artifact, inputs: dict[str, np.ndarray], goldens: dict[str, np.ndarray]) -> None:
    """Every output of `goldens` is right, as `forge-mlir verify` judges."""
    comparisons = verify(artifact, inputs, goldens)
    assert comparisons
    assert [row for row in comparisons if not row.passed] == []

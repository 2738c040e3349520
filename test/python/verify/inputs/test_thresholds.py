"""Inputs near the thresholds of a model."""

from __future__ import annotations

import numpy as np

from forge_mlir.verify.inputs.thresholds import Thresholds


def test_numbers_near_the_largest_one_are_finite() -> None:
    """Masks contain it."""
    largest = np.finfo(np.float32).max
    near = Thresholds((-float(largest), float(largest)), ())
    with np.errstate(over="raise"):
        drawn = near.floats_near(np.random.default_rng(0), (500,))
        assert np.isfinite(drawn.astype(np.float32)).all()
    assert len(np.unique(drawn)) > 2

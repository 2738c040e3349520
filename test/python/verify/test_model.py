"""The comparison of a whole model: `verify_model`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onnx
import onnx.backend.test
import onnx.backend.test.loader
import pytest

from forge_mlir.errors import ForgeError
from forge_mlir.verify import verify_model
from sample_models.repository import STORED, data_of


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"tolerance": float("nan")}, "tolerance nan: give a number from 0 on"),
        ({"tolerance": float("inf")}, "tolerance inf: give a number from 0 on"),
        ({"tolerance": -1e-3}, "tolerance -0.001: give a number from 0 on"),
        ({"seeds": 0}, "seeds 0: give how many seeds there are, 1 to 1,000,000"),
        ({"seed": -1}, "seed -1: give a number from 0 on"),
        ({"seeds": "x"}, "seeds: expected an integer, but got 'x'"),
        ({"seed": 1.5}, "seed: expected an integer, but got '1.5'"),
        ({"tolerance": "x"}, "tolerance: expected a number, but got 'x'"),
    ],
)
def test_invalid_numbers_of_runs_are_errors(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ForgeError, match=said):
        verify_model("absent.onnx", **given)


LIGHT = Path(onnx.backend.test.__file__).parent / "data" / "light"


@pytest.mark.slow
def test_norms_that_divide_sums_that_cancel() -> None:
    """The remainder of sums that cancel is divided by a small number: the float32 results of both are far from
    float64."""
    assert verify_model(LIGHT / "light_inception_v2.onnx").passed


@pytest.mark.alike(keep=3)
@pytest.mark.parametrize("folder", STORED, ids=lambda path: path.name)
def test_no_false_alarm_on_stored_models(folder: Path) -> None:
    result = verify_model(folder / "model.onnx", data_of(folder)[0])
    assert result.passed, result.divergence
    assert result.skipped == ()
    assert max(report.local.relative for report in result.nodes) < 1e-5

"""No pass changes what the stored models compute: both layers compare the IR before and after every pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from forge_mlir.bisect import bisect_exact
from sample_models.repository import STORED, data_of

# Models that take a few seconds each.
QUICK = {"gpt2_block", "lstm", "unet"}


@pytest.mark.parametrize(
    "folder",
    [folder if folder.name in QUICK else pytest.param(folder, marks=pytest.mark.slow) for folder in STORED],
    ids=lambda folder: folder.name,
)
def test_every_pass(folder: Path) -> None:
    inputs, _ = data_of(folder)
    found = bisect_exact(folder / "model.onnx", sample_inputs=inputs)
    assert len(found.passes) > 20
    for each in found.passes:
        assert all(verdict.equal for verdict in each.verdicts), f"{each.name}: {each.verdicts}"

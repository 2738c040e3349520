"""The estimated cost of a model."""

from __future__ import annotations

from onnx import ModelProto

from forge_mlir.report.check import check
from forge_mlir.report.cost import CostSummary


def summary(source: ModelProto | str, **options: object) -> CostSummary:
    found = check(source, cost_summary=True, **options).cost  # type: ignore[arg-type]
    assert found is not None
    return found

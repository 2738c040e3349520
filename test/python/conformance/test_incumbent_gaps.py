"""Every known silent error (W1 to W38) and crash (C01 to C36) of the incumbent ONNX front end: here the results are
those of ONNX, or the model is refused with a reason."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from incumbent_gaps import BOTH, ORT, REFERENCE, Gap, all_gaps
from onnx import ModelProto
from onnx.reference import ReferenceEvaluator

from forge_mlir.compiler.driver import compile
from forge_mlir.errors import ForgeError
from forge_mlir.execute.run import run
from sample_models.goldens import assert_same

Arrays = dict[str, np.ndarray]
GAPS = all_gaps()


def by_onnxruntime(model: ModelProto, inputs: Arrays) -> list[Any]:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return list(session.run(None, inputs))


def by_reference(model: ModelProto, inputs: Arrays) -> list[Any]:
    with np.errstate(all="ignore"):
        return list(ReferenceEvaluator(model).run(None, inputs))


ORACLES = {ORT: by_onnxruntime, REFERENCE: by_reference}


@pytest.mark.parametrize("gap", [pytest.param(gap, id=gap.name) for gap in GAPS])
def test_gap(gap: Gap, tmp_path: Path) -> None:
    model = gap.model()
    inputs = gap.values(model)
    if gap.refused:
        with pytest.raises(ForgeError) as caught:
            compile(model, tmp_path, name=gap.stem)
        assert re.search(gap.refused, str(caught.value))
        assert list(tmp_path.iterdir()) == []
        return
    outputs = run(compile(model, tmp_path, name=gap.stem), inputs)
    for oracle in ORACLES if gap.oracle == BOTH else (gap.oracle,):
        for name, golden in zip(outputs, ORACLES[oracle](gap.golden_model(), inputs), strict=True):
            assert_same(outputs[name], np.asarray(golden))


def test_every_row_is_here() -> None:
    rows = {gap.row for gap in GAPS}
    assert rows == {*(f"W{i}" for i in range(1, 39)), *(f"C{i:02}" for i in range(1, 37))}
    assert len(rows) == 74
    assert len({gap.name for gap in GAPS}) == len(GAPS)
    assert all(gap.why for gap in GAPS if gap.oracle != BOTH)

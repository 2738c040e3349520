"""A model of each family goes through compile, run, verify and report in each float format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import forge_mlir
from forge_mlir.report.model_report import model_report
from forge_mlir.report.rendering import to_json

MODELS = Path(__file__).parents[3] / "models"
FAMILIES = {
    "convolution": "resnet18",
    "transformer": "gpt2_block",
    "recurrent": "lstm",
    "detection": "yolov8",
    "quantised": "resnet18_qdq",
}


@pytest.mark.parametrize("float_format", ["float32", "bfloat16"])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_in_a_format(family: str, float_format: Literal["float32", "bfloat16"], tmp_path: Path) -> None:
    model, inputs = MODELS / FAMILIES[family] / "model.onnx", dict(np.load(MODELS / FAMILIES[family] / "inputs.npz"))
    artifact = forge_mlir.compile(model, tmp_path, float_format=float_format, sample_inputs=inputs)
    assert ("Float16_b" in artifact.module_path.read_text()) == (float_format == "bfloat16")
    outputs = forge_mlir.run(artifact, inputs)
    assert all(np.isfinite(output).all() for output in outputs.values())
    found = forge_mlir.verify(model, inputs, float_format=float_format)
    assert found.verdict == "right"
    report = model_report(model, float_format=float_format)
    assert sum(report.calls.values()) == artifact.calls()
    assert json.loads(to_json(report))["verdict"]["verdict"] == "supported"

"""The goldens of a whole model, and its outputs against them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from forge_mlir.artifact import Artifact
from forge_mlir.errors import ForgeError
from forge_mlir.runner import Arrays, run
from forge_mlir.verify.comparison import Comparison, compare


def golden_outputs(model: str, inputs: Mapping[str, npt.NDArray[Any]]) -> Arrays:
    """What onnxruntime computes without graph optimisations, or onnx.reference where it cannot run the model."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        names = [output.name for output in session.get_outputs()]
        return dict(zip(names, session.run(names, dict(inputs)), strict=True))
    except Exception as failure:  # onnxruntime raises many types of its own
        from onnx.reference import ReferenceEvaluator

        try:
            evaluator = ReferenceEvaluator(model)
            return dict(zip(evaluator.output_names, evaluator.run(None, dict(inputs)), strict=True))
        except Exception as second:
            raise ForgeError(
                f"neither onnxruntime ({failure}) nor onnx.reference ({second}) can run the model"
            ) from second


def verify(
    artifact: Artifact, inputs: Mapping[str, npt.NDArray[Any]], goldens: Mapping[str, npt.NDArray[Any]]
) -> list[Comparison]:
    """Runs the module on `inputs` and compares every output with its golden, by ONNX name."""
    outputs = run(artifact, inputs)
    missing = [name for name in outputs if name not in goldens]
    if missing:
        raise ForgeError(f"no golden for outputs {', '.join(map(ascii, missing))}")
    return [compare(name, value, np.asarray(goldens[name])) for name, value in outputs.items()]

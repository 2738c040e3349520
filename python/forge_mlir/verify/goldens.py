"""The goldens of a whole model, and its outputs against them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from forge_mlir.artifact import Artifact
from forge_mlir.errors import ForgeError
from forge_mlir.isolation import Limits, isolated
from forge_mlir.runner import Arrays, run
from forge_mlir.verify.comparison import Comparison, compare


def golden_outputs(model: str, inputs: Mapping[str, npt.NDArray[Any]], limits: Limits | None = None) -> Arrays:
    """What onnxruntime computes without graph optimisations, or onnx.reference where it cannot run the model.

    They run in a child process under `limits` (by default those of `Limits`). Raises ForgeError when none can run it.
    """
    return isolated("onnxruntime", lambda: _golden_outputs(model, inputs), limits or Limits())


def _golden_outputs(model: str, inputs: Mapping[str, npt.NDArray[Any]]) -> Arrays:
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
                f"neither onnxruntime ({_shown(failure)}) nor onnx.reference ({_shown(second)}) can run the model"
            ) from second


def _shown(error: Exception) -> str:
    """Their messages quote the model's names."""
    return ascii(str(error))[1:-1]


def verify(
    artifact: Artifact, inputs: Mapping[str, npt.NDArray[Any]], goldens: Mapping[str, npt.NDArray[Any]]
) -> list[Comparison]:
    """Runs the module on `inputs` and compares every output with its golden, by ONNX name."""
    outputs = run(artifact, inputs)
    missing = [name for name in outputs if name not in goldens]
    if missing:
        raise ForgeError(f"no golden for outputs {', '.join(map(ascii, missing))}")
    return [compare(name, value, np.asarray(goldens[name])) for name, value in outputs.items()]

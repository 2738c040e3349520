"""Compares a compiled module with the ONNX model it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from forge_mlir.artifact import Artifact
from forge_mlir.errors import ForgeError
from forge_mlir.isolation import Limits, isolated
from forge_mlir.runner import Arrays, run

# Relative to the golden's largest magnitude, and Pearson's correlation; the limits of the project's first issue.
MAX_RELATIVE_ERROR = 1e-3
MIN_PCC = 0.9999


@dataclass(frozen=True)
class Comparison:
    """One output against its golden. `relative` is the largest difference over the golden's largest magnitude."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    relative: float
    pcc: float
    reason: str = ""

    @property
    def passed(self) -> bool:
        return not self.reason and self.relative <= MAX_RELATIVE_ERROR and self.pcc >= MIN_PCC


def compare(name: str, actual: npt.NDArray[Any], golden: npt.NDArray[Any]) -> Comparison:
    """Shapes, dtypes and the pattern of NaN and infinity must agree; integers and booleans must be equal."""
    reason = ""
    relative, pcc = float("inf"), 0.0
    if actual.shape != golden.shape:
        reason = f"shape {list(actual.shape)}, expected {list(golden.shape)}"
    elif actual.dtype != golden.dtype:
        reason = f"dtype {actual.dtype}, expected {golden.dtype}"
    elif golden.dtype.kind in "biu":
        equal = bool(np.array_equal(actual, golden))
        relative, pcc, reason = (0.0, 1.0, "") if equal else (relative, pcc, "values differ")
    else:
        left, right = actual.astype(np.float64).ravel(), golden.astype(np.float64).ravel()
        finite = np.isfinite(right)
        if not np.array_equal(left[~finite], right[~finite], equal_nan=True) or not np.isfinite(left[finite]).all():
            reason = "NaN or infinity in other places"
        else:
            left, right = left[finite], right[finite]
            scale = float(np.abs(right).max(initial=0.0))
            difference = float(np.abs(left - right).max(initial=0.0))
            relative = difference if scale == 0 else difference / scale
            pcc = _correlation(left, right, relative)
    return Comparison(name, golden.shape, str(golden.dtype), relative, pcc, reason)


def _correlation(left: npt.NDArray[np.float64], right: npt.NDArray[np.float64], relative: float) -> float:
    """Pearson's correlation; 1 for tensors without variance that agree, where it is not defined."""
    if left.size < 2 or left.std() == 0 or right.std() == 0:
        return 1.0 if relative <= MAX_RELATIVE_ERROR else 0.0
    return float(np.corrcoef(left, right)[0, 1])


def random_inputs(manifest: dict[str, Any], seed: int = 0) -> Arrays:
    """Seeded inputs for each ONNX input: normal floats; integers 0 or 1, so that they can be indices or masks."""
    generator = np.random.default_rng(seed)
    inputs: Arrays = {}
    sizes = {entry["onnx_name"]: entry["shape"] for entry in manifest.get("values", manifest["inputs"])}
    for info in manifest["onnx"]["inputs"]:
        name, dtype = info["name"], np.dtype(info["dtype"])
        if name not in sizes:
            continue
        shape = [] if info["shape"] == [] else sizes[name]
        if dtype.kind in "biu":
            inputs[name] = generator.integers(0, 2, size=shape).astype(dtype)
        else:
            inputs[name] = np.asarray(generator.standard_normal(size=shape)).astype(dtype)
    return inputs


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

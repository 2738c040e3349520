"""Runs an ONNX graph on the CPU: a region of a partitioned model that the device does not take."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import torch

_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


class OnnxRegion(torch.nn.Module):
    """An ONNX model as a torch module, on onnxruntime, or on onnx.reference where onnxruntime lacks an op or opset.

    Tensors come and go as torch tensors (as numpy arrays where torch has no such dtype), sequences as lists, an absent
    optional as None.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self._session: Any = None
        self._reference: Any = None

    def forward(self, *inputs: Any) -> Any:
        """The outputs, a single one by itself."""
        outputs = self.run([_to_numpy(value) for value in inputs])
        results = tuple(_to_torch(value) for value in outputs)
        return results[0] if len(results) == 1 else results

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The same on numpy arrays."""
        if self._reference is None:
            try:
                return self._on_onnxruntime(inputs)
            except Exception as failure:  # onnxruntime raises many types of its own
                return self._on_reference(inputs, failure)
        return self._on_reference(inputs, None)

    def _on_onnxruntime(self, inputs: Sequence[Any]) -> list[Any]:
        import onnxruntime

        if self._session is None:
            options = onnxruntime.SessionOptions()
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            options.log_severity_level = 4
            self._session = onnxruntime.InferenceSession(str(self.path), options, providers=["CPUExecutionProvider"])
        names = [value.name for value in self._session.get_inputs()]
        return list(self._session.run(None, dict(zip(names, inputs, strict=True))))

    def _on_reference(self, inputs: Sequence[Any], failure: Exception | None) -> list[Any]:
        from onnx.reference import ReferenceEvaluator

        reference = self._reference or ReferenceEvaluator(str(self.path))
        try:
            results = list(reference.run(None, dict(zip(reference.input_names, inputs, strict=True))))
        except Exception as error:
            both = f"onnxruntime ({failure}) nor onnx.reference ({error})" if failure else f"onnx.reference ({error})"
            raise RuntimeError(f"{self.path.name}: not even {both} can run it") from error
        self._reference = reference  # What onnxruntime could not do once, it is not asked again.
        return results


def _to_numpy(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    if value.dtype == torch.bfloat16:
        return value.detach().contiguous().view(torch.int16).numpy().view(_BFLOAT16)
    return value.detach().cpu().numpy()


def _to_torch(value: Any) -> Any:
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    array = np.asarray(value)
    if array.dtype == _BFLOAT16:
        return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    try:
        return torch.from_numpy(array.copy())
    except TypeError:  # strings, 4-bit numbers and the like
        return array

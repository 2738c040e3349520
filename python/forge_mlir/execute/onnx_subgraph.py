"""Runs an ONNX graph on the CPU: a partition of a model that the device does not take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import torch

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.torch_values import to_numpy, to_torch
from forge_mlir.support.known_deviations import ENGINE_KEY, Engine, engine_of

if TYPE_CHECKING:
    from onnx import ValueInfoProto

# onnxruntime gives these as their bits.
_BITS = {
    "tensor(float8e4m3fn)": ml_dtypes.float8_e4m3fn,
    "tensor(float8e4m3fnuz)": ml_dtypes.float8_e4m3fnuz,
    "tensor(float8e5m2)": ml_dtypes.float8_e5m2,
    "tensor(float8e5m2fnuz)": ml_dtypes.float8_e5m2fnuz,
    "tensor(bfloat16)": ml_dtypes.bfloat16,
}


@dataclass(frozen=True)
class _Facts:
    """Of a graph: names, the output shapes that are fixed, and the engine to ask first."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    shapes: tuple[tuple[int, ...] | None, ...]
    engine: Engine


def _facts_of_session(session: Any) -> _Facts:
    engine = session.get_modelmeta().custom_metadata_map[ENGINE_KEY]
    outputs = session.get_outputs()
    return _Facts(
        tuple(value.name for value in session.get_inputs()),
        tuple(value.name for value in outputs),
        tuple(tuple(value.shape) if all(isinstance(size, int) for size in value.shape) else None for value in outputs),
        engine,
    )


class OnnxGraph:
    """An ONNX model on numpy, on onnxruntime without optimisations, or on onnx.reference where onnxruntime lacks an op
    or opset.

    `source` is a file or a serialised model, `label` its name in errors; `on_reference` leaves onnxruntime out. With
    `trusts_shapes` a result of onnxruntime of another shape than the model declares is an error of onnxruntime's.
    Sequences are lists, an absent optional None.
    """

    def __init__(
        self,
        source: Path | bytes,
        label: str,
        threads: int = 0,
        on_reference: bool = False,
        trusts_shapes: bool = True,
    ) -> None:
        self._source = source if isinstance(source, bytes) else str(source)
        self._label = label
        self._threads = threads
        self._session: Any = None
        self._trusts_shapes = trusts_shapes
        self._on_reference = on_reference

    @cached_property
    def _facts(self) -> _Facts:
        """What the graph takes and gives. A file that a compilation wrote says on what it runs: reading that needs no
        onnx, which need not be installed where artifacts run."""
        if isinstance(self._source, str):
            try:
                return _facts_of_session(self._open_session())
            except Exception:  # Another graph, or one that onnxruntime (which raises many types) cannot open.
                pass
        import onnx

        model = (
            onnx.load(self._source, load_external_data=False)
            if isinstance(self._source, str)
            else onnx.ModelProto.FromString(self._source)
        )
        return _Facts(
            tuple(value.name for value in model.graph.input),
            tuple(value.name for value in model.graph.output),
            tuple(map(_static_shape, model.graph.output)),
            engine_of(model),
        )

    @cached_property
    def _prefers_reference(self) -> bool:
        return self._on_reference or self._facts.engine == "onnx.reference"

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs, for values in the order of the graph's inputs. Raises ForgeError when nothing can run it."""
        return self._run(dict(zip(self._facts.inputs, inputs, strict=True)))

    def run_named(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """The same by name. Raises ForgeError."""
        return dict(zip(self._facts.outputs, self._run(dict(inputs)), strict=True))

    def _run(self, feeds: dict[str, Any]) -> list[Any]:
        failure = "is not asked"
        if not self._prefers_reference:
            try:
                return self._on_onnxruntime(feeds)
            except Exception as error:  # onnxruntime raises many types of its own
                failure = str(error)
        try:
            from onnx.reference import ReferenceEvaluator

            results = list(ReferenceEvaluator(self._source).run(None, feeds))
        except Exception as error:
            reasons = f"onnxruntime {failure}; onnx.reference: {type(error).__name__}: {error}"
            if isinstance(self._source, str):
                reasons = reasons.replace(self._source, self._label)
            raise ForgeError(Code.PartitionFailed, f"{self._label} cannot be run: {ascii(reasons)[1:-1]}") from error
        self._prefers_reference = True  # What onnxruntime could not do once, it is not asked again.
        return results

    def _on_onnxruntime(self, feeds: dict[str, Any]) -> list[Any]:
        session = self._open_session()
        shapes = self._facts.shapes if self._trusts_shapes else (None,) * len(self._facts.outputs)
        results = []
        for declared, value, shape in zip(session.get_outputs(), session.run(None, feeds), shapes, strict=True):
            if declared.type in _BITS and isinstance(value, np.ndarray):
                value = value.view(_BITS[declared.type])
            if shape is not None and isinstance(value, np.ndarray) and value.shape != shape:
                raise RuntimeError(f"gives output {declared.name} the shape {value.shape}, not {shape}")
            results.append(value)
        return results

    def _open_session(self) -> Any:
        import onnxruntime

        if self._session is None:
            options = onnxruntime.SessionOptions()
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            options.log_severity_level = 4
            options.intra_op_num_threads = self._threads
            self._session = onnxruntime.InferenceSession(self._source, options, providers=["CPUExecutionProvider"])
        return self._session


class OnnxSubgraph(torch.nn.Module):
    """The `OnnxGraph` of a file as a torch module: tensors come and go as torch tensors (as numpy arrays where torch
    has no such dtype)."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._graph = OnnxGraph(path, path.name)

    def forward(self, *inputs: Any) -> Any:
        """The outputs, a single one by itself."""
        outputs = self.run([to_numpy(value) if isinstance(value, torch.Tensor) else value for value in inputs])
        results = tuple(map(_as_tensor, outputs))
        return results[0] if len(results) == 1 else results

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The same on numpy arrays. Raises ForgeError when nothing can run it."""
        return self._graph.run(inputs)


def _static_shape(value: ValueInfoProto) -> tuple[int, ...] | None:
    if not value.type.tensor_type.HasField("shape"):
        return None
    dims = value.type.tensor_type.shape.dim
    return tuple(dim.dim_value for dim in dims) if all(dim.HasField("dim_value") for dim in dims) else None


def _as_tensor(value: Any) -> Any:
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    try:
        return to_torch(np.asarray(value))
    except TypeError:
        return np.asarray(value)

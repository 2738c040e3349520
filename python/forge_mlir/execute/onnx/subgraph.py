"""Executes an ONNX graph on the CPU: a partition that the device cannot run."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped
from forge_mlir.execute.onnx.child_process import child_engines
from forge_mlir.execute.onnx.engines import (
    ENGINE_KEY,
    EXACT_KEY,
    OPENERS,
    Engine,
    OnnxRuntime,
    Runner,
    engine_of,
    engines_for,
    reason_of,
)
from forge_mlir.execute.values.torch_values import to_numpy, to_torch
from forge_mlir.support.sandbox import is_out_of_memory

if TYPE_CHECKING:
    from onnx import ModelProto, ValueInfoProto

    from forge_mlir.onnx_model.storage.weights import WeightRef


@dataclass(frozen=True)
class _Facts:
    """Facts about a graph: names, output shapes if they are fixed, the preferred engine, whether a compilation chose it
    (`promised`), and whether onnxruntime must not optimise."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    shapes: tuple[tuple[int, ...] | None, ...]
    engine: Engine
    promised: bool
    exact: bool


@dataclass(frozen=True)
class Stored:
    """An operand that is a weight in a file, which the process that runs the graph reads; converted to `dtype`."""

    weight: WeightRef
    dtype: np.dtype[Any]

    def array(self) -> npt.NDArray[Any]:
        return self.weight.array().astype(self.dtype, copy=False)


class OnnxGraph:
    """An ONNX model on numpy arrays, executed by one of the engines in `execute.onnx.engines`, or by the other one if
    that fails.

    `source` is a file or a serialised model, `label` its name in errors; `engines` are the allowed engines in order (by
    default both). onnxruntime does not optimise unless the metadata of the model allows it. With `trusts_shapes`, a
    result of onnxruntime whose shape differs from the declared one is an error of onnxruntime. `written`: the file was
    written by a compilation, so that a session provides all facts. Sequences are lists, an absent optional is None.
    In a block of `running_in_child` the graph is run by a child process.
    """

    def __init__(
        self,
        source: Path | bytes,
        label: str,
        threads: int = 0,
        engines: Sequence[Engine] | None = None,
        trusts_shapes: bool = True,
        written: bool = True,
    ) -> None:
        self._recipe = (source, label, threads, engines, trusts_shapes, written)
        self._source = source if isinstance(source, bytes) else str(source)
        self.label = label
        self._threads = threads
        self._given = engines
        self._trusts_shapes = trusts_shapes
        self._written = written
        self._runners: dict[Engine, Runner] = {}
        self._used: Engine | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return OnnxGraph, self._recipe

    @cached_property
    def _facts(self) -> _Facts:
        """The facts about the graph. A file that a compilation wrote names its engine; reading it does not need onnx,
        which may not be installed where artifacts are run."""
        lacking: ModuleNotFoundError | None = None
        if isinstance(self._source, str) and self._written:
            for exact in (False, True):
                try:
                    runner = OnnxRuntime(self._source, exact, self._threads)
                    facts = _facts_of_session(runner.session)
                except ModuleNotFoundError as error:
                    lacking = error
                except Exception:  # Another graph, or onnxruntime, which raises many exception types, cannot open it.
                    pass
                else:
                    if facts.exact == exact:
                        self._runners["onnxruntime"] = runner
                    return facts
        try:
            import onnx
        except ModuleNotFoundError:
            if lacking is not None:  # Name the package that running artifacts requires.
                raise lacking from None
            raise
        return _facts_of_model(
            onnx.load(self._source, load_external_data=False)
            if isinstance(self._source, str)
            else onnx.ModelProto.FromString(self._source)
        )

    @cached_property
    def _engines(self) -> list[Engine]:
        return list(self._given) if self._given is not None else engines_for(self._facts.engine)

    @property
    def engine(self) -> Engine | None:
        """The engine of the last run; None before the first one."""
        return self._used

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs, for values, or `Stored` ones, in the order of the graph's inputs. Raises ForgeError if no engine
        can run it, or MemoryError; warns if another engine is used than at compile time."""
        child = child_engines()
        results, self._used = child.run(self, inputs) if child else self.run_here(inputs)
        return list(results)

    def run_here(self, inputs: Sequence[Any]) -> tuple[list[Any], Engine]:
        """As `run` in this process, and the engine."""
        given = [value.array() if isinstance(value, Stored) else value for value in inputs]
        results = self._run(dict(zip(self._facts.inputs, given, strict=True)))
        return results, self._engines[0]

    def run_named(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """As `run`, by name, in this process. Raises ForgeError."""
        return dict(zip(self._facts.outputs, self._run(dict(inputs)), strict=True))

    def _run(self, feeds: dict[str, Any]) -> list[Any]:
        reasons: list[str] = []
        failure: Exception | None = None
        for engine in tuple(self._engines):
            try:
                results = self._run_on(engine, feeds)
            except Exception as error:  # engines raise many exception types
                failure = error
                reasons.append(f"{engine}: {reason_of(error)}")
                if isinstance(self._source, str):
                    reasons[-1] = reasons[-1].replace(self._source, self.label)
                continue
            if reasons:
                self._switch(engine, reasons)
            return results
        if failure is not None and is_out_of_memory(failure):
            raise failure
        text = escaped("; ".join(reasons))
        raise ForgeError(Code.PartitionFailed, f"{self.label} cannot be run: {text}") from failure

    def _run_on(self, engine: Engine, feeds: dict[str, Any]) -> list[Any]:
        facts = self._facts
        if engine not in self._runners:
            self._runners[engine] = OPENERS[engine](self._source, facts.exact, self._threads)
        results = self._runners[engine](feeds)
        if engine == "onnxruntime" and self._trusts_shapes:
            for name, value, shape in zip(facts.outputs, results, facts.shapes, strict=True):
                if shape is not None and isinstance(value, np.ndarray) and value.shape != shape:
                    raise RuntimeError(f"gives output {name} the shape {value.shape}, not {shape}")
        return results

    def _switch(self, engine: Engine, reasons: Sequence[str]) -> None:
        """Uses `engine` from now on: an engine that failed once is not tried again."""
        self._engines = [engine, *(other for other in self._engines if other != engine)]
        if self._facts.promised and engine != self._facts.engine:
            text = escaped("; ".join(reasons))
            warnings.warn(f"{self.label} runs on {engine}, not as it was compiled: {text}", stacklevel=4)


class OnnxSubgraph(torch.nn.Module):
    """The `OnnxGraph` of a file as a torch module with torch tensors (numpy arrays for dtypes that torch lacks)."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._graph = OnnxGraph(path, path.name)

    def forward(self, *inputs: Any) -> Any:
        """The outputs; a single output is not wrapped in a tuple."""
        outputs = self.run([to_numpy(value) if isinstance(value, torch.Tensor) else value for value in inputs])
        results = tuple(map(as_tensor, outputs))
        return results[0] if len(results) == 1 else results

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """As `forward`, on numpy arrays. Raises ForgeError if no engine can run it."""
        return self._graph.run(inputs)


def _facts_of_session(session: Any) -> _Facts:
    known = session.get_modelmeta().custom_metadata_map
    outputs = session.get_outputs()
    return _Facts(
        tuple(value.name for value in session.get_inputs()),
        tuple(value.name for value in outputs),
        tuple(map(_shape_of_session, outputs)),
        known[ENGINE_KEY],
        True,
        known[EXACT_KEY] == "true",
    )


def _shape_of_session(value: Any) -> tuple[int, ...] | None:
    """The shape of an output if a session knows it. [] is ignored, because it may also be an unknown rank."""
    known = value.shape and all(isinstance(size, int) for size in value.shape)
    return tuple(value.shape) if known else None


def _facts_of_model(model: ModelProto) -> _Facts:
    known = {entry.key: entry.value for entry in model.metadata_props}
    promised = next((engine for engine in OPENERS if engine == known.get(ENGINE_KEY)), None)
    return _Facts(
        tuple(value.name for value in model.graph.input),
        tuple(value.name for value in model.graph.output),
        tuple(map(_static_shape, model.graph.output)),
        promised or engine_of(model),
        promised is not None,
        known.get(EXACT_KEY, "true") == "true",
    )


def _static_shape(value: ValueInfoProto) -> tuple[int, ...] | None:
    if not value.type.tensor_type.HasField("shape"):
        return None
    dims = value.type.tensor_type.shape.dim
    return tuple(dim.dim_value for dim in dims) if all(dim.HasField("dim_value") for dim in dims) else None


def as_tensor(value: Any) -> Any:
    """An array as a torch tensor, if torch has its dtype; sequences and optionals as they are."""
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    try:
        return to_torch(np.asarray(value))
    except TypeError:
        return np.asarray(value)

"""Compiles and runs one model, for the device alone or with CPU partitions, and compares it with onnxruntime."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import ml_dtypes
import numpy as np
import onnx
from models.wild.listing import WildModel

from forge_mlir.codes import Code
from forge_mlir.compiler.driver import compile as compile_model
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError
from forge_mlir.execute.run import run
from forge_mlir.importer import OnnxImportError
from forge_mlir.support.sandbox import Limits, isolated
from forge_mlir.verify import verify_model

Arrays = dict[str, np.ndarray[Any, Any]]
Mode = Literal["error", "cpu"]

_SEED = 0
NOT_JUDGED = "not judged"


@dataclass(frozen=True)
class Outcome:
    """What became of one model in one mode.

    `verdict` is "right", "right by node" (what `verify` calls so: an output is farther from onnxruntime's than the
    limit, every node agrees, and ONNX's own output moves as far by rounding), "undecided", "refused", "wrong",
    "failed", or "not judged" of one that reached a limit of time or memory; `reason` says more about the last five.
    `partitions` counts device and CPU partitions.
    """

    verdict: str
    reason: str = ""
    relative: float = 0.0
    partitions: tuple[int, int] = (1, 0)
    exact: str = ""
    """What the exact check found."""

    @property
    def right(self) -> bool:
        return self.verdict.startswith("right")


def measure(model: WildModel, path: Path, mode: Mode, limits: Limits) -> Outcome:
    """One model in one mode, in a process of its own."""
    try:
        return isolated("the measurement", lambda: _measure(model, path, mode), limits)
    except ForgeError as error:
        if error.code is Code.TimeLimit:
            return Outcome(NOT_JUDGED, f"more than {limits.seconds:g} s")
        if error.code is Code.MemoryLimit:
            return Outcome(NOT_JUDGED, f"more than {limits.memory >> 20} MiB")
        return Outcome("failed", str(error))


def _measure(model: WildModel, path: Path, mode: Mode) -> Outcome:
    inputs = sample_inputs(model, path)
    given = {name: value for name, value in inputs.items() if name not in model.bound}
    options: Options = {
        "fallback": mode,
        "input_shapes": {name: value.shape for name, value in given.items()},
        "bind": {name: inputs[name] for name in model.bound},
    }
    with tempfile.TemporaryDirectory() as scratch:
        try:
            artifact = compile_model(path, scratch, **options)
        except (ForgeError, OnnxImportError) as error:
            return Outcome("refused", _refusal(error).replace(f"{path.parent}/", ""))
        kinds = [partition["kind"] for partition in artifact.manifest().get("partitions", [{"kind": "device"}])]
        partitions = kinds.count("device"), kinds.count("cpu")
        try:
            run(artifact, given)
        except Exception as error:  # whatever it is, it goes into the table
            return Outcome("failed", f"{type(error).__name__}: {error}"[:500], 0.0, partitions)
    found = verify_model(path, given, **options)
    worst = max((row.relative for row in found.outputs if np.isfinite(row.relative)), default=0.0)

    def ended(verdict: str, reason: str = "") -> Outcome:
        return Outcome(verdict, reason, worst, partitions, found.exact.state if found.exact else "")

    if found.by_node and found.passed:
        return ended("right by node", next(row for row in found.outputs if row.name in found.by_node).explain())
    if found.passed:
        return ended("right", "" if found.against == "file" else f"by {found.against}")
    if found.divergence is None:
        return ended(found.verdict, found.reasons[0])
    node = found.divergence.node
    return ended("wrong", f"{node.op_type} {node.name}: {found.divergence.reason}")


def _refusal(error: ForgeError) -> str:
    """What was refused: ops with the first reason of each, else the message."""
    reasons: dict[str, str] = {}
    for found in error.diagnostics:
        if found.severity == "error":
            reasons.setdefault(found.op or found.code, found.reason or found.message)
    return "; ".join(f"{op}: {reason}" for op, reason in reasons.items()) or error.message


def sample_inputs(model: WildModel, path: Path) -> Arrays:
    """Seeded inputs for every input of the file."""
    graph = onnx.load(path, load_external_data=False).graph
    constants = {tensor.name for tensor in graph.initializer}
    generator = np.random.default_rng(_SEED)
    inputs: Arrays = {}
    for value in graph.input:
        if value.name in constants:
            continue
        kind = value.type.tensor_type
        element = onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type)
        dtype = np.dtype(getattr(ml_dtypes, element.name, element))
        if value.name in model.values:
            inputs[value.name] = np.asarray(model.values[value.name], dtype)
            continue
        shape = model.shapes.get(value.name) or [dim.dim_value for dim in kind.shape.dim]
        if dtype.kind in "biu":
            most = 2 if dtype.kind == "b" else model.most.get(value.name, 2)
            inputs[value.name] = generator.integers(0, most, size=shape).astype(dtype)
        else:
            scale = model.scale.get(value.name, 1.0)
            inputs[value.name] = (scale * generator.standard_normal(size=shape)).astype(dtype)
    return inputs

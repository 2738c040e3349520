"""The expected outputs of a whole model, and the comparison with them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy.typing as npt

from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.device_module import Arrays
from forge_mlir.execute.onnx.engines import Engine, OnnxRuntime
from forge_mlir.execute.onnx.subgraph import OnnxGraph
from forge_mlir.execute.run import run
from forge_mlir.importer.ir_files import is_ir, model_of_ir
from forge_mlir.onnx_model.accuracy import with_float_products
from forge_mlir.support.sandbox import Limits, isolated
from forge_mlir.verify.comparison import Comparison, compare_values


def golden_outputs(
    model: str | os.PathLike[str] | bytes,
    inputs: Mapping[str, npt.NDArray[Any]],
    limits: Limits | None = None,
    engines: Sequence[Engine] | None = None,
) -> Arrays:
    """The outputs of onnxruntime without graph optimisations, or of onnx.reference if it cannot run the model; with
    `engines` those of these engines.

    `model` is a file (ONNX, or its IR) or a serialised ModelProto. Engines run in a child process under `limits`
    (default: those of `Limits`). Raises ForgeError if none can run it.
    """
    if not isinstance(model, bytes) and is_ir(model):
        model = model_of_ir(model, limits)

    return isolated("onnxruntime", lambda: _run_model(model, inputs, engines), limits or Limits())


def _run_model(
    model: str | os.PathLike[str] | bytes,
    inputs: Mapping[str, npt.NDArray[Any]],
    engines: Sequence[Engine] | None = None,
) -> Arrays:
    path = None if isinstance(model, bytes) else Path(model)
    changed = with_float_products(path)[0] if path is not None and engines is None else b""
    if path is not None and changed:
        with suppress(Exception):  # onnxruntime raises many exception types; without the change, errors are reported.
            run = OnnxRuntime(changed, exact=True, threads=0, folder=str(path.absolute().parent))
            names = [value.name for value in run.session.get_outputs()]
            return dict(zip(names, run(dict(inputs)), strict=True))
    # Declared output shapes may be wrong; onnxruntime only warns.
    source = model if isinstance(model, bytes) else Path(model)
    return OnnxGraph(source, "the model", engines=engines, trusts_shapes=False, written=False).run_named(inputs)


def goldens_of_each(
    model: str | os.PathLike[str], inputs: Sequence[Mapping[str, npt.NDArray[Any]]], limits: Limits
) -> list[Arrays | ForgeError | None]:
    """The goldens of a small model for several inputs, or an error each, from one child process, because forking one
    per input costs more than running such a model.

    The child returns as many as fit `_TOGETHER` bytes and `_SECONDS`. The others are None, and are left to
    `golden_outputs`; all are None if the child fails, because the input at fault is unknown.
    """
    lacking: list[Arrays | ForgeError | None] = [None] * len(inputs)
    if is_ir(model):
        return lacking

    def run_each() -> list[Arrays | ForgeError]:
        found: list[Arrays | ForgeError] = []
        size = 0
        for given in inputs:
            try:
                found.append(outputs := _run_model(model, given))
            except ForgeError as error:
                found.append(error)
                continue
            size += sum(getattr(value, "nbytes", _TOGETHER) for value in outputs.values())
            if size > _TOGETHER:
                break
        return found

    seconds = min(limits.seconds or _SECONDS, _SECONDS)
    with suppress(ForgeError):
        found = isolated("onnxruntime", run_each, limits._replace(seconds=seconds))
        return [*found, *lacking[len(found) :]]
    return lacking


_TOGETHER, _SECONDS = 1 << 24, 10.0


def verify(
    artifact: Artifact, inputs: Mapping[str, npt.NDArray[Any]], goldens: Mapping[str, npt.NDArray[Any]]
) -> list[Comparison]:
    """Runs the module on `inputs` and compares every output with its golden, by ONNX name."""
    outputs = run(artifact, inputs)
    missing = [name for name in outputs if name not in goldens]
    if missing:
        raise ForgeError(Code.GoldenMissing, f"no golden for outputs {', '.join(map(ascii, missing))}")
    return compare_values(outputs, goldens)

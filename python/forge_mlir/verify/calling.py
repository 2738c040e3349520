"""Makes the package callable: `forge_mlir.verify(...)`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Unpack

import onnx
from onnx import ModelProto

from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, escaped
from forge_mlir.execute.defaults import defaults_of
from forge_mlir.execute.onnx.child_process import running_in_child
from forge_mlir.execute.run import run
from forge_mlir.execute.values.structured_values import as_declared
from forge_mlir.importer.ir_files import is_ir
from forge_mlir.importer.onnx_import import scan_source
from forge_mlir.onnx_model.errors import OnnxImportError
from forge_mlir.support.sandbox import Limits
from forge_mlir.verify.comparison import compare_values
from forge_mlir.verify.inputs.goldens import golden_outputs
from forge_mlir.verify.inputs.random_inputs import random_inputs
from forge_mlir.verify.model import verify_model
from forge_mlir.verify.verdict import Against, Verification, decide


def verify(
    source: str | os.PathLike[str] | ModelProto | Artifact,
    inputs: Mapping[str, Any] | None = None,
    goldens: Mapping[str, Any] | None = None,
    *,
    model: str | os.PathLike[str] | ModelProto | None = None,
    seed: int = 0,
    alone: bool = True,
    **options: Unpack[Options],
) -> Verification:
    """Compares a compiled model with ONNX. `inputs` and `goldens` are by ONNX name; by default inputs are random from
    `seed`, and goldens are those of onnxruntime.

    An ONNX model (a file or a ModelProto) is compiled with `options` and compared node by node, and each distinct node
    also `alone`. An artifact, or its path, is run as it is, and its outputs are compared with `goldens`, or with
    onnxruntime's outputs for `model`, from which it was compiled. Raises ForgeError if something cannot be compiled or
    run, and ValueError for an artifact without anything to compare it with. See `passed` for a wrong result.
    """
    if isinstance(source, Artifact) or _is_artifact(source):
        artifact = source if isinstance(source, Artifact) else Artifact.open(source)
        if options:
            raise ValueError(f"options are for models that are compiled: {', '.join(options)}")
        return _of_artifact(artifact, inputs, goldens, model, seed)
    if model is not None:
        raise ValueError("model is for artifacts: source is the model already")
    if not isinstance(source, ModelProto):
        return verify_model(source, inputs, goldens, seed=seed, alone=alone, **options)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "model.onnx")
        onnx.save(source, file)
        return verify_model(file, inputs, goldens, seed=seed, alone=alone, **options)


def _of_artifact(
    artifact: Artifact,
    inputs: Mapping[str, Any] | None,
    goldens: Mapping[str, Any] | None,
    model: str | os.PathLike[str] | ModelProto | None,
    seed: int,
) -> Verification:
    if goldens is None and model is None:
        raise ValueError("an artifact is compared with goldens, or with the model that it was compiled from")
    if goldens is None and isinstance(model, (str, os.PathLike)) and not is_ir(model):
        try:
            scan_source(model)
        except OnnxImportError as error:
            raise error.in_model(escaped(model)) from error.__cause__
    if inputs is None:
        chosen = next(iter(artifact.manifest().get("shape_sets", ())), None)
        artifact = artifact.shape_set(chosen["name"]) if chosen else artifact
        inputs = random_inputs(artifact.manifest(), seed)
    with running_in_child(Limits()):
        found = run(artifact, inputs)
    declared = artifact.manifest()["onnx"]
    against: Against = "file" if goldens is None else "outputs"
    if goldens is None:
        source = model.SerializeToString() if isinstance(model, ModelProto) else os.fspath(model or "")
        goldens = golden_outputs(
            source, {**defaults_of(artifact.manifest()), **as_declared(inputs, declared["inputs"])}
        )
    goldens = as_declared(goldens, declared["outputs"])
    if missing := [name for name in found if name not in goldens]:
        raise ForgeError(Code.GoldenMissing, f"no golden for outputs {', '.join(map(ascii, missing))}")
    label = escaped(artifact.module_path)
    rows = tuple(compare_values(found, goldens))
    return Verification(label, (), rows, **decide(rows, against, untested=against == "file"))


def _is_artifact(source: object) -> bool:
    return isinstance(source, (str, os.PathLike)) and (os.path.isdir(source) or Path(source).suffix == ".py")


class CallablePackage(ModuleType):
    """`forge_mlir.verify` is both a package and a function."""

    def __call__(self, *args: Any, **kwargs: Any) -> Verification:
        return verify(*args, **kwargs)

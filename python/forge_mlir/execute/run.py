"""Runs a compiled model, partitioned or not, by ONNX names, dtypes and shapes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.device_module import Arrays, Emulator
from forge_mlir.execute.loaded_model import LoadedModel
from forge_mlir.execute.partitioned_model import PartitionedModel
from forge_mlir.execute.values.structured_values import as_declared


def run(
    artifact: Artifact | str | os.PathLike[str],
    inputs: Mapping[str, Any] | Sequence[Any],
    emulator: Emulator | None = None,
    float_format: str | None = None,
) -> Arrays:
    """Runs an artifact, or the compiled module or directory at a path, once. `inputs` and results are keyed by ONNX
    name, in ONNX dtypes and shapes; `inputs` may also be a list in the model's order, and lists of numbers are accepted
    as tensors. For an artifact with shape sets, the set for the shapes of the inputs is run. An `emulator` runs a model
    that is not partitioned on its tiles. With the `float_format` "bfloat16", a Float32 module is run as on a device
    whose default format is overridden, which differs from the program of `compile(float_format="bfloat16")`; a model
    that was compiled in the format runs unchanged.

    Raises ForgeError, naming the input, if one is missing or unknown, has another shape or dtype, or has a value that
    does not fit the device's type; and for a format that has to be chosen at compile time.
    """
    if not isinstance(artifact, Artifact):
        artifact = Artifact.open(artifact)
    manifest = artifact.manifest()
    declared = manifest["onnx"]["inputs"]
    if not isinstance(inputs, (Mapping, list, tuple)):
        raise TypeError(f"expected inputs by name, or a list of them, but got {type(inputs)}")
    if not isinstance(inputs, Mapping):
        names = [info["name"] for info in declared]
        if len(inputs) != len(names):
            raise ForgeError(Code.InputNames, f"expected {len(names)} inputs, but got {len(inputs)}")
        inputs = dict(zip(names, inputs, strict=True))
    if "shape_sets" in manifest:
        inputs = as_declared(inputs, declared)
        # Sequences and optionals have no shape.
        shapes = {name: None if isinstance(value, list | None) else np.shape(value) for name, value in inputs.items()}
        artifact = artifact.shape_set_for(shapes)
    model = LoadedModel.open(artifact, float_format=float_format)
    if emulator is None:
        return model.run(inputs)
    if isinstance(model.program, PartitionedModel):
        raise ForgeError(Code.EmulatorUnfit, "the tile emulator runs one device module, and this model is partitioned")
    return model.run(inputs, emulator)

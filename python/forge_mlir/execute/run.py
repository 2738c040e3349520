"""Runs a compiled model, partitioned or not, with ONNX names, dtypes and shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.device_module import Arrays, DeviceModule
from forge_mlir.execute.partitioned_model import PartitionedModel

if TYPE_CHECKING:
    from forge_mlir.execute.tile_emulator import TileEmulator


def run(artifact: Artifact, inputs: Mapping[str, npt.NDArray[Any]], emulator: TileEmulator | None = None) -> Arrays:
    """Runs the model once. `inputs` and the result are keyed by ONNX name, in ONNX dtypes and shapes. Of an
    artifact with shape sets, the one runs that takes inputs of these shapes. With an `emulator` a model that is not
    partitioned runs on its tiles.

    Raises ForgeError, naming the input, for a missing or unknown one, another shape or dtype, or a value that does not
    fit the device's type.
    """
    artifact = artifact.shape_set_for({name: np.shape(value) for name, value in inputs.items()})
    manifest = artifact.manifest()
    if "partitions" in manifest:
        if emulator is not None:
            raise ForgeError(
                Code.EmulatorUnfit, "the tile emulator runs one device module, and this model is partitioned"
            )
        return PartitionedModel.open(artifact.manifest_path).run(inputs)
    if set(inputs) != {entry["onnx_name"] for entry in manifest["inputs"]}:
        expected = ", ".join(ascii(entry["onnx_name"]) for entry in manifest["inputs"])
        raise ForgeError(
            Code.InputNames, f"expected inputs {expected or 'none'}, but got {', '.join(map(ascii, inputs)) or 'none'}"
        )
    results = DeviceModule.open(artifact).run([inputs[entry["onnx_name"]] for entry in manifest["inputs"]], emulator)
    return {entry["onnx_name"]: value for entry, value in zip(manifest["outputs"], results, strict=True)}

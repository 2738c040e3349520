"""A compiled model with its weights, partitioned or not, which can be run repeatedly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.defaults import defaults_of
from forge_mlir.execute.device_module import Arrays, DeviceModule, Emulator, SharedWeights
from forge_mlir.execute.format_override import format_override
from forge_mlir.execute.partitioned_model import PartitionedModel
from forge_mlir.execute.values.structured_values import as_declared


@dataclass(frozen=True)
class LoadedModel:
    """The files are not needed any more, except for those of CPU partitions."""

    manifest: Json
    program: DeviceModule | PartitionedModel

    @staticmethod
    def open(artifact: Artifact, shared: SharedWeights | None = None, float_format: str | None = None) -> LoadedModel:
        """Loads a model. A device module takes weights from `shared` and adds its others to it. `float_format` is
        passed to what executes the modules. Raises ForgeError for an incomplete artifact, for one with shape sets
        (choose one first), and for a format that has to be chosen at compile time."""
        manifest = artifact.manifest()
        override = format_override(manifest, float_format)
        if "partitions" in manifest:
            return LoadedModel(manifest, PartitionedModel.open(artifact.manifest_path, override=override))
        return LoadedModel(manifest, DeviceModule.open(artifact, shared, override))

    @property
    def input_names(self) -> list[str]:
        """The names of the inputs in the model's order."""
        if isinstance(self.program, PartitionedModel):
            return [self.manifest["values"][index]["onnx_name"] for index in self.manifest["inputs"]]
        return [entry["onnx_name"] for entry in self.manifest["inputs"]]

    def run(self, inputs: Mapping[str, npt.NDArray[Any]], emulator: Emulator | None = None) -> Arrays:
        """Outputs by ONNX name; results and errors are those of `forge_mlir.run`. An `emulator` runs a device module.
        Inputs with defaults are optional; lists of numbers are accepted as tensors."""
        inputs = {**defaults_of(self.manifest), **as_declared(inputs, self.manifest["onnx"]["inputs"])}
        if isinstance(self.program, PartitionedModel):
            return self.program.run(inputs)
        names = self.input_names
        if set(inputs) != set(names):
            expected = ", ".join(map(ascii, names)) or "none"
            raise ForgeError(
                Code.InputNames, f"expected inputs {expected}, but got {', '.join(map(ascii, inputs)) or 'none'}"
            )
        results = self.program.run([inputs[name] for name in names], emulator)
        return {entry["onnx_name"]: value for entry, value in zip(self.manifest["outputs"], results, strict=True)}

"""Executes a partitioned model: its device partitions and CPU partitions in sequence."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from forge_mlir.artifact.integrity import read_checked
from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.device_module import DeviceModule, load_namespace
from forge_mlir.execute.format_override import FormatOverride
from forge_mlir.execute.onnx.subgraph import as_tensor
from forge_mlir.execute.values.device_values import require_range
from forge_mlir.execute.values.torch_values import to_numpy

Values = list[Any]
"""The values between partitions: numpy arrays, or other ONNX values."""

Watch = Callable[[Artifact, Json, Any], Callable[[Values], Generator[Any, None, Values]]]
"""Opens a device partition, given its manifest and the weights, so that it yields the values that it computes, step by
step, and returns its outputs."""


@dataclass(frozen=True)
class _Partition:
    name: str
    inputs: list[int]
    outputs: list[int]
    run: Callable[[Values], Generator[Any, None, Values]]


@dataclass(frozen=True)
class PartitionedModel:
    """A partitioned model with its weights, which can be run repeatedly."""

    manifest: Json
    partitions: tuple[_Partition, ...]

    @staticmethod
    def open(
        path: Path, watch: Watch | None = None, trust_edits: bool = False, override: FormatOverride | None = None
    ) -> PartitionedModel:
        """Opens the model of the manifest at `path`. `watch` opens its device partitions for inspection; otherwise
        `override` is a float format that replaces Float32 on the device.

        Raises ForgeError for an incomplete artifact, and, unless `trust_edits`, for files that do not match the
        manifest.
        """
        artifact = Artifact.open(path)
        manifest = artifact.manifest()
        if trust_edits:
            manifest["files"] = dict.fromkeys(manifest["files"])
        else:
            read_checked(artifact.module_path, manifest["python_sha256"])
        with artifact.open_weights(trust_edits) as weights:  # Hashed once for all partitions.
            partitions = tuple(
                _open_partition(path.parent, partition, manifest, weights, watch or partial(_unwatched, override))
                for partition in manifest["partitions"]
            )
        return PartitionedModel(manifest, partitions)

    def __call__(self, *inputs: Any) -> Any:
        """The outputs for inputs in the model's order: torch tensors if an input is one, otherwise numpy arrays."""
        names = [self.manifest["values"][index]["onnx_name"] for index in self.manifest["inputs"]]
        if len(inputs) != len(names):
            raise ForgeError(Code.InputNames, f"expected {len(names)} inputs, but got {len(inputs)}")
        are_torch = [isinstance(value, torch.Tensor) for value in inputs]
        arrays = [to_numpy(value) if of_torch else value for value, of_torch in zip(inputs, are_torch, strict=True)]
        results = tuple(self.run(dict(zip(names, arrays, strict=True))).values())
        if any(are_torch):
            results = tuple(map(as_tensor, results))
        return results[0] if len(results) == 1 else results

    def run(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Outputs by ONNX name for inputs by ONNX name. Raises ForgeError, naming the value, for a missing or unknown
        input, another shape or dtype, or a value that does not fit the device's type."""
        return _drain(self.steps(inputs))

    def steps(self, inputs: Mapping[str, Any]) -> Generator[Any, None, dict[str, Any]]:
        """`run`, yielding what watched partitions yield, and each output of a CPU partition as (ONNX name, value)."""
        known = self.manifest["values"]
        names = [known[index]["onnx_name"] for index in self.manifest["inputs"]]
        if set(inputs) != set(names):
            expected = ", ".join(map(ascii, names)) or "none"
            raise ForgeError(
                Code.InputNames, f"expected inputs {expected}, but got {', '.join(map(ascii, inputs)) or 'none'}"
            )
        values: dict[int, Any] = {}
        declared = {info["name"]: info for info in self.manifest["onnx"]["inputs"]}
        for index, name in zip(self.manifest["inputs"], names, strict=True):
            values[index] = _checked(inputs[name], known[index], f"input {name!a}")
            if "range" in declared.get(name, {}):  # Only tensors have ranges; others may be sequences.
                require_range(np.asarray(values[index]), declared[name], f"input {name!a}")
        uses = Counter(index for partition in self.partitions for index in partition.inputs)
        uses.update(output["value"] for output in self.manifest["outputs"])
        for partition in self.partitions:
            results = yield from partition.run([values[index] for index in partition.inputs])
            for index, result in zip(partition.outputs, results, strict=True):
                label = f"value {known[index]['onnx_name']!a} of partition {partition.name}"
                values[index] = _checked(result, known[index], label)
            for index in partition.inputs:  # Values are freed after their last use.
                uses[index] -= 1
                if not uses[index]:
                    values.pop(index, None)
        return {output["onnx_name"]: values[output["value"]] for output in self.manifest["outputs"]}


def _drain(steps: Generator[Any, None, dict[str, Any]]) -> dict[str, Any]:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            results: dict[str, Any] = end.value
            return results


def _unwatched(
    override: FormatOverride | None, artifact: Artifact, manifest: Json, weights: Any
) -> Callable[[Values], Generator[Any, None, Values]]:
    module = DeviceModule(artifact, manifest, weights, override=override)

    def run(inputs: Values) -> Generator[Any, None, Values]:
        yield from ()
        return list(module.run(inputs))

    return run


def _open_partition(directory: Path, partition: Json, facts: Json, weights: Any, watch: Watch) -> _Partition:
    artifact = Artifact(directory, partition["module"])
    files = facts["files"]
    if partition["kind"] == "device":
        manifest = json.loads(read_checked(artifact.manifest_path, files[artifact.manifest_path.name]))
        manifest["python_sha256"] = files[artifact.module_path.name]
        return _Partition(artifact.name, partition["inputs"], partition["outputs"], watch(artifact, manifest, weights))
    read_checked(artifact.graph_path, files[artifact.graph_path.name])
    graph = load_namespace(artifact.module_path, files[artifact.module_path.name])["load"]().graph
    names = [facts["values"][index]["onnx_name"] for index in partition["outputs"]]

    def run(inputs: Values) -> Generator[Any, None, Values]:
        results: Values = graph.run(inputs)
        yield from zip(names, results, strict=True)
        return results

    return _Partition(artifact.name, partition["inputs"], partition["outputs"], run)


def _checked(value: Any, expected: Json, label: str) -> Any:
    """Converts `value` to the dtype of the compilation, and checks its shape if that is fixed."""
    if expected["dtype"] is None:
        return value
    array = np.asarray(value)
    if expected["dtype"] != "string" and array.dtype.name != expected["dtype"]:
        raise ForgeError(Code.InputMismatch, f"{label}: expected dtype {expected['dtype']}, but got {array.dtype.name}")
    if expected["shape"] is not None and list(array.shape) != expected["shape"]:
        raise ForgeError(
            Code.InputMismatch, f"{label}: expected shape {expected['shape']}, but got {list(array.shape)}"
        )
    return array

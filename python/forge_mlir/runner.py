"""Runs a compiled module on the CPU reference (or the real forge package), with ONNX names, dtypes and shapes."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from forge_mlir.artifact import Artifact, Json
from forge_mlir.errors import ForgeError

if TYPE_CHECKING:
    from forge_mlir.runtime.tiles import TileEmulator

Arrays = dict[str, npt.NDArray[Any]]

# What torch cannot take from numpy travels as its bits.
_BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def load_module(artifact: Artifact) -> Any:
    """The instance of the emitted class, weights loaded. Raises ForgeError for an artifact that is not whole."""
    # No entry in sys.modules: a model may be called like a package.
    spec = importlib.util.spec_from_file_location(f"forge_mlir_artifact_{artifact.name}", artifact.module_path)
    if spec is None or spec.loader is None or not artifact.module_path.is_file():
        raise ForgeError(f"{artifact.module_path}: no such module")
    namespace = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(namespace)
    try:
        return namespace.load()
    except (OSError, KeyError, RuntimeError, ValueError) as error:
        raise ForgeError(f"{artifact.module_path}: cannot load the weights: {error}") from error


class DeviceModule:
    """One device module with its weights, called on ONNX values in the module's order; on tiles with an `emulator`."""

    def __init__(self, artifact: Artifact, emulator: TileEmulator | None = None) -> None:
        manifest = artifact.manifest()
        declared = {info["name"]: info for info in manifest["onnx"]["inputs"]}
        self._inputs = [(entry, declared[entry["onnx_name"]]) for entry in manifest["inputs"]]
        self._outputs = list(zip(manifest["outputs"], manifest["onnx"]["outputs"], strict=True))
        module = load_module(artifact)
        self._module = partial(emulator.run, module) if emulator else module

    def run(self, inputs: Sequence[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
        """Runs the module once. Raises ForgeError, naming the input, for another shape or dtype, or a value that does
        not fit the device's type."""
        import torch

        arguments = [_argument(value, *entry) for value, entry in zip(inputs, self._inputs, strict=True)]
        with torch.no_grad():
            results = self._module(*arguments)
        results = results if isinstance(results, (tuple, list)) else (results,)
        return [_result(value, *entry) for value, entry in zip(results, self._outputs, strict=True)]


def run(artifact: Artifact, inputs: Mapping[str, npt.NDArray[Any]], emulator: TileEmulator | None = None) -> Arrays:
    """Runs the model once. `inputs` and the result are keyed by ONNX name, in ONNX dtypes and shapes. With an
    `emulator` a model that is not partitioned runs on its tiles.

    Raises ForgeError, naming the input, for a missing or unknown one, another shape or dtype, or a value that does not
    fit the device's type.
    """
    manifest = artifact.manifest()
    if "regions" in manifest:
        from forge_mlir.chain import Chain

        return Chain.open(artifact.manifest_path).run(inputs)
    if set(inputs) != {entry["onnx_name"] for entry in manifest["inputs"]}:
        expected = ", ".join(ascii(entry["onnx_name"]) for entry in manifest["inputs"])
        raise ForgeError(f"expected inputs {expected or 'none'}, but got {', '.join(map(ascii, inputs)) or 'none'}")
    results = DeviceModule(artifact, emulator).run([inputs[entry["onnx_name"]] for entry in manifest["inputs"]])
    return {entry["onnx_name"]: value for entry, value in zip(manifest["outputs"], results, strict=True)}


def _argument(array: npt.NDArray[Any], entry: Json, expected: Json) -> Any:
    """A forge tensor for one input."""
    import torch

    label = f"input {entry['onnx_name']!a}"
    array = np.asarray(array)
    if array.dtype.name != expected["dtype"]:
        raise ForgeError(f"{label}: expected dtype {expected['dtype']}, but got {array.dtype.name}")
    # Rank 0 is [1] on the device.
    if list(array.shape) != entry["shape"] and not (array.shape == () and entry["shape"] == [1]):
        raise ForgeError(f"{label}: expected shape {entry['shape']}, but got {list(array.shape)}")
    if array.dtype == _BFLOAT16:
        tensor = torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    else:
        target = np.dtype(entry["dtype"])
        if target.kind == "i" and array.size and (array.min() < -(2**31) or array.max() >= 2**31):
            raise ForgeError(f"{label}: a value does not fit Int32 on the device")
        with np.errstate(over="ignore", under="ignore"):
            converted = np.array(array, dtype=target)
        if (
            array.dtype == np.float64
            and (np.isfinite(array) & ~np.isfinite(converted) | (array != 0) & (converted == 0)).any()
        ):
            raise ForgeError(f"{label}: a value does not fit Float32 on the device")
        tensor = torch.from_numpy(converted)
    return _forge().Tensor.create_from_torch(tensor.reshape(entry["shape"]))


def _result(value: Any, entry: Json, info: Json) -> npt.NDArray[Any]:
    """An output as ONNX declares it."""
    import torch

    tensor = value.value() if hasattr(value, "value") else value
    shape = entry["shape"] if info["shape"] is None or info["shape"] else []
    if tensor.dtype == torch.bfloat16:
        array = tensor.contiguous().view(torch.int16).numpy().view(_BFLOAT16)
    else:
        array = tensor.detach().numpy()
    return np.asarray(array).astype(info["dtype"], copy=False).reshape(shape)


def _forge() -> Any:
    """The package that emitted modules import: the real one where it is installed."""
    try:
        import forge  # type: ignore[import-not-found]
    except ModuleNotFoundError:
        from forge_mlir import runtime as forge
    return forge

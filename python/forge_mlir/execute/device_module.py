"""Executes one device module on ONNX values, on the CPU reference or the real forge package."""

from __future__ import annotations

import ast
import json
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType
from typing import Any, Protocol

import numpy.typing as npt
import torch

from forge_mlir.artifact.integrity import read_checked
from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.source.parsed_calls import node_of_line
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, escaped, quote, shortened
from forge_mlir.execute.format_override import FormatOverride
from forge_mlir.execute.values.device_values import from_device, to_device
from forge_mlir.support.sandbox import is_out_of_memory

Arrays = dict[str, npt.NDArray[Any]]


class Emulator(Protocol):
    """Executes a module instead of the reference: on tiles (`TileEmulator`), or in two formats (`RoundingProbe`)."""

    def run(self, module: Any, *inputs: Any) -> Any: ...


Rewrite = Callable[[ast.Module], ast.Module]
"""Changes an emitted file before it is executed. Depends on the file only, so that its result is cached."""


def load_namespace(path: Path, digest: str | None, rewrite: Rewrite | None = None) -> dict[str, Any]:
    """The globals of an emitted file. Raises ForgeError if its SHA-256 is not `digest`, unless that is None."""
    # Not imported: a model may have the name of a package, and the bytes that were hashed must be executed.
    namespace: dict[str, Any] = {"__name__": f"forge_mlir_artifact_{path.stem}", "__file__": str(path)}
    try:
        code = _code(read_checked(path, digest), str(path), rewrite)
    except SyntaxError as error:
        where = f"{shortened(path.name)}, line {error.lineno or 1}"
        raise ForgeError(Code.ArtifactUnreadable, f"{where}: not Python: {escaped(error.msg)}") from error
    exec(code, namespace)
    return namespace


@lru_cache(maxsize=2)
def _code(source: bytes, path: str, rewrite: Rewrite | None) -> CodeType:
    """Compiled code is cached: a verification loads the same file for each run, and parsing may take longer than a
    run."""
    tree = ast.parse(source, path)
    return compile(rewrite(tree) if rewrite else tree, path, "exec")


@dataclass
class SharedWeights:
    """Weights that the modules of an artifact share in memory, by the origin of their bytes."""

    values: dict[str, torch.Tensor] = field(default_factory=dict)

    def fill(self, module: Any, entries: Sequence[Json], weights: Any) -> None:
        """Sets all weights of a module: from memory if they are loaded already, otherwise from its open weights
        file."""
        module.fill_weights([entry for entry in entries if _origin(entry) not in self.values], weights)
        for entry in entries:
            is_parameter, name = entry["kind"] == "parameter", entry["name"]
            known = self.values.get(_origin(entry))
            if known is not None:
                (module.set_parameter if is_parameter else module.set_constant)(name, known)
            else:
                held = module.get_parameter(name) if is_parameter else module.get_constant(name)
                self.values[_origin(entry)] = held.value()


def _origin(entry: Json) -> str:
    """A key that identifies the values of a weight."""
    named = ("name", "onnx_name", "computed_from", "kind", "source")
    return json.dumps({key: value for key, value in entry.items() if key not in named}, sort_keys=True)


class DeviceModule:
    """One device module with its weights, called on ONNX values in the module's order.

    `weights` is the open, checked weights file. `rewrite` changes the code before it is executed; `shared` are weights
    that modules share; `override` is a float format that replaces Float32 on the device. Raises ForgeError for an
    incomplete artifact.
    """

    def __init__(
        self,
        artifact: Artifact,
        manifest: Json,
        weights: Any,
        rewrite: Rewrite | None = None,
        shared: SharedWeights | None = None,
        override: FormatOverride | None = None,
    ) -> None:
        self._override = override
        try:
            declared = {info["name"]: info for info in manifest["onnx"]["inputs"]}
            self._inputs = [(entry, declared[entry["onnx_name"]]) for entry in manifest["inputs"]]
            self._outputs = list(zip(manifest["outputs"], manifest["onnx"]["outputs"], strict=True))
            self._path = artifact.module_path
            self._is_edited = manifest.get("calls_of_sha256") != manifest["python_sha256"]
            namespace = load_namespace(artifact.module_path, manifest["python_sha256"], rewrite)
            if not isinstance(class_ := namespace.get(manifest["class"]), type):
                reason = f"it has no class {quote(manifest['class'])}, which the manifest names"
                raise ForgeError(Code.ArtifactUnreadable, f"{shortened(artifact.module_path.name)}: {reason}")
            self.module = class_()
            if shared is not None:
                shared.fill(self.module, manifest["weights"], weights)
            else:
                self.module.fill_weights(manifest["weights"], weights)
            _require_all_weights(self.module, artifact.manifest_path)
            self._compiled: Any = None
        except ForgeError:
            raise
        except FileNotFoundError as error:
            missing = shortened(os.path.normpath(error.filename))
            raise ForgeError(
                Code.ArtifactUnreadable,
                f"{artifact.manifest_path}: {missing} is not there, which holds weights (compiled with "
                "--weights=reference); model and module move together",
            ) from error
        except Exception as error:  # torch and safetensors raise many exception types
            shown = f"{type(error).__name__}: {error}"
            raise ForgeError(
                Code.ArtifactUnreadable, f"{artifact.manifest_path}: does not fit the module: {escaped(shown)}"
            ) from error

    @staticmethod
    def open(
        artifact: Artifact, shared: SharedWeights | None = None, override: FormatOverride | None = None
    ) -> DeviceModule:
        """Opens the module of a model that is not partitioned."""
        manifest = artifact.manifest()
        with artifact.open_weights() as weights:
            return DeviceModule(artifact, manifest, weights, shared=shared, override=override)

    def run(self, inputs: Sequence[npt.NDArray[Any]], emulator: Emulator | None = None) -> list[npt.NDArray[Any]]:
        """Runs the module once: on the device if the real package is installed, otherwise on the CPU reference, or on
        an `emulator`. Raises ForgeError, naming the input, for another shape or dtype, or a value that does not fit the
        device's type; and, naming the node, if the CPU reference cannot compute an op for these values."""
        arguments = self.arguments(inputs)
        with torch.no_grad():
            if emulator is not None:
                return self.results(emulator.run(self.module, *arguments), is_reference=False)
            if forge_package().__name__ == "forge":
                results = self._on_device([argument.value() for argument in arguments])
                return self.results(results, is_reference=False)
            return self.results(self._on_reference(arguments), is_reference=self._override is None)

    def _on_reference(self, arguments: list[Any]) -> Any:
        try:
            return self._override.run(self.module, *arguments) if self._override else self.module(*arguments)
        except Exception as error:  # edited modules may raise anything
            if not isinstance(error, (RuntimeError, ArithmeticError, IndexError, MemoryError)):
                if not self._is_edited:
                    raise
                where = f"{self._path.name}, line {_line_at_fault(error, self._path)}"
                reason = f"{type(error).__name__}: {escaped(error)}"
                raise ForgeError(Code.ArtifactUnreadable, f"{where}: {reason}") from error
            node = _node_at_fault(error, self._path)
            where = f"node {quote(node)}: " if node else ""
            if is_out_of_memory(error):
                raise ForgeError(Code.MemoryLimit, f"{where}out of memory: a value is larger than there is") from error
            is_of_values = isinstance(error, (ArithmeticError, IndexError))
            code = Code.ValueOutOfRange if is_of_values else Code.ReferenceFailed
            raise ForgeError(code, f"{where}{escaped(error)}") from error

    def _on_device(self, tensors: list[Any]) -> Any:
        if self._compiled is None:
            forge = forge_package()
            config: dict[str, Any] = {}
            if self._override:
                chosen = forge.DataFormat.Float16_b
                config = {"compiler_cfg": forge.config.CompilerConfig(default_df_override=chosen)}
            self._compiled = forge.compile(self.module, sample_inputs=tensors, module_name=self.module.name, **config)
        return self._compiled(*tensors)

    def arguments(self, inputs: Sequence[npt.NDArray[Any]]) -> list[Any]:
        """Converts ONNX values to forge tensors; raises as `run` does."""
        if len(inputs) != len(self._inputs):
            reason = f"expected {len(self._inputs)} inputs, but got {len(inputs)}"
            raise ForgeError(Code.ArtifactUnreadable, f"{self._path.name}: {reason}")
        tensors = [to_device(value, *entry) for value, entry in zip(inputs, self._inputs, strict=True)]
        return [forge_package().Tensor.create_from_torch(tensor) for tensor in tensors]

    def results(self, results: Any, is_reference: bool = True) -> list[npt.NDArray[Any]]:
        """Converts the results of the module to ONNX values. Raises ForgeError for a module that returns something else
        than its manifest says, as after an edit: another number of values, a value that was released, and, on the CPU
        reference (`is_reference`), another shape or dtype."""
        results = results if isinstance(results, (tuple, list)) else (results,)
        if len(results) != len(self._outputs):
            reason = f"expected {len(self._outputs)} outputs, but the module returns {len(results)}"
            raise ForgeError(Code.ArtifactUnreadable, f"{self._path.name}: {reason}")
        try:
            pairs = zip(results, self._outputs, strict=True)
            return [from_device(value, *entry, is_reference) for value, entry in pairs]
        except ForgeError as error:
            raise ForgeError(error.code, f"{self._path.name}: {error.message}") from error


def _require_all_weights(module: Any, manifest: Path) -> None:
    """Raises ForgeError if a module of the CPU reference has weights without values. With the real package these are
    uninitialised memory."""
    unset = module.unset_names() if hasattr(module, "unset_names") else []
    if unset:
        listed = shortened(", ".join(map(quote, unset)))
        raise ForgeError(
            Code.ArtifactUnreadable,
            f"{manifest}: it lists no weights for {listed}, which the module declares; compile the model again",
        )


def _line_at_fault(error: BaseException, path: Path) -> int:
    """The line of the emitted file at `path` that raised `error`; 1 if none did, because it cannot be called."""
    frames = traceback.walk_tb(error.__traceback__)
    return [1, *(line for frame, line in frames if frame.f_code.co_filename == str(path))][-1]


def _node_at_fault(error: BaseException, path: Path) -> str:
    """The ONNX node whose call in the emitted file at `path` raised `error`; "" if the line names no node."""
    frames = [
        (frame.f_locals, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename == str(path)
    ]
    text = path.read_text().splitlines()
    if not frames or not frames[-1][1] <= len(text):
        return ""
    known, line = frames[-1]
    return node_of_line(text[line - 1], known)


def forge_package() -> Any:
    """The package that emitted modules import: the real one if it is installed."""
    known = sys.modules.get("forge")
    is_folder = known is not None and known.__spec__ is not None and known.__spec__.origin is None
    if is_folder or (known is None and _lacks_forge(tuple(sys.path), _directory())):
        from forge_mlir import runtime as forge
    else:
        try:
            import forge  # type: ignore[import-not-found,no-redef]
        except ModuleNotFoundError:
            from forge_mlir import runtime as forge
    return forge


def _directory() -> str:
    """The current directory if it is on Python's path; empty if it does not exist any more."""
    try:
        return os.getcwd() if "" in sys.path else ""
    except OSError:
        return ""


@lru_cache(maxsize=8)
def _lacks_forge(_path: tuple[str, ...], _here: str) -> bool:
    """Whether there is no `forge` package on Python's path; a folder of this name without Python files is none. Cached:
    this is needed for every tensor, and a search is slower than creating a tensor."""
    spec = find_spec("forge")
    return spec is None or spec.origin is None

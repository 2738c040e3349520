"""Executes an emitted module one Forge call at a time.

The module's own source is executed with a `yield` after each call in `forward` and in the methods for layers, so that
values are those of the module, with their original lifetimes. That changes the syntax tree of the file, which its user
may have edited; which calls there are is read by `artifact/source/calls.py`.
"""

from __future__ import annotations

import ast
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from forge_mlir.artifact.manifest import Json
from forge_mlir.artifact.reader import Artifact
from forge_mlir.artifact.source.calls import calls_of
from forge_mlir.artifact.source.parsed_calls import Functions, statements_of, targets_of
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, quote
from forge_mlir.execute.device_module import DeviceModule
from forge_mlir.execute.partitioned_model import PartitionedModel, Values
from forge_mlir.execute.values.torch_values import to_numpy
from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.support.sandbox import is_out_of_memory
from forge_mlir.verify.float_formats import in_format


@dataclass(frozen=True)
class Step:
    """A call: its file and line, the variable that it sets, its operands, and the ONNX node that it came from.

    A line of a method is a step for each layer; paths of variables are those of `artifact.source.calls`.
    """

    file: str
    line: int
    variable: str
    operands: tuple[str, ...]
    text: str
    node: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@dataclass(frozen=True)
class Observed:
    """The program's value of the ONNX value `name`: an array as on the device, or the result of a CPU partition (any
    ONNX value) if `step` is None."""

    name: str
    value: Any
    step: Step | None


class StepFailed(ForgeError):
    """A call raised an exception. `step` is None if code around the calls raised it."""

    def __init__(self, message: str, step: Step | None) -> None:
        super().__init__(Code.ReferenceFailed, message)
        self.step = step


@dataclass(frozen=True)
class SteppedModel:
    """A compiled model with traces in its manifests. `steps` are all calls in order."""

    artifact: Artifact
    modules: Mapping[str, list[Step]]

    @staticmethod
    def open(artifact: Artifact) -> SteppedModel:
        manifest = artifact.manifest()
        partitions = manifest.get("partitions", [{"module": artifact.name, "kind": "device"}])
        names = [partition["module"] for partition in partitions if partition["kind"] == "device"]
        return SteppedModel(artifact, {name: _steps(Artifact(artifact.directory, name)) for name in names})

    @property
    def steps(self) -> list[Step]:
        return [step for steps in self.modules.values() for step in steps]

    def traced(self) -> dict[str, Step]:
        """The step for each ONNX value that the device computes."""
        found = {}
        for name, steps in self.modules.items():
            of_variable = {step.variable: step for step in steps}
            for entry in Artifact(self.artifact.directory, name).manifest().get("trace", ()):
                found[entry["onnx_name"]] = of_variable[entry["variable"]]
        return found

    def hosted(self) -> set[str]:
        """The ONNX values that CPU partitions compute."""
        partitions = self.artifact.manifest().get("partitions", ())
        nodes = (node for partition in partitions if partition["kind"] == "cpu" for node in partition["nodes"])
        return {name for node in nodes for name in node["results"]}

    def returned(self) -> set[str]:
        """Those of them that other partitions or the caller get."""
        manifest = self.artifact.manifest()
        partitions = (each for each in manifest.get("partitions", ()) if each["kind"] == "cpu")
        return {manifest["values"][at]["onnx_name"] for partition in partitions for at in partition["outputs"]}

    def run(self, inputs: Mapping[str, npt.NDArray[Any]]) -> Generator[Observed, None, dict[str, Any]]:
        """Runs once, yielding each value when it is computed. Returns the outputs by ONNX name. Raises StepFailed."""
        manifest = self.artifact.manifest()
        if "partitions" in manifest:
            steps = PartitionedModel.open(self.artifact.manifest_path, self._watch).steps(inputs)
            while True:
                try:
                    found = next(steps)
                except StopIteration as end:
                    outputs: dict[str, Any] = end.value
                    return outputs
                yield found if isinstance(found, Observed) else Observed(found[0], found[1], None)
        ordered = [inputs[entry["onnx_name"]] for entry in manifest["inputs"]]
        with self.artifact.open_weights() as weights:
            run = self._watch(self.artifact, manifest, weights)
        results = yield from run(ordered)
        return {entry["onnx_name"]: value for entry, value in zip(manifest["outputs"], results, strict=True)}

    def _watch(self, artifact: Artifact, manifest: Json, weights: Any) -> Any:
        module = DeviceModule(artifact, manifest, weights, _stepped)
        steps = self.modules[artifact.name]
        traced: dict[str, list[Json]] = {}
        for entry in manifest.get("trace", ()):
            traced.setdefault(entry["variable"], []).append(entry)
        # If an edited module sets a variable repeatedly, the last value counts, which its readers get.
        last = {step.variable: step for step in steps}

        def run(inputs: Values) -> Generator[Observed, None, Values]:
            arguments = module.arguments(inputs)
            try:
                forward = module.module.forward(*arguments)
            except TypeError as error:  # an edit has other parameters
                raise StepFailed(f"{artifact.module_path.name}: {error}", None) from error
            for step in (*steps, None):
                try:
                    value = _advance(forward)
                except StopIteration as end:
                    try:
                        return list(module.results(end.value))
                    except ForgeError as error:
                        raise StepFailed(error.message, None) from error
                except Exception as error:  # emitted modules may raise anything
                    if is_out_of_memory(error):  # no result to compare; the module is not at fault
                        where = f"node {quote(step.node)}: " if step is not None and step.node else ""
                        reason = f"{where}out of memory: the module's value is larger than there is"
                        raise ForgeError(Code.MemoryLimit, reason) from error
                    raise StepFailed(f"{type(error).__name__}: {error}", step) from error
                assert step is not None
                for entry in traced.get(step.variable, ()) if step is last[step.variable] else ():
                    yield Observed(entry["onnx_name"], _in_order(to_numpy(value), entry), step)
            raise StepFailed(f"{artifact.module_path.name}: it has calls in other statements than assignments", None)

        return run


def _in_order(array: npt.NDArray[Any], entry: Json) -> npt.NDArray[Any]:
    """`array` with the axes, shape and scale of its ONNX value: in the module channels may be last, reshapes may be
    merged, and factors folded into weights. An array of another size, which is wrong, is unchanged."""
    if array.size != np.prod(entry.get("shape", array.shape)):
        return array
    if "scale" in entry:
        array = (array / np.float64(entry["scale"])).astype(array.dtype)
    if "axes" in entry:
        axes = entry["axes"]
        if array.ndim != len(axes):
            array = array.reshape([entry["shape"][axes.index(axis)] for axis in range(len(axes))])
        array = array.transpose(axes)
    return array.reshape(entry["shape"]) if "shape" in entry else array


def as_onnx(array: npt.NDArray[Any], like: npt.NDArray[Any], rounds: bool = False) -> npt.NDArray[Any]:
    """Converts an array of the device to ONNX's dtype and shape if it represents the same value: rank 0 is [1] on the
    device, 64-bit integers are Int32, booleans are 0 or 1 in any type. Other arrays are unchanged. With `rounds`,
    floats are always converted to ONNX's type, as for outputs of a program in another float format, and finite ones
    stay finite if ONNX's are: a mask of -65504 is -65536 in bfloat16, which must not become an infinity."""
    if array.shape == (1,) and like.shape == ():
        array = array.reshape(())
    if array.dtype == like.dtype:
        return array
    with np.errstate(invalid="ignore", over="ignore"):
        converted = array.astype(like.dtype)
        exact = np.array_equal(converted.astype(array.dtype), array, equal_nan=is_floating(array.dtype))
    rounds = rounds and is_floating(array.dtype) and is_floating(like.dtype)
    if exact or not rounds or converted.shape != like.shape:
        return converted if exact or rounds else array
    stays = np.isfinite(like.astype(np.float32)) & np.isinf(converted.astype(np.float32))
    return np.asarray(np.where(stays, in_format(array, like.dtype), converted)).astype(like.dtype)


def _advance(forward: Generator[Any, None, Any]) -> Any:
    import torch

    with torch.no_grad():
        return next(forward)


def _steps(artifact: Artifact) -> list[Step]:
    return [
        Step(artifact.module_path.name, call.line, call.path, call.reads, call.text, call.node)
        for call in calls_of(artifact.source(), artifact.manifest())
    ]


def _stepped(tree: ast.Module) -> ast.Module:
    """The module with functions that are generators of the results of calls."""
    functions = Functions.of(tree)
    for function in (functions.forward, *functions.methods.values()):
        layers = set()
        for statement in statements_of(function):
            if isinstance(statement, ast.Assign) and functions.method_of(statement):
                layers.add(statement)
                statement.value = ast.YieldFrom(statement.value)
        body: list[ast.stmt] = []
        for statement in function.body:
            body.append(statement)
            if statement not in layers and (targets := targets_of(statement)):
                body.append(ast.Expr(ast.Yield(ast.Name(targets[0], ast.Load()))))
        # Makes it a generator even if there is no call.
        function.body = [*body[:-1], ast.parse("yield from ()").body[0], body[-1]]
    return ast.fix_missing_locations(tree)

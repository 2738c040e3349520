"""Executes the IR after each pass of a compilation."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt
from torch_mlir import ir

from forge_mlir.bisect.interpreter import Interpreter
from forge_mlir.codes import Code
from forge_mlir.compiler.lower import import_model
from forge_mlir.compiler.option_types.values import limits_of
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.stages.passes_apart import Pass as Pass
from forge_mlir.compiler.stages.passes_apart import Stage as Stage
from forge_mlir.compiler.stages.passes_apart import passes_of as passes_of
from forge_mlir.compiler.stages.passes_apart import staged as staged
from forge_mlir.errors import ForgeError
from forge_mlir.execute.device_module import Arrays
from forge_mlir.execute.onnx.nodes import OnnxNodes
from forge_mlir.execute.values.structured_values import as_declared, kind_of
from forge_mlir.importer import ImportedModel
from forge_mlir.support.progress import phase
from forge_mlir.verify import Comparison, compare, golden_outputs
from forge_mlir.verify.in_child import in_child
from forge_mlir.verify.inputs.random_inputs import inputs_of_import
from forge_mlir.verify.limits.sensitivity import unmoved_outputs


@dataclass(frozen=True)
class StageResult:
    """The comparison of the model's outputs after a pass with ONNX; `failure` is set if the IR could not be
    executed."""

    name: str
    outputs: tuple[Comparison, ...]
    failure: str = ""

    @property
    def passed(self) -> bool:
        return not self.failure and all(row.passed for row in self.outputs)

    def explain(self) -> str:
        wrong = [f"output {row.name!a}: {row.explain()}" for row in self.outputs if not row.passed]
        return self.failure or "; ".join(wrong)

    def json(self) -> dict[str, Any]:
        outputs = [row.json() for row in self.outputs]
        return {"pass": self.name, "passed": self.passed, "failure": self.failure, "outputs": outputs}


@dataclass(frozen=True)
class Bisection:
    """`stages` end with the first one with wrong results, `culprit`."""

    stages: tuple[StageResult, ...]

    @property
    def culprit(self) -> StageResult | None:
        return next((stage for stage in self.stages if not stage.passed), None)


def bisect(
    stages: Iterable[Stage], run: Callable[[ir.Module], Mapping[str, Any]], goldens: Mapping[str, npt.NDArray[Any]]
) -> Bisection:
    """Executes the stages in order until one is wrong: running all passes is faster than one run of a model."""
    results = []
    for stage in stages:
        results.append(_result(stage, run, goldens))
        if not results[-1].passed:
            break
    return Bisection(tuple(results))


def _result(
    stage: Stage, run: Callable[[ir.Module], Mapping[str, Any]], goldens: Mapping[str, npt.NDArray[Any]]
) -> StageResult:
    try:
        outputs = run(stage.module)
    except ForgeError as error:
        return StageResult(stage.name, (), error.message)
    rows = (compare(name, _like(value, goldens[name]), goldens[name]) for name, value in outputs.items())
    return StageResult(stage.name, tuple(rows))


@dataclass(frozen=True)
class Reference:
    """An imported model, inputs for it, and the expected results."""

    imported: ImportedModel
    given: Arrays
    expected: Mapping[str, npt.NDArray[Any]]
    interpreter: Interpreter

    def run(self, module: ir.Module) -> dict[str, Any]:
        """The outputs of a module that passes derived from the imported one."""
        return self.interpreter.run(module, self.given)


def result_of(name: str, module: ir.Module, reference: Reference) -> StageResult:
    """The results of `module`, compared with the reference; `name` names the stage."""
    return _result(Stage(name, module), reference.run, reference.expected)


@in_child
def bisect_model(
    model: str | os.PathLike[str],
    inputs: Mapping[str, npt.NDArray[Any]] | None = None,
    goldens: Mapping[str, npt.NDArray[Any]] | None = None,
    *,
    seed: int = 0,
    **options: Unpack[Options],
) -> Bisection:
    """Bisects the passes of the compilation of `model`. Inputs and goldens are as in `verify_model`. Raises ForgeError
    for a model that cannot be compiled, and for goldens of another model."""
    reference = reference_of(model, inputs, goldens, seed, options)
    return bisect(staged(reference.imported.module, passes_of(options)), reference.run, reference.expected)


def reference_of(
    model: str | os.PathLike[str],
    inputs: Mapping[str, npt.NDArray[Any]] | None,
    goldens: Mapping[str, npt.NDArray[Any]] | None,
    seed: int,
    options: Options,
) -> Reference:
    """The reference for a bisection. Raises ForgeError as `bisect_model` does; adds the shapes of inputs to
    `options`."""
    if inputs is None:
        inputs = options.get("sample_inputs")
    elif options.get("sample_inputs") is None:
        options["sample_inputs"] = inputs
    if options.get("quantization") == "float":
        reason = "--quantization=float computes another model than the one that bisect compares with; bisect it without"
        raise ForgeError(Code.PassOption, reason)
    if (narrow := options.get("float_format")) in ("bfloat16", "mixed"):
        reason = "rounds values, which bisect would take for errors; bisect it without, or with --exact"
        raise ForgeError(Code.PassOption, f"--float-format={narrow} {reason}")
    with phase("import"):
        imported = import_model(model, traced=True, **options)
    declared = [info._asdict() for info in imported.inputs]
    given: Arrays = inputs_of_import(imported, seed) if inputs is None else as_declared(inputs, declared)
    with phase("onnxruntime"):
        if options.get("extract_inputs") or options.get("extract_outputs"):
            names = [info.name for info in imported.outputs]
            found = unmoved_outputs(OnnxNodes.of(imported), given, names)
            expected: Mapping[str, Any] = {name: found.get(name, given.get(name)) for name in names}
        else:
            expected = golden_outputs(os.fspath(model), {**given, **(options.get("bind") or {})}, limits_of(options))
    for name, value in {**given, **expected}.items():
        if not isinstance(value, np.ndarray) or value.dtype.kind in "OUS":
            reason = f"value {name!a} is {kind_of(value)}; bisect runs modules with tensors of numbers only"
            raise ForgeError(Code.TypeNotHeld, reason)
    if goldens is not None:
        _check_goldens(goldens, expected)
    return Reference(imported, given, expected, interpreter_of(imported))


def _check_goldens(goldens: Mapping[str, npt.NDArray[Any]], computed: Mapping[str, npt.NDArray[Any]]) -> None:
    """Raises ForgeError unless `goldens` match the model: no pass would be at fault then."""
    if missing := [name for name in computed if name not in goldens]:
        raise ForgeError(Code.GoldenMissing, f"no golden for outputs {', '.join(map(ascii, missing))}")
    for name, value in computed.items():
        row = compare(name, np.asarray(value), np.asarray(goldens[name]))
        if not row.passed:
            raise ForgeError(
                Code.GoldensNotOfModel,
                f"the expected output {name!a} is not what ONNX computes for these inputs: {row.explain()}",
            )


def interpreter_of(imported: ImportedModel) -> Interpreter:
    """An interpreter for the modules of an imported model."""
    return Interpreter(imported.weights, OnnxNodes.of(imported) if imported.graph else None)


def _like(value: npt.NDArray[Any], golden: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Converts an output of a late stage to its ONNX type: there rank 0 is [1], and integers and booleans are Int32."""
    value = np.asarray(value)
    if value.shape == (1,) and golden.shape == ():
        value = value.reshape(())
    return value.astype(golden.dtype)

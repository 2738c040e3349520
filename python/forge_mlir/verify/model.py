"""`verify_model`: compile, run, compare, explain."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy.typing as npt

from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.compiler.option_values import limits_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import Diagnostic, ForgeError
from forge_mlir.execute.defaults import defaults_of
from forge_mlir.execute.run import run
from forge_mlir.execute.structured_values import as_declared
from forge_mlir.importer import ImportedModel
from forge_mlir.support.progress import phase
from forge_mlir.verify.amplification import amplified_outputs
from forge_mlir.verify.comparison import Comparison, compare_values
from forge_mlir.verify.goldens import golden_outputs
from forge_mlir.verify.inputs import random_inputs
from forge_mlir.verify.lockstep import Divergence, Lockstep, NodeReport
from forge_mlir.verify.module_steps import SteppedModel


@dataclass(frozen=True)
class Verification:
    """What was compared. `outputs` are empty when a node diverged before there were any; `skipped` are nodes that ONNX
    could not run by themselves, and why; `warnings` those of the compilation."""

    model: str
    nodes: tuple[NodeReport, ...]
    outputs: tuple[Comparison, ...]
    divergence: Divergence | None = None
    skipped: tuple[tuple[str, str], ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    quantized: tuple[Comparison, ...] = ()
    """With `quantization="float"`: how far the outputs are from those of the model as it rounds. No result is wrong for
    that."""
    amplified: frozenset[str] = frozenset()
    """Outputs farther off than the limit that are right all the same: every value of the module agrees with what ONNX
    makes of the module's own values before it, and the model itself makes much of the last bit (a rounding that goes
    the other way in a quantised model)."""

    @property
    def passed(self) -> bool:
        return self.divergence is None and all(row.passed or row.name in self.amplified for row in self.outputs)

    def verdict(self, row: Comparison) -> str:
        """Of one of `outputs`, in a word or two."""
        if row.passed:
            return "ok"
        return "by node" if row.name in self.amplified else "FAILED"

    def json(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "passed": self.passed,
            "nodes": [report.json() for report in self.nodes],
            "outputs": [{**row.json(), "by_node": row.name in self.amplified} for row in self.outputs],
            "first_divergence": self.divergence.json() if self.divergence else None,
            "quantized": [row.json() for row in self.quantized],
            "skipped": [{"node": node, "reason": reason} for node, reason in self.skipped],
        }


def verify_model(
    model: str | os.PathLike[str],
    inputs: Mapping[str, npt.NDArray[Any]] | None = None,
    goldens: Mapping[str, npt.NDArray[Any]] | None = None,
    *,
    name: str | None = None,
    seed: int = 0,
    **options: Unpack[Options],
) -> Verification:
    """Compiles `model`, runs it on the CPU reference and compares every value that the module holds with ONNX's.

    `inputs` are by ONNX name (else `sample_inputs`, else random, from `seed`), and fix open dims; `goldens` are the
    model's outputs (else those of onnxruntime on the file as it is). Raises ForgeError for a model that cannot be
    compiled or run; a wrong result is no error here.
    """
    if inputs is None:
        inputs = options.get("sample_inputs")
    elif options.get("sample_inputs") is None:
        options["sample_inputs"] = inputs
    with tempfile.TemporaryDirectory() as scratch:
        artifact, imported = compile_traced(model, scratch, name=name, **options)
        manifest = artifact.manifest()
        declared = manifest["onnx"]
        if inputs is None:
            given = random_inputs(manifest, seed, imported)
        else:
            given = {**defaults_of(manifest), **as_declared(inputs, declared["inputs"])}
        if goldens is not None:
            goldens = as_declared(goldens, declared["outputs"])
        return verify_artifact(model, artifact, imported, given, goldens, **options)


def verify_artifact(
    model: str | os.PathLike[str],
    artifact: Artifact,
    imported: ImportedModel | None,
    inputs: Mapping[str, npt.NDArray[Any]],
    goldens: Mapping[str, npt.NDArray[Any]] | None = None,
    **options: Unpack[Options],
) -> Verification:
    """`verify_model` for what `compile_traced` gave; without `imported` only outputs are compared."""
    label = ascii(os.fspath(model))[1:-1]

    def of_file(arrays: Mapping[str, npt.NDArray[Any]]) -> Mapping[str, Any]:
        return golden_outputs(os.fspath(model), {**arrays, **(options.get("bind") or {})}, limits_of(options))

    lockstep = Lockstep(imported, SteppedModel.open(artifact), inputs) if imported else None
    reports = tuple(lockstep.reports()) if lockstep else ()
    outputs = (lockstep.outputs or {}) if lockstep else run(artifact, inputs)
    divergence = lockstep.divergence if lockstep else None
    rows: list[Comparison] = []
    quantized: list[Comparison] = []
    amplified: frozenset[str] = frozenset()
    if divergence is None:
        extracted = bool(options.get("extract_inputs") or options.get("extract_outputs"))
        in_float = lockstep is not None and options.get("quantization") == "float"
        if goldens is not None:
            expected = goldens
        elif lockstep and extracted:
            expected = lockstep.goldens  # There is no file of the part that was extracted.
        else:
            with phase("onnxruntime"):
                expected = of_file(inputs)
        if lockstep and in_float:
            if not extracted:
                known = {name: value for name, value in outputs.items() if name in expected}
                quantized = compare_values(known, expected)
            expected = lockstep.goldens
        missing = [name for name in outputs if name not in expected]
        if missing:
            raise ForgeError(Code.GoldenMissing, f"no golden for outputs {', '.join(map(ascii, missing))}")
        rows = compare_values(outputs, expected)
        if goldens is None and lockstep and lockstep.corrects_onnxruntime:
            better = compare_values(outputs, lockstep.goldens)
            rows = [row if row.passed else other for row, other in zip(rows, better, strict=True)]
        if lockstep and not lockstep.skipped:
            rerun = of_file if goldens is None and expected is not lockstep.goldens else None
            amplified = amplified_outputs(rows, reports, lockstep.goldens, expected, inputs, rerun)
    skipped = tuple((node.name, reason) for node, reason in lockstep.skipped) if lockstep else ()
    return Verification(
        label, reports, tuple(rows), divergence, skipped, artifact.warnings, tuple(quantized), amplified
    )

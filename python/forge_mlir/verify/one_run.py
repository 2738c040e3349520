"""One run of a compiled model with one set of inputs, compared with ONNX."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from forge_mlir.artifact.reader import Artifact
from forge_mlir.codes import Code
from forge_mlir.compiler.option_types.values import limits_of
from forge_mlir.compiler.options import Options
from forge_mlir.errors import ForgeError, escaped
from forge_mlir.execute.run import run
from forge_mlir.importer import ImportedModel
from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.support.progress import phase
from forge_mlir.verify.comparison import OUTPUT_LIMITS, Comparison, Limits, compare_values
from forge_mlir.verify.float_formats import is_narrow, program_format
from forge_mlir.verify.in_child import in_child
from forge_mlir.verify.inputs.goldens import golden_outputs
from forge_mlir.verify.limits.not_finite import kinds_differ
from forge_mlir.verify.limits.sensitivity import measured, unmoved_outputs
from forge_mlir.verify.lockstep import Lockstep
from forge_mlir.verify.module_steps import SteppedModel
from forge_mlir.verify.verdict import Against, Verification, decide

Arrays = Mapping[str, npt.NDArray[Any]]

_UNITS_OF_EQUAL = 4
"""The units that an element of an equal program may be off by at a node that does not round: the program may round
there, such as by two factors whose product is 1."""


@in_child
def verify_artifact(
    model: str | os.PathLike[str],
    artifact: Artifact,
    imported: ImportedModel | None,
    inputs: Arrays,
    goldens: Arrays | None = None,
    *,
    of_file: Arrays | None = None,
    tolerance: float | None = None,
    is_equal: bool = False,
    **options: Unpack[Options],
) -> Verification:
    """One run of the result of `compile_traced`; without `imported` only outputs are compared. `of_file` are the
    outputs of the model's file, if known; `is_equal`: the exact check found the program equal to the model."""
    label = escaped(model)
    limits = OUTPUT_LIMITS if tolerance is None else Limits(tolerance, min(OUTPUT_LIMITS.pcc, 1 - tolerance / 10))
    if imported is None:
        expected, against = _expected(model, inputs, (goldens, of_file), None, options)
        rows = _rows(run(artifact, inputs), expected, limits)
        return Verification(label, (), rows, warnings=artifact.warnings, **decide(rows, against))
    program = program_format(options)
    lockstep = Lockstep(
        imported, SteppedModel.open(artifact), inputs, program, units=_UNITS_OF_EQUAL if is_equal else 1
    )
    reports = tuple(lockstep.reports())
    skipped = tuple((node.name, reason) for node, reason in lockstep.skipped)
    if lockstep.divergence is not None:
        verdict = decide((), "nodes", divergence=lockstep.divergence)
        if lockstep.stopped_in_subgraph:
            verdict |= {"verdict": "undecided", "reasons": (f"{lockstep.divergence.reason}; {_IN_SUBGRAPH}",)}
        return Verification(label, reports, (), lockstep.divergence, skipped, artifact.warnings, **verdict)
    outputs = lockstep.outputs or {}
    expected, against = _expected(model, inputs, (goldens, of_file), lockstep, options)
    rows = _rows(outputs, expected, limits)
    doubt = ""
    if against == "file":
        lockstep.settle_outputs(row.name for row in rows if not row.passed)
    is_suspected = lockstep.corrected or lockstep.deviates or lockstep.has_own_opsets
    if against == "file" and not all(row.passed for row in rows) and is_suspected:
        # If onnxruntime is wrong for the file, the nodes decide, provided that they are those of the file.
        by_nodes = _rows(outputs, lockstep.goldens, limits)
        if all(row.passed for row in by_nodes):
            if lockstep.has_own_opsets:
                rows, against, doubt = by_nodes, "nodes", _OTHER_OPSETS
            elif _are_of_file(lockstep, inputs, expected):
                rows, against = by_nodes, "nodes"
    if against == "file" and not all(row.passed for row in rows) and lockstep.nodes.rounds_once:
        # Only onnx.reference can run such a file, and it rounds every step of each op.
        by_nodes = _rows(outputs, lockstep.goldens, limits)
        rows = tuple(one if one.passed else row for row, one in zip(rows, by_nodes, strict=True))
        against = "nodes" if all(row.passed for row in rows) else against
    if against == "file" and not all(row.passed for row in rows) and lockstep.trusts_reference:
        # onnxruntime computes 16-bit nodes in float32 and does not round all results, so that some do not overflow.
        has_other_kinds = _has_other_kinds(outputs, expected)
        is_rounded = _has_sixteen_bits(outputs) and not _moves_as_far(lockstep, inputs, expected, rows)
        if has_other_kinds or is_rounded or lockstep.deviates:
            given = {**inputs, **(options.get("bind") or {})}
            reference, is_of = _by_reference(model, given, lockstep, options)
            by_reference = _rows(outputs, reference, limits)
            is_near = has_other_kinds and not _has_other_kinds(outputs, reference)
            is_right = all(row.passed for row in by_reference)
            if is_of == "file" and (is_near or is_right):
                # The reference may overflow in other steps, such as the squares of a norm.
                expected = reference if is_right else _by_kind(outputs, expected, reference)
                rows, doubt = _rows(outputs, expected, limits), "" if lockstep.deviates else _ANOTHER_ENGINE
    quantized: tuple[Comparison, ...] = ()
    if options.get("quantization") == "float":
        # A quantised model is not the standard for a program that does not round: the difference is shown but is not an
        # error.
        quantized = () if against == "nodes" else rows
        rows, expected, against = _rows(outputs, lockstep.goldens, limits), lockstep.goldens, "nodes"
    failed = [row for row in rows if not row.passed]
    narrow = program if is_narrow(program) else None
    movement: Mapping[str, float] = {}
    is_free = against != "outputs" or narrow is not None
    if failed and is_free and not lockstep.skipped:
        movement = measured(lockstep.nodes, inputs, lockstep.goldens, expected, failed, narrow, lockstep.ordered)
        if narrow is None:
            movement = {name: 0.0 if name in lockstep.misplaced else moved for name, moved in movement.items()}
    verdict = decide(
        rows,
        against,
        movement=movement,
        skipped=skipped,
        undecided=lockstep.undecided,
        narrow=narrow is not None,
        doubt=doubt,
        as_nodes_say=lockstep.as_nodes_say if narrow is None else (),
        unmoved=lockstep.unmoved if narrow is None else (),
        is_equal=is_equal,
        untested=is_free and not movement,
    )
    return Verification(
        label, reports, rows, None, skipped, artifact.warnings, quantized, movement=dict(movement), **verdict
    )


_IN_SUBGRAPH = "the CPU reference stops at this, also in a branch or an iteration that is not taken"

_OTHER_OPSETS = (
    "it has functions that are written for another opset, of which onnx.reference makes something else than their "
    "nodes say one by one, and onnxruntime takes them for the model's"
)


_ANOTHER_ENGINE = "onnxruntime and onnx.reference differ in the outputs, and the module agrees with onnx.reference"


def _has_other_kinds(outputs: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    """Whether an output has NaN or infinities at other elements than `expected`."""
    pairs = [(value, expected[name]) for name, value in outputs.items()]
    return any(isinstance(value, np.ndarray) and kinds_differ(value, np.asarray(golden)) for value, golden in pairs)


def _by_kind(outputs: Arrays, expected: Arrays, reference: Arrays) -> Arrays:
    """`expected`, with elements of `reference` where the output has NaN or an infinity and `expected` does not, or the
    other way round."""
    found = {}
    for name, golden in expected.items():
        value, other = np.asarray(outputs.get(name, golden)), np.asarray(reference[name])
        is_float = isinstance(golden, np.ndarray) and is_floating(golden.dtype)
        if is_float and value.shape == golden.shape == other.shape:
            differs = (np.isnan(value) != np.isnan(golden)) | (np.isinf(value) != np.isinf(golden))
            golden = np.where(differs, other, golden).astype(golden.dtype)
        found[name] = golden
    return found


def _has_sixteen_bits(outputs: Mapping[str, Any]) -> bool:
    return any(
        isinstance(value, np.ndarray) and is_floating(value.dtype) and value.dtype.itemsize == 2
        for value in outputs.values()
    )


def _moves_as_far(lockstep: Lockstep, inputs: Arrays, expected: Mapping[str, Any], rows: Sequence[Comparison]) -> bool:
    """Whether ONNX's own outputs move by rounding as far as those of the module are from onnxruntime's."""
    failed = [row for row in rows if not row.passed]
    moved = measured(lockstep.nodes, inputs, lockstep.goldens, expected, failed, None, lockstep.ordered)
    return bool(decide(rows, "file", movement=moved)["verdict"] == "right")


def _expected(
    model: str | os.PathLike[str],
    inputs: Arrays,
    known: tuple[Arrays | None, Arrays | None],
    lockstep: Lockstep | None,
    options: Options,
) -> tuple[Mapping[str, Any], Against]:
    """The values that outputs are compared with, and their origin. The nodes of the imported graph are used only if the
    file cannot be: if a part of the model was extracted, if it draws random numbers, or if no engine can run it. If
    onnxruntime interprets nodes in another opset, onnx.reference is used."""
    goldens, of_file = known
    if goldens is not None:
        return goldens, "outputs"
    extracted = bool(options.get("extract_inputs") or options.get("extract_outputs"))
    if lockstep is not None and (extracted or lockstep.drawn):
        return lockstep.goldens, "nodes"
    given = {**inputs, **(options.get("bind") or {})}
    if lockstep is not None and lockstep.has_own_opsets:
        return _by_reference(model, given, lockstep, options)
    if of_file is not None:
        return of_file, "file"
    with phase("onnxruntime"):
        try:
            return golden_outputs(os.fspath(model), given, limits_of(options)), "file"
        except ForgeError:
            if lockstep is None or not lockstep.corrected:
                raise
            return lockstep.goldens, "nodes"


def _by_reference(
    model: str | os.PathLike[str], given: Arrays, lockstep: Lockstep, options: Options
) -> tuple[Mapping[str, Any], Against]:
    if lockstep.trusts_reference:
        with phase("onnx.reference"), suppress(ForgeError):
            return golden_outputs(os.fspath(model), given, limits_of(options), ["onnx.reference"]), "file"
    return lockstep.goldens, "nodes"


def _are_of_file(lockstep: Lockstep, inputs: Arrays, of_file: Arrays) -> bool:
    """Whether onnxruntime gives the same results for the nodes of the imported graph as for the file, up to a fraction
    of the largest element: then the changes of the importer are right. onnx.reference runs the nodes that onnxruntime
    cannot run alone."""
    for nodes in (lockstep.nodes.on_onnxruntime(), lockstep.nodes):
        with suppress(ForgeError):
            found = unmoved_outputs(nodes, inputs, tuple(of_file))
            rows = compare_values(found, {name: of_file[name] for name in found})
            if all(row.passed or row.overall <= OUTPUT_LIMITS.relative for row in rows):
                return True
    return False


def _rows(outputs: Mapping[str, Any], expected: Mapping[str, Any], limits: Limits) -> tuple[Comparison, ...]:
    missing: Sequence[str] = [name for name in outputs if name not in expected]
    if missing:
        raise ForgeError(Code.GoldenMissing, f"no golden for outputs {', '.join(map(ascii, missing))}")
    return tuple(compare_values(outputs, expected, limits))

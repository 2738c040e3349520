"""Compares the result with two oracles, onnxruntime and onnx.reference, within a few units in the last place; a result
that neither oracle gives is a finding."""

from __future__ import annotations

import multiprocessing
import tempfile
import warnings
from collections.abc import Mapping
from dataclasses import replace
from multiprocessing.connection import Connection
from random import Random

import numpy as np
from onnx import ModelProto, version_converter

import forge_mlir
from forge_mlir.errors import ForgeError
from forge_mlir.execute.onnx.engines import OPENERS
from fuzz.coverage import schemas
from fuzz.operands import Array
from fuzz.oracles.compare import AGREES, REFUSED, STOPPED, UNDECIDED, Mismatch
from fuzz.oracles.known import is_known
from fuzz.oracles.ulps import Allowance, allowance, differs, spread_of, ulp
from fuzz.variants.steps import hints
from fuzz.variants.variant import Variant, is_float, nodes_in

Outputs = dict[str, Array]
INVALID, LARGE, DISAGREE = "invalid", "too large", "oracles differ"
_SECONDS = 20
_MOST_ELEMENTS = 1 << 20
_WIDE = tuple(map(np.dtype, (np.uint32, np.uint64, np.int64, np.float64)))
"""Types with numbers that the device's Int32 and Float32 cannot represent."""
_CONVERTED = 21
"""The opset to which onnx's converter upgrades older models: both oracles support it."""
_OF_CONVERTED = f"of opset {_CONVERTED}"
_OVERFLOW, _RANGE, _SHAPE, _PARTITION = "FM5012", "FM5003", "FM5002", "FM5004"


def judge(r: Random, variant: Variant) -> str:
    """The result of a variant. Raises Mismatch when the output is neither oracle's, and for everything else that must
    not happen.

    "invalid": no oracle runs the model, so that the compiler must only not crash. "stopped": the module refuses its
    inputs, which are numbers that the device's types cannot represent, sums that exceed Int32, or shapes that the model
    did not declare.
    """
    feeds, plain = variant.inputs(), variant.model()
    answers = _ask(plain, feeds)
    if any(value.size > _MOST_ELEMENTS for outputs in answers.values() for value in outputs.values()):
        return LARGE
    allowed = allowance(variant.nodes, [array.dtype for array in variant.arrays.values()])
    believed = {engine: outputs for engine, outputs in answers.items() if not is_known(engine, variant)}
    agreed = _agreed([*answers.values()])
    model = variant.judged = variant.model(*hints(r, agreed, variant)) if agreed else plain
    with tempfile.TemporaryDirectory() as scratch:
        try:
            artifact = forge_mlir.compile(model, scratch, fallback=r.choice(["error", "cpu"]))
        except ForgeError:
            return REFUSED if answers else INVALID
        try:
            ours = forge_mlir.run(artifact, feeds)
        except ForgeError as error:
            if answers and not _may_stop(error, variant, answers):
                raise Mismatch(f"compiles, and does not run: {error}") from error
            return STOPPED
    if not believed:
        return UNDECIDED if answers else INVALID
    reasons = [_differs(ours, outputs, allowed) for outputs in believed.values()]
    if not all(reasons):
        return AGREES
    if len(believed) == 2 and _differs(*believed.values(), allowed):
        return DISAGREE
    engine, outputs = next(iter(believed.items()))
    if _is_old(variant, believed) or _is_unsteady(variant, engine, ours, outputs, allowed):
        return UNDECIDED
    raise Mismatch(f"{' and '.join(believed)}: {reasons[0]}")


def _may_stop(error: ForgeError, variant: Variant, answers: Mapping[str, Outputs]) -> bool:
    """Whether the error is allowed for this variant: its numbers cannot be represented on the device, or the model
    declares wrong types.

    A CPU partition with an op version that no engine supports can be loaded and fails when it runs; and onnx.reference
    accepts operands that do not agree with the node's attributes, from which onnx infers the type of the result.
    """
    code = str(error.code)
    if code == _RANGE:
        return any(array.dtype in _WIDE for array in variant.arrays.values())
    if code in (_SHAPE, _PARTITION):
        old = all(_OF_CONVERTED in engine for engine in answers)
        return old or variant.wrong_hints or answers.keys() == {"onnx.reference"}
    return code == _OVERFLOW


def _agreed(answers: list[Outputs]) -> Outputs:
    """The results, if the types and shapes of the oracles agree."""
    kinds = {tuple((name, value.dtype.name, value.shape) for name, value in outputs.items()) for outputs in answers}
    return answers[0] if len(kinds) == 1 else {}


def _ask(model: ModelProto, feeds: Outputs) -> dict[str, Outputs]:
    """The results of the oracles, computed in a child process, which may crash or hang; then each oracle runs in its
    own process. A model that is too old for both is upgraded by onnx and run again."""
    for group in (("onnx.reference", "onnxruntime"),), (("onnx.reference",), ("onnxruntime",)):
        parts = [_apart(engines, model, feeds) for engines in group]
        if all(part is not None for part in parts):
            break
    return {engine: outputs for part in parts if part for engine, outputs in part.items()}


def _apart(engines: tuple[str, ...], model: ModelProto, feeds: Outputs) -> dict[str, Outputs] | None:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, engines, model, feeds), daemon=True)
    process.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(_SECONDS) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def _answer(pipe: Connection, engines: tuple[str, ...], model: ModelProto, feeds: Outputs) -> None:
    answers = {engine: outputs for engine in engines if (outputs := _outputs(engine, model, feeds))}
    if not answers and len(model.opset_import) == 1 and model.opset_import[0].version < _CONVERTED:
        try:
            converted = version_converter.convert_version(model, _CONVERTED)
        except Exception:  # The converter raises many exception types.
            pipe.send({})
            return
        for engine in engines:
            if outputs := _outputs(engine, converted, feeds):
                answers[f"{engine} {_OF_CONVERTED}"] = outputs
    pipe.send(answers)


def _outputs(engine: str, model: ModelProto, feeds: Outputs) -> Outputs | None:
    names = [value.name for value in model.graph.output]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            results = OPENERS[engine](model.SerializeToString(), True, 1)(feeds)  # type: ignore[index]
    except Exception:  # Oracles raise any exception.
        return None
    outputs = dict(zip(names, map(np.asarray, results), strict=True))
    return outputs if all(value.dtype.kind not in "OSUTc" for value in outputs.values()) else None


def _differs(got: Mapping[str, Array], expected: Mapping[str, Array], allowed: Allowance) -> str:
    """The name and the difference of the first output that differs, or ""."""
    for name, value in expected.items():
        if name not in got:
            return f"output {name} is missing"
        if reason := differs(got[name], value, allowed):
            return f"output {name}: {reason}"
    return ""


def _is_old(variant: Variant, believed: Mapping[str, Outputs]) -> bool:
    """Whether onnx.reference is the only oracle, for a version of an op that is not the newest: it implements the
    newest version of most ops."""
    if believed.keys() != {"onnx.reference"}:
        return False
    for node in nodes_in(variant.nodes):
        versions = schemas().get((node.domain, node.op_type), {})
        if not node.domain and any(variant.opset < since for since in versions):
            return True
    return False


def _is_unsteady(variant: Variant, engine: str, ours: Outputs, expected: Outputs, allowed: Allowance) -> bool:
    """Whether the oracle's own result changes by as much as the difference, when the float inputs are changed in their
    last bits.

    An example is the norm of a sum that cancels: it is 0 / 0 in one order of summation and 1 in another. Results of ops
    that only move numbers must be equal.
    """
    if allowed.is_exact():
        return False
    generator = np.random.default_rng(0)
    moved = []
    for _ in range(3):
        arrays = {name: _moved(generator, array) for name, array in variant.arrays.items()}
        other = replace(variant, arrays=arrays)
        answer = (_apart((engine.split()[0],), other.model(), other.inputs()) or {}).get(engine)
        if answer is None:
            return True
        moved.append(answer)
    return not any(
        differs(ours[name], value, allowed, spread_of(value, [answer[name] for answer in moved]))
        for name, value in expected.items()
    )


def _moved(generator: np.random.Generator, array: Array) -> Array:
    if not is_float(array.dtype) or array.dtype.itemsize == 1:
        return array
    with np.errstate(all="ignore"):
        factor = 1 + 2 * ulp(array.dtype) * generator.uniform(-1, 1, array.shape)
        return np.asarray(array.astype(np.float64) * factor).astype(array.dtype)

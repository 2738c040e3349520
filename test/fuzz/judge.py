"""Our result beside those of two oracles, onnxruntime and onnx.reference, to the last bits: a finding is what neither
explains."""

from __future__ import annotations

import multiprocessing
import tempfile
import warnings
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from random import Random

import numpy as np
from onnx import ModelProto
from onnx.reference import ReferenceEvaluator

import forge_mlir
from forge_mlir.errors import ForgeError
from forge_mlir.support.known_deviations import deviations_of
from fuzz.compare import AGREES, REFUSED, UNDECIDED, Mismatch, is_ill_conditioned, session
from fuzz.graphs import Sample
from fuzz.operands import Array
from fuzz.variants import Variant, info, ulps

Outputs = dict[str, Array]
INVALID, STOPPED = "invalid", "stopped"
_SECONDS = 20
_ULPS = 8
_ULPS_OF_SUMS = 256
"""Of the largest result: what sums in another order may differ by. Results of one element each have no such sum."""


def judge(r: Random, variant: Variant) -> str:
    """How a variant ends. Raises Mismatch when our result is neither oracle's, and whatever else must not happen.

    "invalid" when no oracle runs it: all that counts then is that we do not crash. "stopped" when the module refuses
    its inputs, such as sums beyond Int32 (FM6007).
    """
    feeds = variant.inputs()
    plain = variant.model()
    reference, runtime = _apart(_by_reference, plain, feeds), _apart(_by_onnxruntime, plain, feeds)
    believed = [outputs for outputs in (reference, runtime) if outputs is not None]
    model = variant.model(_hints(r, variant, believed[0]) if believed else None)
    with tempfile.TemporaryDirectory() as scratch:
        try:
            artifact = forge_mlir.compile(model, scratch, fallback=r.choice(["error", "cpu"]))
        except ForgeError:
            return REFUSED if believed else INVALID
        try:
            ours = forge_mlir.run(artifact, feeds)
        except ForgeError as error:
            if believed and str(error.code) != "FM6007":
                raise Mismatch(f"compiles, and does not run: {error}") from error
            return STOPPED
    if not believed:
        return INVALID
    reasons = [_differs(ours, outputs) for outputs in believed]
    if not all(reasons):
        return AGREES
    if len(believed) == 2 and _differs(*believed):
        return "oracles differ"
    if _is_known(variant, reference is None) or _is_unsteady(model, feeds, believed[0]):
        return UNDECIDED
    raise Mismatch(reasons[0])


def _hints(r: Random, variant: Variant, outputs: Outputs) -> list:
    """What the model says of its outputs: the truth, or other shapes."""
    infos = [info(name, array) for name, array in outputs.items()]
    if variant.wrong_hints:
        for value in infos:
            shape = value.type.tensor_type.shape
            for dim in shape.dim:
                dim.dim_value = r.choice([dim.dim_value, 0, 1, 3, -1])
            if r.random() < 0.3:
                shape.dim.add(dim_value=1)
    return infos


def _apart(oracle: Callable[[ModelProto, Outputs], Outputs], model: ModelProto, feeds: Outputs) -> Outputs | None:
    """What an oracle gives in a process of its own, which may die or hang; None where it gives nothing."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, oracle, model, feeds), daemon=True)
    process.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(_SECONDS) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def _answer(
    pipe: Connection, oracle: Callable[[ModelProto, Outputs], Outputs], model: ModelProto, feeds: Outputs
) -> None:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            outputs = oracle(model, feeds)
        plain = all(isinstance(value, np.ndarray) and value.dtype.kind not in "OSU" for value in outputs.values())
        pipe.send(outputs if plain else None)
    except Exception:  # oracles raise what they like
        pipe.send(None)


def _by_reference(model: ModelProto, feeds: Outputs) -> Outputs:
    evaluator = ReferenceEvaluator(model)
    results = evaluator.run(None, feeds)
    return {name: np.asarray(value) for name, value in zip(evaluator.output_names, results, strict=True)}


def _by_onnxruntime(model: ModelProto, feeds: Outputs) -> Outputs:
    names = [value.name for value in model.graph.output]
    return dict(zip(names, session(model).run(names, feeds), strict=True))


def _differs(got: Mapping[str, Array], expected: Mapping[str, Array]) -> str:
    """The first output that is another one, and how; "" when there is none."""
    for name, value in expected.items():
        if name not in got:
            return f"output {name} is missing"
        if reason := differs_in_ulps(got[name], value):
            return f"output {name}: {reason}"
    return ""


def differs_in_ulps(got: Array, expected: Array) -> str:
    """Why `got` is not `expected`; "" where each element is within a few units in the last place of its dtype, or
    within more of those of the largest element."""
    got, expected = np.asarray(got), np.asarray(expected)
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return f"{got.dtype}{list(got.shape)} in place of {expected.dtype}{list(expected.shape)}"
    if got.dtype.kind in "iub":
        wrong, away = got != expected, ""
    else:
        unit = ulps(got.dtype)
        a, b = got.astype(np.float64), expected.astype(np.float64)
        largest = np.abs(b[np.isfinite(b)]).max(initial=0)
        with np.errstate(all="ignore"):
            distance = np.abs(a - b)
            allowed = np.maximum(_ULPS * unit * np.abs(b), _ULPS_OF_SUMS * unit * (largest if b.size > 1 else 0.0))
            wrong = ~((distance <= allowed) | (a == b) | (np.isnan(a) & np.isnan(b)))
            away = f", {np.nanmax(distance[wrong] / unit, initial=0):.3g} ulps of 1" if wrong.any() else ""
    if not wrong.any():
        return ""
    at = tuple(np.argwhere(wrong)[0].tolist())
    return f"{got[at]!r} in place of {expected[at]!r} at {list(at)}, {int(wrong.sum())} of {wrong.size} elements{away}"


def _is_known(variant: Variant, without_reference: bool) -> bool:
    """Whether the only oracle that gave something is known to be off, or is asked about an op of an older opset."""
    engine = "onnxruntime" if without_reference else "onnx.reference"
    return any(deviations_of(engine, node, variant.opset) for node in variant.nodes)


def _is_unsteady(model: ModelProto, feeds: Outputs, expected: Outputs) -> bool:
    try:
        sample = Sample(model, feeds, expected)
        return any(is_ill_conditioned(sample, name) for name in expected)
    except Exception:  # the reference cannot say
        return False

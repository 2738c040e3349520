"""Compares four implementations on a random model: onnx.reference, onnxruntime, the compiled module on the CPU
reference, and the compiled module with partitions on the CPU."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from functools import cache

import numpy as np
import onnx
import onnx.reference
import onnxruntime
from onnx import ModelProto, helper, numpy_helper

import forge_mlir
from forge_mlir.errors import ForgeError
from forge_mlir.execute.onnx.corrected_ops import corrected_ops
from forge_mlir.onnx_model.opsets import since_version
from forge_mlir.support.known_deviations import deviations_of
from fuzz.graphs import Sample
from fuzz.operands import Array
from fuzz.oracles.ulps import Allowance, allowance, differs, spread_of

AGREES, REFUSED, UNDECIDED, STOPPED = "agrees", "refused", "undecided", "stopped"
"""The results of a comparison. "stopped": an integer exceeds Int32 while the module runs, which the module reports
(FM5012)."""
# onnxruntime does not have the op, type or opset; the model may be correct.
_LACKS = re.compile("NOT_IMPLEMENTED|model_load_utils")


class Mismatch(AssertionError):
    """The result of the compiled module is not that of an oracle."""


@dataclass(frozen=True)
class Result:
    """The result of a comparison; `reason` says why nothing was compared."""

    status: str
    reason: str = ""


def compare(sample: Sample, *, fallback: bool = False) -> Result:
    """Compiles and runs a sample. Raises Mismatch when the result differs from both other implementations, or from the
    only one."""
    peer, reason = _onnxruntime(sample)
    if peer is None and not (_LACKS.search(reason) and _is_newest(sample.model)):
        return Result(UNDECIDED, reason)
    allowed = allowance(sample.model.graph.node)
    if peer is not None and any(differs(peer[name], value, allowed) for name, value in sample.expected.items()):
        return Result(UNDECIDED, "onnxruntime and onnx.reference differ")
    with tempfile.TemporaryDirectory() as scratch:
        try:
            artifact = forge_mlir.compile(sample.model, scratch, fallback="cpu" if fallback else "error")
        except ForgeError as error:
            return Result(REFUSED, "\n".join(map(str, (error.message, *error.diagnostics))))
        try:
            ours = forge_mlir.run(artifact, sample.inputs)
        except ForgeError as error:
            if str(error.code) != "FM5012":
                raise
            return Result(STOPPED, error.message)
    for name, value in sample.expected.items():
        if reason := differs(ours[name], value, allowed):
            if is_ill_conditioned(sample, name, ours[name], allowed):
                return Result(UNDECIDED, f"output {name} turns on the rounding of the inputs")
            raise Mismatch(f"output {name}: {reason}")
    return Result(AGREES)


def is_ill_conditioned(sample: Sample, name: str, ours: Array, allowed: Allowance) -> bool:
    """Whether onnx.reference's own result changes by as much as the difference, when inputs and results of nodes are
    changed in their last bits.

    An example is the norm of a sum that cancels: it is 0 / 0 in one order of summation and 1 in another. Another is a
    cosine near a zero.
    """
    generator = np.random.default_rng(0)
    results = []
    for _ in range(4):
        moved = {
            key: (value * _last_bits(value, generator)).astype(value.dtype) for key, value in sample.inputs.items()
        }
        with np.errstate(all="ignore"):
            evaluator = onnx.reference.ReferenceEvaluator(_with_last_bits(sample, generator), new_ops=corrected_ops())
            results.append(dict(zip(evaluator.output_names, evaluator.run(None, moved), strict=True)))
    spread = spread_of(sample.expected[name], [np.asarray(result[name]) for result in results])
    return not differs(ours, sample.expected[name], allowed, spread)


def _last_bits(value: Array, generator: np.random.Generator) -> Array:
    """Random factors that change the elements of a float tensor by up to a millionth, or by two units in the last place
    of a less exact type; 1 for other types."""
    if value.dtype.kind != "f":
        return np.ones((), value.dtype)
    most = max(1e-6, 2 * float(np.finfo(value.dtype).eps))
    return np.asarray(1 + most * generator.uniform(-1, 1, value.shape)).astype(value.dtype)


def _with_last_bits(sample: Sample, generator: np.random.Generator) -> ModelProto:
    """The model with such a factor after each node."""
    watched = ModelProto.FromString(sample.model.SerializeToString())
    names = [name for node in watched.graph.node for name in node.output if name]
    del watched.graph.output[:]
    watched.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    with np.errstate(all="ignore"):
        values = onnx.reference.ReferenceEvaluator(watched, new_ops=corrected_ops()).run(None, sample.inputs)
    floats = {
        name: value
        for name, value in zip(names, values, strict=True)
        if isinstance(value, np.ndarray) and value.dtype.kind == "f"
    }
    moved = ModelProto.FromString(sample.model.SerializeToString())
    nodes = list(moved.graph.node)
    del moved.graph.node[:]
    for node in nodes:
        outputs = list(node.output)
        node.output[:] = [f"{name}/exact" if name in floats else name for name in outputs]
        moved.graph.node.append(node)
        for name in (name for name in outputs if name in floats):
            factor = numpy_helper.from_array(_last_bits(floats[name], generator), f"{name}/factor")
            moved.graph.initializer.append(factor)
            moved.graph.node.append(helper.make_node("Mul", [f"{name}/exact", factor.name], [name]))
    return moved


def _is_newest(model: ModelProto) -> bool:
    """Whether onnx.reference alone is a sufficient oracle: it implements the newest version of each op."""
    opset = model.opset_import[0].version
    believed = not any(deviations_of("onnx.reference", node, opset) for node in model.graph.node)
    return believed and _are_same_versions(model, onnx.defs.onnx_opset_version())


def _are_same_versions(model: ModelProto, opset: int) -> bool:
    """Whether the ops of `model` have the same versions in `opset`."""
    own = model.opset_import[0].version
    return all(
        since_version(node.op_type, own, "") == since_version(node.op_type, opset, "") for node in model.graph.node
    )


def session(model: ModelProto) -> onnxruntime.InferenceSession:
    """A session of onnxruntime for `model` without graph optimisations."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


@cache
def _newest_of_onnxruntime() -> int:
    """The newest opset that onnxruntime supports."""
    value = onnx.helper.make_tensor_value_info("x", 1, [1])
    graph = onnx.helper.make_graph([onnx.helper.make_node("Identity", ["x"], ["y"])], "g", [value], [])
    graph.output.add(name="y")
    for opset in range(onnx.defs.onnx_opset_version(), 1, -1):
        try:
            session(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=10))
        except Exception:  # onnxruntime raises many exception types of its own.
            continue
        return opset
    raise AssertionError("onnxruntime reads no model")


def _onnxruntime(sample: Sample) -> tuple[dict[str, Array] | None, str]:
    """The results of onnxruntime, or the reason why there are none."""
    model = ModelProto()
    model.CopyFrom(sample.model)
    newest = _newest_of_onnxruntime()
    if model.opset_import[0].version > newest and _are_same_versions(model, newest):
        model.opset_import[0].version = newest
    try:
        made = session(model)
        return dict(zip(sample.expected, made.run(list(sample.expected), sample.inputs), strict=True)), ""
    except Exception as error:  # onnxruntime raises many exception types of its own.
        return None, str(error)

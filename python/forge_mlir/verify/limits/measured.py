"""Limits of ops that move elements, and of ops without a rule: for interpolations from neighbouring elements, for
others by running the node with changed operands."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from onnx import NodeProto

from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.verify.comparison import epsilon
from forge_mlir.verify.limits.op_classes import LINEAR, QUANTISE, RECURRENT

if TYPE_CHECKING:
    from forge_mlir.verify.limits.bounds import Case

Array = npt.NDArray[np.float64]

_UNITS, _SIGNS = 16, 8
"""For linear ops: the limit in units of the largest term, and the number of random signs."""
_REACH = 3
"""The elements on either side that an interpolation may read: two for cubic, and one for differences between modes."""
_QUANTA = 6
"""The number of runs with moved operands."""


def measured_bounds(case: Case) -> dict[str, Array]:
    """The errors that results may have; empty for ops about which nothing is known. Raises what running the node
    raises."""
    if case.node.op_type in QUANTISE:
        return _moved(case, QUANTISE[case.node.op_type])
    if case.node.op_type in RECURRENT:
        return _moved(case, RECURRENT[case.node.op_type])
    if case.node.op_type in ("Resize", "Upsample"):
        return _by_neighbours(case)
    return _terms_by_signs(case) if case.node.op_type in LINEAR else {}


def carried_errors(case: Case) -> dict[str, Array]:
    """The errors of the results of an op that moves elements: errors move like their elements. Raises what running the
    node raises."""
    widths = {
        name: np.broadcast_to(case.error(at), np.shape(value)).astype(np.float64)
        for at, name in enumerate(case.node.input)
        if isinstance(value := case.values.get(name), np.ndarray)
        and (is_floating(value.dtype) or np.any(case.error(at)))
    }
    if any(np.isinf(width).any() for width in widths.values()):
        widths = {name: np.minimum(width, 1e300) for name, width in widths.items()}
    node = NodeProto()
    node.CopyFrom(case.node)
    for attribute in node.attribute:
        if attribute.name == "value":  # The number with which a Pad before opset 11 pads has no error.
            attribute.f = 0.0
        elif attribute.name == "reduction" and attribute.s == b"min":
            attribute.s = b"max"  # The smaller of two numbers may have the larger of their errors.
    moved = case.wide(node, {**case.values, **widths})
    first = case.node.output[0]
    found = {name: np.abs(np.asarray(value, np.float64)) for name, value in moved.items() if name == first}
    if case.node.op_type == "Split":
        found = {name: np.abs(np.asarray(value, np.float64)) for name, value in moved.items()}
    found.update((name, np.asarray(np.inf)) for name in case.node.output if name and name not in found)
    return found


def _by_neighbours(case: Case) -> dict[str, Array]:
    """Interpolation: onnxruntime and onnx.reference round coordinates in float32, relative to their magnitude. Each
    weight, including one of almost zero, may be off by about as much."""
    (name, value), *_ = case.results.items()
    near = np.abs(np.asarray(case.operand(0)).astype(np.float64))
    if not is_floating(value.dtype) or near.ndim != value.ndim or case.attribute("mode", b"nearest") == b"nearest":
        return {}
    near, ordinal = np.where(np.isfinite(near), near, 0.0), np.zeros(())
    crops = case.attribute("coordinate_transformation_mode", b"") == b"tf_crop_and_resize"
    for axis, (given, made) in enumerate(zip(near.shape, value.shape, strict=True)):
        if given == made and not crops:
            continue
        at = np.minimum((np.arange(made) + 0.5) * given / max(made, 1), given - 1).astype(int)
        reach = given if crops else int(np.ceil(_REACH * max(1.0, given / max(made, 1))))
        within = (near.take(np.clip(at + by, 0, given - 1), axis) for by in range(-reach, reach + 1))
        near = functools.reduce(np.maximum, within)
        ordinal = np.maximum(ordinal, at.reshape([-1, *[1] * (near.ndim - axis - 1)]))
    return {name: epsilon(value.dtype) * (_UNITS + ordinal) * near}


def _terms_by_signs(case: Case) -> dict[str, Array]:
    """The approximate magnitude of the terms of each element for an op that is linear in its first operand: the maximum
    of results for random signs of that operand's elements. The result itself does not show terms that cancel, or a
    large term with a small weight among small ones."""
    random, operand = np.random.default_rng(0), case.operand(0)
    found: dict[str, Array] = {}
    if not is_floating(operand.dtype):
        return found
    for _ in range(_SIGNS):
        signs = random.choice([-1, 1], operand.shape).astype(operand.dtype)
        for name, value in case.own_types(case.node, {**case.values, case.node.input[0]: operand * signs}).items():
            size = np.nan_to_num(np.abs(value.astype(np.float64)), nan=0.0, posinf=0.0)
            found[name] = np.maximum(found.get(name, 0.0), _UNITS * epsilon(value.dtype) * size)
    return found


def _moved(case: Case, operands: tuple[int, ...]) -> dict[str, Array]:
    """For an op that rounds intermediate results, which later steps may amplify: how much the rows of its results
    change when `operands` change by their rounding. If it rounds to integers, this may move a number across a
    midpoint."""
    random, kept = np.random.default_rng(0), case.own_types(case.node, case.values)
    found: dict[str, Array] = {}
    for _ in range(_QUANTA):
        moved = dict(case.values)
        for at in operands:
            if (operand := case.operand(at)) is not None:
                units = 2 * epsilon(operand.dtype) * random.uniform(-1, 1, operand.shape)
                moved[case.node.input[at]] = (operand * (1 + units)).astype(operand.dtype)
        for name, value in case.own_types(case.node, moved).items():
            apart = np.nan_to_num(np.abs(value.astype(np.float64) - np.asarray(kept[name]).astype(np.float64)))
            most = np.asarray(apart.max(axis=-1, keepdims=True, initial=0.0) if apart.ndim else apart)
            found[name] = np.maximum(found.get(name, 0.0), most)
    return found

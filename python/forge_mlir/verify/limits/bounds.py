"""Bounds on the distance of a valid result from the exact one: a limit for each element, by the class of the op.

Limits are first order in the rounding of float32 (or of the result's own type). They consist of the rounding of the op
itself, computed from the magnitudes of the element's own terms, and of the effect of errors of its operands (N. Higham,
Accuracy and Stability of Numerical Algorithms, 2nd edition, chapters 3 and 4). Terms of sums are assumed to be
independent, and sums to be blocked: the allowed error is a few units of the sum and of the root of the sum of squares
of its terms, instead of the sum of their magnitudes, which is far from what occurs in practice. If a difference exceeds
that, the partial sums of the terms are computed, which are larger if the terms are similar
(`verify.limits.partial_sums`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import NodeProto, TensorProto, helper

from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.verify.comparison import epsilon, row_scale, smallest
from forge_mlir.verify.limits.measured import carried_errors, measured_bounds
from forge_mlir.verify.limits.op_classes import (
    COMPARES,
    MOVES,
    OFFSETS,
    ROUNDED,
    ROWS,
    SCATTERS,
    SUMS,
)
from forge_mlir.verify.limits.partial_sums import (
    FUSED,
    REDUCTIONS,
    contracted_axes,
    partial_sum_bound,
    reduction_bound,
)
from forge_mlir.verify.limits.remainders import remainder_bound
from forge_mlir.verify.limits.row_bounds import axes_of, row_bound, statistics_bounds

Array = npt.NDArray[np.float64]
Values = Mapping[str, Any]
Evaluate = Callable[[NodeProto, Values], Mapping[str, Any]]

_ROW_UNITS, _NARROW_UNITS = 64, 16
"""The limits for ops without a rule, in units of the magnitude of the row: in float32, and in 16 bits."""
_STEPS = 4
"""The limit for such ops that compute in a narrower type, in units of that type."""
_CARRIED = 3
"""The limit of a sum's error from its operands' errors, as a multiple of the root of the sum of their squares."""
_SAMPLES = 3
_SIXTEEN_BITS = (TensorProto.FLOAT16, TensorProto.BFLOAT16)
_RANGE = 2.0**120
"""The ratio of products above which the smaller ones are lost in float32."""


@dataclass(frozen=True)
class Case:
    """A node that was executed: its operands and results, and the possible error of each operand (0 if absent).

    `own_types` runs a node in the types of its operands, `wide` with floats in float64; both by name.
    """

    node: NodeProto
    opset: int
    values: Values
    errors: Mapping[str, Array]
    results: Values
    own_types: Evaluate
    wide: Evaluate
    orders: bool = False
    """Whether the limit of long sums is computed from partial sums, which needs several runs of the node."""

    def operand(self, at: int) -> Any:
        """Operand `at`, or None if it is absent."""
        names = self.node.input
        return self.values.get(names[at]) if at < len(names) and names[at] else None

    def error(self, at: int) -> Array:
        """The possible error of operand `at`."""
        names = self.node.input
        return self.errors.get(names[at], np.zeros(())) if at < len(names) and names[at] else np.zeros(())

    def attribute(self, name: str, default: Any) -> Any:
        """The value of an attribute."""
        found = next((each for each in self.node.attribute if each.name == name), None)
        return default if found is None else helper.get_attribute_value(found)

    @property
    def inner_epsilon(self) -> float:
        """The unit of the 16-bit type in which a softmax or the statistics of a norm are computed; 0 for others."""
        code = self.attribute("softmax_precision", 0) or self.attribute("stash_type", 0)
        return epsilon(np.dtype(helper.tensor_dtype_to_np_dtype(code))) if code in _SIXTEEN_BITS else 0.0


def _with_separate_operands(case: Case) -> Case:
    """The case with another name for each operand, so that the two factors of MatMul(x, x) differ one at a time."""
    node = NodeProto()
    node.CopyFrom(case.node)
    values, errors = dict(case.values), dict(case.errors)
    for at, name in enumerate(case.node.input):
        if name in values and name in case.node.input[:at]:
            node.input[at] = f"{name} (operand {at})"
            values[node.input[at]] = values[name]
            if name in errors:
                errors[node.input[at]] = errors[name]
    return replace(case, node=node, values=values, errors=errors)


def bounds_of(case: Case) -> dict[str, Array]:
    """The absolute error that each result may have, which broadcasts to the result; also for integers whose operands
    are not exact. Raises what the evaluations raise."""
    results = {
        name: value for name, value in case.results.items() if isinstance(value, np.ndarray) and value.dtype.kind != "O"
    }
    inexact = any(np.any(error) for error in (case.error(at) for at in range(len(case.node.input))))
    op = case.node.op_type
    found: dict[str, Array] = {}
    with np.errstate(all="ignore"):
        if op in SCATTERS and case.attribute("reduction", b"none") in (b"add", b"mul"):
            found = (
                _scattered(case, results)
                if case.attribute("reduction", b"") == b"add"
                else _of_rows(case, results, inexact)
            )
        elif op in MOVES:
            found = carried_errors(case) if inexact else {}
        elif op in COMPARES or op in ROUNDED:
            found = _element_by_element(case, results, inexact)
        elif op in SUMS:
            found = {name: _sum(case, np.asarray(value, np.float64)) for name, value in list(results.items())[:1]}
        elif op in ROWS and (bound := row_bound(case)) is not None:
            found = {**dict.fromkeys(list(results)[:1], bound), **statistics_bounds(case)}
        else:
            found = _of_rows(case, results, inexact)
        return {name: _finished(found.get(name, np.zeros(())), value) for name, value in results.items()}


def _finished(bound: Array, value: Any) -> Array:
    """Adds the rounding of float64 to Float32 on the device, and that of denormal numbers. NaN bounds come from
    infinities, about which nothing is known."""
    bound = np.where(np.isnan(bound), 0.0, bound)
    if is_floating(value.dtype):
        bound = np.where(bound > 0, np.maximum(bound, smallest(value.dtype)), bound)
    if value.dtype == np.float64:
        bound = np.maximum(bound, epsilon(value.dtype) * np.abs(np.where(np.isfinite(value), value, 0.0)))
    return np.asarray(bound)


def _scattered(case: Case, results: Values) -> dict[str, Array]:
    """A scatter that adds: each element is a sum in some order. Its error is at most two roundings of the sum of
    magnitudes, times the root of the number of terms (N. Higham and T. Mary, A new approach to probabilistic rounding
    error analysis, 2019, theorem 2.4, with lambda 2), plus the errors of the terms."""
    (name, value), *_ = results.items()
    if not is_floating(value.dtype):
        return {name: np.zeros(())}
    data, updates = case.node.input[0], case.node.input[2]

    def summed(first: Any, others: Any) -> Array:
        parts = {
            data: np.broadcast_to(first, np.shape(case.operand(0))).astype(np.float64),
            updates: np.broadcast_to(others, np.shape(case.operand(2))).astype(np.float64),
        }
        return np.asarray(case.wide(case.node, {**case.values, **parts})[name]).astype(np.float64)

    sizes = [np.abs(np.nan_to_num(np.asarray(case.operand(at)).astype(np.float64))) for at in (0, 2)]
    rounded = epsilon(value.dtype) * np.sqrt(summed(1.0, 1.0)) * summed(*sizes)
    # Elements to which nothing is added are not rounded.
    bound = np.where(summed(0.0, 1.0) > 0, rounded, 0.0)
    return {name: bound + summed(*(np.minimum(case.error(at), 1e300) for at in (0, 2)))}


def _element_by_element(case: Case, results: Values, inexact: bool) -> dict[str, Array]:
    (name, value), *_ = results.items()
    node = case.node
    bound: Array = np.zeros(())
    if inexact and node.op_type == "Mod" and is_floating(value.dtype):
        bound = remainder_bound(case, value)
    elif inexact:
        exact = np.asarray(case.wide(node, case.values)[name]).astype(np.float64)
        for at, operand in enumerate(node.input):
            error = case.error(at)
            if not np.any(error):
                continue
            sides = []
            for sign in (-1.0, 1.0):
                shifted = np.asarray(case.values[operand]).astype(np.float64) + sign * error
                if np.asarray(case.values[operand]).dtype.kind == "b":
                    shifted = np.clip(np.rint(shifted), 0, 1).astype(bool)
                moved = case.wide(node, {**case.values, operand: shifted})
                sides.append(np.abs(np.asarray(moved[name]).astype(np.float64) - exact))
            bound = bound + np.nan_to_num(np.maximum(*sides), nan=np.inf, posinf=np.inf)
    if is_floating(value.dtype):
        wide = np.abs(value.astype(np.float64))
        wide = np.where(np.isfinite(wide), wide, 0.0)
        unit = epsilon(value.dtype)
        bound = bound + ROUNDED.get(node.op_type, 0) * unit * wide
        if node.op_type in OFFSETS:
            bound = bound + ROUNDED[node.op_type] * unit * _offset(case, wide)
    return {name: bound}


def _offset(case: Case, result: Array) -> Array:
    """Offsets that are added to intermediate results, or powers of them."""
    kind, operand = OFFSETS[case.node.op_type], np.abs(np.asarray(case.operand(0), np.float64))
    if kind == "one":
        return np.ones(())
    if kind == "operand":
        return np.where(np.isfinite(operand), operand, 0.0)
    power = np.abs(np.asarray(case.operand(1), np.float64) * np.log(np.maximum(operand, 1e-300)))
    return np.asarray(np.where(np.isfinite(power), power, 0.0) * result)


def _sum(case: Case, result: Array) -> Array:
    """A sum of products: from the squares of its terms, and from its operands' errors times the other operands."""
    case = _with_separate_operands(case)
    node = case.node
    value = next(iter(case.results.values()))
    floats = [
        at for at in range(len(node.input))
        if isinstance(case.operand(at), np.ndarray) and is_floating(case.operand(at).dtype)
    ]  # fmt: skip
    if not floats:
        return np.zeros(())
    magnitudes = {node.input[at]: np.abs(case.operand(at).astype(np.float64)) for at in floats}
    finite = {name: np.where(np.isfinite(each), each, 0.0) for name, each in magnitudes.items()}
    squares = _linear(case, {name: each**2 for name, each in finite.items()}, squared=True)
    count = terms_of(case, result)
    narrow, single = epsilon(value.dtype), epsilon(np.dtype(np.float32))
    size = np.where(np.isfinite(result), np.abs(result), 0.0)
    steps = np.log2(max(count, 2))
    bound = narrow * 2 * size + single * ((1 + steps / 2) * size + (1 + steps / 2) * np.sqrt(squares))
    if _is_of_a_vector(case):
        # Libraries add these term by term, not by blocks: rounding errors are a random walk, of which this is 5 sigma.
        bound = bound + single * 0.75 * np.sqrt(count * squares)
    if any(each.size > 1 and each.min() == each.max() for each in finite.values()):
        # If all weights are equal, many terms are equal, and their partial sums are rounded in the same direction.
        bound = bound + single * count / 3 * size
    if len(floats) == 1:
        # Adjacent elements are similar, as in an image: partial sums of one sign grow as magnitudes do.
        bound = bound + single / 2 * _linear(case, finite)
    if case.orders and node.op_type in REDUCTIONS:
        rank = np.ndim(case.operand(0))
        axes = tuple(range(2, rank)) if node.op_type == "GlobalAveragePool" else axes_of(case, rank)
        bound = bound + reduction_bound(case, tuple(axis % rank for axis in axes), result)
    elif case.orders:
        bound = bound + partial_sum_bound(case)
    if narrow > single:
        bound = bound + narrow * np.sqrt(squares)
        # Of three operands, the product of any two is rounded, also to denormal numbers, and multiplied by the others.
        for pair in itertools.combinations(floats, 2) if node.op_type == "Einsum" and len(floats) > 2 else ():
            ones = {node.input[at]: np.ones_like(finite[node.input[at]]) for at in pair}
            bound = np.maximum(bound, smallest(value.dtype) * _linear(case, {**finite, **ones}))
    if any(np.any(case.error(at)) for at in floats):
        # The errors of elements are independent too: a few times the root of the sum of their squares.
        for at in floats:
            error = case.error(at)
            if np.any(error):
                name = node.input[at]
                widths = {**finite, name: np.broadcast_to(np.minimum(error, 1e150), finite[name].shape)}
                powers = {name: each**2 for name, each in widths.items()}
                bound = bound + _CARRIED * np.sqrt(_linear(case, powers, squared=True, only=name))
    return np.asarray(bound)


def _is_of_a_vector(case: Case) -> bool:
    """Whether a product has one row; BLAS computes it as a sum of the rows of the matrix, each times a scalar."""
    op, shape = case.node.op_type, np.shape(case.operand(0))
    if op not in ("MatMul", "Gemm", *FUSED):
        return False
    if case.attribute("transA", 0) and len(shape) > 1:
        shape = (*shape[:-2], shape[-1], shape[-2])
    return bool(math.prod(shape[:-1]) == 1)


def _is_joint(case: Case, at: int) -> bool:
    """Whether operand `at` is added to the result instead of multiplied by others."""
    op = case.node.op_type
    return op in ("Sum", "Mean") or (op in ("Conv", "ConvTranspose", "Gemm") and at == 2)


def _linear(case: Case, magnitudes: Mapping[str, Array], squared: bool = False, only: str | None = None) -> Array:
    """The result of the node with `magnitudes`, which are not negative, in place of its floats. With `only`, without
    the terms that do not contain this operand. `squared`: attributes are squared too."""
    node = NodeProto()
    node.CopyFrom(case.node)
    for attribute in node.attribute:
        if attribute.name in ("alpha", "beta"):
            attribute.f = attribute.f**2 if squared else abs(attribute.f)
    op, names = node.op_type, [name for name in node.input if name]
    if op in ("Sum", "Mean"):
        parts = [magnitudes[name] for name in names if only in (None, name)]
        divisor = 1 if op == "Sum" else len(names) ** (2 if squared else 1)
        return np.asarray(sum(parts[1:], parts[0]) / divisor)
    joint_of = {name: _is_joint(case, at) for at, name in enumerate(node.input) if name in magnitudes}
    factors = sum(not joint for joint in joint_of.values())
    for name, joint in joint_of.items():
        each = magnitudes[name]
        small = (each > 0) & (each < each.max(initial=0.0) / _RANGE ** (1 / max(factors, 1)))
        if small.any():
            # The second part has no other terms: a bias is in the first one.
            other = next((one for one in joint_of if joint_of[one] != joint), None)
            absent = {} if other is None else {other: np.zeros_like(magnitudes[other])}
            first = _linear(case, {**magnitudes, name: np.where(small, 0.0, each)}, squared, only)
            return first + _linear(case, {**magnitudes, **absent, name: np.where(small, each, 0.0)}, squared, only)
    if op == "CumSum" or (op.startswith("Reduce") or op.endswith("AveragePool")):
        scale = _largest(magnitudes[names[0]])
        given = {names[0]: (magnitudes[names[0]] / scale).astype(np.float32)}
        result = next(iter(case.own_types(node, {**case.values, **given}).values()))
        made = np.asarray(result).astype(np.float64) * scale
        return np.asarray(made / np.maximum(_divisor(case, made), 1) if squared else made)
    # Products: each operand is scaled to about 1, so that the result does not overflow float32.
    scales = {name: _largest(magnitudes[name]) for name in names if name in magnitudes}
    product = float(
        np.prod([scales[name] for at, name in enumerate(node.input) if name in scales and not _is_joint(case, at)])
    )
    given = {}
    joint = any(name == only and _is_joint(case, at) for at, name in enumerate(node.input))
    for at, name in enumerate(node.input):
        if name not in magnitudes:
            continue
        scale = product if _is_joint(case, at) else scales[name]
        each = magnitudes[name] / scale if scale else magnitudes[name]
        if only is not None and name != only and (_is_joint(case, at) or joint):
            each = np.zeros_like(each)
        given[name] = np.minimum(each, 1e38).astype(np.float32)
    results = case.own_types(node, {**case.values, **given})
    return np.asarray(np.asarray(next(iter(results.values()))).astype(np.float64) * product)


def _divisor(case: Case, made: Array) -> float:
    """The divisor of a mean; squares of its terms are divided by it twice."""
    op = case.node.op_type
    if op in ("CumSum", "ReduceSum"):
        return 1.0
    return terms_of(case, made)


def terms_of(case: Case, result: Array) -> float:
    """The approximate number of terms of each element of a sum."""
    op, first = case.node.op_type, np.shape(case.operand(0))
    if op in ("Sum", "Mean"):
        return float(len(case.node.input))
    if op in ("MatMul", "Gemm", *FUSED):
        return float(first[-2 if case.attribute("transA", 0) and len(first) > 1 else -1]) if first else 1.0
    if op == "Einsum" and (axes := contracted_axes(case)):
        return float(math.prod(np.shape(case.operand(1))[axis] for axis in axes))
    if op == "Conv":
        return float(np.prod(np.shape(case.operand(1))[1:]))
    if op == "ConvTranspose":
        weight = np.shape(case.operand(1))
        return float(weight[0] * np.prod(weight[2:]))
    if op == "AveragePool":
        return float(np.prod(case.attribute("kernel_shape", [1])))
    if op == "CumSum":
        return float(max(first, default=1))
    return float(max(np.prod(first, dtype=float) / max(result.size, 1), 1.0))


def _largest(magnitudes: Array) -> float:
    largest = float(magnitudes.max(initial=0.0))
    return 2.0 ** np.ceil(np.log2(largest)) if largest > 0 else 1.0


def _of_rows(case: Case, results: Values, inexact: bool) -> dict[str, Array]:
    """An op without a rule: units of the row, and how much results change with operands that may be off."""
    found: dict[str, Array] = {}
    for name, value in results.items():
        if not is_floating(value.dtype):
            found[name] = np.zeros(())
            continue
        wide = value.astype(np.float64)
        own = epsilon(value.dtype)
        unit = max(_ROW_UNITS * epsilon(np.dtype(np.float32)), _NARROW_UNITS * own, _STEPS * case.inner_epsilon)
        found[name] = unit * np.maximum(row_scale(wide), np.abs(np.nan_to_num(wide)))
    # Unused results are measured too, but have no limit.
    for name, apart in measured_bounds(case).items():
        if name in found:
            found[name] = np.maximum(found[name], apart)
    if not inexact:
        return found
    random = np.random.default_rng(0)
    exact = case.wide(case.node, case.values)
    for _ in range(_SAMPLES):
        shifted = dict(case.values)
        for at, name in enumerate(case.node.input):
            error = case.error(at)
            if np.any(error):
                signs = random.choice([-1.0, 1.0], np.shape(case.values[name]))
                shifted[name] = np.asarray(case.values[name]).astype(np.float64) + signs * error
        moved = case.wide(case.node, shifted)
        for name in results:
            apart = np.abs(np.asarray(moved[name]).astype(np.float64) - np.asarray(exact[name]).astype(np.float64))
            # Random signs may cancel the effect of one operand, so that all elements of a row get the largest change in
            # it.
            apart = np.nan_to_num(apart, nan=np.inf)
            most = apart.max(axis=-1, keepdims=True, initial=0.0) if apart.ndim else apart
            found[name] = np.maximum(found[name], 4 * most)
    return found

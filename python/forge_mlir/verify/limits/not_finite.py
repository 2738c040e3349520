"""Determines where a result must be NaN or infinite: element by element, by agreement of the references.

docs/numerics.md defines what a compilation guarantees. An element must have the value on which onnxruntime,
onnx.reference, and onnx.reference in float64 agree. If they differ, the module must agree with one of them, and the
element is undecided. For an element that depends on a number close to the largest one, the order of steps decides
whether an intermediate result overflows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
from onnx import NodeProto, TensorProto

from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.verify.comparison import overflowing, smallest
from forge_mlir.verify.limits.row_bounds import axes_of

if TYPE_CHECKING:
    from forge_mlir.verify.limits.bounds import Case

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
Evaluate = Callable[[NodeProto, Mapping[str, Any]], Mapping[str, Any]]

_WEIGHTLESS = 2.0**-18
"""A smaller weight may be the rounding error of a coordinate, in place of 0."""
_POOLS = ("MaxPool", "GlobalMaxPool")
_FLOAT16, _MOST_OF_FLOAT16 = TensorProto.FLOAT16, 65504.0


def is_special(values: Iterable[Any]) -> bool:
    """Whether one of `values` has a NaN, an infinity, or a number close to the largest one. Large negative numbers
    alone are masks."""
    return any(
        bool((~np.isfinite(each)).any() or (_is_huge(each) & (each > 0)).any())
        for each in values
        if isinstance(each, np.ndarray) and is_floating(each.dtype)
    )


def has_overflowed(values: Iterable[Any]) -> bool:
    """Whether one of `values`, which were computed from finite inputs, has a NaN or an infinity. Negative infinities
    alone are masks."""
    return any(
        bool((np.isnan(each) | np.isposinf(each)).any())
        for each in values
        if isinstance(each, np.ndarray) and is_floating(each.dtype)
    )


def _is_huge(value: Array) -> Mask:
    """The elements that are finite but so large that a step of a formula, such as a square, may overflow."""
    most = 2.0**6 if value.dtype == np.float16 else 2.0**60
    wide = np.abs(value.astype(np.float64))
    return np.asarray(np.isfinite(wide) & (wide >= most))


def matches(left: Array, right: Array, allowed: npt.NDArray[np.float64], overflowed: Mask) -> Mask:
    """The elements of `left` and `right` that agree: both NaN, infinities of the same sign, or numbers that differ by
    at most `allowed`. An element that `overflowed` may be the largest number instead of an infinity."""
    if not is_floating(right.dtype):
        same = np.asarray(left == right)
        return same if right.dtype.kind not in "iu" else same | (np.abs(left * 1.0 - right * 1.0) <= allowed)
    with np.errstate(all="ignore"):
        wide, other = left.astype(np.float64), right.astype(np.float64)
        near = np.abs(wide - other) <= np.maximum(allowed, smallest(right.dtype))
    both = (wide == other) | (np.isnan(wide) & np.isnan(other)) | (overflowed & overflowing(wide, other, right.dtype))
    return np.asarray(both | near)


def kinds_differ(left: Array, right: Array) -> bool:
    """Whether one of the two has a NaN or an infinity where the other does not."""
    if not (is_floating(left.dtype) and is_floating(right.dtype) and left.shape == right.shape):
        return False
    wide, other = left.astype(np.float64), right.astype(np.float64)
    finite = np.isfinite(wide) & np.isfinite(other)
    return bool((~finite & (wide != other) & ~(np.isnan(wide) & np.isnan(other))).any())


@dataclass(frozen=True)
class Reached:
    """The elements of a result that depend on an operand that is not finite (`surely`, if its weight is not a rounding
    of 0), and those that depend on one close to the largest number. `without` is the result with ordinary numbers in
    place of both, `without_infinities` with ordinary numbers in place of infinities."""

    not_finite: Mask
    surely: Mask
    huge: Mask
    without: Array
    without_infinities: Array

    def overflowed(self, actual: Array) -> Mask:
        """Elements that may have the value in `actual` because intermediate results overflow: these become infinities,
        and NaN, but never a number where the result is not finite without them."""
        if not is_floating(actual.dtype):
            return self.huge
        lost = np.isnan(self.without) & ~np.isnan(actual) | np.isinf(self.without) & np.isfinite(actual)
        return self.huge & ~lost

    def added_up(self, actual: Array, expected: Array) -> Mask:
        """Elements that are infinite in `actual`, and NaN in `expected` because of infinities of both signs: the sum of
        two products may be computed as one product with the sum of the weights."""
        if not is_floating(actual.dtype):
            return np.zeros(actual.shape, bool)
        return np.asarray(np.isinf(actual) & np.isnan(expected) & ~np.isnan(self.without_infinities))


def reached_by(names: Iterable[str], values: Mapping[str, Any], run: Callable[[Mapping[str, Any]], Array]) -> Reached:
    """`run` gives the result for `values`, of which `names` were computed. It is run with two sets of ordinary numbers
    in place of special ones: elements that differ depend on these."""
    floats = {
        name: value for name, value in values.items() if isinstance(value, np.ndarray) and is_floating(value.dtype)
    }
    computed = frozenset(names)

    def changed(change: Callable[[Array], Array], constant: Callable[[Array], Array] = lambda value: value) -> Array:
        made = {name: (change if name in computed else constant)(value) for name, value in floats.items()}
        return run({**values, **{name: value.astype(values[name].dtype) for name, value in made.items()}})

    def apart(are: Callable[[Array], Mask]) -> npt.NDArray[np.float64]:
        def drawn_from(low: float) -> Array:
            return changed(lambda value: np.where(are(value), _drawn(value, low), _ordinary(value)), _ordinary)

        return np.asarray(np.abs(drawn_from(1.0).astype(np.float64) - drawn_from(3.0).astype(np.float64)))

    not_finite, huge = apart(lambda value: ~np.isfinite(value)), apart(_is_huge)
    without = changed(lambda value: np.where(_is_huge(value), 1, value)) if huge.any() else changed(lambda value: value)
    finite = changed(
        lambda value: np.where(np.isinf(value), 1, value), lambda value: np.where(np.isinf(value), 1, value)
    )
    return Reached(not_finite > 0, not_finite > _WEIGHTLESS, huge > 0, without, finite)


def _drawn(value: Array, low: float) -> npt.NDArray[np.float64]:
    return np.random.default_rng(0).uniform(low, low + 1, value.shape)


def _ordinary(value: Array) -> Array:
    return np.where(np.isfinite(value) & ~_is_huge(value), value, 1)


def widened(votes: Sequence[Array], allowed: npt.NDArray[np.float64], most: float) -> npt.NDArray[np.float64]:
    """`allowed`, increased by twice the distance of finite `votes` from each other, which is due to their own rounding,
    up to `most` times `allowed`."""
    if not is_floating(votes[0].dtype):
        return allowed
    with np.errstate(all="ignore"):
        wide = [vote.astype(np.float64) for vote in votes]
        apart = np.nan_to_num(np.max([np.abs(each - wide[-1]) for each in wide], axis=0), nan=0.0, posinf=0.0)
        return np.asarray(np.where(2 * apart <= most * allowed, np.maximum(allowed, 2 * apart), allowed))


@dataclass(frozen=True)
class Settled:
    """The verdict of the references on a result: the elements that are `wrong`, and those that are `undecided` because
    the references differ."""

    wrong: Mask
    undecided: Mask


def settle(
    actual: Array,
    votes: Sequence[Array],
    allowed: npt.NDArray[np.float64],
    *,
    overflowed: Mask,
    unsure: Mask,
    trusted: Array | None,
) -> Settled:
    """`votes` are the results of the references. Elements that agree with `trusted`, or that `overflowed` in an
    intermediate step, are right. For `unsure` elements no reference is known to be right."""
    agreed = np.zeros(actual.shape, bool)
    unanimous = np.ones(actual.shape, bool)
    for vote in votes:
        agreed |= matches(actual, vote, allowed, overflowed)
        unanimous &= matches(vote, votes[0], allowed, overflowed)
    known = matches(actual, trusted, allowed, overflowed) if trusted is not None else np.zeros(actual.shape, bool)
    finite = np.isfinite(actual) & np.isfinite(votes[0]) if is_floating(actual.dtype) else np.ones(actual.shape, bool)
    free = overflowed & ~(unanimous & finite)
    undecided = ~known & ~free & (~unanimous | (unsure & ~agreed))
    return Settled(~agreed & ~free & ~unsure, undecided)


def largest_with_nan(node: NodeProto, values: Mapping[str, Any], run: Evaluate) -> dict[str, Any] | None:
    """The result of a MaxPool or GlobalMaxPool in which a NaN in a window gives NaN, as in torch; None for other ops
    and operands without NaN. Both references ignore NaN."""
    reached = windows_with_nan(node, values, run)
    if reached is None:
        return None
    name, result = node.input[0], node.output[0]
    x = np.asarray(values[name])
    largest = np.asarray(run(node, {**values, name: np.where(np.isnan(x), 0, x).astype(x.dtype)})[result])
    return {result: np.where(reached, np.nan, largest).astype(largest.dtype)}


def windows_with_nan(node: NodeProto, values: Mapping[str, Any], run: Evaluate) -> Mask | None:
    """The results of a MaxPool or GlobalMaxPool whose window has a NaN; None for other ops and operands without NaN."""
    if node.domain or node.op_type not in _POOLS:
        return None
    x = np.asarray(values[node.input[0]])
    missing = np.isnan(x) if is_floating(x.dtype) else np.zeros(x.shape, bool)
    if not missing.any():
        return None
    return np.asarray(np.asarray(run(node, {**values, node.input[0]: missing.astype(x.dtype)})[node.output[0]]) > 0)


def interpolated(node: NodeProto, values: Mapping[str, Any], run: Evaluate) -> dict[str, Any] | None:
    """The result of a Resize for finite elements; None for other ops. The references multiply infinities and NaN by
    weights of 0, but by different ones."""
    if node.domain or node.op_type not in ("Resize", "Upsample"):
        return None
    name = node.input[0]
    x = np.asarray(values[name])
    return dict(run(node, {**values, name: np.where(np.isfinite(x), x, 0).astype(x.dtype)}))


def of_large_squares(node: NodeProto, values: Mapping[str, Any], run: Evaluate) -> dict[str, Any]:
    """The result of a norm that squares in float16, with rows divided by infinity where a square overflows; nothing for
    other nodes and operands. onnxruntime squares in float32, and onnx.reference cannot run such a node."""
    attributes = {each.name: each.i for each in node.attribute}
    if node.op_type not in ("LayerNormalization", "RMSNormalization") or attributes.get("stash_type") != _FLOAT16:
        return {}
    name, result = node.input[0], node.output[0]
    x = np.asarray(values[name]).astype(np.float64)
    axes = tuple(range(attributes.get("axis", -1) % x.ndim, x.ndim))
    apart = x if node.op_type == "RMSNormalization" else x - x.mean(axes, keepdims=True)
    overflows = (apart**2 > _MOST_OF_FLOAT16).any(axes, keepdims=True)
    if not overflows.any():
        return {}
    computed, divided = (
        np.asarray(run(node, {**values, name: each})[result]) for each in (values[name], 0 * values[name])
    )
    return {result: np.where(overflows, divided, computed)}


def unordered_products(case: Case, result: Array) -> Mask:
    """The elements of the result of a ReduceProd that the order of the factors may make infinite, NaN or 0, because
    partial products overflow or underflow."""
    if not is_floating(result.dtype):
        return np.zeros(result.shape, bool)
    info: Any = ml_dtypes.finfo  # not typed
    limits, x = info(np.float32 if result.dtype == np.float64 else result.dtype), np.asarray(case.operand(0))
    with np.errstate(divide="ignore"):
        powers = np.log2(np.abs(x.astype(np.float64)))
    powers = np.where(np.isfinite(powers), powers, 0.0)
    most, least = (change(powers, 0).sum(axes_of(case, x.ndim)) for change in (np.maximum, np.minimum))
    unordered = (most >= np.log2(float(limits.max))) | (least <= np.log2(float(limits.smallest_normal)))
    return np.asarray(unordered).reshape(result.shape)

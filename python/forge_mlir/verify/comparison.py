"""Compares a tensor with its golden: the comparator of verify, bisect, the conformance suite, the fuzzer and the tests.

Each element has a limit. If only the result is known, it is given by `Limits`: a fraction of the element and of the
magnitude of its row. If the op and its operands are known, `verify.limits.bounds` computes the limits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from forge_mlir.execute.values.structured_values import flattened, kind_of, shape_of
from forge_mlir.onnx_model.dtypes import is_floating

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Limits:
    """The limits of a comparison: `relative` to the larger of the element and the root mean square of its row, and
    Pearson's correlation of the tensor."""

    relative: float
    pcc: float


# Limits for outputs of a model, in which rounding errors accumulate.
OUTPUT_LIMITS = Limits(1e-3, 0.9999)

_ROW = 16
"""The fewest elements of a row, if the tensor has as many: a shorter trailing axis is merged with preceding ones."""
_MASK = 1e30
"""Elements beyond this are masks, which do not count for the magnitude of their row."""
_MASKED = 2.0**10
"""The largest number of a row is also a mask if it occurs more than once and exceeds the others by this factor."""
_ROUNDINGS = 16
"""The rounding error of an element, in roundings of the largest magnitude, that is assumed for correlations."""

_STEPS = 2
"""The allowed error of a 16-bit result, in units of the larger of an element and its row."""

_BITS: dict[int, Any] = {2: np.int16, 4: np.int32, 8: np.int64}


@dataclass(frozen=True)
class Comparison:
    """The comparison of a tensor with its golden.

    `max_abs` is the largest difference, `relative` the largest difference relative to the magnitude of its row, `ulp`
    the largest number of floating-point numbers between two elements, `pcc` Pearson's correlation. `excess` is the
    largest ratio of a difference to the limit of its element, which fails above 1; `worst` identifies that element;
    `reason` is a failure that needs no number. `limits` are those that were applied, None if each element had its own.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    max_abs: float
    relative: float
    ulp: int
    pcc: float
    reason: str = ""
    limits: Limits | None = OUTPUT_LIMITS
    excess: float = 0.0
    worst: str = ""
    overall: float = 0.0
    """The largest difference relative to the largest unmasked element; 1 for booleans and text."""
    rms: float = 0.0
    """The root mean square of the difference, relative to that of the golden, without masks."""

    @property
    def passed(self) -> bool:
        return not self.reason and self.excess <= 1 and (self.limits is None or self.pcc >= self.limits.pcc)

    def explain(self) -> str:
        """The reason of a failure."""
        if self.reason:
            return self.reason
        limit = "" if self.limits is None else f" (limit {self.limits.relative:g})"
        correlation = "" if self.limits is None else f" (limit {self.limits.pcc:g})"
        text = f"max abs {self.max_abs:.3g}, relative {self.relative:.3g}{limit}, {self.ulp} ULP"
        text = f"{text}, PCC {self.pcc:.6f}{correlation}"
        return f"{text}; {self.worst}, {self.excess:.3g} times what rounding explains" if self.worst else text

    def json(self) -> dict[str, Any]:
        """Numbers that JSON cannot represent become null."""
        return {
            "name": self.name,
            "shape": list(self.shape),
            "dtype": self.dtype,
            "max_abs": _finite(self.max_abs),
            "relative": _finite(self.relative),
            "rms": _finite(self.rms),
            "ulp": self.ulp,
            "pcc": self.pcc,
            "excess": _finite(self.excess),
            "worst": self.worst,
            "reason": self.reason,
            "passed": self.passed,
        }


def compare(
    name: str,
    actual: Array,
    golden: Array,
    limits: Limits = OUTPUT_LIMITS,
    allowed: npt.NDArray[np.float64] | None = None,
) -> Comparison:
    """Checks that `actual` and `golden` have the same shape and dtype, NaN and infinities at the same elements, and
    elsewhere differ at most by what is `allowed` for each element (an array that broadcasts; infinite if any value is
    right), or else by `limits`.

    Integers, booleans and strings must be equal, unless `allowed` permits a difference.
    """
    decided = None if allowed is not None else limits

    def found(
        reason: str = "", max_abs: float = np.inf, relative: float = np.inf, ulp: int = -1, pcc: float = 0.0,
        excess: float = np.inf, worst: str = "", overall: float = np.inf, rms: float = np.inf,
    ) -> Comparison:  # fmt: skip
        return Comparison(
            name, golden.shape, kind_of(golden), max_abs, relative, ulp, pcc, reason, decided, excess, worst, overall,
            rms,
        )  # fmt: skip

    if actual.shape != golden.shape:
        return found(f"shape {list(actual.shape)}, expected {list(golden.shape)}")
    if actual.dtype != golden.dtype:
        return found(f"dtype {actual.dtype}, expected {golden.dtype}")
    if not is_floating(golden.dtype):
        return _integers(found, actual, golden, allowed)
    left, right = actual.astype(np.float64), golden.astype(np.float64)
    free = np.zeros(right.shape, bool) if allowed is None else np.broadcast_to(np.isinf(allowed), right.shape)
    same = (left == right) | (np.isnan(left) & np.isnan(right)) | free | overflowing(left, right, golden.dtype)
    finite = np.isfinite(left) & np.isfinite(right)
    if not (same | finite).all():
        wrong = ~(same | finite)
        signs = np.isinf(left) & np.isinf(right) & wrong
        what = "infinity of the other sign" if (signs == wrong).all() else "NaN or infinity in other places"
        return found(f"{what}, {int(np.count_nonzero(wrong))} of {golden.size} elements")
    compared = finite & ~free
    scale = row_scale(right)
    with np.errstate(all="ignore"):
        difference = np.where(compared & ~same, np.abs(left - right), 0.0)
        limit = limits.relative * np.maximum(np.abs(right), scale) if allowed is None else allowed
        if allowed is None:
            limit = np.maximum(limit, format_rounding(golden))
        limit = np.maximum(limit, smallest(golden.dtype))
        excess = np.where(difference > 0, difference / limit, 0.0)
        # A row of zeros has no magnitude: its difference is shown relative to the largest row, or to 1.
        shown = np.where(scale > 0, scale, float(scale.max(initial=0.0)) or 1.0)
        relative = np.where(difference > 0, difference / np.maximum(shown, smallest(golden.dtype)), 0.0)
    left, right = left[compared], right[compared]
    most = float(relative.max(initial=0.0))
    rounding = _ROUNDINGS * epsilon(golden.dtype) * float(np.abs(right).max(initial=0.0))
    correlation = _correlation(left, right, bool((excess <= 1).all()), limits, rounding)
    return found(
        "",
        float(difference.max(initial=0.0)),
        most,
        _ulp(actual[compared], golden[compared]),
        correlation,
        float(excess.max(initial=0.0)),
        _worst(actual, golden, excess) if (excess > 1).any() else "",
        float(difference.max(initial=0.0)) / max(_largest(right), smallest(golden.dtype)),
        _relative_rms(difference[compared], right),
    )


def compare_values(
    values: Mapping[str, Any], goldens: Mapping[str, Any], limits: Limits = OUTPUT_LIMITS
) -> list[Comparison]:
    """`compare` for each of `values`, all of which must be in `goldens`, or for each part of sequences and maps
    (`name.0.keys`). A value with other parts than its golden fails."""
    rows = []
    for name, value in values.items():
        ours, theirs = flattened({name: value}), flattened({name: goldens[name]})
        if ours.keys() == theirs.keys() and _form(value) == _form(goldens[name]):
            rows += [compare(part, ours[part], theirs[part], limits) for part in ours]
        else:
            reason = f"{kind_of(value)} {shape_of(value)}, expected {kind_of(goldens[name])} {shape_of(goldens[name])}"
            kind = kind_of(goldens[name])
            rows.append(Comparison(name, (), kind, np.inf, np.inf, -1, 0.0, reason, limits, np.inf, "", 1.0))
    return rows


def _form(value: Any) -> Any:
    """The lists in a value: empty ones and absent optionals have no parts that `flattened` names."""
    return [_form(part) for part in value] if isinstance(value, (list, tuple)) else value is None


def row_scale(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The magnitude of the elements of each row, to broadcast: the root mean square of those that are not large because
    of a mask.

    A row is the trailing axis, merged with preceding axes until it has at least 16 elements.
    """
    if not values.ndim or not values.size:
        return np.abs(values)
    first = values.ndim - 1
    while first and np.prod(values.shape[first:]) < _ROW:
        first -= 1
    axes = tuple(range(first, values.ndim))
    magnitudes = np.where(np.abs(values) < _MASK, np.abs(values), 0.0)
    most = magnitudes.max(axis=axes, keepdims=True)
    at_most = (magnitudes == most) & (most > 0)
    count = float(np.prod(values.shape[first:]))
    rest = _root_mean_square(np.where(at_most, 0.0, magnitudes), axes, count)
    masked = (at_most.sum(axis=axes, keepdims=True) > 1) & (most > _MASKED * rest) & (rest > 0)
    return np.where(masked, rest, _root_mean_square(magnitudes, axes, count))


def _root_mean_square(
    magnitudes: npt.NDArray[np.float64], axes: tuple[int, ...], count: float
) -> npt.NDArray[np.float64]:
    """Elements are scaled to at most 1, so that squares cannot overflow."""
    largest = magnitudes.max(axis=axes, keepdims=True)
    scaled = magnitudes / np.where(largest > 0, largest, 1.0)
    return np.asarray(largest * np.sqrt((scaled**2).sum(axis=axes, keepdims=True) / count))


def epsilon(dtype: np.dtype[Any]) -> float:
    """The distance from 1 to the next number; for float64 that of float32, because the device computes it in
    Float32."""
    info: Any = ml_dtypes.finfo  # not typed
    return float(info(np.float32 if dtype == np.float64 else dtype).eps)


def format_rounding(values: Array) -> npt.NDArray[np.float64]:
    """The rounding error that each element of a 16-bit result may have: that of the steps of ONNX's function body, some
    of which a call may not have. 0 for other types."""
    if not is_floating(values.dtype) or values.dtype.itemsize != 2:
        return np.zeros(())
    wide = np.nan_to_num(values.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
    return np.asarray(_STEPS * epsilon(values.dtype) * np.maximum(np.abs(wide), row_scale(wide)))


def smallest(dtype: np.dtype[Any]) -> float:
    """A difference that is ignored: the smallest normal number of the device's 32-bit type, which may be flushed to
    zero; for a type with fewer exponents, its smallest number."""
    info: Any = ml_dtypes.finfo
    if dtype == np.float16 or dtype.itemsize == 1:
        return float(info(dtype).smallest_subnormal)
    return float(info(np.float32 if dtype == np.float64 else dtype).smallest_normal)


def _integers(found: Any, actual: Array, golden: Array, allowed: npt.NDArray[np.float64] | None) -> Comparison:
    """Compares integers, booleans and strings: `excess` is the number of wrong elements."""
    wrong: Any = np.asarray(actual != golden)
    if allowed is not None and golden.dtype.kind in "iub" and wrong.any():
        apart = np.abs(actual.astype(np.float64) - golden.astype(np.float64))
        wrong = wrong & ((apart > allowed) | (allowed < 1))  # Unequal integers beyond 2^53 may be equal in float64.
    count = int(np.count_nonzero(wrong))
    if not count:
        return found("", 0.0, 0.0, 0, 1.0, 0.0, "", 0.0, 0.0)  # type: ignore[no-any-return]
    return found(f"{count} of {golden.size} values differ", excess=float(count), overall=_apart(actual, golden))  # type: ignore[no-any-return]


def overflowing(left: Array, right: Array, dtype: np.dtype[Any]) -> npt.NDArray[np.bool_]:
    """Elements that are infinite on one side and (almost) the largest number on the other: rounding decides which."""
    info: Any = ml_dtypes.finfo
    most = float(info(np.float32 if dtype == np.float64 else dtype).max) * (1 - 2.0**-6)
    return np.asarray((left >= most) & (right >= most) | (left <= -most) & (right <= -most))


def _apart(actual: Array, golden: Array) -> float:
    """The largest difference of integers, relative to the largest one; 1 for other types."""
    if golden.dtype.kind not in "iu":
        return 1.0
    wide = np.abs(golden.astype(np.float64))
    return float(np.abs(actual.astype(np.float64) - golden.astype(np.float64)).max() / max(wide.max(), 1.0))


def _largest(values: npt.NDArray[np.float64]) -> float:
    return float(np.where(np.abs(values) < _MASK, np.abs(values), 0.0).max(initial=0.0))


def _relative_rms(difference: Array, right: Array) -> float:
    measured = np.abs(right) < _MASK
    size = float(np.square(right[measured]).sum())
    return float(np.sqrt(np.square(difference[measured]).sum() / size)) if size > 0 else 0.0


def _worst(actual: Array, golden: Array, excess: Array) -> str:
    at = np.unravel_index(int(np.argmax(excess)), excess.shape)
    return f"{float(actual[at]):.9g} in place of {float(golden[at]):.9g} at {[int(index) for index in at]}"


def _ulp(actual: Array, golden: Array) -> int:
    """The largest number of representable numbers between two elements."""
    bits = _BITS.get(golden.dtype.itemsize)
    if bits is None or not golden.size:
        return 0
    lowest = float(np.iinfo(bits).min)

    def ordinal(values: Array) -> npt.NDArray[np.float64]:
        raw = np.ascontiguousarray(values).view(bits).astype(np.float64)
        return np.asarray(np.where(raw < 0, lowest - raw, raw))

    return int(np.abs(ordinal(actual) - ordinal(golden)).max())


def _correlation(
    left: npt.NDArray[np.float64], right: npt.NDArray[np.float64], agrees: bool, limits: Limits, rounding: float
) -> float:
    """Pearson's correlation. 1 if it is not significant, because noise of the size `rounding` would bring it below the
    limit: then the elements decide. If it is undefined otherwise, 1 for tensors that agree."""
    if left.size < 2:
        return 1.0
    with np.errstate(all="ignore"):
        if right.std() <= rounding / np.sqrt(2 * (1 - limits.pcc)):
            return 1.0
        value = float(np.corrcoef(left, right)[0, 1]) if left.std() > 0 else np.nan
    return value if np.isfinite(value) else 1.0 if agrees else 0.0


def _finite(number: float) -> float | None:
    return number if np.isfinite(number) else None

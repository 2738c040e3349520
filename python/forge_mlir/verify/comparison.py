"""One tensor against its golden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from forge_mlir.execute.structured_values import flattened, kind_of, shape_of


@dataclass(frozen=True)
class Limits:
    """What a comparison may show: the largest difference over the golden's largest magnitude, and Pearson's
    correlation."""

    relative: float
    pcc: float


# The limits of the project's first issue: rounding adds up over a whole model.
OUTPUT_LIMITS = Limits(1e-3, 0.9999)

# Roundings of the largest magnitude that an element may carry.
_ROUNDINGS = 16

_BITS: dict[int, Any] = {2: np.int16, 4: np.int32, 8: np.int64}


@dataclass(frozen=True)
class Comparison:
    """One tensor against its golden.

    `max_abs` is the largest difference, `relative` the same over the golden's largest magnitude, `ulp` the most
    floating-point numbers between two elements, `pcc` Pearson's correlation; `reason` says what needs no number.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    max_abs: float
    relative: float
    ulp: int
    pcc: float
    reason: str = ""
    limits: Limits = OUTPUT_LIMITS

    @property
    def passed(self) -> bool:
        return not self.reason and self.relative <= self.limits.relative and self.pcc >= self.limits.pcc

    def explain(self) -> str:
        """Why it failed."""
        if self.reason:
            return self.reason
        return (
            f"max abs {self.max_abs:.3g}, relative {self.relative:.3g} (limit {self.limits.relative:g}), "
            f"{self.ulp} ULP, PCC {self.pcc:.6f} (limit {self.limits.pcc:g})"
        )

    def json(self) -> dict[str, Any]:
        """Numbers that JSON lacks become null."""
        return {
            "name": self.name,
            "shape": list(self.shape),
            "dtype": self.dtype,
            "max_abs": _finite(self.max_abs),
            "relative": _finite(self.relative),
            "ulp": self.ulp,
            "pcc": self.pcc,
            "reason": self.reason,
            "passed": self.passed,
        }


def compare(
    name: str, actual: npt.NDArray[Any], golden: npt.NDArray[Any], limits: Limits = OUTPUT_LIMITS
) -> Comparison:
    """Shapes, dtypes and the pattern of NaN and infinity must agree; integers, booleans and strings must be equal."""

    def found(
        reason: str = "", max_abs: float = np.inf, relative: float = np.inf, ulp: int = -1, pcc: float = 0.0
    ) -> Comparison:
        return Comparison(name, golden.shape, kind_of(golden), max_abs, relative, ulp, pcc, reason, limits)

    if actual.shape != golden.shape:
        return found(f"shape {list(actual.shape)}, expected {list(golden.shape)}")
    if actual.dtype != golden.dtype:
        return found(f"dtype {actual.dtype}, expected {golden.dtype}")
    if not is_floating(golden.dtype):
        if np.array_equal(actual, golden):
            return found("", 0.0, 0.0, 0, 1.0)
        wrong = int(np.count_nonzero(actual != golden))
        return found(f"{wrong} of {golden.size} values differ")
    left, right = actual.astype(np.float64).ravel(), golden.astype(np.float64).ravel()
    finite = np.isfinite(right)
    if not np.array_equal(left[~finite], right[~finite], equal_nan=True) or not np.isfinite(left[finite]).all():
        return found("NaN or infinity in other places")
    ulp = _ulp(actual.ravel()[finite], golden.ravel()[finite])
    left, right = left[finite], right[finite]
    scale = float(np.abs(right).max(initial=0.0))
    difference = float(np.abs(left - right).max(initial=0.0))
    if scale > 0:
        # Below it floats are as far apart as there, and devices take them for zero.
        scale = max(scale, _smallest_normal(golden.dtype))
    relative = difference if scale == 0 else difference / scale
    rounding = _ROUNDINGS * _epsilon(golden.dtype) * scale
    return found("", difference, relative, ulp, _correlation(left, right, relative, limits, rounding))


def compare_values(values: Mapping[str, Any], goldens: Mapping[str, Any]) -> list[Comparison]:
    """`compare` for each of `values`, of which `goldens` has all, or for each part of sequences and maps
    (`name.0.keys`); one that does not have the parts of its golden has failed."""
    rows = []
    for name, value in values.items():
        ours, theirs = flattened({name: value}), flattened({name: goldens[name]})
        if ours.keys() == theirs.keys():
            rows += [compare(part, ours[part], theirs[part]) for part in ours]
        else:
            reason = f"{kind_of(value)} {shape_of(value)}, expected {kind_of(goldens[name])} {shape_of(goldens[name])}"
            rows.append(Comparison(name, (), kind_of(goldens[name]), np.inf, np.inf, -1, 0.0, reason))
    return rows


def is_floating(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f" or dtype in (ml_dtypes.bfloat16,)


def _ulp(actual: npt.NDArray[Any], golden: npt.NDArray[Any]) -> int:
    """The most numbers of their type between two elements."""
    bits = _BITS.get(golden.dtype.itemsize)
    if bits is None or not golden.size:
        return 0
    lowest = float(np.iinfo(bits).min)

    def ordinal(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        raw = np.ascontiguousarray(values).view(bits).astype(np.float64)
        return np.asarray(np.where(raw < 0, lowest - raw, raw))

    return int(np.abs(ordinal(actual) - ordinal(golden)).max())


def _epsilon(dtype: np.dtype[Any]) -> float:
    info: Any = ml_dtypes.finfo  # It has no types.
    return float(info(dtype).eps)


def _smallest_normal(dtype: np.dtype[Any]) -> float:
    """Of the type on the device, which has Float32 for float64."""
    info: Any = ml_dtypes.finfo
    return float(info(np.float32 if dtype == np.float64 else dtype).smallest_normal)


def _correlation(
    left: npt.NDArray[np.float64],
    right: npt.NDArray[np.float64],
    relative: float,
    limits: Limits,
    rounding: float,
) -> float:
    """Pearson's correlation. 1 for tensors that agree where it is not defined, or says nothing: of values that vary so
    little that noise of the size `rounding` brings it below the limit."""
    if left.size < 2 or left.std() == 0 or right.std() <= rounding / np.sqrt(2 * (1 - limits.pcc)):
        return 1.0 if relative <= limits.relative else 0.0
    return float(np.corrcoef(left, right)[0, 1])


def _finite(number: float) -> float | None:
    return number if np.isfinite(number) else None

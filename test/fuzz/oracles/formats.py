"""Measures whether rewrites lose digits in a float format: compares a program with all rewrites to the one without.

A norm over two columns, or a difference of close values, amplifies all earlier rounding errors, so that of two equally
exact programs either may be better for some numbers. A program that is less exact than `MOST` allows is therefore
compared again with other numbers (`is_confirmed`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple

import ml_dtypes
import numpy as np

import forge_mlir
from forge_mlir.compiler.floats.error_budget import relative_error
from forge_mlir.errors import ForgeError
from fuzz.graphs import Sample

FloatFormat = Literal["float32", "bfloat16"]
UNITS: dict[FloatFormat, float] = {
    "float32": float(np.finfo(np.float32).eps),
    "bfloat16": float(ml_dtypes.finfo(ml_dtypes.bfloat16).eps),  # type: ignore[no-untyped-call]
}
MOST = 2.0
"""A loss exceeds both the error of the program without rewrites and the unit of the format by this factor."""
DRAWS = 8
"""The number of other draws with which a loss is measured again."""
_LEAST_CONFIRMING = 3
"""How many of these must show the loss, too."""
_ALIKE = 0.1


class Errors(NamedTuple):
    """The errors in one format, relative to the root mean square of the output: of the program as written, and as
    emitted."""

    written: float
    emitted: float

    def status(self, unit: float) -> str:
        if self.emitted > MOST * max(self.written, unit):
            return "loses digits"
        if self.emitted > (1 + _ALIKE) * self.written:
            return "less exact"
        return "more exact" if self.emitted < (1 - _ALIKE) * self.written else "as exact"


def errors(sample: Sample) -> dict[FloatFormat, Errors] | None:
    """The errors in both formats, compared with `sample.expected`; None for a model that is refused."""
    found: dict[FloatFormat, Errors] = {}
    for name in UNITS:
        written, emitted = (_error(sample, name, optimize) for optimize in ("none", "default"))
        if written is None or emitted is None:
            return None
        found[name] = Errors(written, emitted)
    return found


def is_confirmed(name: FloatFormat, others: Iterable[Errors | None]) -> bool:
    """Whether a loss of digits is caused by the rewrites and not by the numbers with which it was found: `others` are
    the errors with other numbers."""
    losses = sum(each is not None and each.status(UNITS[name]) == "loses digits" for each in others)
    return losses >= _LEAST_CONFIRMING


def _error(sample: Sample, name: FloatFormat, optimize: Any) -> float | None:
    with tempfile.TemporaryDirectory() as scratch:
        try:
            artifact = forge_mlir.compile(sample.model, Path(scratch), float_format=name, optimize=optimize)
            outputs = forge_mlir.run(artifact, sample.inputs)
        except ForgeError:
            return None
    return relative_error(outputs, sample.expected)

"""Whether rewrites cost digits in a float format: the program with all of them beside the one with none.

A norm of two columns, or a difference of near values, enlarges whatever rounding comes before it, so that of two
programs that are as exact as each other, either is the better one for some numbers. What is less exact than `MOST`
allows is therefore compared again with other numbers (`is_confirmed`).
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
"""Times the error of the program without rewrites, and units of the format: what is beyond both is a loss."""
DRAWS = 8
"""With how many other numbers a loss is measured again."""
_LEAST_CONFIRMING = 3
"""Of those: how many must show the loss, too."""
_ALIKE = 0.1


class Errors(NamedTuple):
    """Of one format, relative to the root mean square of the output: of the program as it is written, and as it is
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
    """The errors in both formats against `sample.expected`; None for a model that is refused."""
    found: dict[FloatFormat, Errors] = {}
    for name in UNITS:
        written, emitted = (_error(sample, name, optimize) for optimize in ("none", "default"))
        if written is None or emitted is None:
            return None
        found[name] = Errors(written, emitted)
    return found


def is_confirmed(name: FloatFormat, others: Iterable[Errors | None]) -> bool:
    """Whether a loss of digits is one of the rewrites, and not of the numbers with which it was found: `others` are the
    errors with other numbers."""
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

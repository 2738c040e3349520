"""Whether rewrites cost digits in a float format: the program with all of them beside the one with none."""

from __future__ import annotations

import tempfile
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


def _error(sample: Sample, name: FloatFormat, optimize: Any) -> float | None:
    with tempfile.TemporaryDirectory() as scratch:
        try:
            artifact = forge_mlir.compile(sample.model, Path(scratch), float_format=name, optimize=optimize)
            outputs = forge_mlir.run(artifact, sample.inputs)
        except ForgeError:
            return None
    return relative_error(outputs, sample.expected)

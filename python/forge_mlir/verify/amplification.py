"""Models that make much of the last bit.

Two sound programs differ by roundings, and a model may answer to one with a quantum: a quantised one where a rounding
goes the other way, an ArgMax where two are nearly equal. Then outputs are far apart, and none is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from forge_mlir.support.progress import phase
from forge_mlir.verify.comparison import Comparison, compare, is_floating
from forge_mlir.verify.lockstep import NODE_LIMITS, NodeReport

Arrays = Mapping[str, npt.NDArray[Any]]

_RUNS = 4
_SEED = 0


def amplified_outputs(
    rows: Sequence[Comparison],
    reports: Sequence[NodeReport],
    by_node: Mapping[str, Any],
    expected: Mapping[str, Any],
    inputs: Arrays,
    rerun: Callable[[Arrays], Mapping[str, Any]] | None,
) -> frozenset[str]:
    """The names of the outputs among `rows` that failed and are right all the same.

    Of each, what the module has must agree with what ONNX makes of the module's own values before it, as `reports` on
    all nodes say. That proves the module right if the nodes are the model: where they, one by one, give `by_node`,
    which agrees with the `expected` outputs; or where the model, given to `rerun` with inputs that differ by no more
    than a value of one node may, gives outputs that fail as well, at least half as far apart. Without `rerun` there is
    no such proof.
    """
    agree = {report.local.name for report in reports if report.local.passed}
    failed = [row for row in rows if not row.passed and row.name in agree]
    found = {
        row.name
        for row in failed
        if row.name in by_node
        and compare(row.name, np.asarray(by_node[row.name]), np.asarray(expected[row.name])).passed
    }
    rest = [row for row in failed if row.name not in found]
    if rest and rerun is not None:
        random = np.random.default_rng(_SEED)
        with phase("moved inputs", _RUNS) as advance:
            for run in range(_RUNS):
                moved = rerun({name: _moved(value, random, reports) for name, value in inputs.items()})
                found.update(row.name for row in rest if _explains(row, moved[row.name], expected[row.name]))
                advance(run + 1)
    return frozenset(found)


def _moved(value: npt.NDArray[Any], random: np.random.Generator, reports: Sequence[NodeReport]) -> npt.NDArray[Any]:
    """Floats of an input, each moved by at most what a value of the model's coarsest type may be off."""
    if not isinstance(value, np.ndarray) or not is_floating(value.dtype):
        return value
    most = max(NODE_LIMITS[kind].relative for kind in (np.dtype(np.float32), *_floats(reports)))
    return np.asarray(value * (1 + random.uniform(-most, most, value.shape))).astype(value.dtype)


def _floats(reports: Sequence[NodeReport]) -> list[np.dtype[Any]]:
    return [kind for kind in NODE_LIMITS if any(report.local.dtype == str(kind) for report in reports)]


def _explains(row: Comparison, moved: Any, golden: Any) -> bool:
    """Whether the model's own movement is as large; what has no size (another shape, other integers) is explained by
    any that fails."""
    own = compare(row.name, np.asarray(moved), np.asarray(golden))
    return not own.passed and (bool(row.reason or own.reason) or row.relative <= 2 * own.relative)

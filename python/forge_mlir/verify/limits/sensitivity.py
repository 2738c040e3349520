"""Models that amplify rounding: how far ONNX's own outputs move.

Two valid programs differ by rounding, and some models respond to it with a step: quantised models where a value is
rounded in the other direction, an ArgMax where two elements are almost equal. Outputs may then differ by much although
none is wrong. This is measured and not assumed: ONNX's nodes are run again with each of their results moved by as much
as the comparison of the node allows, even if the module fuses it, and an output of the module may then be twice as far
off as ONNX's own outputs move. The same is done for programs in another float format, by running ONNX's nodes with each
value rounded to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import NodeProto

from forge_mlir.errors import ForgeError
from forge_mlir.execute.onnx.nodes import OnnxNodes, Values, freed
from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.support.progress import phase
from forge_mlir.verify.comparison import Comparison, compare, epsilon
from forge_mlir.verify.float_formats import rounded
from forge_mlir.verify.judges import Judges
from forge_mlir.verify.limits.op_classes import COMPARES, MOVES, ROUNDED

RUNS = 4
MOST = 2.0
"""The allowed error of an output of the module, as a multiple of ONNX's own movement."""
_SEED = 0
_KEEP_ZEROS = (COMPARES | MOVES | ROUNDED.keys()) - {"Add", "Sub"}
"""Ops without sums, in which zeros have a sign that is guaranteed (docs/numerics.md)."""


def unmoved_outputs(nodes: OnnxNodes, inputs: Mapping[str, Any], outputs: Sequence[str]) -> Values:
    """The `outputs` of the model's nodes, run one by one. Raises ForgeError if a node cannot be run."""
    return _changed_outputs(nodes, dict(inputs), outputs, lambda _, name, values: values[name])


def moved_outputs(
    nodes: OnnxNodes,
    inputs: Mapping[str, Any],
    outputs: Sequence[str],
    seed: int,
    ordered: Collection[str] = (),
) -> Values:
    """The `outputs` of the model's nodes, run one by one, with each element moved up or down by the rounding that its
    node may have; for results in `ordered` computed from partial sums. Raises ForgeError if a node cannot be run."""
    random, judges = np.random.default_rng(seed), Judges(nodes)

    def change(node: NodeProto, name: str, values: Values) -> Any:
        allowed = judges.allowed((node,), name, values, orders=name in ordered)
        return _moved(values[name], allowed, random, keeps_zeros=node.op_type in _KEEP_ZEROS)

    return _changed_outputs(nodes, dict(inputs), outputs, change)


def written_outputs(
    nodes: OnnxNodes,
    inputs: Mapping[str, Any],
    outputs: Sequence[str],
    narrow: np.dtype[Any],
    random: np.random.Generator | None = None,
) -> Values:
    """The `outputs` of the model computed in `narrow`: inputs, weights and results of nodes are rounded to it. With
    `random`, inputs and results are first moved by up to half a unit, so that runs differ: a model with one node has no
    intermediate results. Raises ForgeError if a node cannot be run."""

    def written(value: Any) -> Any:
        is_wide = isinstance(value, np.ndarray) and is_floating(value.dtype) and value.dtype.itemsize > narrow.itemsize
        if random is not None and is_wide:
            value = _moved(value, np.abs(value) * epsilon(narrow) / 2, random)
        return rounded(value, narrow)

    values = {name: rounded(value, narrow) for name, value in nodes.constants.items()}
    values.update((name, written(value)) for name, value in inputs.items())
    values = {name: value for name, value in values.items() if value is not nodes.constants.get(name)}
    return _changed_outputs(nodes, values, outputs, lambda _, name, values: written(values[name]))


def _changed_outputs(
    nodes: OnnxNodes, values: Values, outputs: Sequence[str], change: Callable[[NodeProto, str, Values], Any]
) -> Values:
    found: Values = {}
    uses = nodes.uses()
    for node in nodes.nodes:
        results = nodes.prepare(node)(values)
        for name, value in results.items():
            if isinstance(value, np.ndarray) and is_floating(value.dtype):
                results[name] = change(node, name, {**values, **results})
        values.update(results)
        found.update((name, value) for name, value in results.items() if name in outputs)
        for _ in freed(values, uses, node, ()):
            pass
    return found


def measured(
    nodes: OnnxNodes,
    inputs: Mapping[str, Any],
    goldens: Mapping[str, Any],
    expected: Mapping[str, Any],
    rows: Sequence[Comparison],
    program: np.dtype[Any] | None = None,
    ordered: Collection[str] = (),
) -> dict[str, float]:
    """The largest `excess` of ONNX's own moved outputs over `goldens`, the unmoved results of the same nodes, by
    output name; 0 for one that does not move, and no names if a node cannot be run. The unit is the limit of the
    `expected` outputs: a result of rounding errors may be many times smaller there. `ordered` as in
    `moved_outputs`. With `program`, the format of the module, results are moved by rounding to it."""
    names = [row.name for row in rows if row.name in goldens]
    most = dict.fromkeys((row.name for row in rows), 0.0)
    with phase("moved values", RUNS) as advance:
        for run in range(RUNS):
            try:
                if program is None:
                    moved = moved_outputs(nodes, inputs, names, _SEED + run, ordered)
                else:
                    moved = written_outputs(nodes, inputs, names, program, np.random.default_rng(_SEED + run))
            except ForgeError:
                return {}
            for name in names:
                golden, values = np.asarray(goldens[name]), np.asarray(moved[name])
                unit = np.asarray(expected.get(name, golden))
                if is_floating(golden.dtype) and golden.shape == unit.shape:
                    values, golden = _shifted(unit, values, golden), unit
                row = compare(name, values, golden)
                most[name] = max(most[name], excess_of(row))
            advance(run + 1)
    return most


def _shifted(values: npt.NDArray[Any], moved: npt.NDArray[Any], unmoved: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """`values` with the difference between `moved` and `unmoved` added."""
    same = (moved == unmoved) | ((moved != moved) & (unmoved != unmoved))
    with np.errstate(all="ignore"):
        by = np.where(same, 0.0, moved.astype(np.float64) - unmoved.astype(np.float64))
        return np.asarray(values.astype(np.float64) + by).astype(values.dtype)


def excess_of(row: Comparison) -> float:
    """The excess of an output as a multiple of the limit of an element, or of the error that gives the least
    correlation, which falls with the square of an error."""
    if row.reason:
        return row.excess
    limits = row.limits
    correlation = 0.0 if limits is None else math.sqrt(max(1 - row.pcc, 0.0) / (1 - limits.pcc))
    return max(row.excess, correlation)


def _moved(
    value: npt.NDArray[Any],
    allowed: npt.NDArray[np.float64],
    random: np.random.Generator,
    *,
    keeps_zeros: bool = True,
) -> npt.NDArray[Any]:
    """`value` with each element moved by what is `allowed`. Zeros that do not move keep their sign, which may decide
    between infinities; without `keeps_zeros` they get any."""
    signs = random.choice((-1.0, 1.0), value.shape)
    with np.errstate(all="ignore"):
        step = np.where(np.isfinite(allowed), allowed, 0.0) * signs
        moved = np.where(step == 0, value, value.astype(np.float64) + step)
        return np.asarray(moved if keeps_zeros else np.where(moved == 0, 0 * signs, moved)).astype(value.dtype)

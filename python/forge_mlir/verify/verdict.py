"""The verdict on a model: right, wrong or undecided, the reasons, and what was compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np
from onnx import NodeProto

from forge_mlir.errors import Diagnostic, quote
from forge_mlir.execute.values.structured_values import flattened
from forge_mlir.verify.comparison import Comparison
from forge_mlir.verify.exact import Exactness
from forge_mlir.verify.limits.sensitivity import MOST, excess_of
from forge_mlir.verify.node_reports import Divergence, NodeReport

Verdict = Literal["right", "wrong", "undecided"]
ORDER: Mapping[Verdict, int] = {"wrong": 0, "undecided": 1, "right": 2}
"""The worst verdict first."""
Against = Literal["outputs", "file", "nodes"]
"""What the outputs are compared with: given outputs, onnxruntime's for the model's file, or the results of the nodes of
the imported graph."""

CAP = 0.1
"""The largest error, relative to the largest element, of an output that is right by node, unless the exact check finds
the program equal; beyond it the comparison is not meaningful."""


@dataclass(frozen=True)
class WrongAlone:
    """A node that is wrong when it is verified alone: an `element` of its result for inputs of a profile."""

    node: str
    op: str
    profile: str
    element: str

    def explain(self) -> str:
        return f"node {quote(self.node)} ({self.op}) alone is wrong for inputs {self.profile!r}: {self.element}"


@dataclass(frozen=True)
class Alone:
    """Nodes that were verified alone: how many distinct ones are right, how many were left out, by reason, and those
    that are wrong."""

    right: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    wrong: tuple[WrongAlone, ...] = ()
    seconds: float = 0.0

    def json(self) -> dict[str, Any]:
        return {
            "right": self.right,
            "left_out": dict(self.left_out),
            "wrong": [asdict(each) for each in self.wrong],
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True)
class Verification:
    """The comparisons. `outputs` are empty if a node diverged before them; `skipped` are nodes that ONNX could not run
    individually, with reasons; `warnings` are those of the compilation."""

    model: str
    nodes: tuple[NodeReport, ...]
    outputs: tuple[Comparison, ...]
    divergence: Divergence | None = None
    skipped: tuple[tuple[str, str], ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    quantized: tuple[Comparison, ...] = ()
    """With `quantization="float"`: the differences to the outputs of the quantised model, which are not errors."""
    verdict: Verdict = "right"
    reasons: tuple[str, ...] = ()
    """The reasons if the verdict is not "right"."""
    against: Against = "file"
    by_node: frozenset[str] = frozenset()
    """Outputs beyond their limit that are nevertheless right: every node agrees on its own operands, and ONNX's own
    outputs move at least half as far when values are moved by their rounding."""
    run: str = "given"
    """The inputs of the run: "given" for those of the user, or the name of the profile."""
    runs: tuple[tuple[str, Verdict], ...] = ()
    """All runs with their verdicts; the other fields are those of `run`."""
    movement: Mapping[str, float] = field(default_factory=dict)
    """For outputs beyond their limit: ONNX's own movement as a multiple of the limit."""
    shape_set: str = ""
    """The shape set of the program; empty if the artifact has none."""
    shape_sets: tuple[tuple[str, Verdict], ...] = ()
    """All shape sets with their verdicts; the other fields are those of `shape_set`."""
    exact: Exactness | None = None
    """Whether the program equals the converted model except for rounding; None if that was not checked."""
    alone: Alone | None = None
    """What was found of nodes that were verified alone; None if none was."""

    @property
    def passed(self) -> bool:
        return self.verdict == "right"

    def most_rounded(self, most: int = 10) -> list[NodeReport]:
        """The nodes with the largest own rounding error (root mean square), in descending order."""
        measured = [report for report in self.nodes if np.isfinite(report.local.rms) and report.local.rms > 0]
        return sorted(measured, key=lambda report: -report.local.rms)[:most]

    def of_output(self, row: Comparison) -> str:
        """A short verdict on one of `outputs`."""
        if row.passed:
            return "ok"
        if row.name in self.by_node:
            return "by node"
        return "undecided" if self.verdict == "undecided" else "FAILED"

    def json(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "passed": self.passed,
            "verdict": self.verdict,
            "reasons": list(self.reasons),
            "compared_with": self.against,
            "run": self.run,
            "shape_set": self.shape_set,
            "shape_sets": [{"name": name, "verdict": verdict} for name, verdict in self.shape_sets],
            "runs": [{"inputs": name, "verdict": verdict} for name, verdict in self.runs],
            "nodes": [report.json() for report in self.nodes],
            "outputs": [
                {**row.json(), "by_node": row.name in self.by_node, "movement": self.movement.get(row.name)}
                for row in self.outputs
            ],
            "exact": self.exact.json() if self.exact else None,
            "alone": self.alone.json() if self.alone else None,
            "first_divergence": self.divergence.json() if self.divergence else None,
            "quantized": [row.json() for row in self.quantized],
            "skipped": [{"node": node, "reason": reason} for node, reason in self.skipped],
        }


def worst_of(found: Sequence[Verification]) -> Verification:
    """The verification of an artifact, by those of its programs."""
    worst = min(found, key=lambda each: ORDER[each.verdict])
    return replace(worst, shape_sets=tuple((each.shape_set, each.verdict) for each in found if each.shape_set))


def with_doubts(found: Verification, wrong: Sequence[str], doubts: Sequence[str]) -> Verification:
    """`found` with reasons from outside of its runs: those for which it is `wrong`, whatever the runs gave, and those
    for which it is undecided if nothing says that it is wrong."""
    if wrong:
        return replace(found, verdict="wrong", reasons=(*wrong, *found.reasons), by_node=frozenset())
    if doubts and found.verdict != "wrong":
        return replace(found, verdict="undecided", reasons=(*doubts, *found.reasons))
    return found


def unrepeated(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The first output that differs between two runs with equal inputs; empty if none does."""
    for name, value in before.items():
        parts, others = flattened({name: value}), flattened({name: after[name]})
        if parts.keys() != others.keys() or any(_bits(parts[part]) != _bits(others[part]) for part in parts):
            return f"output {name!a} differs between two runs with equal inputs: the module keeps state"
    return ""


def _bits(array: Any) -> tuple[Any, ...]:
    """Equal for equal arrays, also with NaN."""
    if array.dtype.kind in "OUS":
        return array.shape, array.tolist()
    return array.shape, array.dtype, array.tobytes()


def _most(row: Comparison) -> float:
    """The limit for counts of integers: a random movement changes half of those next to a step."""
    return 2 * MOST if _is_counted(row) else MOST


def _is_counted(row: Comparison) -> bool:
    """Whether a comparison counts differing elements."""
    return bool(row.reason)


def decide(
    rows: Sequence[Comparison],
    against: Against,
    *,
    divergence: Divergence | None = None,
    movement: Mapping[str, float] | None = None,
    skipped: Sequence[tuple[str, str]] = (),
    undecided: Sequence[tuple[NodeProto, str]] = (),
    narrow: bool = False,
    doubt: str = "",
    as_nodes_say: Collection[str] = (),
    unmoved: Collection[str] = (),
    is_equal: bool = False,
    untested: bool = False,
) -> dict[str, Any]:
    """`verdict`, `reasons`, `against` and `by_node` of a verification.

    An output within its limit is right. An output beyond it is wrong, unless ONNX's own outputs move at least half
    as far: then it is right by node up to `CAP`, and beyond if the program `is_equal` to the model by the exact
    check; otherwise it is undecided. With `untested`, a node could not be run, so that it is not known how far
    ONNX's outputs move: an output beyond its limit is undecided up to `CAP`, and wrong beyond. Given goldens always
    decide. If a node could not be compared, or the references differ on it, everything that is not wrong is
    undecided, unless the outputs agree with given goldens. With `narrow` the program has a smaller float format
    than the model, so that few elements may be far off: `CAP` then applies to all of them together. `doubt`
    concerns the model as a whole. `as_nodes_say` are outputs that are exactly the results of the last nodes for the
    module's own values: among these, integers that are not quantities, such as indices of the largest elements, may
    differ by any amount. So may floats that are `unmoved`: they agree as results of nodes that had exactly ONNX's
    operands.
    """
    known = movement or {}
    if divergence is not None:
        return {"verdict": "wrong", "reasons": (divergence.reason,), "against": "nodes", "by_node": frozenset()}
    failed = [row for row in rows if not row.passed]
    explained = {
        row.name for row in failed if known.get(row.name, 0.0) >= 1 and excess_of(row) <= _most(row) * known[row.name]
    }
    exact = {row.name for row in failed if row.name in (as_nodes_say if _is_counted(row) else unmoved)}
    most = np.inf if is_equal else CAP
    far = {row.name for row in failed if row.name in explained - exact and (row.rms if narrow else row.overall) > most}
    wrong = [row for row in failed if row.name not in explained]
    unknown = [row for row in wrong if untested and (row.rms if narrow else row.overall) <= CAP]
    wrong = [] if len(unknown) == len(wrong) else wrong
    verdict: Verdict = "right"
    reasons = [f"output {row.name!a}: {row.explain()}" for row in wrong]
    if wrong:
        verdict = "wrong"
    else:
        reasons = [
            f"output {row.name!a}: {row.explain()}; every node agrees, and ONNX's own output moves as far by rounding"
            for row in failed
            if row.name in far
        ]
        reasons += [
            f"output {row.name!a}: {row.explain()}; whether rounding explains it is not known" for row in unknown
        ]
        if against != "outputs" or failed:
            reasons += [f"node {name!a} could not be compared: {reason}" for name, reason in skipped]
            reasons += [f"node {node.name!a} ({node.op_type}): {reason}" for node, reason in undecided]
        reasons += [doubt] if doubt else []
        verdict = "undecided" if reasons else "right"
    return {
        "verdict": verdict,
        "reasons": tuple(reasons),
        "against": against,
        "by_node": frozenset(explained - far) if verdict != "wrong" else frozenset(),
    }

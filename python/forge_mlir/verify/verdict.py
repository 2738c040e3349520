"""What a comparison of a model ends with: right, wrong or undecided, why, and what was compared with what."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from onnx import NodeProto

from forge_mlir.errors import Diagnostic
from forge_mlir.verify.comparison import Comparison
from forge_mlir.verify.exact import Exactness
from forge_mlir.verify.limits.movement import MOST, excess_of
from forge_mlir.verify.lockstep import Divergence, NodeReport

Verdict = Literal["right", "wrong", "undecided"]
Against = Literal["outputs", "file", "nodes"]
"""What the outputs are compared with: those that were given, onnxruntime's for the model's file, or what the nodes of
the imported graph give one by one."""

CAP = 0.1
"""The share of its largest element that an output may be off and still be called right, by node:
farther off it says nothing, whatever the model makes of a rounding."""


@dataclass(frozen=True)
class Verification:
    """What was compared. `outputs` are empty when a node diverged before there were any; `skipped` are nodes that ONNX
    could not run by themselves, and why; `warnings` those of the compilation."""

    model: str
    nodes: tuple[NodeReport, ...]
    outputs: tuple[Comparison, ...]
    divergence: Divergence | None = None
    skipped: tuple[tuple[str, str], ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    quantized: tuple[Comparison, ...] = ()
    """With `quantization="float"`: how far the outputs are from those of the model as it rounds. No result is wrong for
    that."""
    verdict: Verdict = "right"
    reasons: tuple[str, ...] = ()
    """Why the verdict is not "right"."""
    against: Against = "file"
    by_node: frozenset[str] = frozenset()
    """Outputs farther off than the limit that are right all the same: every node agrees on what it reads, and ONNX's
    own outputs move half as far or farther when its values are moved by their rounding."""
    run: str = "inputs"
    """What was run: "inputs" that were given, or the profile that drew them."""
    runs: tuple[tuple[str, Verdict], ...] = ()
    """All runs, and how each ended; the rest is of the one that `run` names."""
    movement: Mapping[str, float] = field(default_factory=dict)
    """Of the outputs that are off: by how many limits ONNX's own moved."""
    exact: Exactness | None = None
    """Whether the program is equal to the converted model but for rounding; None where that was not asked."""

    @property
    def passed(self) -> bool:
        return self.verdict == "right"

    def most_rounded(self, most: int = 10) -> list[NodeReport]:
        """The nodes at which most error enters, the first one first: by the root mean square of what a node adds."""
        measured = [report for report in self.nodes if np.isfinite(report.local.rms) and report.local.rms > 0]
        return sorted(measured, key=lambda report: -report.local.rms)[:most]

    def of_output(self, row: Comparison) -> str:
        """Of one of `outputs`, in a word or two."""
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
            "runs": [{"inputs": name, "verdict": verdict} for name, verdict in self.runs],
            "nodes": [report.json() for report in self.nodes],
            "outputs": [
                {**row.json(), "by_node": row.name in self.by_node, "movement": self.movement.get(row.name)}
                for row in self.outputs
            ],
            "exact": self.exact.json() if self.exact else None,
            "first_divergence": self.divergence.json() if self.divergence else None,
            "quantized": [row.json() for row in self.quantized],
            "skipped": [{"node": node, "reason": reason} for node, reason in self.skipped],
        }


def _most(row: Comparison) -> float:
    """Integers are counted: of those next to a step, a random movement takes half."""
    return 2 * MOST if _is_counted(row) else MOST


def _is_counted(row: Comparison) -> bool:
    """Whether a comparison counts elements that differ."""
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
) -> dict[str, Any]:
    """`verdict`, `reasons`, `against` and `by_node` of a verification.

    An output within its limit is right. One beyond is wrong, unless ONNX's own moves half as far: then it is right by
    node up to `CAP`, and undecided beyond. Outputs that were given always count. A node that could not
    be compared, or of which the judges say different things, leaves undecided what is not wrong, unless the outputs
    that were given agree. With `narrow` the program has a smaller float format than the model, of which few elements
    may be far off: `CAP` is of all together. `doubt` is about the model as a whole. `as_nodes_say` are outputs that are
    exactly what the last nodes give for the module's own values: of these, integers that are no amounts, such as the
    places of the largest elements, may be any distance apart.
    """
    known = movement or {}
    if divergence is not None:
        return {"verdict": "wrong", "reasons": (divergence.reason,), "against": "nodes", "by_node": frozenset()}
    failed = [row for row in rows if not row.passed]
    explained = {
        row.name for row in failed if known.get(row.name, 0.0) >= 1 and excess_of(row) <= _most(row) * known[row.name]
    }
    exact = {row.name for row in failed if row.name in as_nodes_say and _is_counted(row)}
    far = {row.name for row in failed if row.name in explained - exact and (row.rms if narrow else row.overall) > CAP}
    wrong = [row for row in failed if row.name not in explained]
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

"""What commands print about a verification."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from forge_mlir.cli.output.tables import print_table
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError, printable

if TYPE_CHECKING:
    from forge_mlir.verify import Alone, Comparison, Divergence, Exactness, Verification
    from forge_mlir.verify.verdict import Verdict

# A recurrent layer may be hundreds of calls.
_MOST_CALLS = 12


def failure_of(result: Verification) -> ForgeError | None:
    is_shown = result.divergence is not None or not all(row.passed for row in result.outputs)
    is_unequal = result.exact is not None and result.exact.state == "different"
    reasons = () if result.verdict == "wrong" and (is_shown or is_unequal) else result.reasons
    where = f" for the shapes '{printable(result.shape_set)}'" if result.shape_set else ""
    return verdict_error(result.model, result.verdict, reasons, where)


def verdict_error(model: str, verdict: Verdict, reasons: Sequence[str], where: str = "") -> ForgeError | None:
    """The error for a verdict other than "right", with the first of `reasons`, if the output above does not have it."""
    reason = f": {printable(reasons[0])}" if reasons else ""
    if verdict == "wrong":
        return ForgeError(Code.ResultsDiffer, f"{model}: the module's results differ from ONNX{where}{reason}")
    if verdict == "undecided":
        return ForgeError(Code.ResultsUndecided, f"{model}: nothing says whether the results are right{where}{reason}")
    return None


_REMARKS = {
    "onnxruntime": "onnxruntime is off at node {}: evaluated in float64 it agrees with the module",
    "both": "both are off at node {}: float64 is as far from onnxruntime as from the module",
    "judges": "undecided: onnxruntime and onnx.reference differ at node {}",
    "random": "not compared: node {} has random numbers, which both sides take from the module",
}
"""A remark about a node, by `NodeReport.off`."""

_COMPARED = {
    "outputs": "the given outputs",
    "file": "the model's file",
    "nodes": "ONNX's nodes",
}
"""What the outputs were compared with, by `Verification.against`."""


def show(result: Verification, every: bool) -> None:
    if every:
        rows = []
        for report in result.nodes:
            verdict = f"{report.off} off" if report.off in ("module", "onnxruntime", "both") else report.off or "ok"
            errors = (f"{report.local.relative:.3g}", f"{report.total.relative:.3g}")
            rows.append((verdict, *errors, report.node.op_type, report.node.name))
        # Long columns come last, so that the rest fits 80 columns. --json has more.
        print_table(("result", "local", "relative", "op", "node"), rows)
    if result.outputs:
        print_table(
            ("result", "relative", "ULP", "PCC", "dtype", "shape", "output"),
            (_cells(result, row) for row in result.outputs),
        )
    if result.quantized:
        print_table(
            ("from the quantised model", "PCC", "dtype", "output"),
            ((f"{row.relative:.3g}", f"{row.pcc:.6f}", row.dtype, row.name) for row in result.quantized),
        )
    worst = max(result.nodes, key=lambda report: report.local.relative, default=None)
    if worst is not None and result.divergence is None:
        print(
            f"{len(result.nodes)} values of nodes agree; the largest local error of one node is "
            f"{worst.local.relative:.3g}, of '{printable(worst.node.name)}' ({printable(worst.node.op_type)})"
        )
    for report in result.nodes:
        label = f"'{printable(report.node.name)}' ({printable(report.node.op_type)})"
        if remark := _REMARKS.get(report.off):
            print(remark.format(label))
    if result.by_node:
        print(
            "by node: farther off than the limit, and no error: every node agrees on what it reads, and ONNX's own "
            "outputs move as far when its values move by their rounding"
        )
    for name, reason in result.skipped:
        print(f"not compared: node '{printable(name)}': {printable(reason)}")
    if result.divergence:
        _explain(result.divergence)
    if result.exact is not None:
        print(of_exactness(result.exact))
    if result.alone is not None:
        print(_of_nodes_alone(result.alone))
    print(verdict_line(result))


def verdict_line(result: Verification) -> str:
    ended = ", ".join(f"{name} {verdict}" for name, verdict in result.runs)
    line = f"{result.verdict}: compared with {_COMPARED[result.against]}; inputs: {ended or result.run}"
    sets = ", ".join(f"{name} {verdict}" for name, verdict in result.shape_sets)
    return f"{line}; shapes: {sets}" if sets else line


def of_exactness(found: Exactness) -> str:
    took, reason = f"({found.seconds:.1f} s)", printable(found.reason)
    match found.state:
        case "equal":
            nodes = f"; {found.compared} results of nodes are ONNX's in float64" if found.compared else ""
            what = "the emitted calls and weights compute what the converted model does, up to rounding"
            return f"equal: {what}{nodes}{f'; not covered: {reason}' if reason else ''} {took}"
        case "different":
            return f"not equal: {reason} {took}"
    return f"equality not covered: {reason} {took}"


def _of_nodes_alone(found: Alone) -> str:
    lines = [f"wrong: {printable(each.explain())}" for each in found.wrong]
    why = ", ".join(f"{count} {reason}" for reason, count in found.left_out.items())
    others = f"; not compared: {why}" if why else ""
    what = "distinct nodes are right, also for operands that do not occur in the model"
    return "\n".join([*lines, f"alone: {found.right} {what}{others} ({found.seconds:.1f} s)"])


def show_rounding(result: Verification) -> None:
    rows = [
        (f"{each.local.rms:.3g}", f"{each.total.rms:.3g}", each.node.op_type, each.node.name)
        for each in result.most_rounded()
    ]
    if rows:
        print("where error enters: root mean square of what a node adds, and of what its result has by then")
        print_table(("enters", "there", "op", "node"), rows)


def _explain(found: Divergence) -> None:
    node = f"'{printable(found.node.name)}' ({printable(found.node.op_type)})"
    print(f"first divergence: node {node}: {printable(found.reason)}")
    for name, kind in found.inputs:
        print(f"  input '{printable(name)}': {kind}")
    for node in found.fused:
        print(f"  with node '{printable(node.name)}' ({printable(node.op_type)})")
    for step in found.steps[-_MOST_CALLS:]:
        print(f"  emitted: {step}")
    if len(found.steps) > _MOST_CALLS:
        print(f"  and {len(found.steps) - _MOST_CALLS} calls before these")


def _cells(result: Verification, row: Comparison) -> tuple[str, ...]:
    numbers = (f"{row.relative:.3g}", str(row.ulp), f"{row.pcc:.6f}")
    name = f"{row.name}: {row.reason}" if row.reason else row.name
    return result.of_output(row), *numbers, row.dtype, str(list(row.shape)), name

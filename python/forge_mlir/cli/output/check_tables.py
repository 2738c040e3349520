"""The tables of `forge-mlir check`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from forge_mlir.cli.output.tables import print_table
from forge_mlir.codes import Code
from forge_mlir.errors import counted, escaped

if TYPE_CHECKING:
    from forge_mlir.report.check import Refusal, UnprovenIntegers
    from forge_mlir.report.cost import Cost, CostSummary
    from forge_mlir.report.cut_points import CutPoint
    from forge_mlir.report.layout import LayoutSummary
    from forge_mlir.report.partition import PartitionSummary, Traffic


_COSTS = ("kernels", "bytes", "padding", "moved", "FLOPs", "time")
# The number of the costliest nodes and layers that are shown.
_MOST_ROWS = 10

# The advice for inputs that a refusal names, if it is not to bind them.
_BOUNDS: dict[str, str] = {Code.IntegerUnproven: "state --range of"}


def show_refused(refused: tuple[Refusal, ...]) -> None:
    """Prints the nodes that the device cannot run, with reasons."""
    if not refused:
        return
    rows = []
    for row in refused:
        op = f"{row.domain}.{row.op}" if row.domain else row.op
        hint = ""
        if row.bind:
            hint = f"; {_BOUNDS.get(row.code, 'bind')} {', '.join(row.bind)}"
        rows.append((row.code, row.name, op, str(row.opset), ", ".join(row.operands), row.reason + hint))
    print_table(("code", "node", "op", "opset", "operands", "reason"), rows)


def show_integers(integers: tuple[UnprovenIntegers, ...]) -> None:
    """Prints integer arithmetic that may overflow Int32, and which inputs have to be bounded."""
    if not integers:
        return
    rows = []
    for row in integers:
        hint = f"; state --range of {', '.join(row.inputs)}" if row.inputs else ""
        rows.append((row.name, f"{row.domain}.{row.op}" if row.domain else row.op, row.reason + hint))
    print_table(("unproven integers", "op", "reason"), rows)


def _shown(traffic: Traffic) -> str:
    unknown = f" and {traffic.unknown} of unknown size" if traffic.unknown else ""
    return f"{counted(traffic.tensors, 'tensor')}, {counted(traffic.bytes, 'byte')}{unknown}"


def show_partitions(partitions: tuple[PartitionSummary, ...]) -> None:
    if not partitions:
        return
    print_table(
        ("partition", "ops", "multiply-adds", "takes", "gives"),
        (
            (
                f"{partition.module} ({partition.engine})" if partition.engine else partition.module,
                ", ".join(f"{count} {op.removeprefix('forge.op.')}" for op, count in partition.ops.items()),
                f"{partition.multiply_adds:,} ({partition.share:.1%})",
                _shown(partition.takes),
                _shown(partition.gives),
            )
            for partition in partitions
        ),
    )
    print_table(
        ("partition", "node on the CPU", "op", "reason"),
        (
            (partition.module, node.name, f"{node.domain}.{node.op}" if node.domain else node.op, node.reason)
            for partition in partitions
            for node in partition.cpu_nodes
        ),
    )
    share = sum(partition.share for partition in partitions if partition.kind == "device")
    print(f"{len(partitions)} partitions; {share:.1%} of the multiply-adds run on the device")


def show_layout(layout: LayoutSummary) -> None:
    print_table(
        ("tiles", "bytes", "of data", "ratio", "slices", "tile traffic"),
        (
            (
                name,
                f"{totals.bytes:,}",
                f"{totals.bytes_logical:,}",
                f"{totals.ratio:.3f}",
                ", ".join(f"{count} {kind}" for kind, count in totals.slice_classes.items()),
                ", ".join(f"{count:,} {kind}" for kind, count in totals.traffic.items()),
            )
            for name, totals in (("before", layout.before), ("after --tiles", layout.after))
        ),
    )
    print_table(
        ("most wasteful tensors", "op", "shape", "bytes", "of data"),
        (
            (row["node"], row["op"], str(row["shape"]), f"{row['bytes']:,}", f"{row['bytes_logical']:,}")
            for row in layout.worst
        ),
    )
    for line in layout.rewrites:
        print(line)


def show_cost(summary: CostSummary) -> None:
    """Prints costs by ONNX node, by layer, by op and in total, the costliest first, and what passes have saved."""
    total = summary.total
    for kind, rows in (("node", summary.nodes), ("layer", summary.layers), ("op", summary.ops)):
        shown = [row for row in rows if row.ops_after][:_MOST_ROWS]
        rest = len([row for row in rows if row.ops_after]) - len(shown)
        cells = [(row.name or "(none)", f"{row.ops_after:,}", *_counts(row.after), row.bound) for row in shown]
        if rest:
            cells.append((f"and {rest:,} more", *[""] * (len(_COSTS) + 2)))
        cells.append((total.name, f"{total.ops_after:,}", *_counts(total.after), total.bound))
        if kind == "op":
            cells.append(("in all, before the passes", f"{total.ops_before:,}", *_counts(total.before), ""))
        print_table((kind, "ops", *_COSTS, "bound by"), cells)
    print_table(
        ("pass", *(f"{what} saved" for what in _COSTS), "did"),
        (
            (row.name, *_counts(row.saved), ", ".join(f"{count:,} {what}" for what, count in row.did.items()))
            for row in summary.passes
        ),
    )
    print(f"times are estimates for a {summary.device.name}; nothing was timed")


def _counts(cost: Cost) -> list[str]:
    numbers = (cost.kernels, cost.bytes, cost.padding, cost.moved, 2 * cost.multiply_adds)
    return [*(f"{number:,}" for number in numbers), f"{cost.picoseconds / 1e6:,.1f} us"]


def show_cut_points(model: Path, cut_points: tuple[CutPoint, ...]) -> None:
    if not cut_points:
        print("no cut is of use: the device can run all of the model, or no tensors of the file divide its work")
        return
    for cut in cut_points:
        sides = (("--extract-inputs", cut.inputs), ("--extract-outputs", cut.outputs))
        flags = " ".join(f"{flag} {shlex.quote(','.join(names))}" for flag, names in sides if names)
        command = escaped(f"forge-mlir compile {shlex.quote(str(model))} {flags}")
        print(f"{cut.share:.1%} of the multiply-adds, {_shown(cut.transfer)} over the cut: {command}")

"""The tables of `forge-mlir check`."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from forge_mlir.check import Refusal
    from forge_mlir.cuts import SuggestedCut
    from forge_mlir.layout_report import LayoutSummary
    from forge_mlir.region_report import RegionSummary, Traffic


def _print_table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Cells hold text from models: no markup, no control characters."""
    table = Table()
    for title in titles:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*(escape(_printable(cell)) for cell in row))
    Console().print(table)


def _printable(text: str) -> str:
    # Reasons and operands come from the compiler, which has escaped them already.
    return text if text.isascii() and text.isprintable() else ascii(text)[1:-1]


def show_refused(refused: tuple[Refusal, ...]) -> None:
    """The nodes that the device cannot run, and why."""
    if not refused:
        return
    rows = []
    for row in refused:
        op = f"{row.domain}.{row.op}" if row.domain else row.op
        hint = f"; bind {', '.join(row.bind)}" if row.bind else ""
        rows.append((row.name, op, str(row.opset), ", ".join(row.operands), row.reason + hint))
    _print_table(("node", "op", "opset", "operands", "reason"), rows)


def _shown(traffic: Traffic) -> str:
    unknown = f" and {traffic.unknown} of unknown size" if traffic.unknown else ""
    return f"{traffic.tensors} tensors, {traffic.bytes:,} bytes{unknown}"


def show_regions(regions: tuple[RegionSummary, ...]) -> None:
    if not regions:
        return
    _print_table(
        ("region", "ops", "multiply-adds", "takes", "gives"),
        (
            (
                region.module,
                ", ".join(f"{count} {op.removeprefix('forge.op.')}" for op, count in region.ops.items()),
                f"{region.multiply_adds:,} ({region.share:.1%})",
                _shown(region.takes),
                _shown(region.gives),
            )
            for region in regions
        ),
    )
    _print_table(
        ("region", "node on the CPU", "op", "reason"),
        (
            (region.module, node.name, f"{node.domain}.{node.op}" if node.domain else node.op, node.reason)
            for region in regions
            for node in region.cpu_nodes
        ),
    )
    share = sum(region.share for region in regions if region.kind == "device")
    print(f"{len(regions)} regions; {share:.1%} of the multiply-adds run on the device")


def show_layout(layout: LayoutSummary) -> None:
    _print_table(
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
    _print_table(
        ("most wasteful tensors", "op", "shape", "bytes", "of data"),
        (
            (row["node"], row["op"], str(row["shape"]), f"{row['bytes']:,}", f"{row['bytes_logical']:,}")
            for row in layout.worst
        ),
    )
    for line in layout.rewrites:
        print(line)


def show_cuts(model: Path, cuts: tuple[SuggestedCut, ...]) -> None:
    if not cuts:
        print("no cut is of use: the device can run all of the model, or has no work in it")
        return
    for cut in cuts:
        sides = (("--inputs", cut.inputs), ("--outputs", cut.outputs))
        flags = " ".join(f"{flag} {shlex.quote(','.join(names))}" for flag, names in sides if names)
        command = ascii(f"forge-mlir compile {shlex.quote(str(model))} {flags}")[1:-1]
        print(f"{cut.share:.1%} of the multiply-adds, {_shown(cut.crossing)} over the cut: {command}")

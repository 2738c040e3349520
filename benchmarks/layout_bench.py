"""Compares the time of the tile passes with that of the conversion of the same model, in the same run of forge-opt.

    python benchmarks/layout_bench.py [--forge-opt build/tools/forge-opt/forge-opt] [--repeat 5]

The models are sequences of transformer blocks. A constant last column means linear time.
"""

from __future__ import annotations

from compile_bench import blocks
from pass_timing import arguments, conversion, pass_seconds
from rich.console import Console
from rich.table import Table

from forge_mlir.compiler.pipeline_text import pipeline

REPORT = "forge-tile-layout-report{json=/dev/null remarks=false}"
_LAYOUT = {
    "report": "ForgeTileLayoutReportPass",
    "canonicalize": "ForgeSliceCanonicalizePass",
    "rewrite": "ForgeDivisibilityRewritePass",
}


def main() -> None:
    """Prints the table."""
    options = arguments(__doc__)
    passes = pipeline({"layout": "tiles"}).removesuffix(")") + f",{REPORT})"
    table = Table("nodes", "conversion ms", *(f"{name} ms" for name in _LAYOUT), "report of conversion", "us per node")
    for wanted in options.nodes:
        model = blocks(wanted // 12)
        seconds = pass_seconds(options, model, passes)
        layout = {name: seconds[key] for name, key in _LAYOUT.items()}
        whole = conversion(seconds, _LAYOUT.values())
        nodes = len(model.graph.node)
        table.add_row(
            str(nodes),
            f"{whole * 1e3:.1f}",
            *(f"{value * 1e3:.1f}" for value in layout.values()),
            f"1/{whole / layout['report']:.1f}",
            f"{sum(layout.values()) / nodes * 1e6:.2f}",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()

"""Times the passes on tiles beside the conversion of the same model, in the same run of forge-opt.

    python benchmarks/layout_bench.py [--forge-opt build/tools/forge-opt/forge-opt] [--repeat 5]

The models are rows of transformer blocks. A flat last column means linear time.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from compile_bench import blocks
from partition_bench import pass_seconds
from rich.console import Console
from rich.table import Table

from forge_mlir.compiler import bytecode_of
from forge_mlir.importer import import_onnx
from forge_mlir.options import pipeline

REPORT = "forge-tile-layout-report{json=/dev/null remarks=false}"
_LAYOUT = {
    "report": "ForgeTileLayoutReportPass",
    "canonicalize": "ForgeSliceCanonicalizePass",
    "rewrite": "ForgeDivisibilityRewritePass",
}


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--forge-opt", type=Path, default=Path("build/tools/forge-opt/forge-opt"))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--nodes", default="5000,10000,20000,40000")
    options = parser.parse_args()
    passes = pipeline({"layout": "tiles"}).removesuffix(")") + f",{REPORT})"
    table = Table("nodes", "conversion ms", *(f"{name} ms" for name in _LAYOUT), "report of conversion", "us per node")
    for wanted in map(int, options.nodes.split(",")):
        model = blocks(wanted // 12)
        with tempfile.TemporaryDirectory() as scratch:
            source = Path(scratch) / "model.mlirbc"
            source.write_bytes(bytecode_of(import_onnx(model)))
            seconds = pass_seconds(options.forge_opt, source, passes, options.repeat)
        layout = {name: seconds[key] for name, key in _LAYOUT.items()}
        named = {key: value for key, value in seconds.items() if key[:5] in ("Forge", "Conve") or key == "CSE"}
        conversion = sum(named.values()) - sum(layout.values())
        nodes = len(model.graph.node)
        table.add_row(
            str(nodes),
            f"{conversion * 1e3:.1f}",
            *(f"{value * 1e3:.1f}" for value in layout.values()),
            f"1/{conversion / layout['report']:.1f}",
            f"{sum(layout.values()) / nodes * 1e6:.2f}",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()

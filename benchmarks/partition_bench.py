"""Times --forge-partition beside the conversion of the same model, in the same run of forge-opt.

    python benchmarks/partition_bench.py [--forge-opt build/tools/forge-opt/forge-opt] [--repeat 5]

The models are rows of transformer blocks in which every 40th node is one that the device cannot run. A flat last
column means linear time.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

from compile_bench import blocks
from onnx import ModelProto, helper
from rich.console import Console
from rich.table import Table

from forge_mlir.compiler import bytecode_of
from forge_mlir.importer import import_onnx
from forge_mlir.options import pipeline

UNSUPPORTED = 40
"""One node in so many cannot run on the device."""
_PASS = re.compile(r"^\s*(?P<seconds>[\d.]+) \(.*\)\s+(?P<name>\w+)$", re.MULTILINE)


def with_unsupported(copies: int) -> ModelProto:
    """A row of blocks; behind every 40th node comes one more, of an op that nobody knows."""
    model = blocks(copies)
    nodes, renamed = [], {}
    for i, node in enumerate(model.graph.node):
        for k, name in enumerate(node.input):
            node.input[k] = renamed.get(name, name)
        nodes.append(node)
        # Residual sums have the model's own type, which shape inference cannot tell of an unknown op.
        if i % UNSUPPORTED < 12 and node.op_type == "Add" and node.output[0].endswith(".first"):
            renamed[node.output[0]] = f"{node.output[0]}.odd"
            nodes.append(helper.make_node("Mystery", [node.output[0]], [f"{node.output[0]}.odd"], domain="example"))
            model.graph.value_info.append(helper.make_tensor_value_info(f"{node.output[0]}.odd", 1, [1, 8, 16]))
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.opset_import.append(helper.make_opsetid("example", 1))
    return model


def pass_seconds(forge_opt: Path, source: Path, passes: str, repeat: int) -> dict[str, float]:
    """The median time of each pass of a pipeline; those that ran several times together."""
    runs: list[dict[str, float]] = []
    command = [forge_opt, source, f"--pass-pipeline={passes}", "-mlir-timing", "-emit-bytecode"]
    for _ in range(repeat):
        done = subprocess.run([*command, "-o", "/dev/null"], capture_output=True, text=True, check=True)
        seconds: dict[str, float] = {}
        for found in _PASS.finditer(re.sub(r"^\s*[\d.]+ \(\s*[\d.]+%\)(?=\s+[\d.]+ \()", "", done.stderr, flags=re.M)):
            seconds[found["name"]] = seconds.get(found["name"], 0) + float(found["seconds"])
        runs.append(seconds)
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--forge-opt", type=Path, default=Path("build/tools/forge-opt/forge-opt"))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--nodes", default="5000,10000,20000,40000")
    options = parser.parse_args()
    table = Table("nodes", "on the CPU", "trial ms", "conversion ms", "partition ms", "of conversion", "us per node")
    for wanted in map(int, options.nodes.split(",")):
        model = with_unsupported(wanted // 12)
        nodes = model.graph.node
        with tempfile.TemporaryDirectory() as scratch:
            source = Path(scratch) / "model.mlirbc"
            source.write_bytes(bytecode_of(import_onnx(model)))
            seconds = pass_seconds(options.forge_opt, source, pipeline({"fallback": "cpu"}), options.repeat)
        partition = seconds["ForgePartitionPass"]
        trial = seconds["ForgeAssignDevicesPass"]
        passes = {name: value for name, value in seconds.items() if name[:5] in ("Forge", "Conve") or name == "CSE"}
        conversion = sum(passes.values()) - partition
        odd = sum(node.op_type == "Mystery" for node in nodes)
        cells = (trial * 1e3, conversion * 1e3, partition * 1e3)
        table.add_row(
            str(len(nodes)),
            str(odd),
            *(f"{cell:.1f}" for cell in cells),
            f"1/{conversion / partition:.1f}",
            f"{partition / len(nodes) * 1e6:.2f}",
        )
    Console().print(table)


if __name__ == "__main__":
    main()

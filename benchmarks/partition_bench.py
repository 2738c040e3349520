"""Compares the time of --forge-partition with that of the conversion of the same model, in the same run of forge-opt.

    python benchmarks/partition_bench.py [--forge-opt build/tools/forge-opt/forge-opt] [--repeat 5]

The models are sequences of transformer blocks in which every 40th node cannot run on the device. A constant last column
means linear time.
"""

from __future__ import annotations

from compile_bench import blocks
from onnx import ModelProto, helper
from pass_timing import arguments, conversion, pass_seconds
from rich.console import Console
from rich.table import Table

from forge_mlir.compiler.pipeline_text import pipeline

UNSUPPORTED = 40
"""One of this many nodes cannot run on the device."""


def with_unsupported(copies: int) -> ModelProto:
    """A sequence of blocks; after every 40th node there is one of an unknown op."""
    model = blocks(copies)
    nodes, renamed = [], {}
    for i, node in enumerate(model.graph.node):
        for k, name in enumerate(node.input):
            node.input[k] = renamed.get(name, name)
        nodes.append(node)
        # Residual sums get the declared type of the model, which shape inference cannot infer for an unknown op.
        if i % UNSUPPORTED < 12 and node.op_type == "Add" and node.output[0].endswith(".first"):
            renamed[node.output[0]] = f"{node.output[0]}.odd"
            nodes.append(helper.make_node("Mystery", [node.output[0]], [f"{node.output[0]}.odd"], domain="example"))
            model.graph.value_info.append(helper.make_tensor_value_info(f"{node.output[0]}.odd", 1, [1, 8, 16]))
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.opset_import.append(helper.make_opsetid("example", 1))
    return model


def main() -> None:
    """Prints the table."""
    options = arguments(__doc__)
    table = Table("nodes", "on the CPU", "trial ms", "conversion ms", "partition ms", "of conversion", "us per node")
    for wanted in options.nodes:
        model = with_unsupported(wanted // 12)
        nodes = model.graph.node
        seconds = pass_seconds(options, model, pipeline({"fallback": "cpu"}))
        partition, trial = seconds["ForgePartitionPass"], seconds["ForgeAssignDevicesPass"]
        whole = conversion(seconds, ["ForgePartitionPass"])
        table.add_row(
            str(len(nodes)),
            str(sum(node.op_type == "Mystery" for node in nodes)),
            *(f"{cell * 1e3:.1f}" for cell in (trial, whole, partition)),
            f"1/{whole / partition:.1f}",
            f"{partition / len(nodes) * 1e6:.2f}",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()

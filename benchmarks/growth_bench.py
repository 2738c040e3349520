"""Measures how the time of each pass grows with the graph: `python benchmarks/growth_bench.py [--most OPS] [--write]`.

Models are compiled in growing sizes: sequences of transformer layers (models/gpt2_block), a chain of convolutions,
steps of LSTMs, pads of size 0, pads before transposes and convolutions, small images, and attention with few heads. The
output is the slope of the logarithm of a pass's time over that of its number of ops: 1 is linear, 2 quadratic. Times
below some milliseconds are ignored. The first slope is over all sizes, the second between the two largest.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.compiler.lower import import_model
from forge_mlir.compiler.options import Options
from forge_mlir.compiler.pipeline_text import pipeline

BLOCK = Path(__file__).resolve().parent.parent / "models/gpt2_block/model.onnx"
LEAST_SECONDS = 0.005
MOST_STEPS = 512


def transformer(layers: int) -> ModelProto:
    """A sequence of `layers` GPT-2 blocks as in README, with distinct weights."""
    block = onnx.load(BLOCK)
    (entry,), (result,) = block.graph.input, block.graph.output
    nodes, weights, value = [], [], entry.name
    for layer in range(layers):
        names = {entry.name: value, result.name: f"{layer}.out", "": ""}
        for node in block.graph.node:
            copy = onnx.NodeProto()
            copy.CopyFrom(node)
            copy.name = f"/{layer}{node.name}"
            copy.input[:] = [names.get(name, f"{layer}.{name}") for name in node.input]
            copy.output[:] = [names.get(name, f"{layer}.{name}") for name in node.output]
            nodes.append(copy)
        for tensor in block.graph.initializer:
            own = onnx.TensorProto()
            own.CopyFrom(tensor)
            own.name = f"{layer}.{tensor.name}"
            weights.append(own)
        value = f"{layer}.out"
    last = onnx.ValueInfoProto()
    last.CopyFrom(result)
    last.name = value
    graph = helper.make_graph(nodes, "stack", [entry], [last], weights)
    return helper.make_model(graph, opset_imports=block.opset_import, ir_version=block.ir_version)


def convolutions(length: int) -> ModelProto:
    """Conv, BatchNormalization, Relu, and a residual sum over two convolutions."""
    rng = np.random.default_rng(0)
    weights = {
        "w": rng.standard_normal((8, 8, 3, 3)) * 0.1,
        **{name: np.abs(rng.standard_normal(8)) for name in "sbmv"},
    }
    nodes, value, kept = [], "x", "x"
    for i in range(length):
        nodes.append(helper.make_node("Conv", [value, "w"], [f"c{i}"], f"conv{i}", pads=[1, 1, 1, 1]))
        nodes.append(helper.make_node("BatchNormalization", [f"c{i}", *"sbmv"], [f"n{i}"], f"norm{i}"))
        nodes.append(helper.make_node("Relu", [f"n{i}"], [f"r{i}"], f"relu{i}"))
        value = f"r{i}"
        if i % 2:
            nodes.append(helper.make_node("Add", [value, kept], [f"a{i}"], f"sum{i}"))
            value = kept = f"a{i}"
    return _model(nodes, [1, 8, 6, 6], value, [1, 8, 6, 6], weights)


def recurrent(steps: int) -> ModelProto:
    """A sequence of LSTMs with this number of steps in all: at most 512 steps of one are unrolled."""
    rng = np.random.default_rng(0)
    weights = {
        "W": rng.standard_normal((1, 16, 4)),
        "R": rng.standard_normal((1, 16, 4)),
        "B": rng.standard_normal((1, 32)),
        "axis": np.array([1], np.int64),
    }
    layers = -(-steps // MOST_STEPS)
    steps //= layers
    nodes, value = [], "x"
    for i in range(layers):
        nodes.append(helper.make_node("LSTM", [value, "W", "R", "B"], [f"y{i}"], f"lstm{i}", hidden_size=4))
        nodes.append(helper.make_node("Squeeze", [f"y{i}", "axis"], [f"s{i}"], f"squeeze{i}"))
        value = f"s{i}"
    return _model(nodes, [steps, 1, 4], value, [steps, 1, 4], weights)


def pads(length: int) -> ModelProto:
    """Pads of size 0 before a convolution."""
    weights = {"w": np.ones((4, 4, 1, 1)), "p": np.zeros(8, np.int64)}
    nodes = [helper.make_node("Pad", [f"x{i}" if i else "x", "p"], [f"x{i + 1}"], f"pad{i}") for i in range(length)]
    nodes.append(helper.make_node("Conv", [f"x{length}", "w"], ["y"], "conv"))
    return _model(nodes, [1, 4, 2, 2], "y", [1, 4, 2, 2], weights)


def padded(length: int) -> ModelProto:
    """Pads of images with channels last, as TensorFlow has them, before transposes and convolutions."""
    rng = np.random.default_rng(0)
    weights = {"w": rng.standard_normal((8, 8, 3, 3)) * 0.1, "p": np.array([0, 1, 1, 0] * 2, np.int64)}
    nodes, value = [], "x"
    for i in range(length):
        nodes.append(helper.make_node("Pad", [value, "p"], [f"p{i}"], f"pad{i}"))
        nodes.append(helper.make_node("Transpose", [f"p{i}"], [f"f{i}"], f"first{i}", perm=[0, 3, 1, 2]))
        nodes.append(helper.make_node("Conv", [f"f{i}", "w"], [f"c{i}"], f"conv{i}"))
        nodes.append(helper.make_node("Transpose", [f"c{i}"], [f"l{i}"], f"last{i}", perm=[0, 2, 3, 1]))
        nodes.append(helper.make_node("Relu", [f"l{i}"], [f"r{i}"], f"relu{i}"))
        value = f"r{i}"
    return _model(nodes, [1, 6, 6, 8], value, [1, 6, 6, 8], weights)


def images(length: int) -> ModelProto:
    """Convolutions of images of 7 x 7 pixels, x * sigmoid(x), and residual sums."""
    rng = np.random.default_rng(0)
    weights = {"w": rng.standard_normal((64, 64, 3, 3)) * 0.1}
    nodes, value = [], "x"
    for i in range(length):
        nodes.append(helper.make_node("Conv", [value, "w"], [f"c{i}"], f"conv{i}", pads=[1, 1, 1, 1]))
        nodes.append(helper.make_node("Sigmoid", [f"c{i}"], [f"s{i}"], f"sigmoid{i}"))
        nodes.append(helper.make_node("Mul", [f"c{i}", f"s{i}"], [f"m{i}"], f"product{i}"))
        nodes.append(helper.make_node("Add", [f"m{i}", value], [f"a{i}"], f"sum{i}"))
        value = f"a{i}"
    return _model(nodes, [1, 64, 7, 7], value, [1, 64, 7, 7], weights)


def attention(layers: int) -> ModelProto:
    """Attention of 3 heads over windows of 49 pixels, as in Swin."""
    rng = np.random.default_rng(0)
    weights = {name: rng.standard_normal((96, 96)) * 0.1 for name in "qkv"}
    weights |= {"heads": np.array([64, 49, 3, 32], np.int64), "columns": np.array([64, 49, 96], np.int64)}
    nodes, value = [], "x"

    def add(op: str, operands: list[str], result: str, layer: int, **attributes: list[int] | int) -> str:
        name = f"{result}{layer}"
        nodes.append(helper.make_node(op, operands, [name], f"/{layer}/{result}", **attributes))
        return name

    for i in range(layers):
        operands = []
        for name, perm in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3])):
            product = add("MatMul", [value, name], f"{name}_product", i)
            heads = add("Reshape", [product, "heads"], f"{name}_heads", i)
            operands.append(add("Transpose", [heads], f"{name}_rows", i, perm=perm))
        scores = add("Softmax", [add("MatMul", operands[:2], "scores", i)], "softmax", i, axis=-1)
        mixed = add("Transpose", [add("MatMul", [scores, operands[2]], "mixed", i)], "rows", i, perm=[0, 2, 1, 3])
        value = add("Add", [add("Reshape", [mixed, "columns"], "joined", i), value], "sum", i)
    return _model(nodes, [64, 49, 96], value, [64, 49, 96], weights)


def _model(
    nodes: list[onnx.NodeProto], shape: list[int], result: str, result_shape: list[int], weights: dict[str, np.ndarray]
) -> ModelProto:
    tensors = [
        numpy_helper.from_array(value if value.dtype == np.int64 else value.astype(np.float32), name)
        for name, value in weights.items()
    ]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
    outputs = [helper.make_tensor_value_info(result, TensorProto.FLOAT, result_shape)]
    graph = helper.make_graph(nodes, "growth", inputs, outputs, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


FAMILIES: dict[str, tuple[Callable[[int], ModelProto], int]] = {
    "transformer": (transformer, 58),
    "convolutions": (convolutions, 4),
    "lstm": (recurrent, 14),
    "pads": (pads, 1),
    "padded": (padded, 5),
    "images": (images, 4),
    "attention": (attention, 15),
}
"""A function that creates a model, and the approximate number of nodes or ops per layer or step."""

Times = dict[str, list[tuple[int, float]]]
"""For each pass and model: the larger of the numbers of ops before and after it, and its time in seconds."""


class _Clock:
    """Measures processor time, which does not depend on other programs, and numbers passes that run several times."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = defaultdict(int)
        self._last = time.process_time()

    def name_of(self, name: str) -> str:
        self._seen[name] += 1
        return name if self._seen[name] == 1 else f"{name} ({self._seen[name]})"

    def seconds(self) -> float:
        """The seconds since the last call."""
        last, self._last = self._last, time.process_time()
        return self._last - last


def measure(make: Callable[[int], ModelProto], lengths: list[int]) -> Times:
    """The time of each pass of the default pipeline; repeated runs of a pass are listed separately."""
    times: Times = defaultdict(list)
    for length in lengths:
        module = import_model(make(length)).module
        clock = _Clock()

        def note(run: forge_mlir._native.PassRun, clock: _Clock = clock) -> None:
            times[clock.name_of(run.name)].append((max(run.ops_before, run.ops_after), clock.seconds()))

        forge_mlir.run_pipeline(module, pipeline(Options()), on_pass=note)
    return times


def slope(points: list[tuple[int, float]]) -> float | None:
    """The slope of the least-squares line through the logarithms; None for fewer than two points that take long
    enough."""
    logs = [(math.log(ops), math.log(seconds)) for ops, seconds in points if seconds >= LEAST_SECONDS]
    if len({x for x, _ in logs}) < 2:
        return None
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)


def rows(most: int, families: list[str]) -> Iterator[tuple[str, str, float, float, float]]:
    """(family, pass, slope over all sizes, slope between the two largest, seconds of the largest), for sizes that
    double up to `most` nodes."""
    for family in families:
        make, nodes = FAMILIES[family]
        lengths = [1, *(most // nodes >> shift for shift in range(6, -1, -1))]
        for name, points in measure(make, sorted({length for length in lengths if length > 0})).items():
            whole, last = slope(points), slope(points[-2:])
            if whole is not None and last is not None:
                yield family, name, whole, last, points[-1][1]


PAGE = Path(__file__).resolve().parent.parent / "docs/growth.md"
_TEXT = """# How compile time grows

This page shows how the time of each pass of the default pipeline grows with the size of a model. All times are
processor times. `python benchmarks/growth_bench.py --write` measures the times and writes this page. Do not edit it.

Each row is a run of a pass. The second run of a pass is marked (2). Each column is a kind of model:

- *transformer*: GPT-2 blocks
- *convolutions*: convolutions, each with a batch norm and a ReLU
- *lstm*: LSTMs
- *pads*: pads of size 0
- *padded*: pads before transposes and convolutions
- *images*: convolutions of images of 7 x 7 pixels
- *attention*: attention of 3 heads

Each kind was compiled in eight sizes. The largest model has about {most:,} ONNX nodes. (The largest *lstm* has fewer
nodes. It has about {most:,} ops when its time steps are unrolled.)

A cell such as `1.1 (0.20 s)` has two numbers:

- the exponent k: if n is the number of MLIR ops, the time of the pass grows like n^k. k is 1 for linear and 2 for
  quadratic growth. If the pass changes the number of ops, n is the larger of the numbers before and after the pass.
- the time of the pass for the largest model. The last row has the sum of the times of the column.

The exponents are not exact:

- A pass with a linear algorithm may have an exponent above 1, because large models do not fit the processor's caches.
- k is fitted only to the sizes for which the pass takes at least {least:.0f} ms. If a pass takes about 10 ms for the
  largest model, there are few such sizes, and k is not precise.
- If a pass takes less than {least:.0f} ms for one of the two largest models, the cell is empty.
- For *transformer*, the exponent of `--forge-normalize-import` is too low, because its time for the smallest model
  includes the start of MLIR.

"""


def page(most: int) -> str:
    """The document: one row per pass and one for their sum, one column per family."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    total: dict[str, float] = defaultdict(float)
    for family, name, whole, _, seconds in rows(most, [*FAMILIES]):
        found[name][family] = f"{whole:.1f} ({seconds:.2f} s)"
        total[family] += seconds
    lines = [f"| pass | {' | '.join(FAMILIES)} |", "|---" * (len(FAMILIES) + 1) + "|"]
    for name, cells in found.items():
        lines.append(f"| `--{name}` | {' | '.join(cells.get(family, '') for family in FAMILIES)} |")
    lines.append(f"| all of these | {' | '.join(f'({total[family]:.1f} s)' for family in FAMILIES)} |")
    text = _TEXT.format(most=most, least=LEAST_SECONDS * 1000)
    return text + "\n".join(lines) + "\n"


def main() -> None:
    """Prints the table, or writes the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=50_000, help="nodes of the largest model")
    parser.add_argument("--family", action="append", choices=[*FAMILIES], help="only these; may be repeated")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name} instead")
    arguments = parser.parse_args()
    if arguments.write:
        PAGE.write_text(page(arguments.most), encoding="ascii")
        return
    print("| family | pass | slope | at the end | seconds |\n|---|---|---|---|---|")
    for family, name, whole, last, seconds in rows(arguments.most, arguments.family or [*FAMILIES]):
        print(f"| {family} | `--{name}` | {whole:.2f} | {last:.2f} | {seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()

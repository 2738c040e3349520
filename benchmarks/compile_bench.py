"""Compares the time of our C++ (bytecode to Python text) with torch_mlir's node importer on the same model.

    python benchmarks/compile_bench.py [--repeat 5] [--copies 1,4,16,64]

The first table is light_densenet121 (1746 nodes): the median of each side and their ratio. The second is the time per
node for 1 to 64 copies of a transformer block; a constant column means linear time.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import onnx
import onnx.backend.test
from onnx import TensorProto, helper
from rich.console import Console
from rich.table import Table
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras import onnx_importer

from forge_mlir import _native
from forge_mlir.compiler.facts import bytecode_of
from forge_mlir.compiler.pipeline_text import pipeline
from forge_mlir.importer import import_onnx

DENSENET = Path(onnx.backend.test.__file__).parent / "data" / "light" / "light_densenet121.onnx"


def median_seconds(action: Callable[[], object], repeat: int) -> float:
    """The median time of `action`, after a warm-up call."""
    action()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def peer_import(model: onnx.ModelProto) -> None:
    """Only torch_mlir's node importer: the model is loaded and its shapes are inferred before."""
    context = ir.Context()
    torch_dialect.register_dialect(context)
    info = onnx_importer.ModelInfo(model)
    module = info.create_module(context=context)
    onnx_importer.NodeImporter.define_function(info.main_graph, module.operation).import_all()


def compile_text(bytecode: bytes) -> str:
    """Conversion, passes and emission in C++."""
    emitted, diagnostics = _native.compile(bytecode, pipeline({}), "model")
    assert emitted is not None, diagnostics
    return str(emitted[1])


def blocks(copies: int) -> onnx.ModelProto:
    """A sequence of `copies` of a block of 12 nodes (layer norm, fused QKV with a Split, attention scores,
    residual)."""
    nodes, weights, value = [], [], "x"

    def node(op: str, inputs: list[str], outputs: list[str], **attributes: object) -> str:
        nodes.append(helper.make_node(op, inputs, outputs, name=f"{outputs[0]}/{op}", **attributes))
        return outputs[0]

    def weight(name: str, dims: list[int]) -> str:
        size = 1
        for dim in dims:
            size *= dim
        weights.append(helper.make_tensor(name, TensorProto.FLOAT, dims, [0.01] * size))
        return name

    for i in range(copies):
        p = f"h.{i}"
        norm = node("LayerNormalization", [value, weight(f"{p}.scale", [16]), weight(f"{p}.bias", [16])], [f"{p}.norm"])
        qkv = node("MatMul", [norm, weight(f"{p}.qkv", [16, 48])], [f"{p}.fused"])
        pieces = [f"{p}.q", f"{p}.k", f"{p}.v"]
        node("Split", [qkv], pieces, axis=-1, num_outputs=3)
        keys = node("Transpose", [pieces[1]], [f"{p}.kt"], perm=[0, 2, 1])
        scores = node("MatMul", [pieces[0], keys], [f"{p}.scores"])
        soft = node("Softmax", [scores], [f"{p}.soft"], axis=-1)
        mixed = node("MatMul", [soft, pieces[2]], [f"{p}.mixed"])
        first = node("Add", [value, mixed], [f"{p}.first"])
        wide = node("MatMul", [first, weight(f"{p}.up", [16, 32])], [f"{p}.wide"])
        act = node("Gelu", [wide], [f"{p}.act"])
        narrow = node("MatMul", [act, weight(f"{p}.down", [32, 16])], [f"{p}.narrow"])
        value = node("Add", [first, narrow], [f"{p}.out"])
    tensor = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 8, 16]) for name in ("x", value)]
    graph = helper.make_graph(nodes, "blocks", tensor[:1], tensor[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--copies", default="1,2,4,8,16,32,64")
    options = parser.parse_args()
    console = Console()

    model = onnx.shape_inference.infer_shapes(onnx.load(DENSENET), data_prop=True)
    bytecode = bytecode_of(import_onnx(DENSENET))
    peer = median_seconds(lambda: peer_import(model), options.repeat)
    ours = median_seconds(lambda: compile_text(bytecode), options.repeat)
    table = Table("light_densenet121", "ms", "ratio")
    table.add_row("torch_mlir node importer", f"{peer * 1e3:.1f}", "1")
    table.add_row("ours: bytecode to Python text", f"{ours * 1e3:.1f}", f"1/{peer / ours:.1f}")
    console.print(table)

    table = Table("copies", "nodes", "ms", "us per node")
    for copies in map(int, options.copies.split(",")):
        proto = blocks(copies)
        source = bytecode_of(import_onnx(proto))
        seconds = median_seconds(lambda source=source: compile_text(source), options.repeat)
        nodes = len(proto.graph.node)
        table.add_row(str(copies), str(nodes), f"{seconds * 1e3:.2f}", f"{seconds / nodes * 1e6:.1f}")
    console.print(table)


if __name__ == "__main__":
    main()

"""Compares the importer with the standard path on a transformer of any size.

    python benchmarks/import_bench.py [--layers 48] [--hidden 768] [--external] [--fp16] [--keep folder]

Writes the model to a temporary folder (weights are streamed), then runs each importer in a process of its own and
prints seconds (without Python imports), peak resident memory, and anonymous memory (without mapped file pages, which
the system can drop at any time).

The standard path is `onnx.load`, `check_model`, `infer_shapes`, `import_all`. Both end when the module is verified.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper
from rich.console import Console
from rich.table import Table

_STOCK = """
import onnx
from torch_mlir import ir
from torch_mlir.dialects import torch as torch_dialect
from torch_mlir.extras import onnx_importer
def run(path):
    model = onnx.load(path)
    onnx.checker.check_model(model)
    model = onnx.shape_inference.infer_shapes(model, data_prop=True)
    context = ir.Context()
    torch_dialect.register_dialect(context)
    info = onnx_importer.ModelInfo(model)
    module = info.create_module(context)
    onnx_importer.NodeImporter.define_function(info.main_graph, module.operation).import_all()
    assert module.operation.verify()
    return module
"""

_OURS = """
from forge_mlir.importer import import_onnx
def run(path):
    return import_onnx(path)
"""

_MEASURE = """
import json, resource, sys, time
def memory(key):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(key)) // 1024
started = time.perf_counter()
kept = run(sys.argv[1])
seconds = time.perf_counter() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps({"seconds": seconds, "peak": peak, "anonymous": memory("RssAnon:")}))
"""


class Writer:
    """Adds weights to a graph and streams their bytes to a file."""

    def __init__(self, graph: GraphProto, data: Path, dtype: type[np.generic]) -> None:
        self.graph, self.data, self.dtype = graph, data, dtype
        self.random = np.random.default_rng(0)
        self.offset = 0
        self.stream = data.open("wb")

    def weight(self, name: str, *shape: int) -> str:
        values = (self.random.standard_normal(shape, dtype=np.float32) * 0.02).astype(self.dtype)
        tensor = self.graph.initializer.add(name=name, dims=shape, data_location=TensorProto.EXTERNAL)
        tensor.data_type = helper.np_dtype_to_tensor_dtype(values.dtype)
        entries = {"location": self.data.name, "offset": self.offset, "length": values.nbytes}
        for key, value in entries.items():
            tensor.external_data.add(key=key, value=str(value))
        self.stream.write(values.tobytes())
        self.offset += values.nbytes
        return name


def layer(at: int, x: str, hidden: int, writer: Writer) -> tuple[list[NodeProto], str]:
    """One transformer layer: 29 nodes and 16 weights. Returns the nodes and the name of the output."""
    nodes: list[NodeProto] = []

    def op(kind: str, *inputs: str, **attributes: object) -> str:
        out = f"l{at}.{len(nodes)}"
        nodes.append(helper.make_node(kind, inputs, [out], name=f"/layer.{at}/{kind}_{len(nodes)}", **attributes))
        return out

    def weight(name: str, *shape: int) -> str:
        return writer.weight(f"layers.{at}.{name}", *shape)

    def linear(value: str, name: str, rows: int, columns: int) -> str:
        product = op("MatMul", value, weight(f"{name}.weight", rows, columns))
        return op("Add", product, weight(f"{name}.bias", columns))

    def norm(value: str, name: str) -> str:
        return op(
            "LayerNormalization", value, weight(f"{name}.weight", hidden), weight(f"{name}.bias", hidden), axis=-1
        )

    def heads(value: str, name: str) -> str:
        return op("Transpose", op("Reshape", linear(value, name, hidden, hidden), "split"), perm=[0, 2, 1, 3])

    y = norm(x, "norm1")
    q, k, v = (heads(y, name) for name in "qkv")
    scores = op("Mul", op("MatMul", q, op("Transpose", k, perm=[0, 1, 3, 2])), "scale")
    mixed = op("Transpose", op("MatMul", op("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
    x = op("Add", x, linear(op("Reshape", mixed, "merge"), "o", hidden, hidden))
    y = op("Gelu", linear(norm(x, "norm2"), "up", hidden, 4 * hidden))
    return nodes, op("Add", x, linear(y, "down", 4 * hidden, hidden))


def make_model(folder: Path, layers: int, hidden: int, external: bool, half: bool) -> Path:
    """Writes the model and returns its path."""
    tokens, heads = 128, 12
    dtype = np.float16 if half else np.float32
    code = TensorProto.FLOAT16 if half else TensorProto.FLOAT
    model = ModelProto(ir_version=10, producer_name="import_bench")
    model.opset_import.append(helper.make_opsetid("", 20))
    graph = model.graph
    graph.name = "transformer"
    graph.input.append(helper.make_tensor_value_info("x", code, [1, tokens, hidden]))
    for name, value in (
        ("split", np.array([1, tokens, heads, hidden // heads], np.int64)),
        ("merge", np.array([1, tokens, hidden], np.int64)),
        ("scale", np.array((hidden // heads) ** -0.5, dtype)),
    ):
        graph.initializer.append(onnx.numpy_helper.from_array(value, name))
    writer = Writer(graph, folder / "weights.bin", dtype)
    x = "x"
    for at in range(layers):
        nodes, x = layer(at, x, hidden, writer)
        graph.node.extend(nodes)
    writer.stream.close()
    graph.node.append(helper.make_node("Identity", [x], ["y"]))
    graph.output.append(helper.make_tensor_value_info("y", code, [1, tokens, hidden]))
    path = folder / "model.onnx"
    if external:
        path.write_bytes(model.SerializeToString())
    else:
        _write_inline(model, writer.data, path)
        writer.data.unlink()
    return path


def _write_inline(model: ModelProto, data: Path, path: Path) -> None:
    """Writes `model` with its external data inside. Done manually, because protobuf would build it in memory first."""

    def message(number: int, length: int) -> bytes:
        return _varint(number << 3 | 2) + _varint(length)

    initializers = list(model.graph.initializer)
    rest = GraphProto()
    rest.CopyFrom(model.graph)
    del rest.initializer[:]

    def pieces(stream: Callable[[int], bytes]) -> Iterator[tuple[int, Callable[[], bytes]]]:
        """The length and the content function of each part of the graph."""
        body = rest.SerializeToString()
        yield len(body), lambda: body
        for tensor in initializers:
            raw = 0
            if tensor.data_location == TensorProto.EXTERNAL:
                raw = int(tensor.external_data[2].value)
                head = TensorProto(name=tensor.name, dims=tensor.dims, data_type=tensor.data_type).SerializeToString()
                head += message(9, raw)
            else:
                head = tensor.SerializeToString()
            start = message(5, len(head) + raw) + head
            yield len(start) + raw, lambda start=start, raw=raw: start + (stream(raw) if raw else b"")  # type: ignore[misc]

    outer = ModelProto()
    outer.CopyFrom(model)
    outer.ClearField("graph")
    size = sum(length for length, _ in pieces(lambda _: b""))
    with data.open("rb") as source, path.open("wb") as target:
        target.write(outer.SerializeToString() + message(7, size))
        for _, make in pieces(source.read):
            target.write(make())


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*out, value))


def measure(code: str, path: Path) -> dict[str, float]:
    """Runs `code` and its `run(path)` in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", code + _MEASURE, str(path)], check=True, capture_output=True, text=True
    )
    result: dict[str, float] = json.loads(done.stdout)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--hidden", type=int, default=768)
    parser.add_argument("--external", action="store_true", help="keep the weights in a file of their own")
    parser.add_argument("--fp16", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = make_model(Path(folder), options.layers, options.hidden, options.external, options.fp16)
        size = sum(file.stat().st_size for file in Path(folder).iterdir()) / 1e6
        ours, stock = measure(_OURS, path), measure(_STOCK, path)
    table = Table(title=f"{options.layers} layers, hidden {options.hidden}, {size:.0f} MB")
    for column in ("importer", "seconds", "peak MB", "anonymous MB"):
        table.add_column(column, justify="left" if column == "importer" else "right")
    for name, row in (("stock", stock), ("forge_mlir", ours)):
        table.add_row(name, f"{row['seconds']:.2f}", f"{row['peak']:.0f}", f"{row['anonymous']:.0f}")
    ratios = [f"{stock[key] / ours[key]:.1f}x" for key in ("seconds", "peak", "anonymous")]
    table.add_row("stock / ours", *ratios)
    Console().print(table)


if __name__ == "__main__":
    main()

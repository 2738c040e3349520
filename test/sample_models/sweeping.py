"""Models for sweeps, a plugin with ops that crash or hang, and rows of results."""

from __future__ import annotations

from pathlib import Path

import onnx
from onnx import TensorProto, helper

from forge_mlir.sweep import rows as tables
from forge_mlir.sweep.rows import Row

HOSTILE = "<img src=x onerror=alert(1)>\n=1+1"
PLUGIN = """
import os, signal, time
import forge_mlir

@forge_mlir.lowering("trouble", "Crash")
def crash(node, b):
    os.kill(os.getpid(), signal.SIGSEGV)

@forge_mlir.lowering("trouble", "Hang")
def hang(node, b):
    time.sleep(1000)
"""


def save(directory: Path, name: str, op: str = "Relu", domain: str = "", inputs: int = 1) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    values = [helper.make_tensor_value_info(f"x{at}", TensorProto.FLOAT, [2, 3]) for at in range(inputs)]
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])
    node = helper.make_node(op, [value.name for value in values], ["y"], name, domain=domain)
    opsets = [helper.make_opsetid("", 18), *([helper.make_opsetid(domain, 1)] if domain else [])]
    graph = helper.make_graph([node], "net", values, [y])
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), directory / f"{name}.onnx")
    return directory / f"{name}.onnx"


def row(model: str, verdict: tables.Verdict, **others: float) -> Row:
    return Row(model, "0" * 64, "", "0.1.0", verdict, **others)  # type: ignore[arg-type]

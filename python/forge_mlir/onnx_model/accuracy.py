"""MatMulNBits whose operands onnxruntime may round to 8 bits: they are computed as float products instead.

The attribute accuracy_level only says how much an implementation may round. The device multiplies floats.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from pathlib import Path

from onnx import ModelProto, NodeProto, load

from forge_mlir.onnx_model.graph import all_nodes

_ATTRIBUTE = "accuracy_level"
FLOATS, ROUNDS = 1, 4
"""Values of accuracy_level: operands are multiplied as floats, or rounded to 8 bits."""


def multiply_floats(nodes: Iterable[NodeProto]) -> int:
    """Changes the nodes that round, and returns how many there are."""
    found = 0
    for node in nodes:
        for attribute in node.attribute if node.op_type == "MatMulNBits" else ():
            if attribute.name == _ATTRIBUTE and attribute.i == ROUNDS:
                attribute.i = FLOATS
                found += 1
    return found


def with_float_products(path: Path) -> tuple[bytes, int]:
    """The model in a file without rounding, and the number of nodes that were changed; nothing and 0 if there are
    none."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if data.find(_ATTRIBUTE.encode()) < 0:
            return b"", 0
    model: ModelProto = load(path, load_external_data=False)
    bodies = (model.graph.node, *(function.node for function in model.functions))
    found = sum(multiply_floats(all_nodes(body)) for body in bodies)
    return (model.SerializeToString(), found) if found else (b"", 0)

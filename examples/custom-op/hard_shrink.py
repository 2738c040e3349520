"""An op of one's own, lowered in Python: `python hard_shrink.py`.

The model has the op HardShrink of the domain "example": x where it is farther from zero than `threshold`, else 0.
"""

from __future__ import annotations

import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.lowerings import Builder, Node, Value


@forge_mlir.lowering("example", "HardShrink")
def hard_shrink(node: Node, b: Builder) -> Value:
    x = node.input(0)
    threshold = node.float_attr("threshold", 0.5)
    if threshold < 0:
        node.refuse(f"expected a threshold that is not negative, but got {threshold}")
    far = b.greater(b.abs(x), b.scalar_like(x, threshold))
    return b.multiply(x, far)


def model(threshold: float) -> onnx.ModelProto:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [4]) for name in "xy")
    node = helper.make_node("HardShrink", ["x"], ["y"], "shrink", domain="example", threshold=threshold)
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("example", 1)]
    return helper.make_model(helper.make_graph([node], "net", [x], [y]), opset_imports=opsets, ir_version=10)


def main() -> None:
    x = np.array([-2, 0.1, 0.2, 3], np.float32)
    with tempfile.TemporaryDirectory() as directory:
        artifact = forge_mlir.compile(model(0.5), directory, lowerings=[hard_shrink])
        print(forge_mlir.run(artifact, {"x": x})["y"])
        try:
            forge_mlir.compile(model(-1.0), directory, lowerings=[hard_shrink])
        except ForgeError as error:
            print(error.diagnostics[0])


if __name__ == "__main__":
    main()

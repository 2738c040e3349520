"""Models of one node."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper


def split_model() -> ModelProto:
    """Split (2, 3, 5) along axis 0 of [10, 4, 4], as in the project's founding example."""
    sizes = numpy_helper.from_array(np.array([2, 3, 5], dtype=np.int64), "sizes")
    node = helper.make_node("Split", ["data", "sizes"], ["a", "b", "c"], name="pieces", axis=0)
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [size, 4, 4])
        for name, size in (("a", 2), ("b", 3), ("c", 5))
    ]
    graph = helper.make_graph(
        [node], "split_235", [helper.make_tensor_value_info("data", TensorProto.FLOAT, [10, 4, 4])], outputs, [sizes]
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)


def one_node(
    op: str, shape: list[int], opset: int = 18, dtype: int = TensorProto.FLOAT, **attributes: object
) -> ModelProto:
    """A model of one node from x to y, both of `shape`."""
    node = helper.make_node(op, ["x"], ["y"], name=f"the {op}", **attributes)
    infos = [helper.make_tensor_value_info(name, dtype, shape) for name in ("x", "y")]
    graph = helper.make_graph([node], "g", infos[:1], infos[1:])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)

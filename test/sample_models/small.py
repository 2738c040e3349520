"""Models of one node, and of three layers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from sample_models.tools import run_command


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


def mlp() -> ModelProto:
    """Three products of matrices, each with a Tanh."""
    generator = np.random.default_rng(0)
    weights = {f"w{i}": generator.standard_normal((32, 32)).astype(np.float32) / 6 for i in range(3)}
    nodes = []
    value = "x"
    for i in range(3):
        nodes.append(helper.make_node("MatMul", [value, f"w{i}"], [f"p{i}"], name=f"/layer{i}/MatMul"))
        nodes.append(helper.make_node("Tanh", [f"p{i}"], [f"t{i}"], name=f"/layer{i}/Tanh"))
        value = f"t{i}"
    graph = helper.make_graph(
        nodes,
        "mlp",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [8, 32])],
        [helper.make_tensor_value_info(value, TensorProto.FLOAT, [8, 32])],
        [numpy_helper.from_array(array, key) for key, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def compiled_log(folder: Path) -> Path:
    """`folder` with a compiled Log of x, and inputs: in odd.npz, one is 0 and one is negative."""
    onnx.save(one_node("Log", [2, 3]), folder / "net.onnx")
    assert run_command("compile", "net.onnx", "-q", cwd=folder).returncode == 0
    np.savez(folder / "odd.npz", x=np.array([[1, 2, 3], [0, -1, 4]], np.float32))
    np.savez(folder / "good.npz", x=np.array([[1, 2, 3], [5, 6, 4]], np.float32))
    return folder


def with_shape_input(*nodes: NodeProto, opset: int = 13) -> ModelProto:
    """A model of `nodes` from x [2, 3] and two integers, shape, to y."""
    infos = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])]
    infos.append(helper.make_tensor_value_info("shape", TensorProto.INT64, [2]))
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph(list(nodes), "g", infos, [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)

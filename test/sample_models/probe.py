"""Small models with ops that are easily compiled wrongly."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
node = helper.make_node
_SEED = 3
_rng = np.random.default_rng(_SEED)


def build(
    nodes: list[NodeProto],
    inputs: dict[str, tuple[int, list[int]]],
    outputs: dict[str, int],
    opset: int = 18,
    **tensors: object,
) -> ModelProto:
    graph = helper.make_graph(
        nodes,
        "probe",
        [helper.make_tensor_value_info(name, dtype, shape) for name, (dtype, shape) in inputs.items()],
        [helper.make_tensor_value_info(name, dtype, None) for name, dtype in outputs.items()],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in tensors.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def draw_anew() -> None:
    """Restarts the random numbers of `weights`, so that the models of a test do not depend on earlier tests."""
    global _rng
    _rng = np.random.default_rng(_SEED)


def weights(*shape: int) -> np.ndarray:
    return _rng.standard_normal(shape).astype(np.float32)


def mixed() -> ModelProto:
    """Slices with strides, differences, norms, a fused GELU, a split, and values of types that the device does not
    have."""
    nodes = [
        node("MatMul", ["x", "w"], ["product"], "product"),
        node("Slice", ["product", "starts", "ends", "axes", "steps"], ["odd"], "every second"),
        node("Sub", ["odd", "b"], ["less"], "less bias"),
        node("LayerNormalization", ["less", "scale"], ["normal"], "norm", epsilon=1e-5),
        node("Div", ["normal", "root"], ["gelu.0"], "gelu/div"),
        node("Erf", ["gelu.0"], ["gelu.1"], "gelu/erf"),
        node("Add", ["gelu.1", "one"], ["gelu.2"], "gelu/add"),
        node("Mul", ["normal", "gelu.2"], ["gelu.3"], "gelu/mul"),
        node("Mul", ["gelu.3", "half"], ["gelu"], "gelu/half"),
        node("Split", ["gelu"], ["left", "right"], "halves", axis=1, num_outputs=2),
        node("Sub", ["left", "right"], ["difference"], "difference"),
        node("Greater", ["difference", "zero"], ["positive"], "positive"),
        node("Cast", ["positive"], ["counts"], "to counts", to=INT64),
        node("ReduceSum", ["counts"], ["count"], "count", keepdims=0),
        node("Gather", ["table", "ids"], ["rows"], "rows"),
        node("Add", ["rows", "difference"], ["y"], "sum"),
    ]
    tensors = {
        "w": weights(16, 32), "b": weights(16), "scale": weights(16), "table": weights(50, 8),
        "starts": np.array([1]), "ends": np.array([32]), "axes": np.array([1]), "steps": np.array([2]),
        "root": np.float32(np.sqrt(2)), "one": np.float32(1), "half": np.float32(0.5), "zero": np.float32(0),
    }  # fmt: skip
    inputs = {"x": (FLOAT, [4, 16]), "ids": (INT64, [4])}
    return build(nodes, inputs, {"y": FLOAT, "count": INT64, "positive": BOOL}, **tensors)


def partitioned() -> ModelProto:
    """Two device partitions, before and after a node that only the CPU can run."""
    nodes = [
        node("MatMul", ["x", "w"], ["a"], "first"),
        node("Sub", ["a", "x"], ["b"], "before"),
        node("Det", ["b"], ["d"], "det"),
        node("Mul", ["b", "d"], ["c"], "scaled"),
        node("Sub", ["c", "w"], ["e"], "after"),
        node("MatMul", ["e", "w"], ["y"], "last"),
    ]
    return build(nodes, {"x": (FLOAT, [8, 8])}, {"y": FLOAT}, w=weights(8, 8))


def chain(length: int) -> ModelProto:
    nodes = [node("Tanh", [f"v{at}"], [f"v{at + 1}"], f"node {at}") for at in range(length)]
    return build(nodes, {"v0": (FLOAT, [8, 8])}, {f"v{length}": FLOAT})

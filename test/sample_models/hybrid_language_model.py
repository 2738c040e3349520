"""A language model of layers with states of one size, as onnxruntime-genai's builder writes hybrid ones: a convolution
over the last tokens, and linear attention. Made here, with random weights."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

WORDS, WIDTH, HEADS, SIZE, KERNEL = 31, 16, 2, 8, 4


def hybrid_language_model(update: str = "gated_delta") -> ModelProto:
    """input_ids [batch, tokens], past_conv [batch, width, kernel - 1], past_state [batch, heads, size, size] -> logits,
    present_conv, present_state. `update`: the rule of the linear attention."""
    random = np.random.default_rng(0)
    nodes, weights = [], []

    def weight(name: str, *shape: int) -> str:
        weights.append(numpy_helper.from_array(random.normal(0, 0.5, shape).astype(np.float32), name))
        return name

    def node(op: str, inputs: list[str], output: str, domain: str = "", **attributes: object) -> str:
        nodes.append(helper.make_node(op, inputs, output.split(), name=output, domain=domain, **attributes))
        return output.split(maxsplit=1)[0]

    def product(x: str, name: str, columns: int) -> str:
        return node("MatMul", [x, weight(f"w_{name}", WIDTH, columns)], name)

    x = node("Gather", [weight("words", WORDS, WIDTH), "input_ids"], "x")
    columns = node("Transpose", [x], "columns", perm=[0, 2, 1])
    mixed = node(
        "CausalConvWithState",
        [columns, weight("kernel", WIDTH, 1, KERNEL), weight("bias", WIDTH), "past_conv"],
        "mixed present_conv",
        "com.microsoft",
        ndim=1,
        activation="silu",
        state_window=0,
    )
    x = node("Transpose", [mixed], "rows", perm=[0, 2, 1])
    query, key, value = (product(x, name, WIDTH) for name in ("query", "key", "value"))
    one = numpy_helper.from_array(np.array([-1], np.int64), "last_axis")
    weights.append(one)
    unit = node("Div", [key, node("ReduceL2", [key, "last_axis"], "long")], "unit")
    gates = [""] * 2
    if "gated" in update:
        gates[0] = node("Neg", [node("Softplus", [product(x, "decays", HEADS)], "soft")], "decay")
    if "delta" in update:
        gates[1] = node("Sigmoid", [product(x, "rates", HEADS)], "beta")
    attended = node(
        "LinearAttention",
        [query, unit, value, "past_state", *gates],
        "attended present_state",
        "com.microsoft",
        q_num_heads=HEADS,
        kv_num_heads=HEADS,
        update_rule=update,
        scale=0.5,
    )
    product(attended, "logits", WORDS)

    def declared(name: str, *shape: str | int, kind: int = TensorProto.FLOAT) -> object:
        return helper.make_tensor_value_info(name, kind, list(shape))

    states = {"conv": ("batch", WIDTH, KERNEL - 1), "state": ("batch", HEADS, SIZE, SIZE)}
    inputs = [declared("input_ids", "batch", "tokens", kind=TensorProto.INT64)]
    inputs += [declared(f"past_{name}", *shape) for name, shape in states.items()]
    outputs = [declared("logits", "batch", "tokens", WORDS)]
    outputs += [declared(f"present_{name}", *shape) for name, shape in states.items()]
    graph = helper.make_graph(nodes, "hybrid_language_model", inputs, outputs, weights)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)

"""A language model of layers with states of constant size, as onnxruntime-genai's builder writes hybrid models: a
convolution over the last tokens, and linear attention. It has random weights."""

from __future__ import annotations

from onnx import ModelProto, TensorProto

from sample_models.language_graph import LanguageGraph, declared

WORDS, WIDTH, HEADS, SIZE, KERNEL = 31, 16, 2, 8, 4


def hybrid_language_model(update: str = "gated_delta") -> ModelProto:
    """input_ids [batch, tokens], past_conv [batch, width, kernel - 1], past_state [batch, heads, size, size] -> logits,
    present_conv, present_state. `update`: the rule of the linear attention."""
    graph = LanguageGraph(WIDTH)
    weight, node, product = graph.weight, graph.node, graph.product
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
    norm = node("ReduceL2", [key, graph.integers("last_axis", [-1])], "long")
    unit = node("Div", [key, norm], "unit")
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

    states = {"conv": ("batch", WIDTH, KERNEL - 1), "state": ("batch", HEADS, SIZE, SIZE)}
    inputs = [declared("input_ids", "batch", "tokens", kind=TensorProto.INT64)]
    inputs += [declared(f"past_{name}", *shape) for name, shape in states.items()]
    outputs = [declared("logits", "batch", "tokens", WORDS)]
    outputs += [declared(f"present_{name}", *shape) for name, shape in states.items()]
    return graph.model("hybrid_language_model", inputs, outputs, opset=21)

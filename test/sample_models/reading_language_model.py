"""A decoder that reads what an encoder made, as onnxruntime-genai's builder writes Whisper's: made here, with random
weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

WORDS, WIDTH, HEADS, SIZE, POSITIONS, FRAMES = 31, 16, 2, 8, 64, 5


def reading_language_model(*, tokens: str | int = "tokens", extra: Sequence[NodeProto] = ()) -> ModelProto:
    """input_ids [batch, tokens], past_key and past_value [batch, heads, past, size], cross_key and cross_value [batch,
    heads, frames, size] -> logits, present_key, present_value. `tokens` is the declared size of the ids; `extra` nodes
    are appended."""
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

    for name, number in {"zero": [0], "one": [1], "two": [2]}.items():
        weights.append(numpy_helper.from_array(np.array(number, np.int64), name))
    past = node("Gather", [node("Shape", ["past_key"], "past_shape"), "two"], "past")
    total = node("Add", [past, node("Gather", [node("Shape", ["input_ids"], "ids_shape"), "one"], "count")], "total")
    rows = node("Slice", [weight("table", POSITIONS, WIDTH), past, total, "zero"], "positions")
    x = node("Add", [node("Gather", [weight("words", WORDS, WIDTH), "input_ids"], "embedded"), rows], "x")
    heads = {"num_heads": HEADS, "scale": SIZE**-0.5}
    attended = node(
        "MultiHeadAttention",
        [*(product(x, name, WIDTH) for name in "qkv"), "", "", "", "past_key", "past_value"],
        "attended present_key present_value",
        "com.microsoft",
        unidirectional=1,
        **heads,
    )
    x = node("Add", [x, product(attended, "own", WIDTH)], "heard")
    asked = product(x, "asked", WIDTH)
    read = node("MultiHeadAttention", [asked, "cross_key", "cross_value"], "read", "com.microsoft", **heads)
    x = node("Add", [x, product(read, "known", WIDTH)], "y")
    product(x, "logits", WORDS)
    nodes.extend(extra)

    def declared(name: str, *shape: str | int, kind: int = TensorProto.FLOAT) -> object:
        return helper.make_tensor_value_info(name, kind, list(shape))

    inputs = [declared("input_ids", "batch", tokens, kind=TensorProto.INT64)]
    inputs += [declared(f"past_{part}", "batch", HEADS, "past", SIZE) for part in ("key", "value")]
    inputs += [declared(f"cross_{part}", "batch", HEADS, FRAMES, SIZE) for part in ("key", "value")]
    outputs = [declared("logits", "batch", tokens, WORDS)]
    outputs += [declared(f"present_{part}", "batch", HEADS, "total", SIZE) for part in ("key", "value")]
    graph = helper.make_graph(nodes, "reading_language_model", inputs, outputs, weights)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)

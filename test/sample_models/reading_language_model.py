"""A decoder with cross-attention to an encoder, as onnxruntime-genai's builder writes Whisper's, with random
weights."""

from __future__ import annotations

from collections.abc import Sequence

from onnx import ModelProto, NodeProto, TensorProto

from sample_models.language_graph import LanguageGraph, declared

WORDS, WIDTH, HEADS, SIZE, POSITIONS, FRAMES = 31, 16, 2, 8, 64, 5


def reading_language_model(*, tokens: str | int = "tokens", extra: Sequence[NodeProto] = ()) -> ModelProto:
    """input_ids [batch, tokens], past_key and past_value [batch, heads, past, size], cross_key and cross_value [batch,
    heads, frames, size] -> logits, present_key, present_value. `tokens` is the declared size of the ids; `extra` nodes
    are appended."""
    graph = LanguageGraph(WIDTH)
    weight, node, product = graph.weight, graph.node, graph.product
    for name, number in {"zero": [0], "one": [1], "two": [2]}.items():
        graph.integers(name, number)
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
    graph.nodes.extend(extra)

    inputs = [declared("input_ids", "batch", tokens, kind=TensorProto.INT64)]
    inputs += [declared(f"past_{part}", "batch", HEADS, "past", SIZE) for part in ("key", "value")]
    inputs += [declared(f"cross_{part}", "batch", HEADS, FRAMES, SIZE) for part in ("key", "value")]
    outputs = [declared("logits", "batch", tokens, WORDS)]
    outputs += [declared(f"present_{part}", "batch", HEADS, "total", SIZE) for part in ("key", "value")]
    return graph.model("reading_language_model", inputs, outputs, opset=17)

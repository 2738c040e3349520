"""A language model of two layers in which a token attends to the last WINDOW tokens, with random weights."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, numpy_helper

from sample_models.language_graph import LanguageGraph, declared

WORDS, WIDTH, HEADS, KEY_HEADS, SIZE, WINDOW = 31, 16, 4, 2, 4, 4


def windowed_language_model(how: str) -> ModelProto:
    """input_ids [batch, tokens], past_key_0, past_value_0, past_key_1, past_value_1 [batch, key heads, past, size] ->
    logits, present_key_0, .... Scores outside of the window are minus infinity. `how`: this mask is "added" to the
    scores, is added after that of attention_mask [batch, total] ("second"), is the condition by which scores are
    "filled", or is an operand of the "op" Attention."""
    graph = LanguageGraph(WIDTH)
    node = graph.node
    for name, number in {"none": 0, "one": 1, "two": 2, "window": WINDOW}.items():
        graph.integers(name, number)
    lists = {"axis1": [1], "axis2": [2], "axes01": [0, 1], "axes12": [1, 2], "joined": [0, -1, WIDTH]}
    for name, numbers in lists.items():
        graph.integers(name, numbers)
    for heads in {HEADS, KEY_HEADS}:
        graph.integers(f"by_{heads}", [0, -1, heads, SIZE])
    graph.integers("apart", [1, 1, HEADS // KEY_HEADS, 1, 1])
    graph.integers("all_heads", [0, HEADS, -1, SIZE])
    for name, bound in {"seen": 0.0, "hidden": -np.inf}.items():
        graph.weights.append(numpy_helper.from_array(np.float32(bound), name))
    x = node("Gather", [graph.weight("words", WORDS, WIDTH), "input_ids"], "x")
    past = node("Gather", [node("Shape", ["past_key_0"], "past_shape"), "two"], "past")
    tokens = node("Gather", [node("Shape", ["input_ids"], "ids_shape"), "one"], "tokens")
    total = node("Add", [past, tokens], "total")
    rows = node("Unsqueeze", [node("Range", [past, total, "one"], "numbers"), "axis1"], "rows")
    columns = node("Range", ["none", total, "one"], "columns")
    causal = node("LessOrEqual", [columns, rows], "causal")
    near = node("Less", [node("Sub", [rows, columns], "distance"), "window"], "near")
    visible = node("Unsqueeze", [node("And", [causal, near], "both"), "axes01"], "visible")
    node("Where", [visible, "seen", "hidden"], "bias")
    if how == "second":
        shown = node("Cast", ["attention_mask"], "shown", to=TensorProto.BOOL)
        shown = node("Unsqueeze", [shown, "axes12"], "shown_to_all")
        first_bias = node("Where", [shown, "seen", "hidden"], "first_bias")
    for layer in "01":

        def split(part: str, heads: int, x: str = x, layer: str = layer) -> str:
            flat = node("MatMul", [x, graph.weight(f"w{part}{layer}", WIDTH, heads * SIZE)], f"{part}_flat{layer}")
            apart = node("Reshape", [flat, f"by_{heads}"], f"{part}_split{layer}")
            return node("Transpose", [apart], f"{part}{layer}", perm=[0, 2, 1, 3])

        def repeated(present: str) -> str:
            wide = node("Tile", [node("Unsqueeze", [present, "axis2"], f"{present}_apart"), "apart"], f"{present}_wide")
            return node("Reshape", [wide, "all_heads"], f"{present}_all")

        q, k, v = split("q", HEADS), split("k", KEY_HEADS), split("v", KEY_HEADS)
        held = [f"past_key_{layer}", f"past_value_{layer}"]
        if how == "op":
            results = f"context{layer} present_key_{layer} present_value_{layer}"
            node("Attention", [q, k, v, visible, *held], results)
        else:
            keys = repeated(node("Concat", [held[0], k], f"present_key_{layer}", axis=2))
            values = repeated(node("Concat", [held[1], v], f"present_value_{layer}", axis=2))
            scores = node("MatMul", [q, node("Transpose", [keys], f"kt{layer}", perm=[0, 1, 3, 2])], f"scores{layer}")
            if how == "second":
                scores = node("Add", [scores, first_bias], f"first_scores{layer}")
            if how == "filled":
                scores = node("Where", [visible, scores, "hidden"], f"biased{layer}")
            else:
                scores = node("Add", [scores, "bias"], f"biased{layer}")
            node("MatMul", [node("Softmax", [scores], f"weights{layer}", axis=-1), values], f"context{layer}")
        rows = node("Transpose", [f"context{layer}"], f"context_rows{layer}", perm=[0, 2, 1, 3])
        attended = node("Reshape", [rows, "joined"], f"attended{layer}")
        x = node("Add", [x, graph.product(attended, f"out{layer}", WIDTH)], f"y{layer}")
    graph.product(x, "logits", WORDS)
    parts = [f"{part}_{layer}" for layer in "01" for part in ("key", "value")]
    inputs = [declared("input_ids", "batch", "tokens", kind=TensorProto.INT64)]
    if how == "second":
        inputs.append(declared("attention_mask", "batch", "total", kind=TensorProto.INT64))
    inputs += [declared(f"past_{part}", "batch", KEY_HEADS, "past", SIZE) for part in parts]
    outputs = [declared("logits", "batch", "tokens", WORDS)]
    outputs += [declared(f"present_{part}", "batch", KEY_HEADS, "total", SIZE) for part in parts]
    model = graph.model("windowed_language_model", inputs, outputs, opset=23)
    model.ir_version = 11
    return model

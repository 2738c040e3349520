"""A language model with one layer of attention, with past keys and values as exporters write them, and random
weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

WORDS, WIDTH, HEADS, SIZE = 31, 16, 2, 8


def tiny_language_model(
    *,
    cache_axis: int = 2,
    masked: bool = True,
    mask_reads: str = "",
    extra: Sequence[NodeProto] = (),
    extra_outputs: Sequence[str] = (),
) -> ModelProto:
    """input_ids [batch, tokens], attention_mask [batch, total], past_key and past_value [batch, heads, past, size] ->
    logits, present_key, present_value. With another `cache_axis`, keys and values are stored transposed. Without
    `masked` there is no mask, not even a causal one. `mask_reads`: the mask is read at index "pairs" of batch and
    position, also with axes of size 1 in between ("apart"), or "flat", at positions in the flattened mask; matrix
    products then have flattened operands, too. `extra` nodes are appended."""
    random = np.random.default_rng(0)

    def weight(name: str, *shape: int) -> None:
        weights.append(numpy_helper.from_array(random.normal(0, 0.5, shape).astype(np.float32), name))

    def node(op: str, inputs: str, output: str, **attributes: object) -> None:
        nodes.append(helper.make_node(op, inputs.split(), [output], name=output, **attributes))

    def integers(name: str, *values: int) -> None:
        weights.append(numpy_helper.from_array(np.array(values, np.int64), name))

    weights: list[TensorProto] = []
    nodes: list[NodeProto] = []
    weight("words", WORDS, WIDTH)
    for name in ("wq", "wk", "wv", "wo"):
        weight(name, WIDTH, WIDTH)
    weight("head", WIDTH, WORDS)
    integers("by_heads", 0, -1, HEADS, SIZE)
    integers("joined", 0, -1, WIDTH)
    for at in range(3):
        integers(f"axis{at}", at)
    weights.append(numpy_helper.from_array(np.array(2, np.int64), "two"))
    weights.append(numpy_helper.from_array(np.array(1, np.int64), "one"))
    weights.append(numpy_helper.from_array(np.float32(0), "zero"))
    weights.append(numpy_helper.from_array(np.float32(-3.4028234663852886e38), "lowest"))
    node("Gather", "words input_ids", "x")
    swap = cache_axis != 2
    for name in "qkv":
        node("MatMul", f"x w{name}", f"{name}_flat")
        node("Reshape", f"{name}_flat by_heads", f"{name}_split")
        node("Transpose", f"{name}_split", name, perm=[0, 2, 3, 1] if swap and name != "q" else [0, 2, 1, 3])
    node("Concat", "past_key k", "present_key", axis=cache_axis)
    node("Concat", "past_value v", "present_value", axis=cache_axis)
    node("Identity" if swap else "Transpose", "present_key", "keys", **({} if swap else {"perm": [0, 1, 3, 2]}))
    node("Transpose" if swap else "Identity", "present_value", "values", **({"perm": [0, 1, 3, 2]} if swap else {}))
    node("MatMul", "q keys", "scores")
    if masked:
        # Query i, at position past + i, attends to the keys up to its own position.
        node("Shape", "past_key", "past_shape")
        node("Gather", "past_shape two" if not swap else "past_shape axis_three", "past")
        node("Shape", "input_ids", "ids_shape")
        node("Gather", "ids_shape one", "tokens")
        node("Add", "past tokens", "total")
        weights.append(numpy_helper.from_array(np.array(0, np.int64), "none"))
        weights.append(numpy_helper.from_array(np.array(3, np.int64), "axis_three"))
        node("Range", "past total one", "rows")
        node("Range", "none total one", "columns")
        node("Unsqueeze", "rows axis1", "rows_down")
        node("LessOrEqual", "columns rows_down", "causal")
        node("Cast", "attention_mask", "shown", to=TensorProto.BOOL)
        if mask_reads:
            _read_at_positions(node, integers, mask_reads)
        node("Unsqueeze", "shown_read axis1" if mask_reads else "shown axis1", "shown_3")
        node("Unsqueeze", "shown_3 axis1", "shown_4")
        node("And", "causal shown_4", "visible")
        node("Where", "visible zero lowest", "bias")
        node("Add", "scores bias", "biased")
    node("Softmax", "biased" if masked else "scores", "weights", axis=-1)
    node("MatMul", "weights values", "context")
    node("Transpose", "context", "context_rows", perm=[0, 2, 1, 3])
    node("Reshape", "context_rows joined", "context_flat")
    if mask_reads == "flat":
        integers("all_rows", -1, WIDTH)
        node("Reshape", "context_flat all_rows", "context_rows_flat")
        node("Gemm", "context_rows_flat wo", "attended_rows")
        node("Shape", "context_flat", "context_shape")
        node("Reshape", "attended_rows context_shape", "attended")
    else:
        node("MatMul", "context_flat wo", "attended")
    node("Add", "x attended", "y")
    node("MatMul", "y head", "logits")
    nodes.extend(extra)
    past = ["batch", HEADS, SIZE, "past"] if swap else ["batch", HEADS, "past", SIZE]
    inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])]
    if masked:
        inputs.append(helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "total"]))
    inputs += [helper.make_tensor_value_info(f"past_{name}", TensorProto.FLOAT, past) for name in ("key", "value")]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "tokens", WORDS])]
    names = ["present_key", "present_value", *extra_outputs]
    outputs += [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names]
    graph = helper.make_graph(nodes, "tiny_language_model", inputs, outputs, weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def _read_at_positions(node: Callable[..., None], integers: Callable[..., None], how: str) -> None:
    """shown [batch, total] -> shown_read, which is equal to it."""
    node("Gather", "ids_shape none", "rows_count")
    node("Range", "none rows_count one", "row_numbers")
    node("Unsqueeze", "row_numbers axis1", "row_column")
    node("Unsqueeze", "columns axis0", "column_row")
    if how == "flat":
        integers("all", -1)
        node("Mul", "row_column total", "row_starts")
        node("Add", "column_row row_starts", "flat_positions")
        node("Reshape", "shown all", "shown_flat")
        node("Gather", "shown_flat flat_positions", "shown_read")
        return
    names = ["row_column", "column_row"]
    if how == "apart":
        integers("between", 1, 2)
        for at, name in enumerate(names):
            node("Unsqueeze", f"{name} between", f"{name}_4")
            names[at] = f"{name}_4"
    node("Max", " ".join(names), "both")
    node("Shape", "both", "both_shape")
    for name in names:
        node("Expand", f"{name} both_shape", f"{name}_wide")
        integers(f"{name}_last", -1)
        node("Unsqueeze", f"{name}_wide {name}_last", f"{name}_apart")
    node("Concat", " ".join(f"{name}_apart" for name in names), "pairs", axis=-1)
    if how == "apart":
        node("GatherND", "shown pairs", "shown_read_4")
        node("Squeeze", "shown_read_4 between", "shown_read")
    else:
        node("GatherND", "shown pairs", "shown_read")

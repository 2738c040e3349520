"""A language model of one layer whose keys and values are the buffer of a GroupQueryAttention, in the ops that
onnxruntime-genai's builder writes: made here, with random weights."""

from __future__ import annotations

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

WORDS, WIDTH, HEADS, KEY_HEADS, SIZE, POSITIONS = 32, 64, 4, 2, 16, 128


def buffered_language_model(
    *,
    rotary: str = "inside",
    packed: bool = True,
    bits: int = 0,
    level: int = 1,
    counted: bool = False,
    biased: bool = False,
) -> ModelProto:
    """input_ids [batch, tokens], attention_mask [batch, total], past_key and past_value [batch, heads, past, open] ->
    logits, present_key, present_value. `rotary`: "inside" the attention op, or "outside", by RotaryEmbedding with
    position_ids. `packed`: queries, keys and values are one operand. With `bits`, the matrix products have packed
    weights, with that accuracy `level`. `counted`: inputs seqlens_k [batch] and total_sequence_length replace the mask.
    `biased`: scores get a bias by position."""
    random = np.random.default_rng(0)
    nodes, weights = [], []

    def tensor(name: str, array: np.ndarray) -> str:
        weights.append(numpy_helper.from_array(array, name))
        return name

    def normal(name: str, *shape: int) -> str:
        return tensor(name, random.normal(0, 0.5, shape).astype(np.float32))

    def node(op: str, inputs: list[str], output: str, domain: str = "", **attributes: object) -> str:
        nodes.append(helper.make_node(op, inputs, output.split(), name=output, domain=domain, **attributes))
        return output.split(maxsplit=1)[0]

    def product(x: str, name: str, columns: int) -> str:
        if not bits:
            return node("MatMul", [x, normal(f"w_{name}", WIDTH, columns)], name)
        blocks = WIDTH // 16
        packed_weight = random.integers(0, 256, (columns, blocks, 16 * bits // 8), np.uint8)
        scales = random.uniform(0.02, 0.1, (columns * blocks,)).astype(np.float32)
        operands = [x, tensor(f"w_{name}", packed_weight), tensor(f"s_{name}", scales)]
        return node(
            "MatMulNBits",
            operands,
            name,
            "com.microsoft",
            K=WIDTH,
            N=columns,
            bits=bits,
            block_size=16,
            accuracy_level=level,
        )

    def norm(x: str, name: str) -> str:
        return node("SimplifiedLayerNormalization", [x, normal(f"w_{name}", WIDTH)], name, axis=-1, epsilon=1e-6)

    angles = np.outer(np.arange(POSITIONS), 10000.0 ** (-np.arange(SIZE // 2) / (SIZE // 2))).astype(np.float32)
    tables = [tensor("cosines", np.cos(angles)), tensor("sines", np.sin(angles))]
    one, axis = tensor("one", np.array([1], np.int64)), tensor("axis", np.array(1, np.int64))
    seqlens_k, total = "seqlens_k", "total_sequence_length"
    if not counted:
        lengths = node("Sub", [node("ReduceSum", ["attention_mask", one], "seen", keepdims=0), one], "last")
        node("Cast", [lengths], seqlens_k, to=TensorProto.INT32)
        number = node("Gather", [node("Shape", ["attention_mask"], "mask_shape"), axis], "total", axis=0)
        node("Cast", [number], total, to=TensorProto.INT32)
    bias = [""] if biased else []
    if biased:
        none, step = tensor("none", np.array(0, np.int32)), tensor("step", np.array(1, np.int32))
        numbers = node("Cast", [node("Range", [none, total, step], "columns")], "numbers", to=TensorProto.FLOAT)
        rows = node("Shape", ["input_ids"], "rows", start=1, end=2)
        shape = node("Concat", [one, one, rows, node("Shape", [numbers], "width")], "scores_shape", axis=0)
        bias.append(node("Expand", [node("Sin", [numbers], "waves"), shape], "bias"))
    embedded = node("Gather", [normal("words", WORDS, WIDTH), "input_ids"], "embedded")
    x = norm(embedded, "first_norm")
    if packed:
        qkv = [product(x, "qkv", (HEADS + 2 * KEY_HEADS) * SIZE), "", ""]
    else:
        sizes = (("q", HEADS), ("k", KEY_HEADS), ("v", KEY_HEADS))
        qkv = [product(x, name, heads * SIZE) for name, heads in sizes]
    if rotary == "outside":
        for at, heads in enumerate((HEADS, KEY_HEADS)):
            operands = [qkv[at], "position_ids", *tables]
            qkv[at] = node("RotaryEmbedding", operands, f"rotated_{at}", "com.microsoft", num_heads=heads)
    operands = [*qkv, "past_key", "past_value", seqlens_k, total, *(tables if rotary == "inside" else []), *bias]
    attended = node(
        "GroupQueryAttention",
        operands,
        "attended present_key present_value",
        "com.microsoft",
        num_heads=HEADS,
        kv_num_heads=KEY_HEADS,
        do_rotary=int(rotary == "inside"),
    )
    joined = product(attended, "joined", WIDTH)
    normed = node(
        "SkipSimplifiedLayerNormalization", [embedded, joined, normal("w_last", WIDTH)], "normed", "com.microsoft"
    )
    product(normed, "logits", WORDS)

    def declared(name: str, kind: int, *shape: str | int) -> object:
        return helper.make_tensor_value_info(name, kind, list(shape))

    inputs = [declared("input_ids", TensorProto.INT64, "batch", "tokens")]
    if counted:
        inputs += [declared(seqlens_k, TensorProto.INT32, "batch"), declared(total, TensorProto.INT32)]
    else:
        inputs.append(declared("attention_mask", TensorProto.INT64, "batch", "total"))
    if rotary == "outside":
        inputs.append(declared("position_ids", TensorProto.INT64, "batch", "tokens"))
    outputs = [declared("logits", TensorProto.FLOAT, "batch", "tokens", WORDS)]
    for name in ("key", "value"):
        inputs.append(declared(f"past_{name}", TensorProto.FLOAT, "batch", KEY_HEADS, "past", "size"))
        outputs.append(declared(f"present_{name}", TensorProto.FLOAT, "batch", KEY_HEADS, "total", "size"))
    graph = helper.make_graph(nodes, "buffered_language_model", inputs, outputs, weights)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)

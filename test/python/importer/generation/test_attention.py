"""MultiHeadAttention with packed operands, and experts that one-hot vectors select."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, numpy_helper

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from forge_mlir.execute.generation import generate
from forge_mlir.support.sandbox import Limits
from forge_mlir.verify.tokens.generation import compare_steps
from sample_models.language_graph import LanguageGraph, declared

WORDS, HEADS, SIZE, EXPERTS = 31, 2, 8, 3
WIDTH = HEADS * SIZE
MICROSOFT = "com.microsoft"


def attending(packed: int) -> ModelProto:
    """The last `packed` of queries, keys and values are one operand."""
    graph = LanguageGraph(WIDTH)
    graph.integers("apart", [0, 0, HEADS, 1, SIZE])
    graph.node("Gather", [graph.weight("words", WORDS, WIDTH), "input_ids"], "x")
    parts = [graph.product("x", name, WIDTH) for name in "qkv"]
    if packed:
        kept = parts[: 3 - packed]
        each = [graph.node("Reshape", [name, "apart"], f"{name}_apart") for name in parts[3 - packed :]]
        parts = [*kept, graph.node("Concat", each, "packed", axis=3), *[""] * (packed - 1)]
    pasts = ["past_k", "past_v"]
    results = "context present_k present_v"
    graph.node(
        "MultiHeadAttention", [*parts, "", "", "", *pasts], results, MICROSOFT, num_heads=HEADS, unidirectional=1
    )
    graph.product(graph.node("Add", ["x", "context"], "y"), "logits", WORDS)
    inputs = [declared("input_ids", "batch", "tokens", kind=TensorProto.INT64)]
    inputs += [declared(name, "batch", HEADS, "past", SIZE) for name in pasts]
    outputs = [declared("logits", "batch", "tokens", WORDS)]
    outputs += [declared(f"present_{name}", "batch", HEADS, "total", SIZE) for name in "kv"]
    return graph.model("attending", inputs, outputs, opset=18)


def selecting(how: str) -> ModelProto:
    """The model without attention, in which two of the experts compute each token."""
    graph = LanguageGraph(WIDTH)
    graph.node("Gather", [graph.weight("words", WORDS, WIDTH), "input_ids"], "x")
    scores = graph.product("x", "scores", EXPERTS)
    for name, numbers in {"two": [2], "count": EXPERTS, "last": [-1], "second": [2]}.items():
        graph.integers(name, numbers)
    graph.weights.append(numpy_helper.from_array(np.float32([0, 1]), "off_on"))
    if how == "MoE":
        shapes = {"up": (EXPERTS, 4, WIDTH), "down": (EXPERTS, WIDTH, 4)}
        up, down = (graph.weight(name, *shape) for name, shape in shapes.items())
        graph.node("MoE", ["x", scores, up, "", down], "experts", MICROSOFT, k=2)
    else:
        graph.node("TopK", [scores, "two"], "best which")
        graph.node("OneHot", ["which", "count", "off_on"], "chosen")
        part = graph.node("Softmax", ["best"], "part", axis=-1)
        weighted = graph.node("Mul", ["chosen", graph.node("Unsqueeze", [part, "last"], "part_apart")], "weighted")
        gates = graph.node("ReduceSum", [weighted, "second"], "gates", keepdims=0)
        made = []
        for at in range(EXPERTS):
            bounds = [graph.integers(f"{name}{at}", [at + step]) for step, name in enumerate(("from", "to"))]
            gate = graph.node("Slice", [gates, *bounds, "second"], f"gate{at}")
            made.append(graph.node("Mul", [graph.product("x", f"expert{at}", WIDTH), gate], f"gated{at}"))
        graph.node("Sum", made, "experts")
        if how == "NonZero":
            graph.node("Cast", [graph.node("NonZero", ["chosen"], "places")], "float_places", to=1)
            moved = graph.node("ReduceSum", ["float_places"], "moved", keepdims=0)
            graph.nodes[-1].output[0] = "moved"
            graph.node("Add", ["x", moved], "x_moved")
    graph.product(graph.node("Add", ["x_moved" if how == "NonZero" else "x", "experts"], "y"), "logits", WORDS)
    inputs = [declared("input_ids", "batch", "tokens", kind=TensorProto.INT64)]
    return graph.model("selecting", inputs, [declared("logits", "batch", "tokens", WORDS)], opset=18)


@pytest.mark.parametrize("packed", [2, 3])
def test_packed_operands(packed: int, tmp_path: Path) -> None:
    """onnxruntime has no kernel for these on the CPU."""
    generated = []
    for each in (0, packed):
        onnx.save(attending(each), tmp_path / f"{each}.onnx")
        artifact = compile(tmp_path / f"{each}.onnx", tmp_path / str(each), generate=Generation(24, [8]))
        generated.append([row.tolist() for row in generate(artifact, [[3, 1, 4]], tokens=16)])
    assert generated[0] == generated[1]
    found = compare_steps(artifact, tmp_path / "0.onnx", [[3, 1, 4]], generated[1], Limits())
    assert found.failure() is None, found.lines()


def test_experts_that_one_hot_vectors_select(tmp_path: Path) -> None:
    onnx.save(selecting("OneHot"), tmp_path / "model.onnx")
    artifact = compile(tmp_path / "model.onnx", tmp_path / "out", generate=Generation(16))
    made = [row.tolist() for row in generate(artifact, [[3, 1, 4]], tokens=8)]
    found = compare_steps(artifact, tmp_path / "model.onnx", [[3, 1, 4]], made, Limits())
    assert found.failure() is None, found.lines()


@pytest.mark.parametrize("how", ["MoE", "NonZero"])
def test_experts_that_select_tokens(how: str, tmp_path: Path) -> None:
    with pytest.raises(
        ForgeError, match=rf"{how}\): .*; export the model so that each expert is computed for all tokens"
    ):
        compile(selecting(how), tmp_path, generate=Generation(16))

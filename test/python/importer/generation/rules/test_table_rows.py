"""Texts that are longer than a table of positions: an error when the model is compiled, or at run time if the positions
depend on the tokens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto

from forge_mlir.compiler.driver import compile
from forge_mlir.compiler.generation import Generation
from forge_mlir.errors import ForgeError
from forge_mlir.execute.generation import generate
from forge_mlir.support.sandbox import Limits
from forge_mlir.verify.tokens.generation import compare_steps
from sample_models.language_graph import LanguageGraph, declared
from sample_models.tiny_language_model import WIDTH, WORDS, tiny_language_model

ROWS = 16
INT64 = TensorProto.INT64

WAYS = {
    "range": "Range zero n one : p",
    "slice of the table": "Unsqueeze n axis0 : n1 | Slice table axis0 n1 axis0 : added",
    "slice of constants": "Unsqueeze n axis0 : n1 | Slice many axis0 n1 axis0 : p",
    "input": "Identity position_ids : p",
    "count of the mask": "CumSum attention_mask one : c | Sub c one : p",
    "count without hidden": "CumSum attention_mask one : c | Mul c attention_mask : d | Sub d one : p",
    "floats": "Range zero n one : q | Cast q : f to=1 | Floor f : g | Cast g : p to=7",
    "tokens": "Equal input_ids zero : e | Not e : f | Cast f : g to=7 | CumSum g one : c | Mul c g : d | Sub d one : p",
}


def without_past(way: str) -> ModelProto:
    graph = LanguageGraph(WIDTH)
    for name, value in {"zero": 0, "one": 1, "axis0": [0], "many": list(range(400))}.items():
        graph.integers(name, value)
    graph.node("Gather", [graph.weight("words", WORDS, WIDTH), "input_ids"], "embedded")
    graph.weight("table", ROWS, WIDTH)
    graph.node("Shape", ["input_ids"], "shape")
    graph.node("Gather", ["shape", "one"], "n")
    for step in WAYS[way].split(" | "):
        read, _, made = step.partition(" : ")
        name, *settings = made.split()
        graph.node(read.split()[0], read.split()[1:], name, **{k: int(v) for k, v in (s.split("=") for s in settings)})
    if "added" not in WAYS[way]:
        graph.node("Gather", ["table", "p"], "added")
    graph.node("Add", ["embedded", "added"], "x")
    graph.product("x", "logits", WORDS)
    read = {name for node in graph.nodes for name in node.input}
    names = [name for name in ("input_ids", "attention_mask", "position_ids") if name in read]
    inputs = [declared(name, "batch", "tokens", kind=INT64) for name in names]
    return graph.model("positions", inputs, [declared("logits", "batch", "tokens", WORDS)], opset=18)


def is_right(folder: Path, model: ModelProto, length: int, **lengths: list[int]) -> None:
    """Whether a whole text of `length` tokens is generated as by onnxruntime."""
    onnx.save(model, folder / "model.onnx")
    artifact = compile(folder / "model.onnx", folder / "out", generate=Generation(length, **lengths))
    made = [row.tolist() for row in generate(artifact, [[3, 1, 4]], tokens=length - 3)]
    assert len(made) == length - 3
    found = compare_steps(artifact, folder / "model.onnx", [[3, 1, 4]], made, Limits())
    assert found.failure() is None, found.lines()


@pytest.mark.parametrize("way", [way for way in WAYS if way != "tokens"])
def test_a_text_that_is_longer_than_the_table(way: str, tmp_path: Path) -> None:
    is_right(tmp_path, without_past(way), ROWS)
    expected = f"its table has {ROWS} rows, but a text of 18 tokens reads row 17; give a smaller --max-length"
    with pytest.raises(ForgeError, match=expected):
        compile(tmp_path / "model.onnx", tmp_path / "more", generate=Generation(18))


def test_positions_that_depend_on_tokens(tmp_path: Path) -> None:
    """Padding reads row 0; it would read rows beyond the table."""
    onnx.save(without_past("tokens"), tmp_path / "model.onnx")
    artifact = compile(tmp_path / "model.onnx", tmp_path / "out", generate=Generation(40))
    ids = np.arange(1, ROWS + 1)
    (first, *_) = generate(artifact, [ids.tolist()], tokens=1)
    found = compare_steps(artifact, tmp_path / "model.onnx", [ids.tolist()], [first.tolist()], Limits())
    assert found.failure() is None, found.lines()
    with pytest.raises(ForgeError, match=f"'added': index {ROWS} is outside of the {ROWS} elements"):
        [*generate(artifact, [[*ids.tolist(), 5]], tokens=1)]


def test_a_count_of_the_mask_with_a_past(tmp_path: Path) -> None:
    model = tiny_language_model()
    first = next(node for node in model.graph.node if node.name == "x")
    first.output[0] = first.name = "embedded"
    graph = LanguageGraph(WIDTH)
    graph.weight("table", ROWS, WIDTH)
    for name, value in {"next": 1, "third": 2, "along": [1], "first": [0]}.items():
        graph.integers(name, value)
    graph.node("Shape", ["past_key"], "shape_of_past")
    graph.node("Gather", ["shape_of_past", "third"], "start")
    graph.node("Unsqueeze", ["start", "first"], "starts")
    graph.node("Shape", ["attention_mask"], "ends", start=1)
    graph.node("CumSum", ["attention_mask", "next"], "count")
    graph.node("Sub", ["count", "next"], "places")
    graph.node("Slice", ["places", "starts", "ends", "along"], "place")
    graph.node("Gather", ["table", "place"], "added")
    graph.node("Add", ["embedded", "added"], "x")
    at = 1 + next(at for at, node in enumerate(model.graph.node) if node.name == "embedded")
    nodes = [*model.graph.node[:at], *graph.nodes, *model.graph.node[at:]]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(graph.weights)
    is_right(tmp_path, model, ROWS, prompt_lengths=[8])
    with pytest.raises(ForgeError, match=f"its table has {ROWS} rows, but a text of 17 tokens reads row 16"):
        compile(tmp_path / "model.onnx", tmp_path / "more", generate=Generation(17, [8]))

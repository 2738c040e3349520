"""The words that a model knows for its text inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import GraphProto, NodeProto, helper, numpy_helper

from forge_mlir.onnx_model.words import words_of


def graph(*nodes: NodeProto, **constants: Any) -> GraphProto:
    tensors = [numpy_helper.from_array(np.array(value), name) for name, value in constants.items()]
    return helper.make_graph(list(nodes), "g", [], [], tensors)


def encoder(value: str, *words: str) -> NodeProto:
    return helper.make_node("LabelEncoder", [value], [f"{value}_ids"], domain="ai.onnx.ml", keys_strings=words)


def column(at: str, result: str) -> NodeProto:
    return helper.make_node("ArrayFeatureExtractor", ["x", at], [result], domain="ai.onnx.ml")


def test_words_are_in_attributes_of_users() -> None:
    found = words_of(
        graph(helper.make_node("Identity", ["x"], ["t"]), encoder("t", "a", "b"), encoder("x", "b", "c")), "x"
    )
    assert found == [["a", "b", "c"]] or found == [["b", "c", "a"]]
    assert words_of(graph(helper.make_node("Identity", ["x"], ["y"])), "x") == []


def test_each_column_has_its_words() -> None:
    made = graph(column("i", "p"), column("j", "q"), encoder("p", "a"), encoder("q", "b"), i=[0], j=[1])
    assert words_of(made, "x") == [["a"], ["b"]]

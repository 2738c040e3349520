"""Weights of subgraphs become initializers of the main graph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper

import forge_mlir
from sample_models.importing import branch, model, node, value, weights


def test_a_small_constant_hides_an_outer_weight_of_its_name(tmp_path: Path) -> None:
    weight = weights(300)
    inner = branch(node("Identity", "w", "i"), value("i", 300))
    inner.initializer.append(numpy_helper.from_array(np.full(1, 7, np.float32), "w"))
    inner.node[0].CopyFrom(node("Add", "w x", "i"))
    other = branch(node("Neg", "w", "o"), value("o", 300))
    nodes = [node("If", "c", "r", then_branch=inner, else_branch=other), node("Add", "r w", "t")]
    outer = helper.make_graph(nodes, "outer", [], [value("t", 300)], [numpy_helper.from_array(weight, "w")])
    rest = branch(node("Relu", "x", "e"), value("e", 300))
    choice = node("If", "c", "y", then_branch=outer, else_branch=rest)
    proto = model([choice], [value("c", dtype=TensorProto.BOOL), value("x", 300)], [value("y", 300)])
    x = np.ones(300, np.float32)
    artifact = forge_mlir.compile(proto, tmp_path)
    np.testing.assert_array_equal(forge_mlir.run(artifact, {"c": np.array(True), "x": x})["y"], x + 7 + weight)


def test_a_weight_may_be_several_outputs_of_a_branch(tmp_path: Path) -> None:
    twice = helper.make_graph([], "t", [], [value("w", 300)] * 2, [numpy_helper.from_array(weights(300), "w")])
    nodes = [node("Neg", "x", "a"), node("Relu", "x", "b")]
    other = helper.make_graph(nodes, "e", [], [value("a", 300), value("b", 300)])
    choice = node("If", "c", "y z", then_branch=twice, else_branch=other)
    inputs = [value("c", dtype=TensorProto.BOOL), value("x", 300)]
    artifact = forge_mlir.compile(model([choice], inputs, [value("y", 300), value("z", 300)]), tmp_path)
    for taken, expected in ((True, (weights(300), weights(300))), (False, (-np.ones(300), np.ones(300)))):
        results = forge_mlir.run(artifact, {"c": np.array(taken), "x": np.ones(300, np.float32)})
        np.testing.assert_array_equal([results["y"], results["z"]], expected)

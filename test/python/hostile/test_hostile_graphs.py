"""Rows G1 to G7: graphs that violate ONNX's rules, or use them to the limit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hostile_models import agrees, command, compiled, model, refused, saved, text, value
from onnx import ModelProto, TensorProto, helper, numpy_helper

from forge_mlir.execute.run import run

node = helper.make_node


def test_G1_cycles(tmp_path: Path) -> None:
    ring = model([node("Relu", ["b"], ["a"], "first"), node("Abs", ["a"], ["b"], "second")], [], [value("a", [2])])
    said = refused(ring, tmp_path / "two", "cycle of 2")
    assert "first" in said
    assert "second" in said
    refused(model([node("Add", ["x", "a"], ["a"], "loop")], [value("x", [2])], [value("a", [2])]), tmp_path / "self",
            "cycle of 1", "loop")  # fmt: skip
    count = 5000
    long = [node("Relu", [f"v{at}"], [f"v{(at + 1) % count}"], f"n{at}") for at in range(count)]
    assert len(refused(model(long, [], [value("v0", [2])]), tmp_path / "long", f"cycle of {count}")) < 3000


def test_G1_unsorted_nodes(tmp_path: Path) -> None:
    nodes = [node("Relu", ["a"], ["y"], "second"), node("Neg", ["x"], ["a"], "first")]
    proto = model(nodes, [value("x", [2])], [value("y", [2])])
    assert "order" in command("check", saved(proto, tmp_path)).err
    artifact = compiled(saved(proto, tmp_path), tmp_path)
    np.testing.assert_array_equal(run(artifact, {"x": np.float32([-1, 2])})["y"], [1, 0])


def both(change: str) -> ModelProto:
    proto = model([node("Add", ["x", "w"], ["y"], "the node")], [value("x", [2])], [value("y", [2])],
                  {"w": np.ones(2, np.float32)})  # fmt: skip
    graph = proto.graph
    match change:
        case "two nodes":
            graph.node.append(node("Relu", ["x"], ["y"], "other"))
        case "initializer and node":
            graph.node.append(node("Relu", ["x"], ["w"], "other"))
        case "input and node":
            graph.node.append(node("Relu", ["w"], ["x"], "other"))
        case "twice in one node":
            graph.node.append(node("Split", ["x"], ["p", "p"], "other", axis=0, num_outputs=2))
        case "two initializers":
            graph.initializer.append(graph.initializer[0])
        case "two inputs":
            graph.input.append(graph.input[0])
        case "two types":
            graph.value_info.extend([value("t", [2]), value("t", [3])])
            graph.value_info.append(value("x", [3]))
    return proto


CHANGES = [
    "two nodes",
    "initializer and node",
    "input and node",
    "twice in one node",
    "two initializers",
    "two inputs",
    "two types",
]


@pytest.mark.parametrize("change", CHANGES)
def test_G2_two_producers(change: str, tmp_path: Path) -> None:
    refused(both(change), tmp_path)


@pytest.mark.parametrize("ir_version", [3, 4, 10])
def test_G2_initializers_that_are_inputs(ir_version: int, tmp_path: Path) -> None:
    """Since IR version 4 such an initializer is a default, before it was a constant. Here it is a constant, because no
    caller can provide a value."""
    proto = both("none")
    proto.graph.input.append(value("w", [2]))
    proto.ir_version = ir_version
    proto.opset_import[0].version = 8
    artifact = agrees(proto, tmp_path)
    assert [entry["onnx_name"] for entry in artifact.manifest()["inputs"]] == ["x"]


@pytest.mark.parametrize("name", ["", "same"])
def test_G3_node_names(name: str, tmp_path: Path) -> None:
    nodes = [node("Relu", ["x"], ["a"], name), node("Neg", ["a"], ["b"], name), node("Relu", ["b"], ["y"], name)]
    agrees(model(nodes, [value("x", [4])], [value("y", [4])]), tmp_path)
    bad = model([*nodes, node("Bernoulli", ["y"], ["z"], name)], [value("x", [4])], [value("z", [4])])
    refused(bad, tmp_path / "bad", "Uniform")


def test_G4_outputs_from_nowhere(tmp_path: Path) -> None:
    refused(model([node("Relu", ["x"], ["y"])], [value("x", [2])], [value("z", [2])]), tmp_path, "'z'")
    refused(model([node("Relu", ["gone"], ["y"], "the node")], [], [value("y", [2])]), tmp_path, "the node", "'gone'")


@pytest.mark.parametrize("fallback", [False, True])
def test_G4_outputs_that_no_node_makes(fallback: bool, tmp_path: Path) -> None:
    options = ["--fallback=cpu"] if fallback else []
    x, relu = value("x", [2]), node("Relu", ["x"], ["y"])
    weights = {"w": np.float32([1, -2])}
    agrees(model([relu], [x], [value("x", [2]), value("y", [2])]), tmp_path / "input", *options)
    agrees(model([relu], [x], [value("w", [2]), value("y", [2])], weights), tmp_path / "constant", *options)
    agrees(model([relu], [x], [value("y", [2]), value("y", [2])]), tmp_path / "twice", *options)
    agrees(model([], [x], [x]), tmp_path / "no nodes", *options)
    agrees(model([node("Relu", ["w"], ["y"])], [], [value("y", [2])], weights), tmp_path / "no inputs", *options)
    agrees(model([], [], [value("w", [2])], weights), tmp_path / "only a constant", *options)


def test_G4_no_outputs(tmp_path: Path) -> None:
    path = saved(model([node("Relu", ["x"], ["y"])], [value("x", [2])], []), tmp_path)
    result = command("compile", path, "-o", tmp_path / "out")
    if result.code:
        refused(path, tmp_path, "output")
    else:
        assert run(compiled(path, tmp_path), {"x": np.ones(2, np.float32)}) == {}


def test_G5_absent_operands_and_results(tmp_path: Path) -> None:
    x, y = value("x", [2, 6]), value("y", [2, 6])
    high = {"high": np.array(0.25, np.float32)}
    agrees(model([node("Clip", ["x", "", "high"], ["y"])], [x], [y], high), tmp_path / "middle")
    agrees(model([node("Clip", ["x", "", ""], ["y"])], [x], [y]), tmp_path / "trailing")
    agrees(model([node("Clip", ["x"], ["y"])], [x], [y]), tmp_path / "left out")
    refused(model([node("Relu", [""], ["y"], "the node")], [x], [y]), tmp_path / "needed", "the node")
    refused(model([node("Add", ["x", ""], ["y"], "the node")], [x], [y]), tmp_path / "second", "the node")
    refused(model([node("Relu", ["x"], [""], "the node")], [x], [value("", [2, 6])]), tmp_path / "result")
    refused(model([node("Relu", ["x"], ["y"])], [x, value("", [2])], [y]), tmp_path / "input", "without a name")
    scale = {"s": np.ones(6, np.float32)}
    agrees(model([node("LayerNormalization", ["x", "s"], ["y", "", ""])], [x], [y], scale), tmp_path / "mean")
    agrees(model([node("Dropout", ["x"], ["y", "mask"])], [x], [y]), tmp_path / "mask")
    agrees(model([node("Dropout", ["x"], ["y", ""])], [x], [y]), tmp_path / "no mask")
    image, pooled = value("x", [1, 2, 4, 4]), value("y", [1, 2, 2, 2])
    pool = node("MaxPool", ["x"], ["y", "indices"], kernel_shape=[2, 2], strides=[2, 2])
    agrees(model([pool], [image], [pooled]), tmp_path / "indices")
    pieces = node("Split", ["x"], ["", "y", ""], axis=1, num_outputs=3)
    agrees(model([pieces], [x], [value("y", [2, 2])]), tmp_path / "pieces")


def test_G5_a_tensor_without_a_name(tmp_path: Path) -> None:
    proto = model([node("Relu", ["x"], ["y"])], [value("x", [2])], [value("y", [2])])
    proto.graph.initializer.append(numpy_helper.from_array(np.ones(2, np.float32), ""))
    refused(proto, tmp_path, "without a name")


def branches(condition: bool | None, outer: str = "a") -> ModelProto:
    then = helper.make_graph([node("Neg", [outer], ["t"], "inner")], "then", [], [value("t", [2])])
    other = helper.make_graph([node("Abs", ["x"], ["e"], "inner")], "else", [], [value("e", [2])])
    nodes = [node("Relu", ["x"], ["a"]), node("If", ["c"], ["y"], "choice", then_branch=then, else_branch=other)]
    inputs = [value("x", [2])]
    constants = {"c": np.array(condition)} if condition is not None else {}
    if condition is None:
        inputs.append(value("c", [], TensorProto.BOOL))
    return model(nodes, inputs, [value("y", [2])], constants)


def test_G6_branches_and_captures(tmp_path: Path) -> None:
    for condition in (True, False):
        agrees(branches(condition), tmp_path / str(condition))
    for condition in (True, False):
        inputs = {"x": np.array([1, -1], np.float32), "c": np.array(condition)}
        agrees(branches(None), tmp_path / f"data {condition}", inputs=inputs)
    refused(branches(True, outer="nothing"), tmp_path / "nothing", "inner", "'nothing'")


def test_G6_names_that_hide_outer_ones(tmp_path: Path) -> None:
    proto = branches(True)
    proto.graph.node[1].attribute[0].g.node.append(node("Exp", ["x"], ["a"], "shadow"))
    refused(proto, tmp_path)


@pytest.mark.parametrize("trips", [0, 1, 3])
def test_G6_loops(trips: int, tmp_path: Path) -> None:
    proto = text(
        """g (float[2] x) => (float[2] y) <int64 n = {TRIPS}, bool c = {1}> {
        [the_loop] y = Loop <body = b (int64 i, bool go, float[2] v) => (bool again, float[2] w) {
            again = Identity(go)  w = Add(v, x) }> (n, c, x) }""".replace("TRIPS", str(trips))
    )
    agrees(proto, tmp_path)


def test_G6_endless_loops(tmp_path: Path) -> None:
    proto = text(
        """g (float[2] x) => (float[2] y) <bool c = {1}> {
        [the_loop] y = Loop <body = b (int64 i, bool go, float[2] v) => (bool again, float[2] w) {
            again = Identity(go)  w = Add(v, x) }> (, c, x) }"""
    )
    refused(proto, tmp_path / "endless", "the_loop")
    proto = text(
        """g (float[2] x) => (float[2] y) <int64 n = {9223372036854775807}, bool c = {1}> {
        [the_loop] y = Loop <body = b (int64 i, bool go, float[2] v) => (bool again, float[2] w) {
            again = Identity(go)  w = Add(v, x) }> (n, c, x) }"""
    )
    refused(proto, tmp_path / "long", "the_loop")


def test_G7_one_op_name_in_two_domains(tmp_path: Path) -> None:
    x, y = value("x", [2, 4]), value("y", [2, 4])
    evil = model([node("LayerNormalization", ["x", "s"], ["y"], "the node", domain="com.evil")], [x], [y],
                 {"s": np.ones(4, np.float32)})  # fmt: skip
    refused(evil, tmp_path / "undeclared")
    evil.opset_import.append(helper.make_opsetid("com.evil", 1))
    refused(evil, tmp_path / "evil", "com.evil")
    gelu = model([node("Gelu", ["x"], ["y"], "the node", domain="com.microsoft")], [x], [y], opset=17)
    gelu.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    compiled(saved(gelu, tmp_path / "gelu"), tmp_path / "gelu")
    gelu.graph.node[0].domain = ""
    refused(gelu, tmp_path / "too old", "Gelu")
    relu = model([node("Relu", ["x"], ["y"], "the node", domain="com.microsoft")], [x], [y])
    relu.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    refused(relu, tmp_path / "relu", "the node", "com.microsoft")

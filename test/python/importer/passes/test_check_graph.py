"""The rules of graphs: order, names, opsets, types, functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.errors import ForgeError
from forge_mlir.importer import import_onnx
from sample_models.importing import branch, chain, linear, model, named, node, operators, refusal, value, weights

X, Y = value("x", 2, 3), value("y", 2, 3)


def test_unsorted_nodes_are_sorted_stably() -> None:
    nodes = chain(("Add", "b c", "y"), ("Abs", "x", "a"), ("Neg", "a", "b"), ("Relu", "a", "c"))
    imported = import_onnx(model(nodes, [X], [Y]))
    names = [o.attributes["name"].value for o in operators(imported) if o.name == "torch.operator"]
    assert names == ["onnx.Abs", "onnx.Neg", "onnx.Relu", "onnx.Add"]
    assert imported.warnings == ["nodes of graph 'g' are not in topological order; they were sorted"]
    assert not import_onnx(model([*nodes[1:], nodes[0]], [X], [Y])).warnings


def test_captured_values_order_their_node() -> None:
    then, other = branch(node("Relu", "a", "t"), value("t", 2, 3)), branch(node("Neg", "a", "e"), value("e", 2, 3))
    nodes = [node("If", "c", "y", then_branch=then, else_branch=other), node("Abs", "x", "a")]
    imported = import_onnx(model(nodes, [X, value("c", dtype=TensorProto.BOOL)], [Y]))
    assert len(imported.warnings) == 1
    assert len(named(imported, "If").regions) == 2


def test_cycles_name_their_ring() -> None:
    nodes = chain(("Abs", "x", "a"), ("Add", "a d", "b"), ("Neg", "b", "c"), ("Relu", "c", "d"), ("Exp", "d", "y"))
    error = refusal(model(nodes, [X], [Y]), "cycle of 3 nodes", "'n1'", "'n2'", "'n3'")
    assert "'n0'" not in str(error)
    assert "'n4'" not in str(error)
    refusal(model(chain(("Add", "x y", "y")), [X], [Y]), "cycle of 1 nodes")


def test_a_long_chain_in_reverse() -> None:
    count = 4000
    nodes = [node("Relu", f"v{at}" if at else "x", f"v{at + 1}" if at + 1 < count else "y") for at in range(count)]
    assert len(import_onnx(model(nodes[::-1], [X], [Y])).warnings) == 1


@pytest.mark.parametrize(
    ("proto", "words"),
    [
        (model(chain(("Abs", "x", "y"), ("Neg", "x", "y")), [X], [Y]), ["'n1' (Neg)", "'y' is also another node's"]),
        (model(chain(("Abs", "x", "x")), [X], [X]), ["'x' is also an input or initializer's"]),
        (model(chain(("Abs", "x", "w")), [X], [value("w", 2, 3)], [numpy_helper.from_array(weights(2, 3), "w")]),
         ["'w' is also an input or initializer's"]),
        (model(chain(("Abs", "z", "y")), [X], [Y]), ["'n0' (Abs)", "input 'z' is produced by nothing"]),
        (model(chain(("Abs", "x", "z")), [X], [Y]), ["tensor 'y'", "output is produced by nothing"]),
        (model(chain(("Abs", "x", "y")), [X, X], [Y]), ["tensor 'x'", "two graph inputs"]),
        (model(chain(("Abs", "x", "y")), [X], [Y], [numpy_helper.from_array(weights(k), "w") for k in (2, 999)]),
         ["tensor 'w'", "two initializers"]),
        (model(chain(("Abs", "x", "y")), [value("x", -5, 3)], [Y]), ["tensor 'x'", "negative dimension -5"]),
        (model(chain(("Abs", "x", "y")), [value("x", 1 << 62, 8)], [value("y", None, None)]), ["too large"]),
        (model([node("Abs", "x", "y", 'q"\n\x1b[31m\u202e')], [X], [value("y", 2, 3, dtype=6)]),
         ["do not fit together"]),
        (model([node("Foo", "x", "y", domain="com.evil")], [X], [Y]), ["com.evil.Foo", "no opset is declared"]),
        (model(chain(("Abs", "x", "y")), [X], [Y], opsets={"": 1_000_000_000}), ["opset 1000000000"]),
        (model(chain(("Abs", "x", "y")), [X], [Y], opsets={"": 0}), ["opset 0"]),
        (model(chain(("Abs", "x", "y")), [X], [Y], opsets={"": 17, "ai.onnx": 13}), ["declared twice"]),
        (model(chain(("Abs", "x", "y")), [X], [Y], opsets={"com.x": 1}), ["'n0' (Abs)", "the default domain"]),
        (model(chain(("Nope", "x", "y")), [X], [Y]), ["model is invalid", "Nope"]),
        (model(chain(("MatMul", "x x", "y")), [X], [Y]), ["do not fit together", "MatMul"]),
        (model([node("Abs", "x", "y", type=helper.make_tensor_type_proto(1, [1]))], [X], [Y]), ["TYPE_PROTO"]),
        (model(chain(("Abs", "x", "y")), [value("x", 2, dtype=TensorProto.FLOAT4E2M1)], [Y]), ["tensor 'x'", "FLOAT4"]),
    ],
)  # fmt: skip
def test_broken_graphs(proto: ModelProto, words: list[str]) -> None:
    refusal(proto, *words)


def test_a_string_constant_names_its_node(tmp_path: Path) -> None:
    text = helper.make_tensor("", TensorProto.STRING, [1], [b"a"])
    proto = model([node("Constant", "", "y", "c", value=text)], [], [value("y", 1, dtype=8)])
    with pytest.raises(ForgeError, match=r"'c' \(Constant.*strings"):
        forge_mlir.compile(proto, tmp_path / "out", name="m")
    artifact = forge_mlir.compile(proto, tmp_path / "out", name="m", fallback="cpu")
    assert forge_mlir.run(artifact, {})["y"].tolist() == ["a"]


def test_attributes_given_twice() -> None:
    twice = node("Softmax", "x", "y", "s", axis=1)
    twice.attribute.add().CopyFrom(twice.attribute[0])
    refusal(model([twice], [X], [Y]), "'s' (Softmax)", "'axis' is given twice")


def test_names_are_kept_and_hostile_ones_harmless() -> None:
    name = 'x"), __import__("os").system("true"), str("\r\n\u202e\0'
    abs_node = helper.make_node("Abs", [name], [name + "y"], name)
    imported = import_onnx(model([abs_node], [value(name, 2, 3)], [value(name + "y", 2, 3)], name="../../etc/x"))
    assert (imported.name, imported.inputs[0].name, imported.outputs[0].name) == ("../../etc/x", name, name + "y")
    function = next(o for o in operators(imported) if o.name == "func.func")
    assert function.attributes["sym_name"].value == "_.._.._etc_x"
    assert function.attributes["arg_attrs"][0]["forge.onnx_name"].value == name
    assert function.attributes["res_attrs"][0]["forge.onnx_name"].value == name + "y"


def test_empty_graph_name() -> None:
    imported = import_onnx(model(chain(("Abs", "x", "y")), [X], [Y], name=""))
    assert imported.name == ""
    assert "@main_graph" in str(imported.module)


def test_outputs_may_be_inputs_constants_and_duplicates() -> None:
    w = numpy_helper.from_array(weights(2, 3), "w")
    proto = model(chain(("Abs", "x", "y")), [X], [X, Y, value("w", 2, 3)], [w])
    assert [t.name for t in import_onnx(proto).outputs] == ["x", "y", "w"]


def test_initializers_that_are_inputs_are_constants() -> None:
    proto = linear()
    proto.ir_version = 3
    proto.graph.input.append(value("w", 32, 16))
    imported = import_onnx(proto)
    assert [t.name for t in imported.inputs] == ["x"]
    assert [w.name for w in imported.weights.values()] == ["w"]
    proto.graph.input[1].CopyFrom(value("w", 32, 17))
    refusal(proto, "tensor 'w'", "two different types")


def domains(proto: ModelProto) -> list[str | None]:
    found: list[str | None] = []
    for op in operators(import_onnx(proto)):
        if op.name == "torch.operator":
            known = "torch.onnx_meta.domain" in op.attributes
            found.append(op.attributes["torch.onnx_meta.domain"].value if known else None)
    return found


def test_domains() -> None:
    gelu = node("Gelu", "a", "b", domain="com.microsoft")
    relu = node("Relu", "b", "y", domain="ai.onnx")
    w = numpy_helper.from_array(weights(2, 3), "w")
    nodes = [node("Add", "x w", "a"), gelu, relu]
    assert domains(model(nodes, [X], [Y], [w], opsets={"": 17, "com.microsoft": 1})) == ["", "", "com.microsoft", ""]
    assert domains(model([node("Add", "x w", "y")], [X], [Y], [w], opsets={"ai.onnx": 17})) == [None, None]
    # Importing the domain is enough: every node then states its domain.
    assert domains(model([node("Add", "x w", "y")], [X], [Y], [w], opsets={"": 17, "com.x": 1})) == ["", ""]


def test_subgraphs_say_their_names() -> None:
    graphs = {f"{name}_branch": branch(node("Abs", "x", "o"), value("o", 2, 3)) for name in ("then", "else")}
    proto = model([node("If", "c", "y", **graphs)], [X, value("c", dtype=TensorProto.BOOL)], [Y])
    names = named(import_onnx(proto), "If").attributes["torch.onnx_meta.subgraphs"]
    assert [name.value for name in names] == ["else_branch", "then_branch"]


def test_a_constant_of_another_domain_is_not_constant() -> None:
    tensor = numpy_helper.from_array(weights(2, 3), "")
    nodes = [helper.make_node("Constant", [], ["c"], domain="com.x", value=tensor), node("Abs", "x", "y")]
    imported = import_onnx(model(nodes, [X], [Y], opsets={"": 17, "com.x": 1}))
    assert named(imported, "Constant").attributes["torch.onnx_meta.domain"].value == "com.x"


def loop(carried: str) -> ModelProto:
    """y is x, doubled three times; the input of the body for the loop-carried value is called `carried`."""
    body = helper.make_graph(
        [node("Add", f"{carried} {carried}", "out"), node("Identity", "cond", "go")],
        "body",
        [value("i", dtype=TensorProto.INT64), value("cond", dtype=TensorProto.BOOL), value(carried, 2, 3)],
        [value("go", dtype=TensorProto.BOOL), value("out", 2, 3)],
    )
    trips = numpy_helper.from_array(np.array(3), "trips")
    return model([helper.make_node("Loop", ["trips", "", "x"], ["y"], body=body)], [X], [Y], [trips])


@pytest.mark.parametrize("carried", ["v", "x"], ids=["own name", "a name from outside"])
def test_a_loop_body_reads_its_own_input(carried: str) -> None:
    imported = import_onnx(loop(carried))
    block = named(imported, "Loop").regions[0].blocks[0]
    assert named(imported, "Add").operands[0] == block.arguments[2]


def test_untyped_loop_inputs_get_types() -> None:
    proto = loop("v")
    counter, _, carried = proto.graph.node[0].attribute[0].g.input
    counter.ClearField("type")
    carried.ClearField("type")
    imported = import_onnx(proto)
    arguments = named(imported, "Loop").regions[0].blocks[0].arguments
    # onnx gives loop-carried values no shape, which the IR shows as rank 0, because it may change between iterations.
    types = ["!torch.vtensor<[],si64>", "!torch.vtensor<[],i1>", "!torch.vtensor<[],f32>"]
    assert [str(a.type) for a in arguments] == types


def sparse(proto: ModelProto) -> None:
    proto.graph.sparse_initializer.add()


def shadow(proto: ModelProto) -> None:
    graph = branch(node("Relu", "k", "t"), value("t", 2, 3))
    graph.input.append(value("k", 2, 3))
    graph.initializer.append(numpy_helper.from_array(weights(2, 3), "k"))
    proto.graph.node.append(node("If", "c", "z", then_branch=graph, else_branch=graph))
    proto.graph.input.append(value("c", dtype=TensorProto.BOOL))


@pytest.mark.parametrize(
    ("change", "word"), [(sparse, "type is not set"), (shadow, "subgraph input has an initializer")]
)
def test_invalid_graphs_are_refused_by_name(change: Callable[[ModelProto], None], word: str) -> None:
    proto = model(chain(("Abs", "x", "y")), [X], [Y])
    change(proto)
    refusal(proto, word)

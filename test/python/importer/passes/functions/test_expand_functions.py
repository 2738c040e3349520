"""Ops without a converter are replaced by their function bodies in ONNX."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from torch_mlir import ir

from forge_mlir.importer import ImportedModel, import_onnx
from forge_mlir.importer.passes.functions.expand_functions import Expansion
from forge_mlir.importer.passes.infer_shapes import infer_shapes
from forge_mlir.importer.request import IsKnown
from sample_models.goldens import assert_same
from sample_models.importing import branch, model, named, operators, refusal, value

X, Y = value("x", 2, 3), value("y", 2, 3)


def call(op: str, inputs: str = "x", opset: int = 18, dtype: int = TensorProto.FLOAT, **attributes: Any) -> ModelProto:
    nodes = [helper.make_node(op, inputs.split(), ["y"], "n", **attributes)]
    given = [value(name, 2, 3, dtype=dtype) for name in dict.fromkeys(inputs.split())]
    return model(nodes, given, [value("y", 2, 3, dtype=dtype)], opsets={"": opset})


def expanded(proto: ModelProto, *unknown: str, budget: int = 1000) -> ImportedModel:
    return import_onnx(proto, is_known=all_but(*unknown), max_expansion=budget)


def all_but(*unknown: str) -> IsKnown:
    return lambda _domain, op, _opset: op not in unknown


def ops(imported: ImportedModel) -> list[str]:
    return [o.attributes["name"].value.removeprefix("onnx.") for o in operators(imported) if "name" in o.attributes]


def opset_of(op: ir.Operation) -> int | None:
    key = "torch.onnx_meta.opset"
    return ir.IntegerAttr(op.attributes[key]).value if key in op.attributes else None


def test_an_op_with_a_converter_keeps_its_node() -> None:
    assert ops(expanded(call("Mish"))) == ["Mish"]
    assert ops(import_onnx(call("Mish"))) == ["Mish"]


def test_bodies_are_expanded_recursively() -> None:
    assert ops(expanded(call("Mish"), "Mish")) == ["Softplus", "Tanh", "Mul"]
    assert "Softplus" not in ops(expanded(call("Mish"), "Mish", "Softplus"))
    assert ops(expanded(call("Abs"), "Abs")) == ["Abs"]  # Abs has no body.


def test_names_say_where_a_node_comes_from() -> None:
    imported = expanded(call("Mish"), "Mish")
    places = [str(o.location) for o in operators(imported) if "name" in o.attributes]
    assert places == ['loc("n/Softplus_0")', 'loc("n/Tanh_1")', 'loc("n/Mul_2")']
    unnamed = call("Mish")
    unnamed.graph.node[0].name = ""
    assert 'loc("y/Softplus_0")' in [str(o.location) for o in operators(expanded(unnamed, "Mish"))]


@pytest.mark.parametrize(("opset", "kept"), [(11, 18), (18, None), (21, 18)])
def test_a_body_keeps_the_opset_it_is_written_for(opset: int, kept: int | None) -> None:
    imported = expanded(call("Softplus", opset=opset), "Softplus")
    assert opset_of(named(imported, "Exp")) == kept
    assert opset_of(named(import_onnx(call("Softplus", opset=opset)), "Softplus")) is None


def test_a_file_cannot_say_the_opset_of_a_node() -> None:
    proto = call("Mish")
    proto.graph.node[0].metadata_props.add(key="forge.opset", value="1")
    assert opset_of(named(import_onnx(proto), "Mish")) is None
    assert opset_of(named(expanded(proto), "Mish")) is None


def test_attributes_reach_the_body_with_their_defaults() -> None:
    def constants(**attributes: Any) -> list[str]:
        found = operators(expanded(call("Elu", **attributes), "Elu"))
        keys = ("torch.onnx.value", "torch.onnx.value_float")
        return [str(op.attributes[key]) for op in found for key in keys if key in op.attributes]

    assert len(constants()) == len(constants(alpha=0.25))
    assert constants() != constants(alpha=0.25)


def test_values_of_two_calls_have_different_names() -> None:
    calls = (("x", "n/Softplus_X"), ("n/Softplus_X", "y"))
    nodes = [helper.make_node("Mish", [one], [other], "n") for one, other in calls]
    proto = model(nodes, [X], [Y], opsets={"": 18})
    assert ops(expanded(proto, "Mish")) == ["Softplus", "Tanh", "Mul"] * 2
    same(proto, "Mish")


def test_bodies_within_branches() -> None:
    then = branch(helper.make_node("Mish", ["x"], ["t"], "m"), value("t", 2, 3))
    other = branch(helper.make_node("Neg", ["x"], ["e"], "e"), value("e", 2, 3))
    node = helper.make_node("If", ["c"], ["y"], "if", then_branch=then, else_branch=other)
    proto = model([node], [X, value("c", dtype=TensorProto.BOOL)], [Y], opsets={"": 18})
    assert sorted(ops(expanded(proto, "Mish"))) == sorted(["If", "Neg", "Softplus", "Tanh", "Mul"])


def test_the_budget_is_kept() -> None:
    words = ("'n' (Mish)", "more than 2 nodes", "--max-expansion")
    error = refusal(call("Mish"), *words, is_known=all_but("Mish"), max_expansion=2)
    assert error.where == "node 'n' (Mish)"
    assert len(ops(expanded(call("Mish"), "Mish", budget=3))) == 3


def test_graphs_in_attributes_are_never_moved() -> None:
    body = helper.make_graph([helper.make_node("Abs", ["i"], ["o"])], "b", [value("i", 3)], [value("o", 3)])
    sequence = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, [3]))
    s, t = (helper.make_value_info(name, sequence) for name in "st")
    proto = model([helper.make_node("SequenceMap", ["s"], ["t"], "n", body=body)], [s], [t], opsets={"": 18})
    assert "SequenceMap" in ops(expanded(proto, "SequenceMap"))


def same(proto: ModelProto, *unknown: str) -> None:
    """Asserts that the expansion of `proto` computes the same as `proto`."""
    into = ModelProto()
    into.CopyFrom(proto)
    infer_shapes(into, [])
    Expansion(all_but(*unknown)).run(into)
    generator = np.random.default_rng(3)
    feeds = {}
    for info in proto.graph.input:
        shape = [dim.dim_value for dim in info.type.tensor_type.shape.dim]
        feeds[info.name] = generator.standard_normal(shape).astype(np.float32)
    before, after = ReferenceEvaluator(proto).run(None, feeds), ReferenceEvaluator(into).run(None, feeds)
    for one, other in zip(before, after, strict=True):
        assert_same(one, other)
    assert not {node.op_type for node in into.graph.node} & set(unknown)


@pytest.mark.parametrize(
    ("op", "inputs", "opset", "attributes"),
    [
        ("Selu", "x", 18, {}),
        ("Selu", "x", 18, {"alpha": 2.0, "gamma": 0.5}),
        ("ThresholdedRelu", "x", 22, {"alpha": 0.3}),
        ("HardSigmoid", "x", 22, {"beta": 0.4}),
        ("Celu", "x", 12, {"alpha": 0.7}),
        ("Swish", "x", 24, {"alpha": 1.5}),
        ("Clip", "x", 13, {}),
        ("PRelu", "x w", 16, {}),
        ("RMSNormalization", "x w", 23, {"axis": 0}),
        ("Softmax", "x", 13, {"axis": 0}),
        ("Gelu", "x", 20, {"approximate": "tanh"}),
    ],
)
def test_expansion_gives_the_same_results(op: str, inputs: str, opset: int, attributes: dict[str, Any]) -> None:
    same(call(op, inputs, opset, **attributes), op)


def test_optional_inputs_and_outputs() -> None:
    nodes = [helper.make_node("LayerNormalization", ["x", "w"], ["y", "", "d"], "n", axis=-1)]
    shapes = [value("y", 2, 3), value("d", 2, 1)]
    same(model(nodes, [X, value("w", 3)], shapes, opsets={"": 17}), "LayerNormalization")


def test_constant_operands_determine_shapes_in_a_function_body() -> None:
    shape = numpy_helper.from_array(np.array([4, 5], np.int64), "shape")
    nodes = [helper.make_node("CenterCropPad", ["x", "shape"], ["y"], "n")]
    proto = model(nodes, [X], [value("y", 4, 5)], [shape], opsets={"": 18})
    assert "CenterCropPad" not in ops(expanded(proto, "CenterCropPad"))

"""Calls of model functions are inlined."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnx.reference
import pytest
from onnx import ModelProto, helper, numpy_helper

import forge_mlir
from forge_mlir.importer import import_onnx
from sample_models.importing import chain, model, named, node, operators, refusal, value, weights

X, Y = value("x", 2, 3), value("y", 2, 3)


def calls(levels: int, recursive: bool = False) -> ModelProto:
    """f0 is Relu; each next function calls the previous one twice."""
    proto = model([node(f"f{levels}", "x", "y", domain="local")], [X], [Y], opsets={"": 17, "local": 1})
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    for at in range(levels + 1):
        inner = "Relu" if at == 0 else f"f{at - 1}"
        domain = "" if at == 0 else "local"
        if at == 0 and recursive:
            inner, domain = f"f{levels}", "local"
        body = [node(inner, "a", "b", domain=domain), node(inner, "b", "c", domain=domain)]
        proto.functions.append(helper.make_function("local", f"f{at}", ["a"], ["c"], body, imports))
    return proto


def test_functions_are_inlined() -> None:
    imported = import_onnx(calls(2))
    names = [o.attributes["name"].value for o in operators(imported) if o.name == "torch.operator"]
    assert names == ["onnx.Relu"] * 8


@pytest.mark.parametrize("call", ["y, z = d.swap(x, w)", "y, z = d.twice(x, w)", "y = d.first(x, w) z = Identity(y)"])
def test_outputs_that_are_inputs_or_other_outputs(call: str, tmp_path: Path) -> None:
    proto = onnx.parser.parse_model(f"""<ir_version: 10, opset_import: ["": 17, "d": 1]>
        g (float[2] x, float[2] w) => (float[2] y, float[2] z) {{ {call} }}
        <domain: "d", opset_import: ["": 17]> swap (a, b) => (b, a) {{ }}
        <domain: "d", opset_import: ["": 17]> twice (a, b) => (c, c) {{ c = Sub(a, b) }}
        <domain: "d", opset_import: ["": 17]> first (a, b) => (c, b) {{ c = Sub(b, a) }}""")
    inputs = {"x": np.array([1, 2], np.float32), "w": np.array([5, 9], np.float32)}
    expected = onnx.reference.ReferenceEvaluator(proto).run(None, inputs)
    found = forge_mlir.run(forge_mlir.compile(proto, tmp_path), inputs)
    np.testing.assert_array_equal([*found.values()], expected)


@pytest.mark.parametrize(
    ("call", "slopes"),
    [("d.f(x)", [0.5]), ("d.f<a = 0.25>(x)", [0.25]), ("d.outer(x)", [0.75]), ("d.passes(x)", [0.5]),
     ("d.passes<b = 0.125>(x)", [0.125]), ("d.branches(x)", [0.5, 0.75]), ("d.f:passes(x)", [0.5])],
)  # fmt: skip
def test_attributes_that_a_call_leaves_out_have_the_defaults_of_the_function(call: str, slopes: list[float]) -> None:
    """Also if the call passes on an attribute that its own caller omitted."""
    proto = onnx.parser.parse_model(f"""<ir_version: 10, opset_import: ["": 17, "d": 1]>
        g (float[2,3] x) => (float[2,3] y) {{ y = {call} }}
        <domain: "d", opset_import: ["": 17]> f <a: float = 0.5>(q) => (r) {{
            c = Constant<value_float = @a>() s = LeakyRelu<alpha = @a>(q) r = Add(s, c)
        }}
        <domain: "d", opset_import: ["": 17, "d": 1]> outer (q) => (r) {{ r = d.f<a = 0.75>(q) }}
        <domain: "d", opset_import: ["": 17, "d": 1]> passes <b>(q) => (r) {{ r = d.f<a = @b>(q) }}
        <domain: "d", overload: "passes", opset_import: ["": 17, "d": 1]> f <b>(q) => (r) {{ r = d.f<a = @b>(q) }}
        <domain: "d", opset_import: ["": 17, "d": 1]> branches (q) => (r) {{
            c = Constant<value_int = 1>() b = Cast<to = 9>(c)
            r = If(b)<then_branch = t () => (u) {{ u = d.f(q) }}, else_branch = e () => (v) {{ v = d.outer(q) }}>
        }}""")
    imported = import_onnx(proto)

    def attribute(op: str, name: str) -> list[float]:
        nodes = [o for o in operators(imported) if "name" in o.attributes and o.attributes["name"].value == op]
        return [o.attributes[name].value for o in nodes if name in o.attributes]

    assert sorted(attribute("onnx.LeakyRelu", "torch.onnx.alpha")) == slopes
    assert sorted(attribute("onnx.Constant", "torch.onnx.value_float")) == slopes


def call_of(op: str, opset: int, domain: str = "") -> ModelProto:
    """A model of opset 17 that calls a function of another opset."""
    proto = model([node("f", "x", "y", domain="local")], [X], [Y], opsets={"": 17, "local": 1})
    imports = [helper.make_opsetid(domain, opset)]
    proto.functions.append(helper.make_function("local", "f", ["a"], ["b"], [node(op, "a", "b")], imports))
    return proto


@pytest.mark.parametrize("domain", ["", "ai.onnx"])
def test_functions_of_another_opset_whose_ops_are_the_same(domain: str) -> None:
    (relu,) = (o for o in operators(import_onnx(call_of("Relu", 15, domain))) if o.name == "torch.operator")
    assert relu.attributes["name"].value == "onnx.Relu"


def test_functions_of_another_opset_whose_ops_differ() -> None:
    """The node keeps its opset. A value for the same key in the file is ignored."""
    proto = call_of("Softmax", 11)
    (softmax,) = (o for o in operators(import_onnx(proto)) if o.name == "torch.operator")
    assert softmax.attributes["torch.onnx_meta.opset"].value == 11
    plain = model([node("Softmax", "x", "y")], [X], [Y], opsets={"": 17})
    plain.graph.node[0].metadata_props.add(key="forge.opset", value="11")
    (softmax,) = (o for o in operators(import_onnx(plain)) if o.name == "torch.operator")
    assert "torch.onnx_meta.opset" not in softmax.attributes


def test_functions_of_another_opset_whose_graphs_differ() -> None:
    branch = helper.make_graph([node("Identity", "a", "r")], "t", [], [helper.make_empty_tensor_value_info("r")])
    proto = call_of("Softmax", 11)
    body = [
        helper.make_node("Constant", [], ["c"], value=numpy_helper.from_array(np.array(True))),
        helper.make_node("If", ["c"], ["b"], then_branch=branch, else_branch=branch),
    ]
    del proto.functions[0].node[:]
    proto.functions[0].node.extend(body)
    refusal(proto, "'f' cannot be inlined", "written for opset 11", "opset 17", "'If' changed", "has graphs")


def test_a_node_that_its_own_opset_does_not_have() -> None:
    proto = call_of("Squeeze", 11)
    proto.functions[0].node[0].input.append("a")  # In that opset, axes are an attribute.
    refusal(proto, "the model is invalid", "Squeeze")


def test_functions_that_explode_or_recurse() -> None:
    refusal(calls(60), "expand to more than")
    refusal(calls(2, recursive=True), "call themselves", "'f2' calls 'f1' calls 'f0' calls 'f2'")
    refusal(calls(500), "deep")


def test_weights_in_a_function_called_twice_are_one_weight() -> None:
    proto = model([node("f", "x", "t", domain="l"), node("f", "t", "y", domain="l")], [value("x", 300)],
                  [value("y", 300)], opsets={"": 17, "l": 1})  # fmt: skip
    body = [
        helper.make_node("Constant", [], ["k"], value=numpy_helper.from_array(weights(300))),
        node("Add", "a k", "b"),
    ]
    proto.functions.append(helper.make_function("l", "f", ["a"], ["b"], body, [helper.make_opsetid("", 17)]))
    imported = import_onnx(proto)
    assert len(imported.weights) == 1
    assert str(imported.module).count("dense_resource<") == 2


def test_mean_variance_normalization_stays_a_node() -> None:
    nodes = chain(("MeanVarianceNormalization", "x", "a"), ("MeanVarianceNormalization", "a", "y"))
    shape = (2, 3, 4, 4)
    imported = import_onnx(model(nodes, [value("x", *shape)], [value("y", *shape)]))
    assert str(imported.module).count("onnx.MeanVarianceNormalization") == 2
    assert "call" not in str(imported.module)


def test_a_domain_that_only_a_function_declares() -> None:
    body = [node("Gelu", "a", "b", domain="com.microsoft")]
    proto = model([node("f", "x", "y", domain="local")], [X], [Y], opsets={"local": 1})
    imports = [helper.make_opsetid("com.microsoft", 1)]
    proto.functions.append(helper.make_function("local", "f", ["a"], ["b"], body, imports))
    imported = import_onnx(proto)
    assert imported.opset == {"local": 1, "com.microsoft": 1}
    assert named(imported, "Gelu").attributes["torch.onnx_meta.domain"].value == "com.microsoft"


def test_a_sparse_constant_of_a_function() -> None:
    values, at = numpy_helper.from_array(np.float32([2])), numpy_helper.from_array(np.array([1]))
    body = [node("Constant", "", "k", sparse_value=helper.make_sparse_tensor(values, at, [3])), node("Add", "a k", "b")]
    proto = model([node("f", "x", "y", domain="local")], [X], [Y], opsets={"": 17, "local": 1})
    proto.functions.append(helper.make_function("local", "f", ["a"], ["b"], body, [helper.make_opsetid("", 17)]))
    assert "dense<[0.000000e+00, 2.000000e+00, 0.000000e+00]>" in str(import_onnx(proto).module)


def test_a_standard_op_is_no_call_of_a_function_of_its_name() -> None:
    """As in onnxruntime; opset 17 has Relu, and no Gelu."""
    proto = model([node("Relu", "x", "z"), node("Gelu", "z", "y")], [X], [Y], opsets={"": 17})
    for name in ("Relu", "Gelu"):
        body = [node("Neg", "a", "b")]
        proto.functions.append(helper.make_function("", name, ["a"], ["b"], body, [helper.make_opsetid("", 17)]))
    found = [o.attributes["name"].value for o in operators(import_onnx(proto)) if o.name == "torch.operator"]
    assert found == ["onnx.Relu", "onnx.Neg"]

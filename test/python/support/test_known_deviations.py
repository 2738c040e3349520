"""Each row of the table of known deviations is complete, and the deviation still exists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, defs, helper, numpy_helper, parser
from onnx.reference import ReferenceEvaluator

from forge_mlir.execute.onnx.subgraph import OnnxGraph
from forge_mlir.support.known_deviations import KNOWN_DEVIATIONS, Deviation, deviations_of
from forge_mlir.support.node_conditions import CONDITIONS
from sample_models import forests
from sample_models.forests import Forest, ensemble

NEWEST = defs.onnx_opset_version()
ENGINES = {"onnxruntime", "onnx.reference", "onnx shape inference"}


@pytest.mark.parametrize("row", KNOWN_DEVIATIONS, ids=lambda row: f"{row.engine}-{row.op}")
def test_a_row_is_complete(row: Deviation) -> None:
    assert row.engine in ENGINES
    assert row.what
    assert row.reason
    assert row.link.startswith("https://")
    first, last = row.opsets
    assert defs.get_schema(row.op, last or NEWEST, row.domain).name == row.op
    assert defs.has(row.op, first, row.domain)
    assert last == 0 or first <= last
    if row.engine == "onnx shape inference":
        assert bool(row.when) != bool(row.stand_in)


def test_every_condition_is_used() -> None:
    assert {row.when for row in KNOWN_DEVIATIONS if row.when} == set(CONDITIONS)


CASES = {row.case: row for row in KNOWN_DEVIATIONS if row.case}


def test_onnxruntime_still_deviates() -> None:
    """All cases of the suite are run once: if a release fixes an op, its row has to be removed."""
    from conformance.cases import all_cases
    from conformance.check import difference

    cases = all_cases()
    for name, row in CASES.items():
        case = cases[name]
        model = case.model()
        opset = model.opset_import[0].version
        assert row in deviations_of("onnxruntime", model.graph.node[0], opset), name
        graph = OnnxGraph(model.SerializeToString(), name, engines=["onnxruntime"], trusts_shapes=False)
        wrong = []
        for given, expected in case.data(model):
            results = graph._run(given)
            wrong += [difference(case, *each) for each in zip(expected, results, expected.values(), strict=True)]
        assert any(wrong), name


@pytest.mark.parametrize("kind", ["INT4", "UINT4"])
def test_onnxruntime_rounds_what_it_casts_to_four_bits(kind: str) -> None:
    to = TensorProto.DataType.Value(kind)
    nodes = [helper.make_node("Cast", ["x"], ["q"], to=to), helper.make_node("Cast", ["q"], ["y"], to=6)]
    infos = [helper.make_tensor_value_info(name, element, [2]) for name, element in (("x", 1), ("y", 6))]
    graph = helper.make_graph(nodes, "g", infos[:1], infos[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    x = np.float32([0.7, 2.5])
    (found,) = OnnxGraph(model.SerializeToString(), kind, engines=["onnxruntime"], trusts_shapes=False).run([x])
    assert found.tolist() == [1, 3]
    assert ReferenceEvaluator(model).run(None, {"x": x})[0].tolist() == [0, 2]
    assert deviations_of("onnxruntime", graph.node[0], 21)
    assert not deviations_of("onnxruntime", graph.node[1], 21)


@pytest.mark.parametrize(("dilation", "is_known"), [(1, False), (2, True)])
def test_onnxruntime_dilates_lines_otherwise(dilation: int, is_known: bool) -> None:
    """A line is an image of height 1, for which onnxruntime is right."""
    x = np.random.default_rng(0).standard_normal((1, 4, 9 - dilation)).astype(np.float32)

    def pasted(image: list[int], block: list[int], dilations: list[int]) -> np.ndarray:
        node = helper.make_node("Col2Im", ["x", "image", "block"], ["y"], dilations=dilations)
        assert bool(deviations_of("onnxruntime", node, 18)) == (is_known and len(image) == 1)
        stored = [numpy_helper.from_array(np.array(each), name) for each, name in ((image, "image"), (block, "block"))]
        infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("x", "y")]
        graph = helper.make_graph([node], "g", infos[:1], infos[1:], stored)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
        return OnnxGraph(model.SerializeToString(), "line", engines=["onnxruntime"], trusts_shapes=False).run([x])[0]

    line, flat = pasted([9], [2], [dilation]), pasted([1, 9], [1, 2], [1, dilation])
    assert np.array_equal(line, flat[:, :, 0]) != is_known


def reference(op: str, x: np.ndarray, *more: np.ndarray, opset: int = 22, **attributes: object) -> np.ndarray:
    names = [f"x{at}" for at in range(1 + len(more))]
    infos = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape)
        for name, value in zip(names, (x, *more), strict=True)
    ]
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([helper.make_node(op, names, ["y"], **attributes)], "g", infos, [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    assert deviations_of("onnx.reference", graph.node[0], opset)
    (result,) = ReferenceEvaluator(model).run(None, dict(zip(names, (x, *more), strict=True)))
    return np.asarray(result)


def test_the_reference_still_deviates() -> None:
    row = np.array([[[1, -1, 2]]], np.float32)
    assert not np.allclose(reference("LpNormalization", row, p=1, axis=-1), row / 4)

    with pytest.raises(ValueError, match=r"cannot reshape|broadcast"):
        reference("ConvTranspose", np.ones((1, 2, 2, 2), np.float32), np.ones((2, 2, 1, 1), np.float32), group=2)

    assert reference("Optional", np.ones((2, 3), np.float32)).shape == (1, 2, 3)  # A list of one tensor.

    ramp = np.arange(6, dtype=np.float32).reshape(1, 1, 6)
    pooled = reference("MaxPool", ramp, kernel_shape=[2], strides=[3], auto_pad="SAME_UPPER")
    assert pooled.tolist() != [[[1, 4]]]

    averages = reference("AveragePool", np.ones((1, 1, 4), np.float32), opset=6, kernel_shape=[3], pads=[1, 1])
    assert averages.tolist() != [[[1, 1, 1, 1]]]

    x, w, r = np.ones((2, 1, 1), np.float32), np.ones((1, 1, 1), np.float32), np.ones((1, 1, 1), np.float32)
    assert reference("RNN", x, w, r, hidden_size=1, clip=0.5).max() > np.tanh(0.5)

    assert reference("GlobalMaxPool", np.ones((2, 3, 4), np.float32)).shape != (2, 3, 1)

    ones = np.ones((1, 1, 4), np.float32)
    assert not np.allclose(reference("LpPool", ones, kernel_shape=[3], strides=[2], p=1, ceil_mode=1), [[[3, 2]]])

    even = np.zeros((1, 2, 4), np.float32)
    assert np.allclose(reference("Softmax", even, axis=1, opset=12), 1 / 2)  # The right result is 1 / 8.
    assert np.allclose(reference("LogSoftmax", even, axis=1, opset=12), np.log(1 / 2))
    assert reference("Hardmax", even, axis=1, opset=12).sum() == 4  # The right result is 1.


@pytest.mark.parametrize("op", ["AveragePool", "LpPool"])
def test_onnxruntime_takes_missing_pads_off_the_input(op: str) -> None:
    x = np.arange(1, 10, dtype=np.float32).reshape(1, 1, 9)
    node = helper.make_node(op, ["x"], ["y"], kernel_shape=[1], strides=[3], auto_pad="SAME_UPPER")
    assert deviations_of("onnxruntime", node, 22)
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("x", "y")]
    graph = helper.make_graph([node], "g", infos[:1], infos[1:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)
    (found,) = OnnxGraph(model.SerializeToString(), op, engines=["onnxruntime"], trusts_shapes=False).run([x])
    assert found.tolist() != [[[1, 4, 7]]]


def test_a_deviation_applies_only_to_its_op_domain_and_attributes() -> None:
    def resize(mode: str) -> list[Deviation]:
        node = helper.make_node("Resize", ["x", "", "s"], ["y"], coordinate_transformation_mode=mode)
        return deviations_of("onnxruntime", node, 19)

    assert resize("align_corners")
    assert not resize("half_pixel")
    assert not deviations_of("onnxruntime", helper.make_node("DFT", ["x"], ["y"], domain="other"), 20)
    assert not deviations_of("onnxruntime", helper.make_node("MaxUnpool", ["x", "i"], ["y"]), 22)
    assert deviations_of("onnxruntime", helper.make_node("MaxUnpool", ["x", "i", "shape"], ["y"]), 22)
    unsqueeze, positive = (helper.make_node("Unsqueeze", ["x"], ["y"], axes=[axis]) for axis in (-1, 1))
    assert deviations_of("onnx shape inference", unsqueeze, 9)
    assert not deviations_of("onnx shape inference", positive, 9)
    assert not deviations_of("onnx shape inference", unsqueeze, 13)
    names = ["x", "w", "r", "b", "", "h"]
    usual = helper.make_node("LSTM", names, ["y"], activations=["Sigmoid", "Tanh", "tanh"], input_forget=0)
    assert not deviations_of("onnx.reference", usual, 22)
    names[4] = "lengths"
    assert deviations_of("onnx.reference", helper.make_node("LSTM", names, ["y"]), 22)
    assert deviations_of("onnx.reference", helper.make_node("GRU", names[:3], ["y"], activations=["Relu", "Tanh"]), 22)


@pytest.mark.parametrize(
    ("inputs", "condition", "is_known"),
    [
        ("n, , s", "d = Not(c)", True),
        ("n", "d = Not(c)", True),
        ("n, go, s", "d = Not(c)", False),
        ("n, , s", "d = Identity(c)", False),
        ("n, , s", "e = Constant<value = bool {1}>() d = Identity(e)", False),
        ("n, , s", "d = Constant<value = bool {0}>()", True),
    ],
)
def test_a_deviation_without_an_input(inputs: str, condition: str, is_known: bool) -> None:
    text = """<ir_version: 9, opset_import: ["" : 21]> g (int64 n, bool go, float s) => (float y) {
        y = Loop(INPUTS) <body = step (int64 i, bool c, float p) => (bool d, float q) { CONDITION q = Add(p, p) }> }"""
    model = parser.parse_model(text.replace("INPUTS", inputs).replace("CONDITION", condition))
    assert bool(deviations_of("onnxruntime", model.graph.node[0], 21)) == is_known


@pytest.mark.parametrize(
    ("voting", "attributes", "is_known"),
    [
        ((0, 1), {"base_values": [1.0, 2.0]}, False),
        ((1,), {"base_values": [1.0, 2.0]}, True),
        ((1,), {}, False),
        ((1,), {"post_transform": "SOFTMAX"}, False),
        ((0,), {"post_transform": "SOFTMAX", "n_targets": 1}, True),
        ((0,), {"base_values": [1.0], "n_targets": 1}, False),
    ],
)
def test_a_deviation_for_votes(voting: tuple[int, ...], attributes: dict[str, Any], is_known: bool) -> None:
    made = Forest(2, 2, voting).attributes("target_") | {"n_targets": 2} | attributes
    node = forests.model("TreeEnsembleRegressor", made).graph.node[0]
    assert bool(deviations_of("onnxruntime", node, 3)) == is_known
    node.domain = ""
    assert not deviations_of("onnxruntime", node, 3)


def test_a_deviation_for_other_leaves() -> None:
    made = ensemble(Forest(3, 2, (0,)))  # The first tree is one leaf, with index 0.
    node = forests.model("TreeEnsemble", made).graph.node[0]
    assert not deviations_of("onnx.reference", node, 5)
    made["nodes_truenodeids"][0] = made["nodes_falsenodeids"][0] = 1
    assert deviations_of("onnx.reference", forests.model("TreeEnsemble", made).graph.node[0], 5)
    members = numpy_helper.from_array(np.array([0, np.nan], np.float32), "membership_values")
    node.attribute.append(helper.make_attribute("membership_values", members))
    assert deviations_of("onnx.reference", node, 5)

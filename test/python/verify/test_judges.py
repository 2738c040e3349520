"""Which reference decides about a node: float64, if onnxruntime is inaccurate for it; none, if references differ."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.execute.onnx.engines import OPENERS, OnnxRuntime, Runner
from forge_mlir.execute.onnx.nodes import NodeCall, OnnxNodes
from forge_mlir.lowerings import Builder, Node, Value
from forge_mlir.verify import Verification, verify_model
from forge_mlir.verify.judges import Judges
from sample_models.microsoft.quantised import CONVERTED
from sample_models.probe import FLOAT, build, chain, node, weights


def lrn(**attributes: float) -> ModelProto:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 12, 4, 4]) for name in "xy")
    graph = helper.make_graph([helper.make_node("LRN", ["x"], ["y"], "lrn", **attributes)], "g", [x], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def verified(model: ModelProto, folder: Path, **options: Any) -> Verification:
    onnx.save(model, folder / "m.onnx")
    return verify_model(folder / "m.onnx", **options)


@pytest.mark.parametrize(
    "attributes", [{"size": 5}, {"size": 3, "alpha": 0.5, "beta": 0.9}, {"size": 2, "alpha": 1.0, "bias": 2.0}]
)
def test_running_differences_of_squares(attributes: dict[str, float], tmp_path: Path) -> None:
    """onnxruntime is wrong by percents, and onnx.reference sums squares over as many channels as the batch has
    samples."""
    assert verified(lrn(**attributes), tmp_path, profiles=("wide", "mixed"), seeds=2).verdict == "right"


def _too_large(node: Node, b: Builder) -> Value:
    """A lowering like that of the compiler, for three channels, with a wrong bias."""
    x = b.transpose(node.input(0), 1, 3)
    squares = b.multiply(x, x)
    padded = b.pad(squares, [1, 1], "constant", 0.0, False)
    count = squares.shape[-1]
    parts = [b.index(padded, -1, at, at + count, 1) for at in range(node.int_attr("size"))]
    sums = b.add(b.add(parts[0], parts[1]), parts[2])
    node.ignore_attr("beta")  # The right value is 1.
    alpha = node.float_attr("alpha")
    base = b.add(
        b.multiply(sums, b.scalar_like(sums, alpha / 3)), b.scalar_like(sums, 1.0005 * node.float_attr("bias"))
    )
    return b.transpose(b.divide(x, base), 1, 3)


def test_a_wrong_lowering_is_found(tmp_path: Path) -> None:
    model = lrn(size=3, alpha=0.5, beta=1.0, bias=1.0)
    found = verified(model, tmp_path, profiles=("normal",), lowerings=[forge_mlir.lowering("", "LRN")(_too_large)])
    assert found.verdict == "wrong"


def _largest_element(node: Node, b: Builder) -> Value:
    """A wrong lowering of each reduction."""
    node.ignore_attr("axes")
    node.ignore_attr("keepdims")
    return b.reduce_max(node.input(0), -1, True)


@pytest.mark.parametrize("op", ["ReduceMin", "ReduceL1", "ReduceSumSquare"])
def test_a_wrong_reduction_of_integers_is_found(op: str, tmp_path: Path) -> None:
    x, y = (helper.make_tensor_value_info(name, TensorProto.INT32, [8, size]) for name, size in (("x", 4), ("y", 1)))
    graph = helper.make_graph([helper.make_node(op, ["x"], ["y"], axes=[1])], "g", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    found = verified(model, tmp_path, lowerings=[forge_mlir.lowering("", op)(_largest_element)])
    assert found.verdict == "wrong"


@pytest.mark.parametrize(
    ("op", "domain", "attributes"),
    [
        ("Einsum", "", {"equation": "ij,jk->ik"}),
        ("FusedMatMul", "com.microsoft", {"transA": 1, "alpha": 0.125}),
        ("LpNormalization", "", {"axis": -1, "p": 1}),
    ],
)
def test_sums_whose_summands_are_alike(op: str, domain: str, attributes: dict[str, Any], tmp_path: Path) -> None:
    """Half of 2,048 products are positive and the other half negative: both sides round large partial sums."""
    random = np.random.default_rng(0)
    x = (1 + random.standard_normal((8, 2048)) / 1000).astype(np.float32)
    weights = np.abs(random.standard_normal((2048, 16))).astype(np.float32) * np.repeat([[1], [-1]], 1024, axis=0)
    if op == "LpNormalization":
        names, x, constants = ["x"], x * weights[:, 0], {}
    else:
        names, x, constants = ["x", "w"], x.T if "transA" in attributes else x, {"w": weights.astype(np.float32)}
    x = np.ascontiguousarray(x, np.float32)
    made = helper.make_node(op, names, ["y"], "sum", domain=domain, **attributes)
    graph = helper.make_graph(
        [made],
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, x.shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    opsets = [helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
    found = verified(model, tmp_path, inputs={"x": x}, alone=False)
    assert found.divergence is None
    assert found.verdict == "right"


def test_a_norm_of_many_small_numbers_and_a_large_one(tmp_path: Path) -> None:
    """onnxruntime adds them in order, and loses a part of each small one; onnx.reference has no GlobalLpPool."""
    made = helper.make_node("GlobalLpPool", ["x"], ["y"], "norm", p=1)
    x, y = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4, size]) for name, size in (("x", 1000), ("y", 1))
    )
    model = helper.make_model(
        helper.make_graph([made], "g", [x], [y]), opset_imports=[helper.make_opsetid("", 20)], ir_version=9
    )
    values = np.full((1, 4, 1000), 0.1, np.float32)
    values[..., 0] = 1e4
    assert verified(model, tmp_path, inputs={"x": values}, alone=False).verdict == "right"


def products(weight: int) -> ModelProto:
    x = helper.make_tensor_value_info("x", TensorProto.UINT8, [3, 8])
    y = helper.make_tensor_value_info("y", TensorProto.INT32, [3, 4])
    weights = numpy_helper.from_array(np.full((8, 4), weight, np.int8), "w")
    graph = helper.make_graph([helper.make_node("MatMulInteger", ["x", "w"], ["y"], "m")], "g", [x], [y], [weights])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


@pytest.mark.parametrize(("weight", "verdict"), [(127, "right"), (65, "right"), (63, "undecided")])
def test_saturated_products(weight: int, verdict: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulates onnxruntime on a processor without VNNI. With small weights no processor saturates, so that the
    difference would be an error."""
    run = NodeCall.__call__

    def saturated(self: NodeCall, values: Mapping[str, Any]) -> dict[str, Any]:
        found = run(self, values)
        return found if self._on_reference else {name: value - (value > 0) for name, value in found.items()}

    monkeypatch.setattr(NodeCall, "__call__", saturated)
    inputs = {"x": np.full((3, 8), 255, np.uint8)}
    found = verified(products(weight), tmp_path, inputs=inputs, alone=False)
    assert found.verdict == verdict
    assert found.nodes[-1].off == ("onnxruntime" if verdict == "right" else "judges")


def test_the_mean_of_a_norm_is_no_error(tmp_path: Path) -> None:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3, 4, 5])
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("y", "mean", "inverse")]
    weights = numpy_helper.from_array(np.ones((2, 3, 4, 5), np.float32), "w")
    node = helper.make_node("LayerNormalization", ["x", "w"], ["y", "mean", "inverse"], "norm", axis=0)
    graph = helper.make_graph([node], "g", [x], results, [weights])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    assert verified(model, tmp_path).verdict == "right"


def test_agreement_with_onnxruntime_is_accepted(tmp_path: Path) -> None:
    """An LSTM that onnx.reference cannot run, with a weight that could saturate, but does not."""
    made, inputs = CONVERTED["DynamicQuantizeLSTM"]()
    model = onnx.load_from_string(made)
    for tensor in model.graph.initializer:
        if tensor.data_type == TensorProto.INT8 and len(tensor.dims) == 3:
            small = numpy_helper.to_array(tensor) % 2
            small[0, 0] = 100
            tensor.CopyFrom(numpy_helper.from_array(small, tensor.name))
    assert verified(model, tmp_path, inputs=inputs).verdict == "right"


def test_onnxruntime_alone_does_not_decide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If onnxruntime and onnx.reference disagree, the result is undecided, whichever agrees with us."""

    def wrong(*source: Any) -> Runner:
        right = OnnxRuntime(*source)
        return lambda feeds: [value + np.float32(0.5) for value in right(feeds)]

    monkeypatch.setitem(OPENERS, "onnxruntime", wrong)
    result = verified(chain(2), tmp_path)
    assert result.divergence is None
    assert result.verdict == "undecided"
    assert {report.off for report in result.nodes} == {"judges"}


def gates() -> ModelProto:
    """Two halves of a product, each of which passes a Sigmoid and a scale: the module has one Sigmoid, and of the
    nodes' results only the last one."""
    constants = {"w": np.eye(16, 32, dtype=np.float32), "c": np.linspace(1, 2, 16, dtype=np.float32)}
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"], "product"),
        helper.make_node("Split", ["p"], ["p0", "p1"], "halves", axis=-1),
        *(helper.make_node("Sigmoid", [f"p{half}"], [f"s{half}"], f"gate {half}") for half in (0, 1)),
        *(helper.make_node("Mul", [f"s{half}", "c"], [f"m{half}"], f"scale {half}") for half in (0, 1)),
        helper.make_node("Concat", ["m0", "m1"], ["y"], "both", axis=-1),
    ]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [4, size]) for name, size in (("x", 16), ("y", 32)))
    stored = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "g", [x], [y], stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def _too_large_gate(node: Node, b: Builder) -> Value:
    gate = b.sigmoid(node.input(0))
    return b.multiply(gate, b.scalar_like(gate, 1.0001))


@pytest.mark.parametrize("verdict", ["right", "wrong"])
def test_results_that_onnxruntime_rounds_to_zero(verdict: str, tmp_path: Path) -> None:
    """Its Sigmoid(-20) is 0 and not 2e-9, also where that is an intermediate result of a fused call."""
    lowerings = [forge_mlir.lowering("", "Sigmoid")(_too_large_gate)] if verdict == "wrong" else []
    inputs = {"x": np.full((4, 16), -20, np.float32)}
    found = verified(gates(), tmp_path, inputs=inputs, alone=False, lowerings=lowerings)
    assert found.verdict == verdict
    assert {node.node.name for node in found.nodes} == {"product", "both"}


@pytest.mark.parametrize(("dtype", "is_exact"), [(np.int32, True), (np.float32, False)])
def test_sums_of_integers_have_no_rounding(dtype: type, is_exact: bool) -> None:
    """Also x + a + b in one call, for large constants a and b."""
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    nodes = [helper.make_node("Add", ["x", "a"], ["s"]), helper.make_node("Add", ["s", "b"], ["y"])]
    x, y = (helper.make_tensor_value_info(name, kind, [2]) for name in "xy")
    constants = {"a": np.array([10**8, 3], dtype), "b": np.array([-(10**8), 4], dtype)}
    tensors = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    model = helper.make_model(
        helper.make_graph(nodes, "g", [x], [y], tensors), opset_imports=[helper.make_opsetid("", 20)]
    )
    values = {"x": np.array([1, 2], dtype)}
    values["s"] = values["x"] + constants["a"]
    values["y"] = values["s"] + constants["b"]
    allowed = Judges(OnnxNodes(model, {})).allowed(nodes, "y", values)
    assert (not allowed.any()) == is_exact


NORMS = {
    "mean and variance": (node("MeanVarianceNormalization", ["x"], ["y"], "norm"), 18),
    "of images": (node("MeanVarianceNormalization", ["x"], ["y"], "norm", axes=[2, 3]), 13),
    "groups": (node("GroupNormalization", ["x", "scale", "bias"], ["y"], "norm", num_groups=2), 21),
}
ROWS = {
    "0": np.zeros((2, 8, 4, 5), np.float32),
    "1.7": np.full((2, 8, 4, 5), 1.7, np.float32),
    "1e6": np.full((2, 8, 4, 5), 1234567.7, np.float32),
    "of channels": np.tile(np.float32([1.1, 2.3, 1e5, -3.7])[:, None, None], (2, 2, 4, 5)),
}


@pytest.mark.parametrize("kind", NORMS)
@pytest.mark.parametrize("rows", ROWS)
def test_norms_of_constant_rows_are_decided(kind: str, rows: str, tmp_path: Path) -> None:
    """onnxruntime and onnx.reference give NaN for some of them, although ONNX's epsilon excludes it."""
    made, opset = NORMS[kind]
    given = {name: np.full(8, 0.5, np.float32) for name in made.input if name != "x"}
    model = build([made], {"x": (FLOAT, [2, 8, 4, 5])}, {"y": FLOAT}, opset=opset, **given)
    assert verified(model, tmp_path, inputs={"x": ROWS[rows]}, alone=False).reasons == ()


@pytest.mark.parametrize("bias", ["input", "computed", "constant"])
@pytest.mark.parametrize("level", [0, 4])
def test_packed_weights_with_a_bias(level: int, bias: str, tmp_path: Path) -> None:
    """onnxruntime refuses the node without the shape of the bias, and rounds floats to 8 bits for level 4."""
    random = np.random.default_rng(0)
    stored = {
        "w": random.integers(0, 256, (3, 3, 8)).astype(np.uint8),
        "s": random.uniform(0.01, 0.1, 9).astype(np.float32),
        "b": random.standard_normal(3).astype(np.float32),
    }
    sizes = {"K": 40, "N": 3, "bits": 4, "block_size": 16, "accuracy_level": level}
    infos = [helper.make_tensor_value_info(*each) for each in (("x", 1, [4, 40]), ("b", 1, [3]), ("y", 1, [4, 3]))]
    nodes = [helper.make_node("MatMulNBits", ["x", "w", "s", "", "", "b"], ["y"], "n", domain="com.microsoft", **sizes)]
    if bias == "computed":
        nodes[0].input[5] = "t"
        nodes.insert(0, helper.make_node("Tanh", ["b"], ["t"], "t"))
    given = infos[:1] if bias == "constant" else infos[:2]
    known = [name for name in stored if name not in {value.name for value in given}]
    graph = helper.make_graph(nodes, "g", given, infos[2:], [numpy_helper.from_array(stored[n], n) for n in known])
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    found = verified(helper.make_model(graph, opset_imports=opsets, ir_version=10), tmp_path)
    assert (found.verdict, found.reasons) == ("right", ())


def test_a_dilated_filter_does_not_spread_nan(tmp_path: Path) -> None:
    """onnxruntime has no kernel for it, and onnx.reference multiplies NaN by zeros in the filter."""
    conv = node("Conv", ["x", "w"], ["y"], "conv", auto_pad="SAME_UPPER", dilations=[2, 3])
    model = build([conv], {"x": (FLOAT, [1, 2, 8, 9])}, {"y": FLOAT}, w=weights(2, 2, 2, 3))
    x = np.random.default_rng(0).normal(0, 1, (1, 2, 8, 9)).astype(np.float32)
    x[0, 0, 3, 3] = np.nan
    assert verified(model, tmp_path, inputs={"x": x}, alone=False).verdict != "wrong"


@pytest.mark.parametrize("kind", [TensorProto.FLOAT, TensorProto.FLOAT16])
@pytest.mark.parametrize("precision", [TensorProto.FLOAT16, TensorProto.BFLOAT16])
def test_a_softmax_in_sixteen_bits(precision: int, kind: int, tmp_path: Path) -> None:
    """onnxruntime computes it in float32."""
    infos = [helper.make_tensor_value_info(name, kind, [1, 2, 4, 8]) for name in ("q", "k", "v", "y")]
    made = helper.make_node("Attention", ["q", "k", "v"], ["y"], "n", softmax_precision=precision)
    graph = helper.make_graph([made], "g", infos[:3], infos[3:])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10)
    assert verified(model, tmp_path, alone=False).reasons == ()

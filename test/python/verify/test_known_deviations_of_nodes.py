"""Nodes for which a reference is known to deviate from ONNX."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, helper, numpy_helper

import forge_mlir
from forge_mlir.execute.onnx.engines import OPENERS
from forge_mlir.lowerings import Builder, Node, Value
from forge_mlir.verify import Verification, compare, verify_model
from sample_models import forests
from sample_models.forests import Forest
from sample_models.probe import FLOAT, build, node, weights


def verified(model: ModelProto, folder: Path, **options: Any) -> Verification:
    onnx.save(model, folder / "m.onnx")
    return verify_model(folder / "m.onnx", **options)


def _voting(op: str, targets: int, **attributes: Any) -> ModelProto:
    """Trees of `op`, whose first target gets no vote."""
    if op == "TreeEnsemble":
        made = forests.ensemble(Forest(3, 3, (0,)))
        made["leaf_targetids"] = [at % targets for at in range(len(made["leaf_targetids"]))]
    else:
        made = Forest(3, 3, (targets - 1,)).attributes("target_")
    return forests.model(op, made | {"n_targets": targets} | attributes)


LOOP = """
<ir_version: 9, opset_import: ["" : 21]>
loop (float[2] s) => (float[2] last, float[m, 2] y) {
    n = Constant<value = int64 {3}>()
    last, y = Loop(n, , s) <body = step (int64 i, bool c, float[2] p) => (bool d, float[2] q, float[2] r) {
        d = Not(c) q = Add(p, p) r = Identity(p) }> }
"""


DEVIATING = {
    "a loop without a condition": lambda: onnx.parser.parse_model(LOOP),
    "softmax of trees": lambda: _voting("TreeEnsemble", 3, post_transform=1),
    "logistic of trees": lambda: _voting("TreeEnsemble", 2, post_transform=2),
    "base values without votes": lambda: _voting("TreeEnsembleRegressor", 2, base_values=[0.5, 0.25]),
    "base values without votes, largest": lambda: _voting(
        "TreeEnsembleRegressor", 3, base_values=[0.5, 0.25, 1.0], aggregate_function="MAX"
    ),
}


@pytest.mark.parametrize("kind", DEVIATING)
def test_onnxruntime_is_not_believed_where_it_deviates(kind: str, tmp_path: Path) -> None:
    model = DEVIATING[kind]()
    given = {"s": np.ones(2, np.float32)} if "loop" in kind else {"x": forests.operand(special=False)}
    theirs, ours = (OPENERS[engine](model.SerializeToString(), True, 1)(given)[0] for engine in OPENERS)
    assert not compare("y", theirs, ours).passed  # Otherwise the deviation has to be removed from the table.
    assert verified(model, tmp_path).reasons == ()


def _features(node: Node, b: Builder) -> Value:
    """A wrong lowering of trees: half of each feature."""
    for name in forests.ensemble(Forest(3, 3, (0,))):
        node.ignore_attr(name)
    node.ignore_attr("post_transform")
    x = node.input(0)
    return b.multiply(b.index(x, -1, 0, 3, 1), b.scalar_like(x, 0.5))


def test_a_wrong_module_is_found_where_onnxruntime_deviates(tmp_path: Path) -> None:
    lowering = forge_mlir.lowering("ai.onnx.ml", "TreeEnsemble")(_features)
    assert verified(DEVIATING["softmax of trees"](), tmp_path, lowerings=[lowering]).verdict == "wrong"


def test_a_node_that_only_a_deviating_reference_runs(tmp_path: Path) -> None:
    """onnxruntime has no LSTM with layout 1, and onnx.reference ignores the lengths of sequences."""
    nodes = [node("LSTM", ["x", "w", "r", "", "lengths"], ["y"], "cell", hidden_size=2, layout=1)]
    stored = {"w": weights(1, 8, 3), "r": weights(1, 8, 2), "lengths": np.array([1, 2, 4], np.int32)}
    onnx.save(build(nodes, {"x": (FLOAT, [3, 4, 3])}, {"y": FLOAT}, **stored), tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx", profiles=("normal",)).verdict == "undecided"


@pytest.mark.parametrize("op", ["MaxPool", "AveragePool", "LpPool"])
def test_a_pool_that_both_references_pad_otherwise(op: str, tmp_path: Path) -> None:
    nodes = [node(op, ["x"], ["y"], "pool", kernel_shape=[3], dilations=[2], auto_pad="SAME_LOWER")]
    onnx.save(build(nodes, {"x": (FLOAT, [1, 2, 5])}, {"y": FLOAT}, opset=22), tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx", profiles=("normal",)).verdict != "wrong"


def test_a_length_that_onnxruntime_rounds(tmp_path: Path) -> None:
    """10 * 0.7 is 7 in float32. ONNX truncates the product, 6.99999988, and so does its reference."""
    model = onnx.parser.parse_model("""<ir_version: 9, opset_import: ["" : 19]>
      g (float[1,1,4,10] x) => (float[1,1,4,N] y)
        <float[4] s = {1.0, 1.0, 1.0, 0.7}>
        { y = Resize <nearest_mode = "floor", coordinate_transformation_mode = "asymmetric"> (x, "", s) }
    """)
    assert verified(model, tmp_path).verdict == "right"


def test_an_image_of_one_axis_with_dilations(tmp_path: Path) -> None:
    infos = [helper.make_tensor_value_info(*each) for each in (("x", 1, [1, 4, 8]), ("y", 1, [1, 2, 7]))]
    stored = [numpy_helper.from_array(np.array([size]), name) for name, size in (("image", 7), ("block", 2))]
    node = helper.make_node("Col2Im", ["x", "image", "block"], ["y"], "n", dilations=[2], pads=[1, 2])
    graph = helper.make_graph([node], "g", infos[:1], infos[1:], stored)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    assert verified(model, tmp_path).verdict == "right"


def test_onnxruntime_deviates_beside_a_deviation_of_the_reference(tmp_path: Path) -> None:
    """onnx.reference is known to be wrong for some MaxPools, and onnxruntime for this MaxUnpool."""
    nodes = [
        node("MaxPool", ["x"], ["p", "i"], "pool", kernel_shape=[2, 2], strides=[2, 2]),
        node("MaxUnpool", ["p", "i", "size"], ["y"], "unpool", kernel_shape=[2, 2], strides=[2, 2]),
    ]
    model = build(nodes, {"x": (FLOAT, [1, 1, 4, 4])}, {"y": FLOAT}, size=np.array([1, 1, 5, 6]))
    found = verified(model, tmp_path, alone=False)
    assert (found.verdict, found.against, found.reasons) == ("right", "nodes", ())

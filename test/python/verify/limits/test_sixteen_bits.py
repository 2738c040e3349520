"""16-bit models without options: statistics of norms, and the judge."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper, parser

import forge_mlir
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.verify import verify_artifact

DTYPES: dict[str, Any] = {"FLOAT16": np.float16, "BFLOAT16": ml_dtypes.bfloat16}
SHAPE = (2, 8, 6, 6)
RANDOM = np.random.default_rng(0)


def _model(node: onnx.NodeProto, kind: str, opset: int, shape: tuple[int, ...], **weights: Any) -> onnx.ModelProto:
    code = getattr(TensorProto, kind)
    values = {name: np.asarray(value).astype(DTYPES[kind]) for name, value in weights.items()}
    graph = helper.make_graph(
        [node],
        "g",
        [helper.make_tensor_value_info("x", code, shape)],
        [helper.make_tensor_value_info(name, code, None) for name in node.output if name],
        [helper.make_tensor(name, code, each.shape, each.tobytes(), raw=True) for name, each in values.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def _verdict(model: onnx.ModelProto, x: Any, kind: str, tmp_path: Path) -> str:
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    return str(forge_mlir.verify(path, {"x": np.asarray(x).astype(DTYPES[kind])}).verdict)


@pytest.mark.parametrize("kind", DTYPES)
@pytest.mark.parametrize(("op", "opset", "size"), [("InstanceNormalization", 22, 8), ("LayerNormalization", 17, 6)])
def test_rows_far_from_zero_are_normalised(op: str, opset: int, size: int, kind: str, tmp_path: Path) -> None:
    node = helper.make_node(op, ["x", "scale", "bias"], ["y"])
    model = _model(node, kind, opset, SHAPE, scale=RANDOM.uniform(0.5, 1.5, size), bias=RANDOM.standard_normal(size))
    x = (np.random.default_rng(1).standard_normal(SHAPE) * 0.01 + 0.5).astype(DTYPES[kind])
    assert _verdict(model, x, kind, tmp_path) == "right"
    ((name, found),) = forge_mlir.run(forge_mlir.compile(tmp_path / "model.onnx", tmp_path / "out"), {"x": x}).items()
    assert name == "y"
    given = x.astype(np.float64)
    axes = (2, 3) if op == "InstanceNormalization" else (3,)
    normal = (given - given.mean(axes, keepdims=True)) / np.sqrt(given.var(axes, keepdims=True) + 1e-5)
    weights = [onnx.numpy_helper.to_array(each).astype(np.float64) for each in model.graph.initializer]
    scale, bias = (each.reshape(-1, 1, 1) if axes == (2, 3) else each for each in weights)
    expected = normal * scale + bias
    unit = float(ml_dtypes.finfo(DTYPES[kind]).eps) * np.sqrt(np.mean(expected**2))
    assert np.sqrt(np.mean((np.asarray(found, dtype=np.float64) - expected) ** 2)) < unit


def test_log_softmax_is_right_where_softmax_rounds_to_zero(tmp_path: Path) -> None:
    model = _model(helper.make_node("LogSoftmax", ["x"], ["y"]), "BFLOAT16", 13, SHAPE)
    x = np.random.default_rng(2).standard_normal(SHAPE) * 30
    assert _verdict(model, x, "BFLOAT16", tmp_path) == "right"


def test_masks_of_float16_stay_finite_in_bfloat16(tmp_path: Path) -> None:
    nodes = [helper.make_node("Add", ["x", "mask"], ["s"]), helper.make_node("Softmax", ["s"], ["y"])]
    mask = np.where(np.tril(np.ones((8, 8))), 0, -65504).astype(np.float16)
    mask[0] = -65504
    model = _model(nodes[1], "FLOAT16", 17, (2, 8, 8), mask=mask)
    model.graph.node.insert(0, nodes[0])
    model.graph.node[1].input[0] = "s"
    onnx.save(model, tmp_path / "model.onnx")
    x = np.random.default_rng(4).standard_normal((2, 8, 8)).astype(np.float16)
    found = forge_mlir.verify(tmp_path / "model.onnx", {"x": x}, float_format="bfloat16")
    # onnxruntime does not round the sum; rounding makes all elements of the masked row equal.
    assert found.divergence is None
    assert found.verdict == "undecided"


def test_an_overflow_of_float16_is_right_in_formats_that_do_not_overflow(tmp_path: Path) -> None:
    model = _model(helper.make_node("Mul", ["x", "factor"], ["y"]), "FLOAT16", 17, (2, 3), factor=[300.0, 2.0, 1.0])
    onnx.save(model, tmp_path / "model.onnx")
    x = np.array([[300, 1, 2], [1, 2, 3]], np.float16)
    for chosen in ("float32", "bfloat16"):
        assert forge_mlir.verify(tmp_path / "model.onnx", {"x": x}, float_format=chosen).verdict == "right"


@pytest.mark.parametrize("steps", ["softmax of a product", "quotient by a mean"])
def test_an_overflow_that_onnxruntime_does_not_have_is_undecided(steps: str, tmp_path: Path) -> None:
    """onnxruntime computes 16-bit nodes in float32, and does not round intermediate values; ONNX, onnx.reference and
    the module overflow there. A module with another result is wrong."""
    nodes = {
        "softmax of a product": [
            helper.make_node("MatMul", ["x", "w"], ["p"]),
            helper.make_node("Softmax", ["p"], ["y"], axis=-1),
        ],
        "quotient by a mean": [
            helper.make_node("Mul", ["x", "x"], ["p"]),
            helper.make_node("ReduceMean", ["p"], ["m"], axes=[-1]),
            helper.make_node("Div", ["x", "m"], ["y"]),
        ],
    }[steps]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT16, [4, 8]) for name in ("x", "y"))
    w = helper.make_tensor("w", TensorProto.FLOAT16, [8, 8], (100 * np.ones((8, 8), np.float16)).tobytes(), raw=True)
    graph = helper.make_graph(nodes, "g", [x], [y], [w])
    path = tmp_path / "model.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10), path)
    given = {"x": (3000 * np.random.default_rng(1).standard_normal((4, 8))).astype(np.float16)}
    assert forge_mlir.verify(path, given).verdict == "undecided"
    if steps == "quotient by a mean":
        artifact = forge_mlir.compile(path, tmp_path / "out")
        text = artifact.module_path.read_text()
        artifact.module_path.write_text(text.replace("forge.op.Divide(", "forge.op.Add("))
        assert forge_mlir.verify(path, given, artifact=artifact.directory).verdict == "wrong"


def test_an_overflow_that_only_the_reference_has_beside_one_that_onnxruntime_does_not_have(tmp_path: Path) -> None:
    """The scores of the first row overflow, except in onnxruntime; the squares of the norm overflow in onnx.reference
    only."""
    text = """<ir_version: 10, opset_import: ["" : 17]>
        g (float16[4, 8] x, float16[4, 8] r) => (float16[4, 8] y) {
            p = MatMul(x, w) a = Softmax(p) o = Add(a, r) y = LayerNormalization(o, s) }"""
    model = parser.parse_model(text)
    for name, value in (("w", 100 * np.ones((8, 8))), ("s", np.ones(8))):
        model.graph.initializer.append(numpy_helper.from_array(value.astype(np.float16), name))
    path = tmp_path / "m.onnx"
    onnx.save(model, path)
    x = np.random.default_rng(1).standard_normal((4, 8))
    x[0] += 3000
    r = 8000 * np.random.default_rng(2).standard_normal((4, 8))
    given = {"x": x.astype(np.float16), "r": r.astype(np.float16)}
    assert forge_mlir.verify(path, given).verdict == "undecided"
    artifact = forge_mlir.compile(path, tmp_path / "out")
    text = artifact.module_path.read_text()
    artifact.module_path.write_text(text.replace("forge.op.Add(", "forge.op.Subtract(", 1))
    assert forge_mlir.verify(path, given, artifact=artifact.directory).verdict == "wrong"


@pytest.mark.parametrize("lost", [False, True])
def test_steps_of_a_norm_in_another_format_are_undecided(lost: bool, tmp_path: Path) -> None:
    """The exact check does not round, and the limits are those of bfloat16."""
    node = helper.make_node("InstanceNormalization", ["x", "scale", "bias"], ["y"])
    model = _model(node, "BFLOAT16", 22, SHAPE, scale=RANDOM.uniform(0.5, 1.5, 8), bias=RANDOM.standard_normal(8))
    onnx.save(model, tmp_path / "model.onnx")
    artifact = forge_mlir.compile(tmp_path / "model.onnx", tmp_path / "out")
    text, cast = artifact.module_path.read_text(), r"forge\.op\.Cast\((.*), dtype=forge\.DataFormat\.Float32\)"
    assert re.search(cast, text)
    artifact.module_path.write_text(re.sub(cast, r"forge.op.Identity(\1)", text, count=1) if lost else text)
    x = np.random.default_rng(1).standard_normal(SHAPE).astype(DTYPES["BFLOAT16"])
    found = forge_mlir.verify(tmp_path / "model.onnx", {"x": x}, artifact=artifact.directory)
    assert found.verdict == ("undecided" if lost else "right")


def test_an_output_that_moves_by_rounding_as_far_as_it_differs(tmp_path: Path) -> None:
    """The module agrees with onnx.reference, and is beyond the limit for onnxruntime: each node agrees."""
    text = """<ir_version: 10, opset_import: ["" : 23]>
        g (float16[1, 2, 4, 8] q, float16[1, 2, 4, 8] k, float16[1, 2, 4, 8] v) => (float16[1, 2, 4, 8] y) {
            n = RMSNormalization(q, s) y = Attention<softmax_precision = 1>(n, k, v) }"""
    model = parser.parse_model(text)
    scale = np.random.default_rng(3).normal(0, 1, 8).astype(np.float16)
    model.graph.initializer.append(numpy_helper.from_array(scale, "s"))
    onnx.save(model, tmp_path / "m.onnx")
    found = forge_mlir.verify(tmp_path / "m.onnx", seed=2, seeds=1, profiles=("normal",), alone=False)
    assert (found.verdict, found.by_node) == ("right", {"y"})


def test_nodes_decide_in_bfloat16_beside_a_pool_with_nan(tmp_path: Path) -> None:
    """Only onnx.reference runs the file, of which the maximum passes over NaN."""
    text = """<ir_version: 10, opset_import: ["" : 22]>
        g (bfloat16[1, 2, 1, 33] x) => (bfloat16[1, 2, 1, 33] a, bfloat16[1, 2, 1, 1] y) {
            a = MaxPool<kernel_shape = [3, 3], pads = [1, 1, 1, 1]>(x) y = GlobalAveragePool(x) }"""
    onnx.save(parser.parse_model(text), tmp_path / "m.onnx")
    x = np.random.default_rng(0).standard_normal((1, 2, 1, 33)).astype(DTYPES["BFLOAT16"])
    x[0, 0, 0, 3] = np.nan
    assert forge_mlir.verify(tmp_path / "m.onnx", {"x": x}, alone=False).verdict == "right"


def test_denormal_numbers_of_float16_have_an_absolute_bound(tmp_path: Path) -> None:
    node = helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="cubic")
    model = _model(node, "FLOAT16", 19, (1, 1, 7, 8))
    model.graph.initializer.append(numpy_helper.from_array(np.float32([1, 1, 1.7, 2]), "scales"))
    x = np.random.default_rng(0).integers(-3, 4, (1, 1, 7, 8)) * np.float16(6e-8)
    assert _verdict(model, x, "FLOAT16", tmp_path) == "right"


def test_a_lost_weight_of_a_recurrent_layer_in_float16_is_found(tmp_path: Path) -> None:
    """The comparison of the node finds it, without the exact check."""
    random = np.random.default_rng(0)
    node = helper.make_node("LSTM", ["x", "w", "r"], ["y"], hidden_size=4)
    w, r = random.standard_normal((1, 16, 6)) / 2, random.standard_normal((1, 16, 4)) / 2
    onnx.save(_model(node, "FLOAT16", 22, (5, 2, 6), w=w, r=r), tmp_path / "right.onnx")
    w[0, 3, 2] = 0
    onnx.save(_model(node, "FLOAT16", 22, (5, 2, 6), w=w, r=r), tmp_path / "wrong.onnx")
    x = random.standard_normal((5, 2, 6)).astype(np.float16)
    for name, verdict in (("right", "right"), ("wrong", "wrong")):
        artifact, _ = compile_traced(tmp_path / f"{name}.onnx", tmp_path / name)
        _, imported = compile_traced(tmp_path / "right.onnx", tmp_path / "traced")
        assert verify_artifact(tmp_path / "right.onnx", artifact, imported, {"x": x}).verdict == verdict


def test_a_threshold_is_rounded_as_by_the_function_body(tmp_path: Path) -> None:
    """In bfloat16, 0.4 is larger than the attribute, which both engines leave in float32."""
    model = _model(helper.make_node("ThresholdedRelu", ["x"], ["y"], alpha=0.4), "BFLOAT16", 22, (4, 8))
    assert _verdict(model, np.full((4, 8), 0.4), "BFLOAT16", tmp_path) == "right"


@pytest.mark.parametrize("op", ["ThresholdedRelu", "Shrink"])
def test_elements_at_a_threshold_that_is_rounded(op: str, tmp_path: Path) -> None:
    """Both engines compare float16 with the attribute in float32, also in the model's file."""
    attribute = {"ThresholdedRelu": "alpha", "Shrink": "lambd"}[op]
    model = _model(helper.make_node(op, ["x"], ["y"], **{attribute: 0.3}), "FLOAT16", 17, (4, 40))
    x = np.random.default_rng(0).standard_normal((4, 40)).astype(np.float16)
    x[1, 3] = 0.3
    assert _verdict(model, x, "FLOAT16", tmp_path) == "right"


def test_a_product_of_two_operands_that_is_denormal(tmp_path: Path) -> None:
    """An Einsum rounds the product of two operands to float16, before it multiplies it by the third one."""
    einsum = helper.make_node("Einsum", ["x", "w", "z"], ["y"], equation="a,b,c->abc")
    model = _model(einsum, "FLOAT16", 17, (4,), w=np.array([3e-4, 1.7e-4, 0.3]), z=np.array([900.0, 3000.0, 0.1]))
    x = [1.3e-3, 7.7e-4, 2.9e-3, 0.5]
    assert _verdict(model, x, "FLOAT16", tmp_path) == "right"

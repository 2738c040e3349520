"""Infinities, NaN and signed zeros of the compiled program are those of the model, also where a value that a rewrite
touches has several users."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper, shape_inference
from onnx.reference import ReferenceEvaluator

from forge_mlir import compile
from forge_mlir.execute.run import run
from forge_mlir.verify import golden_outputs
from sample_models.goldens import assert_same

RANDOM = np.random.default_rng(0)
node = helper.make_node


def model(nodes: list[NodeProto], inputs: dict[str, list[int]], outputs: list[str], **weights: Any) -> ModelProto:
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in weights.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return shape_inference.infer_shapes(made)


def floats(*shape: int) -> Any:
    return RANDOM.normal(0, 0.3, shape).astype(np.float32)


def rotated_pairs(second: str) -> ModelProto:
    """A rotary embedding of adjacent elements; `second` is the operand of another user."""
    nodes = [
        node("Slice", ["x", "first", "end", "last", "two"], ["even"]),
        node("Slice", ["x", "second", "end", "last", "two"], ["odd"]),
        node("Mul", ["even", "cos"], ["a"]),
        node("Mul", ["odd", "sin"], ["b"]),
        node("Sub", ["a", "b"], ["u"]),
        node("Mul", ["odd", "cos"], ["c"]),
        node("Mul", ["even", "sin"], ["d"]),
        node("Add", ["c", "d"], ["v"]),
        node("Unsqueeze", ["u", "last"], ["u1"]),
        node("Unsqueeze", ["v", "last"], ["v1"]),
        node("Concat", ["u1", "v1"], ["pairs"], axis=-1),
        node("Reshape", ["pairs", "shape"], ["y"]),
        node("Neg", [second], ["z"]),
    ]
    whole = {"first": [0], "second": [1], "end": [8], "last": [-1], "two": [2], "shape": [2, 3, 8]}
    integers = {name: np.array(value, np.int64) for name, value in whole.items()}
    return model(nodes, {"x": [2, 3, 8]}, ["y", "z"], cos=floats(3, 4), sin=floats(3, 4), **integers)


def grouped_heads(rows: int, heads: int) -> ModelProto:
    """Queries of four heads and repeated keys of fewer heads, which a second product uses as both operands."""
    nodes = [
        node("Unsqueeze", ["k", "two"], ["k1"]),
        node("Expand", ["k1", "shape"], ["k2"]),
        node("Reshape", ["k2", "merged"], ["k4"]),
        node("Transpose", ["k4"], ["kt"], perm=[0, 1, 3, 2]),
        node("MatMul", ["q", "kt"], ["y"]),
        node("MatMul", ["k4", "kt"], ["z"]),
    ]
    whole = {"two": [2], "shape": [1, heads, 4 // heads, 5, 8], "merged": [1, 4, 5, 8]}
    integers = {name: np.array(value, np.int64) for name, value in whole.items()}
    return model(nodes, {"q": [1, 4, rows, 8], "k": [1, heads, 5, 8]}, ["y", "z"], **integers)


def pixels(reader: NodeProto) -> ModelProto:
    """Convolutions with a residual addition between them, which `reader` uses, too."""
    pads = [1] * 4
    nodes = [
        node("Conv", ["x", "w1"], ["a"], pads=pads),
        node("Conv", ["a", "w2"], ["b"], pads=pads),
        node("Add", ["a", "b"], ["sum"]),
        node("Mul", ["sum", "scale"], ["r"]),
        node("Relu", ["r"], ["positive"]),
        node("Conv", ["positive", "w3"], ["y"], pads=pads),
        reader,
    ]
    filters = {"w1": floats(8, 3, 3, 3), "w2": floats(8, 8, 3, 3), "w3": floats(4, 8, 3, 3)}
    return model(nodes, {"x": [2, 3, 7, 7]}, ["y", "z"], scale=floats(1, 8, 1, 1), plane=floats(1, 1, 7, 7), **filters)


MODELS = {
    **{f"pairs, also {name}": rotated_pairs(name) for name in ("even", "u", "y")},
    **{f"{rows} rows of {heads} heads": grouped_heads(rows, heads) for rows, heads in ((1, 1), (1, 2), (3, 2))},
    "pixels and their mean": pixels(node("GlobalAveragePool", ["positive"], ["z"])),
    "pixels twice": pixels(node("Mul", ["r", "r"], ["z"])),
    "pixels by place": pixels(node("Mul", ["r", "plane"], ["z"])),
    "pixels and channels": pixels(node("Softmax", ["r"], ["z"], axis=1)),
    "pixels in a row": pixels(node("Flatten", ["r"], ["z"])),
}


@pytest.mark.parametrize("name", MODELS)
def test_infinities_and_nan_are_those_of_the_model(name: str, tmp_path: Path) -> None:
    default = compile(MODELS[name], tmp_path / "default", name="m")
    written = compile(MODELS[name], tmp_path / "written", name="m", optimize="none")
    assert default.module_path.read_text() != written.module_path.read_text()
    for special in (np.inf, -np.inf, np.nan, -0.0):
        inputs = {}
        for each in MODELS[name].graph.input:
            values = RANDOM.normal(size=[size.dim_value for size in each.type.tensor_type.shape.dim])
            values.reshape(-1)[RANDOM.integers(values.size, size=2)] = special
            inputs[each.name] = values.astype(np.float32)
        expected, found = run(written, inputs), run(default, inputs)
        assert_same(found, expected)


@pytest.mark.parametrize("op", ["Round", "Ceil", "Floor", "Sign", "Asinh", "Atanh", "Sinh", "Tan", "Mod"])
def test_the_sign_of_a_zero_that_an_op_computes(op: str, tmp_path: Path) -> None:
    x = np.array([-0.3, 0.3, -0.0, 0, -0.5, 0.5], np.float32)
    inputs = {"x": x} | ({"z": np.float32(0.1)} if op == "Mod" else {})
    first = node(op, [*inputs], ["q"], **({"fmod": 1} if op == "Mod" else {}))
    source = model([first, node("Reciprocal", ["q"], ["y"])], {name: [*v.shape] for name, v in inputs.items()}, ["y"])
    with np.errstate(divide="ignore"):
        expected = ReferenceEvaluator(source).run(None, inputs)
    assert_same(run(compile(source, tmp_path, name="m"), inputs)["y"], expected[0])


ZEROS = {
    "negated": [node("MatMul", ["x", "w"], ["p"]), node("Neg", ["p"], ["q"])],
    "by column": [node("MatMul", ["x", "w"], ["p"]), node("Mul", ["p", "row"], ["q"])],
    "of an operand": [node("Neg", ["x"], ["n"]), node("MatMul", ["n", "x2"], ["q"])],
    "a difference": [
        node("MatMul", ["x", "w"], ["p"]),
        node("MatMul", ["x", "w2"], ["p2"]),
        node("Sub", ["p", "p2"], ["d"]),
        node("Mul", ["d", "c"], ["q"]),
    ],
}


@pytest.mark.parametrize("reader", ["Reciprocal", "Pow"])
@pytest.mark.parametrize("name", ZEROS)
def test_the_sign_of_a_zero_that_is_divided_by(name: str, reader: str, tmp_path: Path) -> None:
    """A sum of zeros is +0, also one of products of zeros and negated weights, and its negative is -0."""
    last = [node("Reciprocal", ["q"], ["y"])] if reader == "Reciprocal" else [node("Pow", ["q", "power"], ["y"])]
    weights = {"w": floats(8, 8), "w2": floats(8, 8), "row": np.full(8, -2, np.float32)}
    weights |= {"c": np.float32(-2), "power": np.float32(-1)}
    source = model([*ZEROS[name], *last], {"x": [4, 8], "x2": [8, 8]}, ["y"], **weights)
    inputs = {"x": np.zeros((4, 8), np.float32), "x2": floats(8, 8)}
    default = compile(source, tmp_path / "default", name="m")
    written = compile(source, tmp_path / "written", name="m", optimize="none")
    assert_same(run(default, inputs), run(written, inputs))


@pytest.mark.parametrize("reduction", ["none", "add", "max"])
def test_the_sign_of_a_zero_beside_many_updates(reduction: str, tmp_path: Path) -> None:
    """More than 64 updates are applied at once. Elements without an update, and overwritten ones, keep their sign."""
    count = 70
    graph = helper.make_graph(
        [node("ScatterElements", ["x", "i", "u"], ["s"], reduction=reduction), node("Reciprocal", ["s"], ["y"])],
        "g",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, [100]),
            helper.make_tensor_value_info("i", TensorProto.INT64, [count]),
            helper.make_tensor_value_info("u", TensorProto.FLOAT, [count]),
        ],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [100])],
    )
    source = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    x, updates = np.full(100, -0.0, np.float32), np.full(count, -0.0, np.float32)
    updates[: count // 2] = 0.0 if reduction == "none" else 2.0
    if reduction == "add":  # The sign of a sum of zeros is not defined.
        updates[:] = 2.0
    inputs = {"x": x, "i": RANDOM.permutation(100)[:count], "u": updates}
    with np.errstate(divide="ignore"):
        expected = ReferenceEvaluator(source).run(None, inputs)
    assert_same(run(compile(source, tmp_path, name="m"), inputs)["y"], expected[0])


def layer_norm_steps(bias: str) -> list[NodeProto]:
    """The steps of a layer norm with the scale `s`, and an addition of `bias` unless it is empty."""
    steps = [
        node("ReduceMean", ["v"], ["m"], axes=[-1]),
        node("Sub", ["v", "m"], ["d"]),
        node("Mul", ["d", "d"], ["p"]),
        node("ReduceMean", ["p"], ["r"], axes=[-1]),
        node("Add", ["r", "epsilon"], ["e"]),
        node("Sqrt", ["e"], ["sd"]),
        node("Div", ["d", "sd"], ["n"]),
        node("Mul", ["n", "s"], ["t" if bias else "q"]),
    ]
    return [*steps, node("Add", ["t", bias], ["q"])] if bias else steps


NORMS = {
    "op": [node("LayerNormalization", ["v", "s"], ["q"])],
    "op and +0": [node("LayerNormalization", ["v", "s", "zeros"], ["q"])],
    "op, +0 and -0": [node("LayerNormalization", ["v", "s", "zeros"], ["t"]), node("Add", ["t", "negative"], ["q"])],
    "steps": layer_norm_steps(""),
    "steps and +0": layer_norm_steps("zeros"),
    "steps and -0": layer_norm_steps("negative"),
}


@pytest.mark.parametrize("optimize", ["default", "exact", "none"])
@pytest.mark.parametrize("element", [np.float32, np.float16])
@pytest.mark.parametrize("name", NORMS)
def test_the_sign_of_a_zero_of_a_layer_norm(name: str, element: type, optimize: Any, tmp_path: Path) -> None:
    """With a scale of 0, the norm of an element below the mean is -0, and with a bias of +0 it is +0."""
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(element))
    nodes = [
        node("MatMul", ["x", "w"], ["u"]),
        node("Cast", ["u"], ["v"], to=kind),
        *NORMS[name],
        node("Reciprocal", ["q"], ["inverse"]),
        node("Cast", ["inverse"], ["y"], to=TensorProto.FLOAT),
    ]
    weights = {"s": [0, 1] * 4, "zeros": [0] * 8, "negative": [-0.0] * 8, "epsilon": 1e-5}
    arrays: dict[str, Any] = {key: np.array(value, element) for key, value in weights.items()}
    source = model(nodes, {"x": [4, 8]}, ["y"], w=floats(8, 8), **arrays)
    inputs = {"x": floats(4, 8)}
    expected = golden_outputs(source.SerializeToString(), inputs)["y"]
    (found,) = run(compile(source, tmp_path, name="m", optimize=optimize), inputs).values()
    assert np.isinf(expected).sum() == 16
    np.testing.assert_array_equal(np.sign(found), np.sign(expected))


@pytest.mark.parametrize("kind", [TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.BFLOAT16])
def test_a_log_softmax_is_finite_where_the_softmax_underflows(kind: int, tmp_path: Path) -> None:
    """The device computes forge.op.LogSoftmax as the logarithm of a softmax."""
    nodes = [
        node("Cast", ["x"], ["in"], to=kind),
        node("LogSoftmax", ["in"], ["out"], axis=-1),
        node("Cast", ["out"], ["y"], to=TensorProto.FLOAT),
    ]
    artifact = compile(model(nodes, {"x": [2, 2]}, ["y"]), tmp_path)
    assert "forge.op.LogSoftmax" not in artifact.source()
    x = np.array([[0, -200], [-np.inf, 3]], np.float32)
    assert run(artifact, {"x": x})["y"].tolist() == [[0, -200], [-np.inf, 0]]


@pytest.mark.parametrize("op", ["Asinh", "Atanh", "Acosh", "Softplus"])
def test_functions_of_float64_constants_keep_their_digits_near_0(op: str, tmp_path: Path) -> None:
    """The sum in log(1 + x) is evaluated in float64, but the module has it in float32."""
    small = np.array([1e-3, 3e-5, 1e-7, 1e-9])
    values = {"Acosh": 1 + small, "Softplus": np.log(small)}.get(op, small)
    nodes = [node(op, ["c"], ["f"]), node("Cast", ["f"], ["g"], to=TensorProto.FLOAT), node("Mul", ["x", "g"], ["y"])]
    artifact = compile(model(nodes, {"x": [4]}, ["y"], c=values), tmp_path)
    expected = {
        "Acosh": np.arccosh,
        "Softplus": lambda x: np.log1p(np.exp(x)),
        "Asinh": np.arcsinh,
        "Atanh": np.arctanh,
    }
    found = run(artifact, {"x": np.ones(4, np.float32)})["y"]
    # float32 has few digits of 1 + 1e-7.
    limit = 1e-6 if op != "Acosh" else 1e-3
    assert np.abs(found / expected[op](values) - 1)[: 4 if op != "Acosh" else 2].max() < limit

"""A conversion whose error is too small for comparisons in float32 is found. One that only rounds is right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import forge_mlir
from forge_mlir.verify import Verification, verify_model
from sample_models.probe import FLOAT, build, node, weights

Lower = Callable[[Any, Any], Any]


def gemm(factor: float) -> Lower:
    def lower(n: Any, b: Any) -> Any:
        return b.add(b.matmul(n.input(0), n.input(1)), b.multiply(n.input(2), b.scalar_like(n.input(2), factor)))

    return lower


def norm(epsilon: float) -> Lower:
    def lower(n: Any, b: Any) -> Any:
        for name in ("axis", "epsilon", "stash_type"):
            n.ignore_attr(name)
        centred = b.subtract(n.input(0), b.reduce_avg(n.input(0), dim=-1, keep_dim=True))
        variance = b.reduce_avg(b.multiply(centred, centred), dim=-1, keep_dim=True)
        scaled = b.divide(centred, b.sqrt(b.add(variance, b.scalar_like(variance, epsilon))))
        return b.add(b.multiply(scaled, n.input(1)), n.input(2))

    return lower


def sigmoid(factor: float) -> Lower:
    """A lowering to 1 / (1 + exp(-x)), with `factor` for -1."""

    def lower(n: Any, b: Any) -> Any:
        x = n.input(0)
        one, power = b.scalar_like(x, 1.0), b.exp(b.multiply(x, b.scalar_like(x, factor)))
        return b.divide(one, b.add(one, power))

    return lower


def mean(third: float) -> Lower:
    """A lowering to the sum times 1 / 3, a constant that rounds, times 3 / 1024."""

    def lower(n: Any, b: Any) -> Any:
        n.ignore_attr("keepdims")
        n.ignore_attr("axes")
        total = b.reduce_sum(n.input(0), dim=-1, keep_dim=True)
        part = b.multiply(total, b.scalar_like(total, third))
        return b.multiply(part, b.scalar_like(part, 3 / 1024))

    return lower


NODES: dict[str, tuple[onnx.NodeProto, dict[str, np.ndarray]]] = {
    "Gemm": (node("Gemm", ["x", "w", "c"], ["y"], "gemm"), {"w": weights(1024, 24), "c": weights(24)}),
    "LayerNormalization": (
        node("LayerNormalization", ["x", "g", "c"], ["y"], "norm", epsilon=1e-5),
        {"g": 1 + weights(1024), "c": weights(1024)},
    ),
    "Sigmoid": (node("Sigmoid", ["x"], ["y"], "sigmoid"), {}),
    "ReduceMean": (node("ReduceMean", ["x"], ["y"], "mean", axes=[-1], keepdims=1), {}),
}


def verified(op: str, lower: Lower, folder: Path) -> Verification:
    made, constants = NODES[op]
    onnx.save(build([made], {"x": (FLOAT, [16, 1024])}, {"y": FLOAT}, opset=17, **constants), folder / "m.onnx")
    options: Any = {"lowerings": [forge_mlir.lowering("", op)(lower)]}
    return verify_model(folder / "m.onnx", profiles=("normal",), **options)


@pytest.mark.parametrize(
    ("op", "lower"),
    [("Gemm", gemm(1.0)), ("LayerNormalization", norm(1e-5)), ("Sigmoid", sigmoid(-1.0)), ("ReduceMean", mean(1 / 3))],
)
def test_a_conversion_that_only_rounds(op: str, lower: Lower, tmp_path: Path) -> None:
    found = verified(op, lower, tmp_path)
    assert found.exact is not None
    assert (found.verdict, found.exact.state, found.exact.compared) == ("right", "equal", 1)


@pytest.mark.parametrize(
    ("op", "lower"),
    [
        ("Gemm", gemm(1.0005)),
        ("LayerNormalization", norm(1.05e-5)),
        ("Sigmoid", sigmoid(-1.000002)),
        ("ReduceMean", mean(1 / 3 + 3e-7)),
    ],
)
def test_a_conversion_with_a_small_error(op: str, lower: Lower, tmp_path: Path) -> None:
    found = verified(op, lower, tmp_path)
    assert found.exact is not None
    assert (found.verdict, found.exact.state) == ("wrong", "different")
    assert "in float64, and" in found.exact.reason
    assert op in found.exact.reason


def test_batch_norms_before_opset_14_are_not_compared_with_the_reference(tmp_path: Path) -> None:
    """onnx.reference computes them as in training."""
    made = {"g": 1 + weights(4), "c": weights(4), "m": weights(4), "v": 1 + np.abs(weights(4))}
    nodes = [node("BatchNormalization", ["x", "g", "c", "m", "v"], ["y"], "norm")]
    onnx.save(build(nodes, {"x": (FLOAT, [2, 4, 5, 5])}, {"y": FLOAT}, opset=13, **made), tmp_path / "m.onnx")
    found = verify_model(tmp_path / "m.onnx", profiles=("normal",))
    assert found.exact is not None
    assert (found.verdict, found.exact.compared) == ("right", 0)


@pytest.mark.parametrize(
    ("op", "attributes"),
    [("GRU", {"activations": ["HardSigmoid", "Elu"]}), ("LSTM", {"clip": 0.1}), ("LSTM", {"input_forget": 1})],
)
def test_cells_that_the_reference_computes_otherwise(op: str, attributes: dict[str, Any], tmp_path: Path) -> None:
    gates = {"GRU": 6, "LSTM": 8}[op]
    nodes = [node(op, ["x", "w", "r"], ["y"], "cell", hidden_size=2, **attributes)]
    stored = {"w": weights(1, gates, 3), "r": weights(1, gates, 2)}
    onnx.save(build(nodes, {"x": (FLOAT, [4, 2, 3])}, {"y": FLOAT}, **stored), tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx").verdict == "right"


@pytest.mark.parametrize("attributes", [{"softmax_precision": FLOAT}, {"softcap": 0.5}])
def test_attentions_that_the_reference_computes_otherwise(attributes: dict[str, Any], tmp_path: Path) -> None:
    inputs = {name: (FLOAT, [1, 2, 3, 4]) for name in "qkv"}
    nodes = [node("Attention", ["q", "k", "v"], ["y", "", "", "scores"], "attention", **attributes)]
    onnx.save(build(nodes, inputs, {"y": FLOAT, "scores": FLOAT}, opset=23), tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx").verdict == "right"


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
def test_an_attention_whose_scale_is_rounded_to_16_bits(kind: str, tmp_path: Path) -> None:
    text = f"""<ir_version: 10, opset_import: ["" : 23]>
        g ({kind}[1, 2, 4, 8] q, {kind}[1, 2, 4, 8] k, {kind}[1, 2, 4, 8] v) => ({kind}[1, 2, 4, 8] y) {{
            y = Attention<softcap = 2.0>(q, k, v) }}"""
    onnx.save(onnx.parser.parse_model(text), tmp_path / "m.onnx")
    found = verify_model(tmp_path / "m.onnx", alone=False, profiles=("normal", "special"), seeds=2)
    assert (found.verdict, found.reasons) == ("right", ())


def test_a_function_of_a_constant_of_the_model(tmp_path: Path) -> None:
    nodes = [node("Erf", ["w"], ["e"], "function"), node("Mul", ["x", "e"], ["y"], "product")]
    onnx.save(build(nodes, {"x": (FLOAT, [4, 8])}, {"y": FLOAT}, w=weights(4, 8)), tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx", profiles=("normal",)).verdict == "right"


def test_the_logarithm_of_a_small_sum(tmp_path: Path) -> None:
    """One of the sums that are drawn is 3e-4, to which the device adds 1e-10."""
    model = build([node("ReduceLogSum", ["x", "axis"], ["y"], "sum")], {"x": (FLOAT, [8, 512])}, {"y": FLOAT}, axis=[1])
    onnx.save(model, tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx", alone=False).verdict == "right"


def test_folded_biases_of_many_steps(tmp_path: Path) -> None:
    """The conversion adds the two biases, which rounds. In 64 steps, one of the elements differs by more than the
    limit that one draw of roundings gives."""
    r = np.random.default_rng(3)
    shapes = {"w": (1, 2, 2), "r": (1, 2, 2)}
    constants = {name: (r.standard_normal(shape) * 0.3).astype(np.float32) for name, shape in shapes.items()}
    constants["b"] = (r.standard_normal((1, 4)) * 0.1).astype(np.float32)
    nodes = [node("RNN", ["x", "w", "r", "b"], ["y"], "steps", hidden_size=2)]
    onnx.save(build(nodes, {"x": (FLOAT, [64, 1, 2])}, {"y": FLOAT}, **constants), tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx").verdict == "right"


def test_a_cosine_of_folded_angles(tmp_path: Path) -> None:
    """The conversion folds the angles to float32; their cosines are nearly 0 in the whole row."""
    turns = np.float32([[0.25, 0.75, 1.25, 1.75], [0.5, 0.25, 2.25, 3.25]])
    nodes = [node("Mul", ["turns", "circle"], ["angles"], "angles"), node("Cos", ["angles"], ["c"], "cosine")]
    nodes.append(node("Mul", ["x", "c"], ["y"], "product"))
    constants = {"turns": turns, "circle": np.float32(2 * np.pi)}
    onnx.save(build(nodes, {"x": (FLOAT, [2, 4])}, {"y": FLOAT}, **constants), tmp_path / "m.onnx")
    found = verify_model(tmp_path / "m.onnx", profiles=("normal",))
    assert found.exact is not None
    assert (found.verdict, found.exact.state, found.exact.compared) == ("right", "equal", 2)


def test_angles_of_positions_computed_from_a_shape(tmp_path: Path) -> None:
    """The conversion folds the angles to float32, because the caller gives the size. All of their cosines are nearly
    0."""
    nodes = [
        node("Neg", ["x"], ["n"], "negation"),
        node("Shape", ["n"], ["shape"], "shape"),
        node("Gather", ["shape", "zero"], ["count"], "count"),
        node("Range", ["one", "count", "two"], ["positions"], "positions"),
        node("Cast", ["positions"], ["floats"], "floats", to=FLOAT),
        node("Mul", ["floats", "quarter"], ["angles"], "angles"),
        node("Cos", ["angles"], ["c"], "cosine"),
        node("Concat", ["c", "c"], ["both"], "both", axis=0),
        node("Mul", ["both", "scale"], ["scaled"], "scaled"),
        node("ReduceSum", ["x", "zeros"], ["s"], "sum", keepdims=1),
        node("Mul", ["s", "scaled"], ["y"], "product"),
    ]
    constants = {name: np.int64(value) for name, value in (("zero", 0), ("one", 1), ("two", 2))}
    constants |= {"zeros": np.int64([0]), "quarter": np.float32(np.pi / 2), "scale": np.float32(0.3)}
    onnx.save(build(nodes, {"x": (FLOAT, ["rows", 1])}, {"y": FLOAT}, **constants), tmp_path / "m.onnx")
    found = verify_model(tmp_path / "m.onnx", profiles=("normal",), input_shapes={"x": [9, 1]})
    assert found.exact is not None
    assert (found.verdict, found.exact.state) == ("right", "equal")


def test_windows_of_dilated_kernels(tmp_path: Path) -> None:
    """onnx.reference would store 65 * 2,000 numbers for each of 2,000 positions: 2 GB in float64."""
    nodes = [
        node("Conv", ["x", "w"], ["y"], "dilated", dilations=[999], pads=[999, 999]),
        node("Neg", ["y"], ["z"], "z"),
    ]
    onnx.save(build(nodes, {"x": (FLOAT, [1, 65, 2000])}, {"z": FLOAT}, w=weights(4, 65, 3)), tmp_path / "m.onnx")
    found = verify_model(tmp_path / "m.onnx", profiles=("normal",))
    assert found.exact is not None
    assert (found.verdict, found.exact.state, found.exact.compared) == ("right", "equal", 1)


def test_a_softplus_of_large_negative_numbers(tmp_path: Path) -> None:
    """The result is 1.5e-18 in ONNX; the device adds 1e-10 to the operand of a logarithm."""
    onnx.save(
        build([node("Softplus", ["x"], ["y"], "soft")], {"x": (FLOAT, [4, 8])}, {"y": FLOAT}), tmp_path / "m.onnx"
    )
    x = np.full((4, 8), -41, np.float32)
    x[0] = 1
    assert verify_model(tmp_path / "m.onnx", {"x": x}, profiles=["negative", "wide"]).verdict == "right"


def test_the_result_has_the_number_of_compared_nodes(tmp_path: Path) -> None:
    nodes = [node("MatMul", ["x", "w"], ["p"], "product"), node("Softmax", ["p"], ["y"], "softmax", axis=-1)]
    onnx.save(build(nodes, {"x": (FLOAT, [4, 8])}, {"y": FLOAT}, w=weights(8, 8)), tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx").json()["exact"]["nodes_in_float64"] == 2


LARGE_TERMS = {
    "a mask": [node("Add", ["x", "mask"], ["m"], "masked"), node("Softmax", ["m"], ["y"], "y")],
    "a subtracted mask": [node("Sub", ["x", "negated"], ["m"], "masked"), node("Softmax", ["m"], ["y"], "y")],
    "a bias": [node("Gemm", ["x", "w", "bias"], ["y"], "y")],
    "rounding on purpose": [node("Add", ["x", "magic"], ["m"], "up"), node("Sub", ["m", "magic"], ["y"], "down")],
}


@pytest.mark.parametrize("size", [1e6, 1e9])
@pytest.mark.parametrize("name", LARGE_TERMS)
def test_sums_with_large_constants(name: str, size: float, tmp_path: Path) -> None:
    """The evaluation rounds such sums to float32, as the device does, and onnx.reference in float64 does not."""
    mask = np.triu(np.full((4, 4), -size, np.float32), 1)
    constants = {"mask": mask, "negated": -mask, "w": weights(4, 4), "bias": mask[0], "magic": np.float32(12582912)}
    read = {each for made in LARGE_TERMS[name] for each in made.input}
    used = {key: value for key, value in constants.items() if key in read}
    onnx.save(build(LARGE_TERMS[name], {"x": (FLOAT, [4, 4])}, {"y": FLOAT}, **used), tmp_path / "m.onnx")
    assert verify_model(tmp_path / "m.onnx", alone=False).verdict == "right"

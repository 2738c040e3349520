"""Programs that are wrong only for NaN, infinities or the largest numbers are found with `--profile special`; right
programs are not reported where ONNX defines no result."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto, TensorProto, parser

import forge_mlir
from forge_mlir.compiler.driver import compile_traced
from forge_mlir.errors import ForgeError
from forge_mlir.verify import Runs, Verification, verify_compiled, verify_model
from mutants import models
from resealing import reseal
from sample_models.probe import FLOAT, build, node, weights

ZERO = 'forge.op.Constant("", constant=0.0)'
NUMBERS = f'forge.op.Where("", forge.op.Equal("", x, x), x, {ZERO})'


def guarded() -> ModelProto:
    """Replaces NaN by zero."""
    nodes = [node("IsNaN", ["x"], ["missing"], "missing"), node("Where", ["missing", "zero", "x"], ["y"], "guard")]
    return build(nodes, {"x": (FLOAT, [16, 8])}, {"y": FLOAT}, zero=np.float32(0))


def of_two(op: str) -> ModelProto:
    return build([node(op, ["a", "b"], ["y"], "two")], {"a": (FLOAT, [16, 8]), "b": (FLOAT, [16, 8])}, {"y": FLOAT})


def one(op: str, **attributes: object) -> ModelProto:
    return build([node(op, ["x"], ["y"], "one", **attributes)], {"x": (FLOAT, [16, 8])}, {"y": FLOAT}, opset=20)


def pooled() -> ModelProto:
    nodes = [node("MaxPool", ["x"], ["y"], "pool", kernel_shape=[2, 2], strides=[2, 2])]
    return build(nodes, {"x": (FLOAT, [1, 2, 8, 8])}, {"y": FLOAT})


def product() -> ModelProto:
    return build([node("MatMul", ["x", "w"], ["y"], "product")], {"x": (FLOAT, [16, 8])}, {"y": FLOAT}, w=weights(8, 6))


# What is wrong, the model, and the replacement in a line of the module.
WRONG = [
    ("a ReLU that compares", one("Relu"), r'Relu\("", x\)', rf'Where("", forge.op.Greater("", x, {ZERO}), x, {ZERO})'),
    ("a maximum that compares", of_two("Max"), r'Max\("", a, b\)', r'Where("", forge.op.Greater("", a, b), a, b)'),
    ("a minimum that compares", of_two("Min"), r'Min\("", a, b\)', r'Where("", forge.op.Less("", a, b), a, b)'),
    ("a guard that is dropped", guarded(), r"Where\(.*?\)(?=\.set|$)", r'Identity("", x)'),
    ("no infinity after a ReLU", one("Relu"), r'Relu\("", x\)', r'Clip("", x, min=0.0, max=3.4028234663852886e+38)'),
    ("zeros for NaN", product(), r'Matmul\("", x,', f'Matmul("", {NUMBERS},'),
]  # fmt: skip


def verified(model: ModelProto, folder: Path, profile: str, pattern: str = "", text: str = "") -> Verification:
    """The verification of `model`, with one replacement in its module."""
    path = folder / "model.onnx"
    onnx.save(model, path)
    artifact, imported = compile_traced(path, folder / "out")
    if pattern:
        source = artifact.module_path.read_text()
        changed, count = re.subn(rf"forge\.op\.{pattern}", f"forge.op.{text}", source)
        assert count == 1, source
        artifact.module_path.write_text(changed)
        reseal(artifact)
    return verify_compiled(path, artifact, imported, Runs(profiles=(profile,)))  # type: ignore[arg-type]


@pytest.mark.parametrize(("model", "pattern", "text"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_errors_for_special_values_only_are_found(model: ModelProto, pattern: str, text: str, tmp_path: Path) -> None:
    assert verified(model, tmp_path, "special", pattern, text).verdict == "wrong"
    assert verified(model, tmp_path, "normal", pattern, text).verdict == "right"


def two_convolutions() -> ModelProto:
    """Convolutions that are merged, with summed weights: for an infinity and weights of both signs, the sum of both
    results is NaN, and that of the merged one infinite."""
    nodes = [
        node("Conv", ["x", "v"], ["a"], "first"),
        node("Conv", ["x", "w"], ["b"], "second"),
        node("Add", ["a", "b"], ["y"], "sum"),
    ]
    return build(nodes, {"x": (FLOAT, [1, 3, 9, 9])}, {"y": FLOAT}, v=weights(4, 3, 3, 3), w=weights(4, 3, 3, 3))


SMALL = models.small()
RIGHT = {
    **{op: one(op) for op in ("Relu", "Sigmoid", "Tanh", "Exp", "Gelu", "HardSwish", "Softplus", "Mish", "Erf")},
    **{op: one(op, axis=-1) for op in ("Softmax", "LogSoftmax", "Hardmax")},
    **{op: of_two(op) for op in ("Max", "Min", "Div", "Pow", "Add", "Mul")},
    "guard": guarded(),
    "pool": pooled(),
    "product": product(),
    "sum": two_convolutions(),
    **{name: SMALL[name] for name in ("layer norm", "rms norm", "topk of a sum", "last argmax", "cubic", "conv")},
    **{name: SMALL[name] for name in ("max pool", "pool", "attention", "rotary", "halves", "batch norm")},
}  # fmt: skip


@pytest.mark.alike(keep=12)
@pytest.mark.parametrize("name", RIGHT)
def test_a_right_program_is_right_for_special_values(name: str, tmp_path: Path) -> None:
    found = verified(RIGHT[name], tmp_path, "special")
    assert found.verdict == "right", found.reasons


def test_disagreement_of_the_references_is_undecided(tmp_path: Path) -> None:
    """Both references are known to be wrong for an Attention with NaN: a program with another result is not right, and
    the other outputs are judged nevertheless."""
    shapes = {name: (FLOAT, [2, 1, 6, 4]) for name in "qkv"}
    model = build([node("Attention", ["q", "k", "v"], ["y"], "attention", is_causal=1)], shapes, {"y": FLOAT}, opset=23)
    found = verified(model, tmp_path, "special")
    assert found.verdict in ("right", "undecided"), found.reasons
    assert all("differ about" in reason for reason in found.reasons)


def test_a_model_that_casts_to_integers_is_not_run(tmp_path: Path) -> None:
    """The CPU reference raises an error for a float that no integer represents, and ONNX does not define the result."""
    kinds = {"x": (FLOAT, [16, 8])}, {"y": TensorProto.INT32}
    onnx.save(build([node("Cast", ["x"], ["y"], "cast", to=TensorProto.INT32)], *kinds), tmp_path / "model.onnx")
    with pytest.raises(ForgeError, match="no inputs of the profiles"):
        verify_model(tmp_path / "model.onnx", profiles=["special"])
    assert verify_model(tmp_path / "model.onnx", profiles=["special", "normal"]).verdict == "right"


def test_a_finite_input_may_overflow_before_a_maximum(tmp_path: Path) -> None:
    """It is known that onnxruntime's MaxPool skips NaN, also if the NaN is computed in the model."""
    nodes = [
        node("Exp", ["x"], ["e"], "exp"),
        node("Sub", ["e", "e"], ["d"], "difference"),
        node("MaxPool", ["d"], ["y"], "pool", kernel_shape=[2, 2], strides=[2, 2]),
    ]
    onnx.save(build(nodes, {"x": (FLOAT, [1, 2, 4, 4])}, {"y": FLOAT}), tmp_path / "m.onnx")
    x = np.zeros((1, 2, 4, 4), np.float32)
    x[0, 0, 0, 0], x[0, 1, 2, 3] = 200, 300
    assert verify_model(tmp_path / "m.onnx", {"x": x}).verdict == "right"


def test_the_order_of_factors_decides_whether_a_product_overflows(tmp_path: Path) -> None:
    """A 0 among the factors gives NaN after an overflow, and 0 before one."""
    product = node("ReduceProd", ["x", "axes"], ["y"], "product", keepdims=0)
    onnx.save(build([product], {"x": (FLOAT, [2, 513])}, {"y": FLOAT}, axes=np.array([1])), tmp_path / "m.onnx")
    for seed in range(3):
        found = verify_model(tmp_path / "m.onnx", profiles=["integers", "wide"], seed=seed, seeds=1, alone=False)
        assert found.verdict == "right", found.reasons


@pytest.mark.parametrize("at", [(0, 0), (1, 1), (3, 2)])
def test_the_maximum_of_a_window_with_nan_is_nan_beside_its_index(at: tuple[int, int], tmp_path: Path) -> None:
    """Both references skip the NaN. Its index is not decided."""
    pool = node("MaxPool", ["x"], ["y", "i"], "pool", kernel_shape=[2, 2])
    onnx.save(build([pool], {"x": (FLOAT, [1, 1, 4, 4])}, {"y": FLOAT, "i": TensorProto.INT64}), tmp_path / "m.onnx")
    x = np.random.default_rng(0).normal(0, 1, (1, 1, 4, 4)).astype(np.float32)
    x[0, 0][at] = np.nan
    found = verify_model(tmp_path / "m.onnx", {"x": x})
    assert found.verdict in ("right", "undecided"), found.reasons
    assert all("differ about" in reason for reason in found.reasons)
    made = forge_mlir.run(forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "out"), {"x": x})["y"]
    windows = np.lib.stride_tricks.sliding_window_view(x, (2, 2), (2, 3))
    np.testing.assert_array_equal(made, windows.max((4, 5)))


MAXIMA = """
<ir_version: 9, opset_import: ["" : 21]>
scan (float[2] s, float[3, 2, 4] x) => (float[2] last, float[3, 2] y) {
    last, y = Scan<num_scan_inputs = 1, body = step (float[2] p, float[2, 4] u) => (float[2] q, float[2] r) {
        axis = Constant<value = int64[1] {1}>()
        r = ReduceMax<keepdims = 0>(u, axis)
        q = Add(p, r) }>(s, x) }
"""


def test_a_maximum_in_a_subgraph(tmp_path: Path) -> None:
    """onnxruntime skips a NaN that is not the first element."""
    onnx.save(parser.parse_model(MAXIMA), tmp_path / "m.onnx")
    x = np.random.default_rng(0).normal(0, 1, (3, 2, 4)).astype(np.float32)
    x[1, 0, 2] = np.nan
    found = verify_model(tmp_path / "m.onnx", {"s": np.zeros(2, np.float32), "x": x}, alone=False)
    assert found.verdict != "wrong", found.reasons


@pytest.mark.parametrize(
    ("op", "opset", "wrong"), [("RMSNormalization", 23, "Sqrt"), ("LayerNormalization", 17, "Subtract")]
)
def test_norms_whose_squares_overflow(op: str, opset: int, wrong: str, tmp_path: Path) -> None:
    """With `stash_type` float16, a row divided by the root of an infinity is 0. onnxruntime squares in float32."""
    text = f'<ir_version: 8, opset_import: ["" : {opset}]> norm (float16[4,16] x, float16[16] s) => (float16[4,16] y)'
    path = tmp_path / "norm.onnx"
    onnx.save(parser.parse_model(f"{text} {{ y = {op} <stash_type = 10> (x, s) }}"), path)
    random = np.random.default_rng(0)
    inputs = {"x": random.standard_normal((4, 16)).astype(np.float16), "s": np.ones(16, np.float16)}
    inputs["x"][1, 3] = inputs["x"][2, 5] = -300
    artifact, imported = compile_traced(path, tmp_path / "out")
    assert verify_compiled(path, artifact, imported, Runs(inputs)).verdict == "right"
    source = artifact.module_path.read_text()
    artifact.module_path.write_text(
        source.replace("forge.op.Subtract", "forge.op.Add")
        if wrong == "Subtract"
        else source.replace("forge.op.Sqrt", "forge.op.Abs")
    )
    reseal(artifact)
    assert verify_compiled(path, artifact, imported, Runs(inputs)).verdict == "wrong"


def test_a_gate_of_a_sum_that_overflows(tmp_path: Path) -> None:
    """A scale that is folded into the weights decides whether a sum overflows, and to which infinity: the gate is 0 or
    1 there."""
    random = np.random.default_rng(0)
    nodes = [node("MatMul", ["x", "w"], ["a"], "product"), node("Mul", ["a", "s"], ["b"], "scale")]
    nodes.append(node("HardSigmoid", ["b"], ["y"], "gate"))
    numbers = {name: random.standard_normal(shape).astype(np.float32) for name, shape in (("w", (16, 16)), ("s", 16))}
    onnx.save(build(nodes, {"x": (FLOAT, [8, 16])}, {"y": FLOAT}, **numbers), tmp_path / "m.onnx")
    found = verify_model(tmp_path / "m.onnx", profiles=("special",), seeds=8, alone=False)
    assert found.verdict == "right", found.reasons

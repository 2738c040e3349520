"""Results of compiled models: each element may have an error that its own summands explain, and no larger one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import NodeProto, TensorProto

from forge_mlir.compiler.driver import compile_traced
from forge_mlir.execute.onnx.nodes import OnnxNodes
from forge_mlir.verify import Verification, verify_artifact, verify_model
from forge_mlir.verify.judges import Judges
from resealing import replace_module
from sample_models.probe import FLOAT, build, node, weights

TERM = np.float32(1000)
LEFT = {"MatMul": 1e-3, "Sub": 0.0}
"""The rounding error that remains: of adding 64 summands of about a thousand; of subtracting two numbers exactly."""
MORE = {"MatMul": 6e-2, "Sub": 1e-6}


def verified(
    ops: NodeProto | list[NodeProto],
    operands: dict[str, np.ndarray],
    off: float,
    folder: Path,
    change: str = "Add",
    **constants: np.ndarray,
) -> Verification:
    """The verification of one node, or of the nodes of one call, when the module adds `off` to the result or multiplies
    it."""
    nodes = ops if isinstance(ops, list) else [ops]
    model = build(
        nodes, {name: (FLOAT, list(value.shape)) for name, value in operands.items()}, {"y": FLOAT}, **constants
    )
    onnx.save(model, folder / "m.onnx")
    artifact, imported = compile_traced(folder / "m.onnx", folder / "out")
    lines = artifact.module_path.read_text().splitlines()
    at = max(at for at, line in enumerate(lines) if " = forge.op." in line)
    result = lines[at].split(" = ")[0].strip()
    first = lines[at].replace(f"{result} = ", "near = ")
    more = f'        {result} = forge.op.{change}("", near, off).set_src_layer("sum")'
    made = f'        off = forge.op.Constant("", constant={off}, dtype=forge.DataFormat.Float32)'
    replace_module(artifact, "\n".join([*lines[:at], first, made, more, *lines[at + 1 :]]) + "\n")
    return verify_artifact(folder / "m.onnx", artifact, imported, operands)


def opposed() -> np.ndarray:
    """Rows of 64 elements of about a thousand, of which one half cancels the other except for about one."""
    half = TERM * (1 + weights(4, 32) / 100)
    return np.concatenate([half, weights(4, 32) / 32 - half], axis=1).astype(np.float32)


SUMS = {
    "MatMul": (node("MatMul", ["x", "w"], ["y"], "sum"), {"x": opposed(), "w": np.ones((64, 8), np.float32)}),
    "Sub": (node("Sub", ["x", "w"], ["y"], "sum"), {"x": TERM + weights(4, 8), "w": TERM + weights(4, 8)}),
}


@pytest.mark.parametrize("op", SUMS)
def test_a_cancelled_sum_has_the_rounding_of_its_summands(op: str, tmp_path: Path) -> None:
    made, operands = SUMS[op]
    result = verified(made, operands, LEFT[op], tmp_path)
    assert result.divergence is None


@pytest.mark.parametrize("op", SUMS)
def test_more_than_that_is_an_error(op: str, tmp_path: Path) -> None:
    made, operands = SUMS[op]
    assert verified(made, operands, MORE[op], tmp_path).divergence is not None


def test_other_ops_have_no_wider_bound(tmp_path: Path) -> None:
    product = node("Mul", ["x", "w"], ["y"], "sum")
    operands = {"x": TERM + weights(4, 8), "w": weights(4, 8) / TERM}
    assert verified(product, operands, 2e-4, tmp_path).divergence is not None


def test_one_large_row_does_not_widen_the_bound_of_another(tmp_path: Path) -> None:
    """The bound of an element depends on its own summands."""
    x, w = weights(4, 64), weights(64, 8)
    x[0] *= 1e6
    made = node("MatMul", ["x", "w"], ["y"], "sum")
    assert verified(made, {"x": x, "w": w}, 1e-4, tmp_path).divergence is not None
    assert verified(made, {"x": x, "w": w}, 0.0, tmp_path).passed


@pytest.mark.parametrize(("off", "is_right"), [(0.0, True), (1e-3, False)])
def test_an_interpolation_has_the_rounding_of_its_coordinates(off: float, is_right: bool, tmp_path: Path) -> None:
    """In float32, the rounding error of a coordinate of 2.8333 changes the weight of a large adjacent element: the
    error of its row exceeds what the row's magnitude explains, but rows far away have none."""
    x = weights(1, 2, 24, 12)
    x[:, :, 3] *= 1e3
    attributes = {"mode": "cubic", "cubic_coeff_a": -0.5, "coordinate_transformation_mode": "half_pixel"}
    resize = node("Resize", ["x", "", "scales"], ["y"], "resize", **attributes)
    found = verified(resize, {"x": x}, off, tmp_path, scales=np.float32([1, 1, 1.5, 1.5]))
    assert (found.divergence is None) == is_right


@pytest.mark.parametrize(("off", "is_right"), [(8e-7, True), (1.5e-6, True), (5e-6, False)])
def test_a_matrix_product_may_start_its_sum_with_the_bias(off: float, is_right: bool, tmp_path: Path) -> None:
    """64 tiny summands and a bias of 1 in one call: each of its additions rounds with the magnitude of the bias."""
    nodes = [node("MatMul", ["x", "w"], ["p"], "product"), node("Add", ["p", "b"], ["y"], "sum")]
    constants = {"w": weights(64, 8), "b": np.ones(8, np.float32)}
    found = verified(nodes, {"x": weights(4, 64) * np.float32(1e-9)}, off, tmp_path, **constants)
    assert (found.divergence is None) == is_right


def test_a_separate_addition_does_not_begin_with_its_addend(tmp_path: Path) -> None:
    nodes = [node("Mul", ["x", "w"], ["p"], "product"), node("Add", ["p", "b"], ["y"], "sum")]
    constants = {"w": weights(4, 64), "b": np.ones(64, np.float32)}
    found = verified(nodes, {"x": weights(4, 64) * np.float32(1e-9)}, 1.5e-6, tmp_path, **constants)
    assert found.divergence is not None


@pytest.mark.parametrize(("off", "is_right"), [(0.0, True), (1e-6, False)])
def test_two_constant_addends_may_be_added_first(off: float, is_right: bool, tmp_path: Path) -> None:
    """x + a cancels and is exact, a + b is rounded."""
    nodes = [node("Add", ["x", "a"], ["s"], "first"), node("Add", ["s", "b"], ["y"], "sum")]
    a, b = 1.2 + np.abs(weights(64)), np.float32(0.09) * weights(64)
    x = (-a - np.float32(0.005) * weights(16, 64)).astype(np.float32)
    found = verified(nodes, {"x": x}, off, tmp_path, a=a.astype(np.float32), b=b)
    assert (found.divergence is None) == is_right


def window(*, alike: bool) -> tuple[NodeProto, dict[str, np.ndarray]]:
    """A convolution with 200 summands, of which one channel cancels. Its pixels are nearly equal. With `alike`, the
    weights of the upper half of its window are positive and those of the lower half negative; otherwise the signs
    alternate."""
    rows = np.array([1, 1, 0, -1, -1], np.float32)
    w = np.ones((2, 8, 5, 5), np.float32)
    w[0] *= rows[:, None] if alike else (-1.0) ** np.indices((8, 5, 5)).sum(axis=0)
    x = 1 + weights(1, 8, 8, 8) / 1000
    return node("Conv", ["x", "w"], ["y"], "sum"), {"x": x, "w": w}


def test_summands_of_one_sign_have_the_rounding_of_their_partial_sums(tmp_path: Path) -> None:
    """80 equal summands before they cancel: the error of PyTorch and onnxruntime for such windows is as large."""
    assert verified(*window(alike=True), 9e-5, tmp_path).divergence is None
    assert verified(*window(alike=False), 9e-5, tmp_path).divergence is not None


@pytest.mark.parametrize(("change", "by"), [("Add", 5e-4), ("Multiply", 1.0005)])
def test_summands_of_one_sign_do_not_excuse_errors(change: str, by: float, tmp_path: Path) -> None:
    assert verified(*window(alike=True), by, tmp_path, change).divergence is not None


@pytest.mark.parametrize("off", [5, 300])
def test_the_norm_of_a_norm_subtracts_rounding_errors(off: float, tmp_path: Path) -> None:
    """The remaining mean is larger if the row was far from 0. The second norm, or that of a sum, subtracts it."""
    nodes = [
        node("LayerNormalization", ["x", "one"], ["a"], "first", axis=-1),
        node("LayerNormalization", ["a", "one"], ["y"], "second", axis=-1),
        node("MatMul", ["a", "w"], ["m"], "product"),
        node("Add", ["a", "m"], ["s"], "sum"),
        node("LayerNormalization", ["s", "one"], ["z"], "third", axis=-1),
    ]
    ones, small = np.ones(64, np.float32), weights(64, 64) * np.float32(0.01)
    model = build(nodes, {"x": (FLOAT, [16, 64])}, {"y": FLOAT, "z": FLOAT}, one=ones, w=small)
    onnx.save(model, tmp_path / "m.onnx")
    artifact, imported = compile_traced(tmp_path / "m.onnx", tmp_path / "out")
    x = weights(16, 64) + np.float32(off)
    x[0] = off + 0.1
    found = verify_artifact(tmp_path / "m.onnx", artifact, imported, {"x": x})
    assert found.verdict == "right", found.reasons


def test_a_small_mean_of_a_row_that_was_not_centred_counts(tmp_path: Path) -> None:
    x = weights(16, 64)
    x = (x - x.mean(axis=1, keepdims=True) + 3e-6).astype(np.float32)
    model = build(
        [node("LayerNormalization", ["x", "one"], ["y"], "norm", axis=-1)],
        {"x": (FLOAT, [16, 64])},
        {"y": FLOAT},
        one=np.ones(64, np.float32),
    )
    onnx.save(model, tmp_path / "m.onnx")
    artifact, imported = compile_traced(tmp_path / "m.onnx", tmp_path / "out")
    assert verify_artifact(tmp_path / "m.onnx", artifact, imported, {"x": x}).verdict == "right"
    source = artifact.module_path.read_text()
    (line,) = [line for line in source.splitlines() if " = forge.op.Subtract(" in line]
    replace_module(artifact, source.replace(line, line.partition(" = ")[0] + ' = forge.op.Identity("", x)'))
    assert verify_artifact(tmp_path / "m.onnx", artifact, imported, {"x": x}).verdict == "wrong"


def test_the_bound_of_an_op_of_onnxruntime_alone_is_relative_to_the_row() -> None:
    """onnx.reference does not know the op, so that onnxruntime shows how errors of the operands change its results.
    Elements near 0 have the same absolute error as the others."""
    attention = node("MultiHeadAttention", ["q", "k", "k"], ["y"], "attention", domain="com.microsoft", num_heads=2)
    k, w = weights(1, 6, 8), weights(8, 8)
    model = build([node("MatMul", ["k", "w"], ["q"], "q"), attention], {"k": (FLOAT, [1, 6, 8])}, {"y": FLOAT}, w=w)
    y = weights(1, 6, 8)
    y[..., 0] = 1e-6
    nodes = OnnxNodes(model, {})
    allowed = Judges(nodes).allowed(nodes.nodes, "y", {"k": k, "q": k @ w, "y": y})
    assert (allowed >= 1e-6).all()
    assert (allowed <= 1e-4).all()


@pytest.mark.parametrize("op", ["Sub", "Exp", "Sin", "Floor"])
def test_float64_is_float32_on_the_device(op: str, tmp_path: Path) -> None:
    """The operands are rounded too, which the function may magnify: exp(x) by x."""
    generator = np.random.default_rng(0)
    operands = {name: 30 * generator.standard_normal((4, 16)) for name in ("x", "w")[: 2 if op == "Sub" else 1]}
    nodes = [node(op, [*operands], ["y"], "function")]
    model = build(nodes, dict.fromkeys(operands, (TensorProto.DOUBLE, [4, 16])), {"y": TensorProto.DOUBLE})
    onnx.save(model, tmp_path / "m.onnx")
    found = verify_model(tmp_path / "m.onnx", operands)
    assert found.verdict == "right", found.reasons
    artifact, imported = compile_traced(tmp_path / "m.onnx", tmp_path / "out")
    source = artifact.module_path.read_text()
    *_, line = [line for line in source.splitlines() if " = forge.op." in line]
    result = line.partition(" = ")[0].strip()
    more = f'{line}\n        {result} = forge.op.Multiply("", {result}, off)'
    made = '        off = forge.op.Constant("", constant=1.0001, dtype=forge.DataFormat.Float32)\n'
    replace_module(artifact, source.replace(line, made + more))
    assert verify_artifact(tmp_path / "m.onnx", artifact, imported, operands).verdict == "wrong"


def test_a_remainder_whose_divisor_is_rounded_to_float32(tmp_path: Path) -> None:
    """0.1 is rounded, so that the quotient of a million is off by a quarter."""
    mod = node("Mod", ["x", "d"], ["y"], "mod", fmod=1)
    model = build([mod], {"x": (TensorProto.DOUBLE, [8, 16])}, {"y": TensorProto.DOUBLE}, d=np.float64(0.1))
    onnx.save(model, tmp_path / "m.onnx")
    x = np.random.default_rng(0).integers(-(10**7), 10**7, (8, 16)) / 8
    found = verify_model(tmp_path / "m.onnx", {"x": x}, profiles=["normal"])
    assert found.verdict == "right", found.reasons

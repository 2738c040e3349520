"""How far a sound result may be off: each element by its own terms, and no farther."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import NodeProto, helper
from onnx.reference import ReferenceEvaluator
from onnxruntime import InferenceSession

from forge_mlir.compiler.driver import compile_traced
from forge_mlir.verify import Verification, verify_artifact
from forge_mlir.verify.limits.bounds import Case, bounds_of
from resealing import replace_module
from sample_models.probe import FLOAT, build, node, weights

TERM = np.float32(1000)
LEFT = {"MatMul": 1e-3, "Sub": 0.0}
"""What rounding leaves: of 64 terms of a thousand that were added up; of two numbers whose difference is exact."""
MORE = {"MatMul": 6e-2, "Sub": 1e-6}


def verified(
    ops: NodeProto | list[NodeProto],
    operands: dict[str, np.ndarray],
    off: float,
    folder: Path,
    change: str = "Add",
    **constants: np.ndarray,
) -> Verification:
    """What verify says of one node, or those of one call, when the module adds `off` to the result, or multiplies
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
    """Rows of 64 numbers of a thousand, of which half cancel the other half but for about one."""
    half = TERM * (1 + weights(4, 32) / 100)
    return np.concatenate([half, weights(4, 32) / 32 - half], axis=1).astype(np.float32)


SUMS = {
    "MatMul": (node("MatMul", ["x", "w"], ["y"], "sum"), {"x": opposed(), "w": np.ones((64, 8), np.float32)}),
    "Sub": (node("Sub", ["x", "w"], ["y"], "sum"), {"x": TERM + weights(4, 8), "w": TERM + weights(4, 8)}),
}


@pytest.mark.parametrize("op", SUMS)
def test_what_is_left_has_the_rounding_of_the_terms(op: str, tmp_path: Path) -> None:
    made, operands = SUMS[op]
    result = verified(made, operands, LEFT[op], tmp_path)
    assert result.divergence is None


@pytest.mark.parametrize("op", SUMS)
def test_more_than_that_is_an_error(op: str, tmp_path: Path) -> None:
    made, operands = SUMS[op]
    assert verified(made, operands, MORE[op], tmp_path).divergence is not None


def test_other_ops_have_no_such_excuse(tmp_path: Path) -> None:
    product = node("Mul", ["x", "w"], ["y"], "sum")
    operands = {"x": TERM + weights(4, 8), "w": weights(4, 8) / TERM}
    assert verified(product, operands, 2e-4, tmp_path).divergence is not None


def test_one_large_row_allows_nothing_in_another(tmp_path: Path) -> None:
    """The limit of an element is that of its own terms."""
    x, w = weights(4, 64), weights(64, 8)
    x[0] *= 1e6
    made = node("MatMul", ["x", "w"], ["y"], "sum")
    assert verified(made, {"x": x, "w": w}, 1e-4, tmp_path).divergence is not None
    assert verified(made, {"x": x, "w": w}, 0.0, tmp_path).passed


@pytest.mark.parametrize(("off", "is_right"), [(0.0, True), (1e-3, False)])
def test_an_interpolation_has_the_rounding_of_its_coordinates(off: float, is_right: bool, tmp_path: Path) -> None:
    """In float32 a coordinate of 2.8333 is off by enough to give a large element nearby some more or less weight: its
    row is off by more than its own magnitude explains, and rows far away are not."""
    x = weights(1, 2, 24, 12)
    x[:, :, 3] *= 1e3
    attributes = {"mode": "cubic", "cubic_coeff_a": -0.5, "coordinate_transformation_mode": "half_pixel"}
    resize = node("Resize", ["x", "", "scales"], ["y"], "resize", **attributes)
    found = verified(resize, {"x": x}, off, tmp_path, scales=np.float32([1, 1, 1.5, 1.5]))
    assert (found.divergence is None) == is_right


@pytest.mark.parametrize(("off", "is_right"), [(8e-7, True), (1.5e-6, True), (5e-6, False)])
def test_a_sum_may_begin_with_what_is_added_to_it(off: float, is_right: bool, tmp_path: Path) -> None:
    """64 terms of nothing and a bias of 1, in one call: each of its additions rounds in the magnitude of the bias."""
    nodes = [node("MatMul", ["x", "w"], ["p"], "product"), node("Add", ["p", "b"], ["y"], "sum")]
    constants = {"w": weights(64, 8), "b": np.ones(8, np.float32)}
    found = verified(nodes, {"x": weights(4, 64) * np.float32(1e-9)}, off, tmp_path, **constants)
    assert (found.divergence is None) == is_right


def test_a_sum_that_is_a_call_of_its_own_does_not(tmp_path: Path) -> None:
    nodes = [node("Mul", ["x", "w"], ["p"], "product"), node("Add", ["p", "b"], ["y"], "sum")]
    constants = {"w": weights(4, 64), "b": np.ones(64, np.float32)}
    found = verified(nodes, {"x": weights(4, 64) * np.float32(1e-9)}, 1.5e-6, tmp_path, **constants)
    assert found.divergence is not None


def test_sums_of_integers_are_exact(tmp_path: Path) -> None:
    x, w = np.rint(4 * weights(4, 64)), np.rint(4 * weights(64, 8))
    made = node("MatMul", ["x", "w"], ["y"], "sum")
    assert verified(made, {"x": x, "w": w}, 2.0**-13, tmp_path).divergence is not None


def window(*, alike: bool) -> tuple[NodeProto, dict[str, np.ndarray]]:
    """A convolution of 200 terms, of which one channel cancels. Its pixels are nearly equal; with `alike` the weights
    of the upper half of its window are positive, and those of the lower half negative, else signs alternate."""
    rows = np.array([1, 1, 0, -1, -1], np.float32)
    w = np.ones((2, 8, 5, 5), np.float32)
    w[0] *= rows[:, None] if alike else (-1.0) ** np.indices((8, 5, 5)).sum(axis=0)
    x = 1 + weights(1, 8, 8, 8) / 1000
    return node("Conv", ["x", "w"], ["y"], "sum"), {"x": x, "w": w}


def test_alike_terms_have_the_rounding_of_their_partial_sums(tmp_path: Path) -> None:
    """Of 80 before they cancel: PyTorch and onnxruntime are that far off the exact sum of such windows."""
    assert verified(*window(alike=True), 9e-5, tmp_path).divergence is None
    assert verified(*window(alike=False), 9e-5, tmp_path).divergence is not None


@pytest.mark.parametrize(("change", "by"), [("Add", 5e-4), ("Multiply", 1.0005)])
def test_alike_terms_excuse_no_error(change: str, by: float, tmp_path: Path) -> None:
    assert verified(*window(alike=True), by, tmp_path, change).divergence is not None


# The rules, by numpy

EPS = float(np.finfo(np.float32).eps)


def bound(
    op: str, *operands: np.ndarray, errors: dict[int, float] | None = None, orders: bool = False, **attributes: Any
) -> np.ndarray:
    """By how much the result of `op` may be off, for operands that may be off by `errors`."""
    names = [f"x{at}" for at in range(len(operands))]
    made = helper.make_node(op, names, ["y"], **attributes)

    def run(node: NodeProto, values: Mapping[str, Any]) -> dict[str, Any]:
        graph = helper.make_graph(
            [node],
            "g",
            [
                helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(values[name].dtype), None)
                for name in node.input
            ],
            [onnx.ValueInfoProto(name="y")],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        # onnx.reference has no transposed convolution of groups.
        session: Any = (
            InferenceSession(model.SerializeToString()) if op == "ConvTranspose" else ReferenceEvaluator(model)
        )
        (found,) = session.run(None, {name: values[name] for name in node.input})
        return {"y": np.asarray(found)}

    def wide(node: NodeProto, values: Mapping[str, Any]) -> dict[str, Any]:
        floats = {name: np.asarray(value, np.float64) for name, value in values.items() if value.dtype.kind == "f"}
        return run(node, {**values, **floats})

    values = dict(zip(names, operands, strict=True))
    given = {f"x{at}": np.asarray(error) for at, error in (errors or {}).items()}
    found = bounds_of(Case(made, 18, values, given, run(made, values), run, wide, orders))["y"]
    return np.broadcast_to(found, run(made, values)["y"].shape)


def test_what_only_moves_is_exact() -> None:
    x = weights(2, 3)
    assert not bound("Transpose", x).any()
    moved = bound("Transpose", x, errors={0: 1e-3})
    assert np.allclose(moved, 1e-3)


def test_each_element_has_its_own_unit() -> None:
    x = np.float32([1e-6, 1, 1e6])
    assert np.allclose(bound("Mul", x, np.ones_like(x)) / x, 2 * EPS, rtol=1e-3)


def test_a_threshold_jumps_only_next_to_it() -> None:
    x = np.float32([0.9999999, 0.5, 1.5])
    assert bound("Floor", x, errors={0: 1e-6}).tolist() == [1, 0, 0]
    assert not bound("Floor", x).any()


def test_the_square_root_of_nearly_nothing_is_as_good_as_that() -> None:
    found = bound("Sqrt", np.float32([1e-8, 1.0]), errors={0: 1e-8})
    assert found[0] > 1e-5
    assert found[1] < 1e-6


def test_operands_that_are_added_do_not_multiply_errors() -> None:
    """The bias of a Gemm is no part of what an error of a factor does."""
    a, b, c = weights(4, 8), weights(8, 4), 1e3 * weights(4)
    alone = bound("Gemm", a, b, c)
    assert (bound("Gemm", a, b, c, errors={0: 1e-7}) < alone + 1e-4).all()


def test_masked_lanes_of_a_softmax_are_zero() -> None:
    x = np.float32([[1, 2, -3.4e38], [0, 0, 0]])
    found = bound("Softmax", x, axis=-1)
    assert found[0, 2] == 0
    assert (found < 1e-5).all()
    assert (found[1] > 0).all()


def test_an_interpolation_is_as_exact_as_what_is_near() -> None:
    x = np.ones((1, 1, 64, 16), np.float32)
    x[:, :, 2] = 1e6
    sizes = np.array([1, 1, 128, 16])
    found = bound("Resize", x, np.zeros(0, np.float32), np.zeros(0, np.float32), sizes, mode="linear")
    assert (found[:, :, :8] > 1).all()
    assert (found[:, :, 16:] < 1e-4).all()
    nearest = bound("Resize", x, np.zeros(0, np.float32), np.zeros(0, np.float32), sizes, mode="nearest")
    assert (nearest[:, :, 16:] < 1e-4).all()


def test_a_state_carries_its_rounding_through_a_sequence() -> None:
    """As far as the recurrence lets it grow."""
    x, w, r = weights(40, 1, 16), weights(1, 16, 16), weights(1, 16, 16)
    growing, fading = (bound("RNN", x, w, np.float32(by) * r, hidden_size=16) for by in (4, 0.1))
    assert growing[20:].max() > 1e-4
    assert fading[20:].max() < 3e-5


def test_what_cancels_in_a_sampled_grid_has_the_rounding_of_its_terms() -> None:
    x = np.float32([[[[1e6, -1e6], [1e6, -1e6]], [[1, -1], [1, -1]]]])
    found = bound("GridSample", x, np.zeros((1, 1, 1, 2), np.float32))
    assert found[0, 0, 0, 0] > 0.1
    assert found[0, 1, 0, 0] < 1e-4


def test_what_cancels_in_a_transform_has_the_rounding_of_its_terms() -> None:
    x = np.float32(np.arange(2 * 16 * 2)).reshape(2, 16, 2)
    x[1] /= 1e6
    forward, inverse = bound("DFT", x), bound("DFT", x, inverse=1)
    assert (forward[0].min() > 1e-5) & (forward.max() < 1e-3)
    assert forward[1].max() < 1e-9
    np.testing.assert_allclose(inverse, forward / 16)
    half = bound("DFT", x[:, :9, :], inverse=1, onesided=1)
    assert half.shape == (2, 16, 1)
    assert (half[0] > 1e-6).all()


def test_a_row_without_variance_is_as_bad_as_its_epsilon() -> None:
    x, one = np.full((2, 8), 1000, np.float32), np.ones(8, np.float32)
    x[1] += weights(8)
    wide, narrow = bound("LayerNormalization", x, one, epsilon=1e-12), bound("LayerNormalization", x, one, epsilon=1.0)
    assert wide[0].min() > 1 > narrow[0].max()
    assert wide[1].max() < 1e-2


def test_a_product_of_one_row_may_be_summed_term_by_term() -> None:
    """As BLAS does; a summand that is missing is still more than that, and several rows are summed by blocks."""
    x, w = weights(1, 4096), weights(4096, 16)
    terms = x.T * w
    step_by_step = np.add.accumulate(terms, axis=0, dtype=np.float32)[-1]
    exact, allowed = terms.sum(axis=0, dtype=np.float64), bound("MatMul", x, w)
    assert (np.abs(step_by_step - exact) < allowed).all()
    assert np.median(np.abs(terms) / allowed) > 5
    assert (bound("MatMul", np.repeat(x, 4, axis=0), w) < allowed / 2).all()


def test_a_norm_of_a_norm_has_the_rounding_of_its_mean() -> None:
    """It may leave that, which a row that is centred still has; a mean that is none is an error."""
    x, one = weights(4, 64), np.ones(64, np.float32)
    x -= x.mean(axis=1, keepdims=True)
    apart = bound("LayerNormalization", x, one, epsilon=1e-5)
    size = np.sqrt(np.square(x).mean(axis=1, keepdims=True))
    assert (apart > EPS).all()
    assert (apart < 16 * EPS * (1 + np.abs(x) / size)).all()


@pytest.mark.parametrize("off", [5, 300])
def test_a_row_that_a_norm_centred_may_keep_what_that_left(off: float, tmp_path: Path) -> None:
    """Which is larger if the row was far from 0. The program does not centre it again."""
    nodes = [
        node("LayerNormalization", ["x", "one"], ["a"], "first", axis=-1),
        node("LayerNormalization", ["a", "one"], ["y"], "second", axis=-1),
    ]
    model = build(nodes, {"x": (FLOAT, [16, 64])}, {"y": FLOAT}, one=np.ones(64, np.float32))
    onnx.save(model, tmp_path / "m.onnx")
    artifact, imported = compile_traced(tmp_path / "m.onnx", tmp_path / "out")
    assert artifact.module_path.read_text().count("forge.op.ReduceAvg(") == 1
    found = verify_artifact(tmp_path / "m.onnx", artifact, imported, {"x": weights(16, 64) + np.float32(off)})
    assert found.verdict == "right", found.reasons


def test_a_small_mean_of_a_row_that_nobody_centred_counts(tmp_path: Path) -> None:
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


def bound_by_orders(op: str, x: np.ndarray, w: np.ndarray, **attributes: Any) -> float:
    """What the partial sums of a product add to the limit of its first element."""
    return float((bound(op, x, w, orders=True, **attributes) - bound(op, x, w, **attributes)).flat[0])


def test_partial_sums() -> None:
    """They climb to 32 and back: the root of the sum of their squares is that of a ramp."""
    ramp = np.concatenate([np.ones(32), -np.ones(32)]).astype(np.float32)
    expected = EPS * 32 * np.sqrt(64 / 3)
    assert np.isclose(bound_by_orders("MatMul", np.float32([[1] * 64]), ramp[:, None]), expected, rtol=1e-3)
    assert np.isclose(bound_by_orders("MatMul", np.float32([[1] * 64]), ramp), expected, rtol=1e-3)
    assert np.isclose(bound_by_orders("Gemm", np.float32([[1] * 64]), ramp[None], transB=1), expected, rtol=1e-3)
    assert np.isclose(bound_by_orders("Gemm", np.float32([[1] * 64]), ramp[:, None]), expected, rtol=1e-3)
    image = np.ones((1, 4, 4, 4), np.float32)
    by_channel, by_tap = ramp.reshape(1, 4, 4, 4), ramp.reshape(4, 4, 4).transpose(2, 0, 1)[None]
    for kernel in (by_channel, by_tap):
        assert np.isclose(bound_by_orders("Conv", image, kernel), expected, rtol=1e-3)
    short = np.ones((1, 8), np.float32)
    assert bound_by_orders("MatMul", short, short.T) == 0


def test_partial_sums_of_groups() -> None:
    """Each group has the first of its channels first."""
    ramp = np.concatenate([np.ones(8), -np.ones(8)]).astype(np.float32)
    x, kernel = np.ones((1, 32, 2, 2), np.float32), np.concatenate([ramp, ramp]).reshape(32, 1, 1, 1)
    found = bound_by_orders("ConvTranspose", x, kernel, group=2)
    assert np.isclose(found, EPS * 8 * np.sqrt(16 / 3), rtol=1e-3)


def test_means_of_equal_terms_round_to_one_side() -> None:
    """As far as float32 is off that adds term by term; alternating terms have no large partial sums."""
    even = np.full((1, 1, 60, 80), 1.1, np.float32)
    off = abs(np.cumsum(even, dtype=np.float32)[-1] / 4800 - np.float64(np.float32(1.1)))
    for op, attributes in (("GlobalAveragePool", {}), ("ReduceMean", {"axes": [2, 3]})):
        x = even if op == "GlobalAveragePool" else even + np.float32(0)
        operands = (x,) if not attributes else (x, np.array(attributes["axes"]))
        orders = bound(op, *operands, orders=True) - bound(op, *operands)
        assert (orders > 2 * off).all()
        assert (orders < 3 * off + 1e-4).all()
    alternating = even * np.where(np.arange(80) % 2, -1, 1).astype(np.float32)
    found = bound("GlobalAveragePool", alternating, orders=True) - bound("GlobalAveragePool", alternating)
    assert (found < 1e-8).all()


def test_what_meets_in_a_scatter_is_a_sum() -> None:
    data, indices = np.float32([0, 0, 2, 5]), np.array([0, 0, 2, 0])
    updates = np.float32([1000, -999, 3, 1])
    found = bound("ScatterElements", data, indices, updates, reduction="add")
    assert np.allclose(found, [EPS * np.sqrt(4) * 2000, 0, EPS * np.sqrt(2) * 5, 0])
    assert not bound("ScatterElements", data, indices[:1], updates[:1]).any()
    carried = bound("ScatterElements", data, indices, updates, errors={2: 1e-2}, reduction="add")
    assert np.allclose(carried - found, [3e-2, 0, 1e-2, 0])


def test_an_op_that_rounds_to_integers_moves_by_a_quantum_next_to_the_middle_of_two() -> None:
    """As far as onnxruntime's own result moves; where no operand lies there, by rounding."""
    made = helper.make_node("DynamicQuantizeMatMul", ["x", "w", "s", "z"], ["y"], domain="com.microsoft")
    weight = {"w": np.int8([[10], [20], [30]]), "s": np.float32([0.5]), "z": np.int8([0])}
    graph = helper.make_graph(
        [made],
        "g",
        [helper.make_tensor_value_info("x", FLOAT, [2, 3])],
        [onnx.ValueInfoProto(name="y")],
        [onnx.numpy_helper.from_array(value, name) for name, value in weight.items()],
    )
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    session: Any = InferenceSession(helper.make_model(graph, opset_imports=imports, ir_version=9).SerializeToString())

    def run(_: NodeProto, values: Mapping[str, Any]) -> dict[str, Any]:
        return {"y": session.run(None, {"x": values["x"]})[0]}

    def bound_of(*x: list[float]) -> np.ndarray:
        values = {"x": np.float32(x), **weight}
        return bounds_of(Case(made, 1, values, {}, run(made, values), run, run))["y"]

    middle = bound_of([0, 255, 3], [7, 100.5, 8])
    assert middle[0] < 0.1
    assert middle[1] == pytest.approx(10, rel=1e-3)
    assert bound_of([0, 255, 3], [7, 100.4, 8]).max() < 0.1

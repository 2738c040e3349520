"""The bounds of single ops: the error that each element of a correct result may have, derived from its own summands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import NodeProto, helper
from onnx.reference import ReferenceEvaluator
from onnxruntime import InferenceSession

from forge_mlir.verify.limits.bounds import Case, bounds_of
from sample_models.probe import FLOAT, weights

EPS = float(np.finfo(np.float32).eps)


def bound(
    op: str,
    *operands: np.ndarray,
    errors: dict[int, float] | None = None,
    orders: bool = False,
    opset: int = 18,
    **attributes: Any,
) -> np.ndarray:
    """The bound of the error of the result of `op`, for operands with errors of `errors`."""
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
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)
        # onnx.reference has no grouped transposed convolution.
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
    found = bounds_of(Case(made, opset, values, given, run(made, values), run, wide, orders))["y"]
    return np.broadcast_to(found, run(made, values)["y"].shape)


def test_movement_is_exact() -> None:
    x = weights(2, 3)
    assert not bound("Transpose", x).any()
    moved = bound("Transpose", x, errors={0: 1e-3})
    assert np.allclose(moved, 1e-3)


def test_each_element_has_its_own_unit() -> None:
    x = np.float32([1e-6, 1, 1e6])
    assert np.allclose(bound("Mul", x, np.ones_like(x)) / x, 2 * EPS, rtol=1e-3)


def test_a_step_function_is_discontinuous_only_at_its_threshold() -> None:
    x = np.float32([0.9999999, 0.5, 1.5])
    assert bound("Floor", x, errors={0: 1e-6}).tolist() == [1, 0, 0]
    assert not bound("Floor", x).any()


def test_the_square_root_of_a_tiny_value_has_its_relative_error() -> None:
    found = bound("Sqrt", np.float32([1e-8, 1.0]), errors={0: 1e-8})
    assert found[0] > 1e-5
    assert found[1] < 1e-6


def test_operands_that_are_added_do_not_multiply_errors() -> None:
    """The bias of a Gemm does not scale the error of an operand of the product."""
    a, b, c = weights(4, 8), weights(8, 4), 1e3 * weights(4)
    alone = bound("Gemm", a, b, c)
    assert (bound("Gemm", a, b, c, errors={0: 1e-7}) < alone + 1e-4).all()


def test_masked_elements_of_a_softmax_are_zero() -> None:
    x = np.float32([[1, 2, -3.4e38], [0, 0, 0]])
    found = bound("Softmax", x, axis=-1)
    assert found[0, 2] == 0
    assert (found < 1e-5).all()
    assert (found[1] > 0).all()


def test_an_interpolation_is_as_exact_as_adjacent_elements() -> None:
    x = np.ones((1, 1, 64, 16), np.float32)
    x[:, :, 2] = 1e6
    sizes = np.array([1, 1, 128, 16])
    found = bound("Resize", x, np.zeros(0, np.float32), np.zeros(0, np.float32), sizes, mode="linear")
    assert (found[:, :, :8] > 1).all()
    assert (found[:, :, 16:] < 1e-4).all()
    nearest = bound("Resize", x, np.zeros(0, np.float32), np.zeros(0, np.float32), sizes, mode="nearest")
    assert (nearest[:, :, 16:] < 1e-4).all()


def test_a_state_carries_its_rounding_through_a_sequence() -> None:
    """The error grows as far as the recurrence lets it."""
    x, w, r = weights(40, 1, 16), weights(1, 16, 16), weights(1, 16, 16)
    growing, fading = (bound("RNN", x, w, np.float32(by) * r, hidden_size=16) for by in (4, 0.1))
    assert growing[20:].max() > 1e-4
    assert fading[20:].max() < 3e-5


def test_cancellation_in_a_sampled_grid_has_the_rounding_of_its_summands() -> None:
    x = np.float32([[[[1e6, -1e6], [1e6, -1e6]], [[1, -1], [1, -1]]]])
    found = bound("GridSample", x, np.zeros((1, 1, 1, 2), np.float32))
    assert found[0, 0, 0, 0] > 0.1
    assert found[0, 1, 0, 0] < 1e-4


def test_cancellation_in_a_transform_has_the_rounding_of_its_summands() -> None:
    x = np.float32(np.arange(2 * 16 * 2)).reshape(2, 16, 2)
    x[1] /= 1e6
    forward, inverse = bound("DFT", x), bound("DFT", x, inverse=1)
    assert (forward[0].min() > 1e-5) & (forward.max() < 1e-3)
    assert forward[1].max() < 1e-9
    np.testing.assert_allclose(inverse, forward / 16)
    half = bound("DFT", x[:, :9, :], inverse=1, onesided=1)
    assert half.shape == (2, 16, 1)
    assert (half[0] > 1e-6).all()


def test_the_error_of_a_row_without_variance_depends_on_epsilon() -> None:
    x, one = np.full((2, 8), 1000, np.float32), np.ones(8, np.float32)
    x[1] += weights(8)
    wide, narrow = bound("LayerNormalization", x, one, epsilon=1e-12), bound("LayerNormalization", x, one, epsilon=1.0)
    assert wide[0].min() > 1 > narrow[0].max()
    assert wide[1].max() < 1e-2


def test_a_product_of_one_row_may_be_summed_in_order() -> None:
    """BLAS does so. A missing summand is still larger than the bound, and products of several rows are summed in
    blocks."""
    x, w = weights(1, 4096), weights(4096, 16)
    terms = x.T * w
    step_by_step = np.add.accumulate(terms, axis=0, dtype=np.float32)[-1]
    exact, allowed = terms.sum(axis=0, dtype=np.float64), bound("MatMul", x, w)
    assert (np.abs(step_by_step - exact) < allowed).all()
    assert np.median(np.abs(terms) / allowed) > 5
    assert (bound("MatMul", np.repeat(x, 4, axis=0), w) < allowed / 2).all()


def test_a_norm_of_a_norm_has_the_rounding_of_its_mean() -> None:
    """The mean that rounding leaves in a centred row is within the bound; a larger one is an error."""
    x, one = weights(4, 64), np.ones(64, np.float32)
    x -= x.mean(axis=1, keepdims=True)
    apart = bound("LayerNormalization", x, one, epsilon=1e-5)
    size = np.sqrt(np.square(x).mean(axis=1, keepdims=True))
    assert (apart > EPS).all()
    assert (apart < 16 * EPS * (1 + np.abs(x) / size)).all()


@pytest.mark.parametrize("op", ["LayerNormalization", "RMSNormalization"])
def test_a_norm_of_many_small_elements_has_a_rounding_bias(op: str) -> None:
    """If float32 adds squares in order, each of 300 equal small squares after larger ones loses a part."""
    x = np.concatenate([weights(1, 300), np.full((1, 300), 0.0447, np.float32)], axis=1)
    one = np.ones(600, np.float32)
    centre = np.float32(x.mean(dtype=np.float64)) if op == "LayerNormalization" else np.float32(0)
    added = np.cumsum((x - centre) ** 2, dtype=np.float32)[-1] / np.float32(600)
    found = (x - centre) / np.sqrt(added + np.float32(1e-5))
    wide = x.astype(np.float64) - (x.mean(dtype=np.float64) if op == "LayerNormalization" else 0)
    off = np.abs(found - wide / np.sqrt((wide**2).mean() + 1e-5))
    opset = 23 if op == "RMSNormalization" else 18
    blocks, orders = (bound(op, x, one, orders=each, epsilon=1e-5, opset=opset) for each in (False, True))
    assert (off > blocks).any()
    assert (off < orders).all()
    assert (orders < 4 * off.max() + 8 * blocks).all()


def bound_by_orders(op: str, x: np.ndarray, w: np.ndarray, **attributes: Any) -> float:
    """The increase of the bound of the first element by the partial sums of a product."""
    return float((bound(op, x, w, orders=True, **attributes) - bound(op, x, w, **attributes)).flat[0])


def test_partial_sums() -> None:
    """The partial sums rise to 32 and fall again: the root of the sum of their squares is that of a ramp."""
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
    """The channels of a group begin with the first one of the group."""
    ramp = np.concatenate([np.ones(8), -np.ones(8)]).astype(np.float32)
    x, kernel = np.ones((1, 32, 2, 2), np.float32), np.concatenate([ramp, ramp]).reshape(32, 1, 1, 1)
    found = bound_by_orders("ConvTranspose", x, kernel, group=2)
    assert np.isclose(found, EPS * 8 * np.sqrt(16 / 3), rtol=1e-3)


def test_means_of_equal_elements_have_a_rounding_bias() -> None:
    """The bound covers the error of adding in order in float32. Summands of alternating signs have no large partial
    sums."""
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


def test_updates_of_one_element_in_a_scatter_are_a_sum() -> None:
    data, indices = np.float32([0, 0, 2, 5]), np.array([0, 0, 2, 0])
    updates = np.float32([1000, -999, 3, 1])
    found = bound("ScatterElements", data, indices, updates, reduction="add")
    assert np.allclose(found, [EPS * np.sqrt(4) * 2000, 0, EPS * np.sqrt(2) * 5, 0])
    assert not bound("ScatterElements", data, indices[:1], updates[:1]).any()
    carried = bound("ScatterElements", data, indices, updates, errors={2: 1e-2}, reduction="add")
    assert np.allclose(carried - found, [3e-2, 0, 1e-2, 0])


def test_an_op_that_rounds_to_integers_may_change_by_a_step_near_a_midpoint() -> None:
    """By the amount that onnxruntime's own result changes; if no operand is near a midpoint, by rounding only."""
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


def test_statistics_of_a_norm_have_the_rounding_of_its_elements() -> None:
    """Means that cancel, and deviations of nearly equal elements, have errors of many units in their last place."""
    random = np.random.default_rng(0)
    x = (random.choice([-1, 1], (12, 64)) * 10.0 ** random.uniform(-4, 4, (12, 64))).astype(np.float32)
    x[8:] = 30 + 1e-3 * random.standard_normal((4, 64))
    node = helper.make_node("LayerNormalization", ["x", "w"], ["y", "mean", "inverse"], epsilon=1e-7)
    wide = x.astype(np.float64)
    deviation = np.sqrt(wide.var(-1, keepdims=True) + 1e-7)
    right = {"y": wide, "mean": wide.mean(-1, keepdims=True), "inverse": 1 / deviation}
    results = {name: value.astype(np.float32) for name, value in right.items()}
    values = {"x": x, "w": np.ones(64, np.float32)}
    found = bounds_of(Case(node, 17, values, {}, results, lambda *_: {}, lambda *_: {}))
    for order in (x, x[:, ::-1], np.sort(x)):
        mean = np.add.accumulate(order, -1)[:, -1:] / np.float32(64)
        inverse = 1 / np.sqrt(np.mean((order - mean) ** 2, -1, keepdims=True) + np.float32(1e-7))
        assert (abs(mean - right["mean"]) <= 4 * found["mean"]).all()
        assert (abs(inverse - right["inverse"]) <= 2 * found["inverse"]).all()
    assert (found["mean"] <= 1e-6 * np.sqrt((wide**2).mean(-1, keepdims=True))).all()
    assert (found["inverse"][:8] <= 1e-5 * right["inverse"][:8]).all()

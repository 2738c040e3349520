"""Ops of onnx.reference that are corrected, each of which onnx.reference still computes otherwise."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from onnx import ModelProto, TensorProto, helper, parser
from onnx.reference import ReferenceEvaluator

from forge_mlir.execute.onnx.engines import OPENERS
from sample_models import forests
from sample_models.forests import Forest

Arrays = dict[str, np.ndarray]


def run(model: ModelProto, given: Arrays) -> list[np.ndarray]:
    return OPENERS["onnx.reference"](model.SerializeToString(), True, 1)(given)


def is_corrected(model: ModelProto, given: Arrays) -> bool:
    """Whether onnx.reference gives another result, or none. Otherwise the correction has to be removed."""
    try:
        plain = ReferenceEvaluator(model).run(None, given)
    except Exception:  # It raises any exception.
        return True
    pairs = zip(run(model, given), plain, strict=True)
    return not all(a.shape == np.shape(b) and np.allclose(a, b, 1e-4, 1e-6) for a, b in pairs)


SCAN = """
<ir_version: 9, opset_import: ["" : 21]>
scan (int64 n, bool go, float[{shape}] s) => (float[m] y) {{
    last, y = Loop(n, go, s) <body = step (int64 i, bool c, float[{shape}] p)
        => (bool d, float[{shape}] q, float[{shape}] r) {{
        d = Identity(c) q = Add(p, p) r = Identity(p) }}> }}
"""


@pytest.mark.parametrize("shape", [(), (2,), (2, 3)])
def test_scan_outputs_are_stacked(shape: tuple[int, ...]) -> None:
    text = SCAN.format(shape=",".join(map(str, shape))).replace("float[]", "float")
    start = np.ones(shape, np.float32)
    given = {"n": np.array(3), "go": np.array(True), "s": start}
    (found,) = run(parser.parse_model(text), given)
    np.testing.assert_array_equal(found, np.stack([start, 2 * start, 4 * start]))


def test_a_condition_that_is_left_out_is_true() -> None:
    text = SCAN.format(shape="").replace("float[]", "float").replace("Loop(n, go, s)", "Loop(n, , s)")
    given = {"n": np.array(2), "go": np.array(False), "s": np.float32(1)}
    (found,) = run(parser.parse_model(text), given)
    np.testing.assert_array_equal(found, [1, 2])


@pytest.mark.parametrize(("condition", "count"), [("", 3), ("yes", 1)])
def test_the_condition_of_a_body_counts_if_there_is_a_condition_input(condition: str, count: int) -> None:
    text = SCAN.format(shape="2").replace("d = Identity(c)", "d = Not(c)").replace("bool go", "bool yes")
    model = parser.parse_model(text.replace("Loop(n, go, s)", f"Loop(n, {condition}, s)"))
    given = {"n": np.array(3), "yes": np.array(True), "s": np.ones(2, np.float32)}
    assert run(model, given)[0].shape == (count, 2)
    assert is_corrected(model, given) == (not condition)


def of_node(op: str, given: Arrays, **attributes: float) -> ModelProto:
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in given.items()
    ]
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([helper.make_node(op, list(given), ["y"], **attributes)], "g", inputs, [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 9])
def test_a_local_response_normalization(size: int) -> None:
    given = {"x": np.random.default_rng(0).standard_normal((1, 7, 2, 1)).astype(np.float32)}
    model = of_node("LRN", given, size=size, alpha=0.3, beta=0.6, bias=1.5)
    (found,), x = run(model, given), given["x"]
    for channel in range(7):
        first, last = max(0, channel - (size - 1) // 2), min(6, channel + -(-(size - 1) // 2))
        sums = (x[:, first : last + 1].astype(np.float64) ** 2).sum(1)
        right = x[:, channel] / (1.5 + 0.3 / size * sums) ** 0.6
        assert (np.abs(found[:, channel] - right) <= 1e-6 * np.abs(right)).all()
    assert is_corrected(model, given)


def test_a_group_normalization() -> None:
    random = np.random.default_rng(0)
    x = (random.normal(0, 1, (2, 6, 4, 5)) + 1e5).astype(np.float32)
    scale, bias = random.normal(0, 1, (2, 6)).astype(np.float32)
    given = {"x": x, "scale": scale, "bias": bias}
    model = of_node("GroupNormalization", given, num_groups=3, epsilon=0.125)
    right = torch.nn.functional.group_norm(*(torch.tensor(each).double() for each in (x,)), 3, *(
        torch.tensor(each).double() for each in (scale, bias)
    ), 0.125)  # fmt: skip
    assert (np.abs(run(model, given)[0] - right.numpy()) <= 1e-2).all()  # The mean is rounded.
    assert is_corrected(model, given)


def test_an_instance_normalization_whose_squares_overflow() -> None:
    x = np.linspace(-600, 600, 24).reshape(1, 2, 12).astype(np.float16)
    scale, bias = np.array([1, -2], np.float16), np.array([0.5, 0], np.float16)
    model = parser.parse_model("""<ir_version: 9, opset_import: ["" : 21]>
        g (float16[1,2,12] x, float16[2] s, float16[2] b) => (float16[1,2,12] y) {
            y = InstanceNormalization<epsilon = 0.001>(x, s, b) }""")
    given = {"x": x, "s": scale, "b": bias}
    (found,) = run(model, given)
    expected = torch.nn.functional.instance_norm(
        torch.tensor(x.astype(np.float64)), weight=torch.tensor([1.0, -2.0]).double(),
        bias=torch.tensor([0.5, 0.0]).double(), eps=0.001,
    )  # fmt: skip
    np.testing.assert_allclose(found, expected.numpy(), rtol=1e-3)
    assert is_corrected(model, given)


@pytest.mark.parametrize(("shape", "indices", "axis"), [((2, 5, 4), (2, 3, 3), 1), ((3, 40), (3, 7), -1)])
def test_elements_gathered_from_a_part_or_from_many(
    shape: tuple[int, ...], indices: tuple[int, ...], axis: int
) -> None:
    """Axes of the indices that are shorter than those of the data, and more elements than numpy.choose takes."""
    at, to = (", ".join(map(str, each)) for each in (shape, indices))
    text = f"f (float[{at}] x, int64[{to}] i) => (float[{to}] y) {{ y = GatherElements <axis = {axis}> (x, i) }}"
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["" : 17]> {text}')
    size, random = shape[axis], np.random.default_rng(0)
    given = {"x": random.standard_normal(shape).astype(np.float32), "i": random.integers(-size, size, indices)}
    (result,) = run(model, given)
    np.testing.assert_array_equal(result, OPENERS["onnxruntime"](model.SerializeToString(), True, 1)(given)[0])
    assert is_corrected(model, given)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect"])
def test_negative_pads_remove_elements(mode: str) -> None:
    """As in `x` shifted by one position along an axis, `torch.nn.functional.pad(x, (1, -1))`."""
    text = f"""f (float[2, 5] x) => (float[2, 5] y) {{
        pads = Constant <value_ints = [0, 1, 0, -1]> () v = Constant <value_float = 7.0> ()
        y = Pad <mode = "{mode}"> (x, pads, v) }}"""
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["" : 17]> {text}')
    given = {"x": np.arange(10, dtype=np.float32).reshape(2, 5)}
    (result,) = run(model, given)
    np.testing.assert_array_equal(result, OPENERS["onnxruntime"](model.SerializeToString(), True, 1)(given)[0])
    assert is_corrected(model, given)


@pytest.mark.parametrize(("opset", "rest"), [(2, "<pads = [0, 1, 0, 2], value = 7.0> (x)"), (18, "(x, p, v, a)")])
def test_pads_of_other_opsets(opset: int, rest: str) -> None:
    """Where pads are attributes, or of given axes."""
    model = helper.make_model(
        parser.parse_graph(
            "f (float[2, 3] x) => (float[2, 6] y) <int64[2] p = {1, 2}, float v = {7}, int64[1] a = {-1}> "
            f"{{ y = Pad {rest} }}"
        ),
        opset_imports=[helper.make_opsetid("", opset)],
        ir_version=9,
    )
    (result,) = run(model, {"x": np.ones((2, 3), np.float32)})
    np.testing.assert_array_equal(result, np.pad(np.ones((2, 3), np.float32), ((0, 0), (1, 2)), constant_values=7))


def test_a_log_softmax_of_distant_elements() -> None:
    """As in a row of logits that a sampler masks with a large negative number."""
    text = "f (float[2, 3] x) => (float[2, 3] y) { y = LogSoftmax <axis = 1> (x) }"
    model = parser.parse_model(f'<ir_version: 9, opset_import: ["" : 17]> {text}')
    x = np.array([[1, -1e9, 1], [-200, 0, -1e30]], np.float32)
    (result,) = run(model, {"x": x})
    np.testing.assert_allclose(result, torch.log_softmax(torch.from_numpy(x), 1), 1e-6)
    assert is_corrected(model, {"x": x})


def test_a_mean_variance_normalization() -> None:
    given = {"x": np.float32(1234567.7) + np.arange(20, dtype=np.float32).reshape(1, 1, 4, 5)}
    model = of_node("MeanVarianceNormalization", given)
    assert abs(run(model, given)[0].std() - 1) < 1e-6
    assert is_corrected(model, given)


INFINITE = np.float32([-np.inf, -3e5, 2.5, 3e10, np.inf])


@pytest.mark.parametrize(
    ("x", "scale", "precision", "right"),
    [
        (INFINITE, np.float32(1e-3), 0, [0, 0, 255, 255, 255]),
        (INFINITE, np.float32(1), 10, [0, 0, 5, 255, 255]),
        (np.float32([20.5]), np.float16(0.2), 0, [105]),  # The quotient is rounded to 102.5.
        (np.float32([20.5]), np.float32(np.float16(0.2)), 0, [106]),
    ],
)
def test_large_quotients_and_quotients_of_sixteen_bits(
    x: np.ndarray, scale: np.ndarray, precision: int, right: list[int]
) -> None:
    given = {"x": x, "scale": np.asarray(scale), "zero": np.array(3, np.uint8)}
    model = of_node("QuantizeLinear", given, **({"precision": precision} if precision else {}))
    model.opset_import[0].version = 23
    model.graph.output[0].type.tensor_type.elem_type = TensorProto.UINT8
    assert run(model, given)[0].tolist() == right


TRANSFORMED = {1: [[1 / 2, 1 / 2]], 2: [[0.5, 0.5]], 3: [[0.5, 0.5]]}


@pytest.mark.parametrize("transform", [1, 2, 3, 4])
def test_scores_of_trees_are_transformed(transform: int) -> None:
    attributes = forests.ensemble(Forest(3, 2, (0,), negative=False)) | {"n_targets": 2, "aggregate_function": 0}
    attributes["leaf_targetids"] = [at % 2 for at in range(len(attributes["leaf_targetids"]))]
    given = {"x": forests.operand(special=False)}
    (plain,) = run(forests.model("TreeEnsemble", attributes), given)
    model = forests.model("TreeEnsemble", attributes | {"post_transform": transform})
    with np.errstate(all="ignore"):
        wide = torch.tensor(plain).double()
        zeros = torch.where(wide == 0, -torch.inf, wide)
        right = {
            1: wide.softmax(1),
            2: wide.sigmoid(),
            3: zeros.softmax(1).nan_to_num(0.5),
            4: torch.special.ndtri(wide),
        }[transform]
        (found,) = run(model, given)
        usable = np.isfinite(right.numpy())
        assert (np.abs(found - right.numpy())[usable] <= (1e-2 if transform == 4 else 1e-6)).all()
        assert is_corrected(model, given)


@pytest.mark.parametrize("how", ["SUM", "AVERAGE", "MIN", "MAX"])
@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC"])
def test_a_target_without_votes_has_its_base_value(how: str, transform: str) -> None:
    attributes = Forest(3, 3, (1,)).attributes("target_") | {"n_targets": 2, "base_values": [0.0, 0.25]}
    model = forests.model(
        "TreeEnsembleRegressor", attributes | {"aggregate_function": how, "post_transform": transform}
    )
    given = {"x": forests.operand(special=False)}
    assert (run(model, given)[0][:, 0] == {"NONE": 0, "LOGISTIC": 0.5}[transform]).all()
    assert is_corrected(model, given) == (how in ("MIN", "MAX") or transform != "NONE")


@pytest.mark.parametrize("opset", [23, 24, 25])
@pytest.mark.parametrize("shape", [(3,), (1, 3), (2, 1, 1, 3)])
def test_a_mask_that_is_broadcast_along_the_queries(opset: int, shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(0)
    given = {name: random.standard_normal((2, 1, 3, 4)).astype(np.float32) for name in "qkv"}
    given["mask"] = random.standard_normal(shape).astype(np.float32)
    model = of_node("Attention", given, is_causal=1)
    model.opset_import[0].version = opset
    q, k, v, mask = (torch.tensor(each) for each in given.values())
    bias = mask + torch.full((3, 3), -torch.inf).triu(1)
    right = torch.nn.functional.scaled_dot_product_attention(q, k, v, bias.expand(2, 1, 3, 3))
    np.testing.assert_allclose(run(model, given)[0], right.numpy(), 1e-5, 1e-6)
    assert is_corrected(model, given)

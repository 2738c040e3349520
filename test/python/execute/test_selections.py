"""ONNX's results in special cases: logarithms, the order of NaN, resizes of single elements, and indices of unselected
values."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest
from onnx import ModelProto
from onnx.reference import ReferenceEvaluator

import forge_mlir
from forge_mlir.errors import ForgeError

Array = npt.NDArray[np.generic]
NAN, INF = np.nan, np.inf


def model(body: str) -> ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["": 17]> g {body}')


def ours(proto: ModelProto, folder: Path, **inputs: Array) -> list[Array]:
    return list(forge_mlir.run(forge_mlir.compile(proto, folder, name="m"), inputs).values())


@pytest.mark.parametrize("body", ["y = Log(x)", "c = Constant<value = float {0.001}>() a = Clip(x, c) y = Log(a)"])
def test_logarithm(body: str, tmp_path: Path) -> None:
    x = np.concatenate(
        [
            np.geomspace(1e-45, 3e38, 4000),
            np.linspace(1e-6, 2, 4000),
            [0, -0.0, INF, NAN, -1, -INF, 1, 1e-3, -1e-42, -1e-11, -1e-9, -1e-3, -1e4, -3e38],
        ]
    ).astype(np.float32)
    with np.errstate(all="ignore"):
        clipped = np.maximum(x, np.float32(0.001)) if "Clip" in body else x
        expected = np.log(clipped.astype(np.float64))
    (y,) = ours(model(f"(float[{x.size}] x) => (float[{x.size}] y) {{ {body} }}"), tmp_path, x=x)
    rounded = expected.astype(np.float32)
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(y[~finite], rounded[~finite])
    ulps = np.abs(y[finite] - expected[finite]) / np.spacing(np.abs(rounded[finite]))
    assert ulps.max() <= 2


def test_logarithm_of_normal_numbers_is_one_call(tmp_path: Path) -> None:
    body = "one = Constant<value = float {1}>() a = Abs(x) b = Add(a, one) y = Log(b)"
    artifact = forge_mlir.compile(model(f"(float[8] x) => (float[8] y) {{ {body} }}"), tmp_path, name="m")
    text = (artifact.directory / "m.py").read_text()
    assert text.count("forge.op.Log(") == 1
    assert "forge.op.Where" not in text
    assert "forge.op.Divide" not in text


@pytest.mark.parametrize(
    "rows",
    [
        [[1, NAN, 3, 2, 3, -INF], [NAN] * 6, [INF, NAN, 1, NAN, -INF, 2], [NAN, 1, INF, 0, NAN, -0.0]],
        [[-INF, NAN, -INF, NAN, INF, INF], [0, -0.0, 0, NAN, -1, 1], [5, 5, 5, 5, 5, 5], [NAN, NAN, 1, 1, NAN, NAN]],
    ],
)
@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize("k", [1, 4, 6])
@pytest.mark.parametrize("repeats", [1, 800])
def test_top_of_nan(rows: list[list[float]], largest: int, k: int, repeats: int, tmp_path: Path) -> None:
    """NaN counts as larger than infinity; equal elements are ordered by position. Long rows are searched in several
    rounds."""
    x = np.tile(np.array(rows, np.float32), (1, repeats))
    size = x.shape[1]
    proto = model(
        f"(float[4,{size}] x) => (float[4,{k}] v, int64[4,{k}] i) {{ k = Constant<value = int64[1] {{{k}}}>() "
        f"v, i = TopK<largest = {largest}>(x, k) }}"
    )
    order = np.argsort(np.where(np.isnan(x), INF, x) if largest == 0 else -np.where(np.isnan(x), INF, x), kind="stable")
    for row, places in enumerate(order):
        key = [(x[row, at] if largest == 0 else -x[row, at], at) for at in places]
        nan = [(at, np.isnan(x[row, at])) for _, at in key]
        ends = [at for at, is_nan in nan if is_nan]
        others = [at for at, is_nan in nan if not is_nan]
        order[row] = [*others, *ends] if largest == 0 else [*ends, *others]
    expected = order[:, :k]
    values, indices = ours(proto, tmp_path, x=x)
    np.testing.assert_array_equal(indices, expected)
    np.testing.assert_array_equal(values, np.take_along_axis(x, expected, axis=1))


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
def test_resize_to_one_element(mode: str, tmp_path: Path) -> None:
    """With one element, pytorch_half_pixel uses coordinate 0, according to ONNX and onnxruntime."""
    proto = model(
        "(float[1,1,5,5] x) => (float[1,1,1,1] y) { s = Constant<value = int64[4] {1,1,1,1}>() "
        f'y = Resize<mode = "{mode}", coordinate_transformation_mode = "pytorch_half_pixel">(x, , , s) }}'
    )
    (y,) = ours(proto, tmp_path, x=np.arange(1, 26, dtype=np.float32).reshape(1, 1, 5, 5))
    np.testing.assert_array_equal(y, [[[[1]]]])


def test_resize_reads_no_element_of_weight_zero(tmp_path: Path) -> None:
    """Only the middle one of three elements has a weight; onnxruntime and ONNX's reference read the others, too."""
    proto = model(
        "(float[1,1,3] x) => (float[1,1,1] y) { s = Constant<value = int64[3] {1,1,1}>() "
        'y = Resize<mode = "linear">(x, , , s) }'
    )
    (y,) = ours(proto, tmp_path, x=np.array([[[NAN, 1, INF]]], np.float32))
    np.testing.assert_array_equal(y, [[[1]]])


@pytest.mark.parametrize("c", [True, False])
def test_a_branch_that_gives_a_scalar_and_is_declared_otherwise(c: bool, tmp_path: Path) -> None:
    proto = model(
        "(bool c, float[1] x) => (float y) { y = If(c) <then_branch = a () => (float[1] p) { p = Squeeze(x) }, "
        "else_branch = b () => (float[1] q) { n = Neg(x) q = Squeeze(n) }> }"
    )
    (y,) = ours(proto, tmp_path, c=np.array(c), x=np.array([3], np.float32))
    assert y.shape == ()
    assert y == (3 if c else -3)


@pytest.mark.parametrize("zero", ["0", "-0"])
def test_a_reciprocal_of_a_sum_with_zeros(zero: str, tmp_path: Path) -> None:
    """-0 + 0 is 0, whose reciprocal is another infinity than that of -0."""
    proto = model(
        "(float[4] x) => (float[4] y) { z = Constant<value = float[4] {0,0,0,0}>() a = Add(x, z) y = Reciprocal(a) }"
    )
    x = np.full(4, float(zero), np.float32)
    (y,) = ours(proto, tmp_path, x=x)
    np.testing.assert_array_equal(y, np.full(4, INF))


@pytest.mark.parametrize(
    "selection",
    [
        "p = Gather(x, k)",
        "r = Gather(x, k) p = Neg(r)",
        "p = If(d) <then_branch = a2 () => (float u) { u = Gather(x, k) }, "
        "else_branch = b2 () => (float w) { j = Neg(k) w = Gather(x, j) }>",
    ],
)
def test_indices_of_the_unselected_branch(selection: str, tmp_path: Path) -> None:
    proto = model(
        f"(bool c, bool d, float[8] x, int64 k) => (float y) {{ y = If(c) <then_branch = a () => (float p) "
        f"{{ {selection} }}, else_branch = b () => (float q) {{ q = Constant<value = float {{0}}>() }}> }}"
    )
    artifact = forge_mlir.compile(proto, tmp_path, name="m")
    x = np.arange(1, 9, dtype=np.float32)
    for c, d, k in ((False, True, 10), (False, False, -30), (True, True, 3), (True, True, -2), (True, False, 2)):
        inputs = {"c": np.array(c), "d": np.array(d), "x": x, "k": np.array(k)}
        (y,) = forge_mlir.run(artifact, inputs).values()
        np.testing.assert_array_equal(y, ReferenceEvaluator(proto).run(None, inputs)[0])


ROI_ALIGN = (
    "h = Constant<value = float[1,4] {0, 0, 1, 1}>() j = Slice(r, zero, one, one) i = Squeeze(j, one) "
    "k = Cast<to = 7>(i) p = RoiAlign<sampling_ratio = 1>(x, h, k)"
)


@pytest.mark.parametrize(
    ("selection", "image"),
    [
        ("p = MaxRoiPool<pooled_shape = [1, 1]>(x, r)", 2),
        ("p = MaxRoiPool<pooled_shape = [1, 1]>(x, r)", 1e20),
        ("s = Squeeze(r) k = Cast<to = 7>(s) p = Gather(x, k)", 1e20),
        (ROI_ALIGN, 2),
        (ROI_ALIGN, 1e9),
    ],
)
def test_images_of_the_unselected_branch(selection: str, image: float, tmp_path: Path) -> None:
    """There are two images, so that the number of the image is valid only in the branch that is taken."""
    shape = "[5,2,2,2]" if "Gather" in selection else "[1,2,1,1]"
    proto = model(
        f"(bool c, float[2,2,2,2] x, float[1,5] r) => (float{shape} y) {{ "
        "zero = Constant<value = int64[1] {0}>() one = Constant<value = int64[1] {1}>() "
        f"y = If(c) <then_branch = a () => (float{shape} p) {{ {selection} }}, "
        f"else_branch = b () => (float{shape} q) {{ n = Constant<value = float {{-1}}>() "
        f"z = Constant<value = int64[4] {{{shape[1:-1]}}}>() q = Expand(n, z) }}> }}"
    )
    artifact = forge_mlir.compile(proto, tmp_path, name="m")
    x = np.arange(16, dtype=np.float32).reshape(2, 2, 2, 2)
    regions = np.array([[image, 0, 0, 1, 1]], np.float32)
    (y,) = forge_mlir.run(artifact, {"c": np.array(False), "x": x, "r": regions}).values()
    assert np.all(y == -1)
    regions[0, 0] = 1
    (y,) = forge_mlir.run(artifact, {"c": np.array(True), "x": x, "r": regions}).values()
    assert np.all(y != -1)
    regions[0, 0] = image
    with pytest.raises(ForgeError, match=r"Roi|Gather|Cast"):
        forge_mlir.run(artifact, {"c": np.array(True), "x": x, "r": regions})


@pytest.mark.parametrize("k", [[1, 2], [-1, 2], [-2, -2]])
def test_computed_indices(k: list[int], tmp_path: Path) -> None:
    proto = model(
        "(float[2,8] x, int64[2,1] k) => (float[2,1] y) { t = Constant<value = int64 {3}>() j = Mul(k, t) "
        "y = GatherElements<axis = 1>(x, j) }"
    )
    inputs = {"x": np.arange(16, dtype=np.float32).reshape(2, 8), "k": np.array(k)[:, None]}
    (y,) = ours(proto, tmp_path, **inputs)
    np.testing.assert_array_equal(y, ReferenceEvaluator(proto).run(None, inputs)[0])


@pytest.mark.parametrize(
    ("body", "k"),
    [
        ("y = GatherElements<axis = 1>(x, j)", [3, 1]),
        ("y = GatherElements<axis = 0>(x, j)", [1, 0]),
        ("p = Concat<axis = 1>(z, j) y0 = GatherND(x, p) y = Reshape(y0, s)", [1, 3]),
        ("y = GatherElements<axis = 1>(x, j)", [-3, 1]),
    ],
)
def test_computed_indices_outside_of_their_axis_are_not_those_of_another(
    body: str, k: list[int], tmp_path: Path
) -> None:
    proto = model(
        "(float[2,8] x, int64[2,1] k) => (float[2,1] y) { t = Constant<value = int64 {3}>() j = Mul(k, t) "
        f"z = Constant<value = int64[2,1] {{0, 1}}>() s = Constant<value = int64[2] {{2, 1}}>() {body} }}"
    )
    artifact = forge_mlir.compile(proto, tmp_path, name="m")
    inputs = {"x": np.arange(16, dtype=np.float32).reshape(2, 8), "k": np.array(k)[:, None]}
    with pytest.raises(ForgeError, match=r"Gather.*index -?\d+ is outside of the \d+ elements"):
        forge_mlir.run(artifact, inputs)

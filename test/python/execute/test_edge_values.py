"""Values at the limits of their types give the results of onnxruntime, or an error that names the node."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
import pytest
from onnx import ModelProto

import forge_mlir
from forge_mlir.errors import ForgeError
from sample_models.goldens import assert_same

Array = npt.NDArray[np.generic]
LOWEST, HIGHEST = -(2**31), 2**31 - 1
FLOATS = np.array(
    [np.inf, -np.inf, np.nan, 3.4e38, -3.4e38, 3e19, -3e19, 16, 17, -17, 0.5, -0.5, 1e-40, -1e-40, 0, -0.0] * 3,
    np.float32,
)
PAIRS = [
    (a, b) for a in (LOWEST, LOWEST + 1, -7, 0, 7, HIGHEST - 1, HIGHEST) for b in (LOWEST, LOWEST + 1, -2, 3, HIGHEST)
]


def model(body: str, opset: int = 20) -> ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["": {opset}]> g {body}')


def ours(proto: ModelProto, folder: Path, **inputs: Array) -> Array:
    (result,) = forge_mlir.run(forge_mlir.compile(proto, folder, name="m"), inputs).values()
    return result  # type: ignore[no-any-return]


def check(proto: ModelProto, folder: Path, **inputs: Array) -> None:
    session = onnxruntime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    with np.errstate(all="ignore"):
        assert_same(ours(proto, folder, **inputs), session.run(None, inputs)[0])


def typed(values: object, dtype: str) -> Array:
    return np.array(values, dtype)


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu(approximate: str, tmp_path: Path) -> None:
    proto = model(f'(float[48] x) => (float[48] y) {{ y = Gelu<approximate = "{approximate}">(x) }}')
    check(proto, tmp_path, x=FLOATS)


def test_integer_division(tmp_path: Path) -> None:
    count = len(PAIRS)
    proto = model(f"(int32[{count}] x, int32[{count}] z) => (int32[{count}] y) {{ y = Div(x, z) }}")
    x, z = (np.array(column, np.int32) for column in zip(*PAIRS, strict=True))
    check(proto, tmp_path, x=x, z=z)


@pytest.mark.parametrize("count", [4, 64])
def test_remainders_of_denormal_divisors(count: int, tmp_path: Path) -> None:
    proto = model(f"(float[{count}] x, float[{count}] z) => (float[{count}] y) {{ y = Mod<fmod = 1>(x, z) }}")
    x = np.tile(np.array([1e-40, -5, 5, 3e38], np.float32), count // 4)
    z = np.tile(np.array([1e-41, 1e-40, -1e-40, 1e-42], np.float32), count // 4)
    check(proto, tmp_path, x=x, z=z)


@pytest.mark.parametrize("dtype", ["int8", "int16"])
def test_quotients_of_16_bit_floats_are_rounded_once(dtype: str, tmp_path: Path) -> None:
    proto = model(
        f"(float16[400] x) => ({dtype}[400] y) {{ f = Constant<value = float {{0.1}}>() "
        f"s = Cast<to = 10>(f) z = Constant<value = {dtype} {{0}}>() y = QuantizeLinear(x, s, z) }}",
        opset=21,
    )
    check(proto, tmp_path, x=np.linspace(-300, 300, 400).astype(np.float16))


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_quantised_values_stay_in_range(dtype: str, tmp_path: Path) -> None:
    check(
        model(f"""(float[48] x) => (float[48] y) {{
            s = Constant<value = float {{0.5}}>() z = Constant<value = {dtype} {{3}}>()
            q = QuantizeLinear(x, s, z) y = DequantizeLinear(q, s, z) }}"""),
        tmp_path,
        x=FLOATS,
    )


@pytest.mark.parametrize(
    ("body", "inputs", "words"),
    [
        ("(int32[2] x, int32[2] z) => (int32[2] y) { [div] y = Mod(x, z) }",
         {"x": typed([1, 2], "int32"), "z": typed([1, 0], "int32")}, ["forge.op.Remainder", "division by zero"]),
        ("(int64[2] x) => (int64[1] y) { [sum] y = ReduceSum(x) }",
         {"x": typed([HIGHEST, 1], "int64")}, ["forge.op.ReduceSum", "does not fit Int32"]),
        ("(int64[2] x) => (int64[2] y) { a = Constant<value = int64 {0}>() [sum] y = CumSum(x, a) }",
         {"x": typed([LOWEST, -1], "int64")}, ["forge.op.CumSum", "does not fit Int32"]),
    ],
)  # fmt: skip
def test_values_that_the_device_types_cannot_represent(
    body: str, inputs: dict[str, Array], words: list[str], tmp_path: Path
) -> None:
    with pytest.raises(ForgeError) as caught:
        ours(model(body), tmp_path, **inputs)
    for word in [*words, "node '"]:
        assert word in str(caught.value)


def test_integers_that_just_fit(tmp_path: Path) -> None:
    x = np.array([HIGHEST, 1, LOWEST, -1, 0], np.int64)
    check(model("(int64[5] x) => (int64[1] y) { y = ReduceSum(x) }"), tmp_path, x=x[::2].repeat(2)[:5] // 4)


@pytest.mark.parametrize("op", ["Div", "Mod"])
def test_a_division_by_zero_in_a_branch_that_is_not_taken(op: str, tmp_path: Path) -> None:
    proto = model(f"""(int32[3] x, int32[3] z, bool c) => (int32[3] y) {{
        y = If (c) <then_branch = t () => (int32[3] a) {{ a = {op}(x, z) }},
                    else_branch = e () => (int32[3] b) {{ b = Identity(x) }}> }}""")
    x, zeros, z = typed([7, -8, 9], "int32"), typed([0, 1, 0], "int32"), typed([2, 3, -4], "int32")
    check(proto, tmp_path, x=x, z=zeros, c=typed(False, "bool"))
    check(proto, tmp_path, x=x, z=z, c=typed(True, "bool"))


def test_the_mean_of_large_16_bit_floats(tmp_path: Path) -> None:
    proto = model("(float16[2] x, float16[2] z) => (float16[2] y) { y = Mean(x, z) }")
    y = ours(proto, tmp_path, x=typed([60000, 1], "float16"), z=typed([52000, 2], "float16"))
    np.testing.assert_array_equal(y, typed([56000, 1.5], "float16"))


def test_a_circular_cache_write_beyond_twice_its_size(tmp_path: Path) -> None:
    proto = model(
        """(float[2,5,3] x, float[2,2,3] u, int64[2] i) => (float[2,5,3] y) {
        y = TensorScatter<axis = 1, mode = "circular">(x, u, i) }""",
        opset=24,
    )
    x, u = np.zeros((2, 5, 3), np.float32), np.arange(1, 13, dtype=np.float32).reshape(2, 2, 3)
    check(proto, tmp_path, x=x, u=u, i=typed([14, 6], "int64"))


@pytest.mark.parametrize("mode", ["linear", "nearest"])
@pytest.mark.parametrize("far", [1e10, -1e20, np.inf])
def test_a_coordinate_far_outside_is_reflected_into_the_image(mode: str, far: float, tmp_path: Path) -> None:
    proto = model(
        "(float[1,1,4,4] x, float[1,1,1,2] g) => (float[1,1,1,1] y) "
        f'{{ y = GridSample<mode = "{mode}", padding_mode = "reflection">(x, g) }}'
    )
    x = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    assert 0 <= ours(proto, tmp_path, x=x, g=np.array([[[[far, 0]]]], np.float32)).item() <= 15

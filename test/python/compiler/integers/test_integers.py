"""Integers: results are exact if they fit Int32, otherwise an error names the node; and what can be proven at compile
time."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

import forge_mlir
from forge_mlir.errors import ForgeError
from forge_mlir.importer import OnnxImportError, import_onnx
from forge_mlir.report.check import check
from sample_models.goldens import assert_same

Array = npt.NDArray[np.generic]
LOWEST, HIGHEST = -(2**31), 2**31 - 1


def model(body: str, opset: int = 18) -> ModelProto:
    return onnx.parser.parse_model(f'<ir_version: 9, opset_import: ["": {opset}]> g {body}')


def ort(proto: ModelProto, **inputs: Array) -> Array:
    session = onnxruntime.InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, inputs)[0]  # type: ignore[no-any-return]


def ours(proto: ModelProto, folder: Path, **inputs: Array) -> Array:
    (result,) = forge_mlir.run(forge_mlir.compile(proto, folder, name="m", force=True), inputs).values()
    return result  # type: ignore[no-any-return]


def same(proto: ModelProto, folder: Path, **inputs: Array) -> None:
    np.testing.assert_array_equal(ours(proto, folder, **inputs), ort(proto, **inputs))


def int64(*values: int) -> Array:
    return np.array(values, np.int64)


# Graphs of one node that leaves Int32 for these inputs, but not int64.
OVERFLOWS = {
    "Add": ("[the] y = Add(x, z)", (HIGHEST, 1), (1, 0)),
    "Sub": ("[the] y = Sub(x, z)", (LOWEST, 0), (1, 0)),
    "Mul": ("[the] y = Mul(x, z)", (1 << 20, 0), (1 << 20, 0)),
    "Neg": ("[the] y = Neg(x)", (LOWEST, 0), (0, 0)),
    "Abs": ("[the] y = Abs(x)", (LOWEST, 0), (0, 0)),
    "Pow": ("[the] y = Pow(x, z)", (3, 2), (40, 0)),
    "Div": ("[the] y = Div(x, z)", (LOWEST, 2), (-1, 1)),
    "CumSum": ("a = Constant<value_int = 0>() [the] y = CumSum(x, a)", (HIGHEST, 1), (0, 0)),
    "ReduceSum": ("[the] y = ReduceSum<keepdims = 1>(x)", (HIGHEST, 1), (0, 0)),
    "ReduceProd": ("[the] y = ReduceProd<keepdims = 1>(x)", (1 << 20, 1 << 20), (0, 0)),
    "ReduceL1": ("[the] y = ReduceL1<keepdims = 1>(x)", (LOWEST, 0), (0, 0)),
    "Einsum": ('[the] y = Einsum<equation = "i,j->i">(x, z)', (1 << 20, 0), (1 << 20, 0)),
    "MatMul": ("[the] y = MatMul(x, z)", (1 << 20, 0), (1 << 20, 0)),
}


@pytest.mark.parametrize("op", OVERFLOWS)
def test_the_first_overflow_names_the_node(op: str, tmp_path: Path) -> None:
    body, x, z = OVERFLOWS[op]
    inputs = {"x": int64(*x)} | ({"z": int64(*z)} if "z)" in body else {})
    proto = model(f"({', '.join(f'int64[2] {name}' for name in inputs)}) => (int64[2] y) {{ {body} }}")
    proto.graph.output[0].type.tensor_type.ClearField("shape")
    ort(proto, **inputs)  # ONNX defines a result.
    with pytest.raises(ForgeError, match=r"FM5012.*node 'the'.*does not fit Int32"):
        ours(proto, tmp_path, **inputs)


@pytest.mark.parametrize("value", [3e9, -3e9])
def test_a_float_outside_int32_is_not_cast(value: float, tmp_path: Path) -> None:
    proto = model("(float[1] x) => (int64[1] y) { [the] y = Cast<to = 7>(x) }")
    with pytest.raises(ForgeError, match=r"FM5012.*node 'the'.*does not fit Int32"):
        ours(proto, tmp_path, x=np.array([value], np.float32))


@pytest.mark.parametrize("op", ["Mod", "Div"])
def test_a_division_by_a_zero_that_comes_at_run_time_names_the_node(op: str, tmp_path: Path) -> None:
    proto = model(f"(int64[2] x, int64[2] z) => (int64[2] y) {{ [the] y = {op}(x, z) }}")
    with pytest.raises(ForgeError, match=r"FM5012.*node 'the'"):
        ours(proto, tmp_path, x=int64(1, 2), z=int64(1, 0))


EXTREMES = [LOWEST, LOWEST + 1, -46341, -7, -2, -1, 0, 1, 2, 7, 46341, 65536, HIGHEST - 1, HIGHEST]


@pytest.mark.parametrize("op", ["Div", "Mod", "Max", "Min", "Less", "Equal", "BitwiseAnd", "BitwiseOr", "BitwiseXor"])
def test_no_step_of_an_op_leaves_int32_before_its_result_does(op: str, tmp_path: Path) -> None:
    pairs = [(a, b) for a in EXTREMES for b in EXTREMES if op not in ("Div", "Mod") or (b and (a, b) != (LOWEST, -1))]
    x, z = (np.array(column, np.int32) for column in zip(*pairs, strict=True))
    result = "bool" if op in ("Less", "Equal") else "int32"
    count = len(pairs)
    same(
        model(f"(int32[{count}] x, int32[{count}] z) => ({result}[{count}] y) {{ y = {op}(x, z) }}"), tmp_path, x=x, z=z
    )


def test_powers_of_every_sign(tmp_path: Path) -> None:
    pairs = [(a, b) for a in (-3, -2, -1, 0, 1, 2, 3, 7) for b in (0, 1, 2, 3, 10, 11, 61, 62, 63, 64, 65, HIGHEST)]
    pairs = [(a, b) for a, b in pairs if abs(a) < 2 or abs(a) ** min(b, 99) <= HIGHEST]
    x, z = (np.array(column, np.int32) for column in zip(*pairs, strict=True))
    proto = model(f"(int32[{len(x)}] x, int32[{len(x)}] z) => (int32[{len(x)}] y) {{ y = Pow(x, z) }}")
    expected = [a**b for a, b in pairs]
    assert ours(proto, tmp_path, x=x, z=z).tolist() == expected


@pytest.mark.parametrize(("base", "exponent"), [("float", "int32"), ("float", "int64"), ("float16", "int32")])
def test_powers_of_floats_know_whether_a_large_exponent_is_odd(base: str, exponent: str, tmp_path: Path) -> None:
    odd = 2**24 + 1
    pairs = [
        (a, sign * b) for a in (-1, -0.0, 0.0, 1, np.inf, -np.inf) for b in (odd, odd + 1, HIGHEST) for sign in (1, -1)
    ]
    pairs += [(-2, -4097), (1.5, -7), (-2, 5), (3, 0), (0.0, 0), (-1, LOWEST), (2, LOWEST), (-1, 2049)]
    x, z = (np.array(column) for column in zip(*pairs, strict=True))
    proto = model(f"({base}[{len(x)}] x, {exponent}[{len(x)}] z) => ({base}[{len(x)}] y) {{ y = Pow(x, z) }}")
    x, z = x.astype({"float": np.float32}.get(base, np.float16)), z.astype(exponent)
    with np.errstate(divide="ignore", under="ignore"):
        expected = np.power(x.astype(np.float64), z.astype(np.float64)).astype(x.dtype)
    found = ours(proto, tmp_path, x=x, z=z)
    assert_same(found[:, None], expected[:, None], 1e-3 if base == "float16" else 1e-6)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16"])
@pytest.mark.parametrize("op", ["Add", "Sub", "Mul"])
def test_narrow_integers_wrap(op: str, dtype: str, tmp_path: Path) -> None:
    info = np.iinfo(dtype)
    values = np.array([info.min, info.min + 1, 0, 1, 2, 3, info.max // 2, info.max - 1, info.max], dtype)
    x, z = (grid.ravel() for grid in np.meshgrid(values, values))
    proto = model(f"({dtype}[{len(x)}] x, {dtype}[{len(x)}] z) => ({dtype}[{len(x)}] y) {{ y = {op}(x, z) }}")
    with np.errstate(over="ignore"):
        expected = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply}[op](x, z)
    np.testing.assert_array_equal(ours(proto, tmp_path, x=x, z=z), expected)


@pytest.mark.parametrize(
    "shapes", ["[3,4] [4,5]", "[2,3,4] [4,5]", "[4] [4,5]", "[3,4] [4]", "[4] [4]", "[2,1,3,4] [5,4,2]"]
)
def test_products_of_integer_matrices(shapes: str, tmp_path: Path) -> None:
    x, z = (np.random.default_rng(0).integers(-9, 9, eval(shape)).astype(np.int64) for shape in shapes.split())
    proto = model(f"(int64{shapes.split()[0]} x, int64{shapes.split()[1]} z) => (int64 y) {{ y = MatMul(x, z) }}")
    proto.graph.output[0].type.tensor_type.ClearField("shape")
    same(proto, tmp_path, x=x, z=z)


def test_gemm_of_integers(tmp_path: Path) -> None:
    body = "y = Gemm<transA = 1, transB = 1, alpha = 2.0, beta = 3.0>(a, b, c)"
    proto = model(f"(int32[4,3] a, int32[5,4] b, int32[5] c) => (int32[3,5] y) {{ {body} }}")
    a, b, c = (np.arange(n, dtype=np.int32) - 7 for n in (12, 20, 5))
    result = ours(proto, tmp_path, a=a.reshape(4, 3), b=b.reshape(5, 4), c=c)
    np.testing.assert_array_equal(result, 2 * a.reshape(4, 3).T @ b.reshape(5, 4).T + 3 * c)


def test_a_matrix_of_integers_times_a_fraction_is_refused(tmp_path: Path) -> None:
    proto = model("(int32[2,2] a, int32[2,2] b) => (int32[2,2] y) { [the] y = Gemm<alpha = 0.5>(a, b) }")
    with pytest.raises(ForgeError, match=r"FM1503.*'the'.*round"):
        forge_mlir.compile(proto, tmp_path)


# Proofs


CHAIN = """(int64[4] ids, int64[4] other, float[9,3] table) => (float[4,3] y, int64[4] z) {
    one = Constant<value_int = 1>()
    low = Constant<value_int = 0>()
    high = Constant<value_int = 8>()
    [sum] s = Add(ids, one)
    [clip] c = Clip(s, low, high)
    [gather] y = Gather(table, c)
    [square] z = Mul(other, other)
}"""


def test_check_lists_unproven_nodes_and_the_inputs_to_bound() -> None:
    found = {row.name: row for row in check(model(CHAIN)).integers}
    assert found.keys() == {"sum", "square"}
    assert (found["sum"].op, found["sum"].opset, found["sum"].inputs) == ("Add", 18, ("ids",))
    assert found["square"].inputs == ("other",)
    assert "4.6e+18" in found["square"].reason


def test_bounds_prove_it() -> None:
    bounded = check(model(CHAIN), ranges={"ids": (0, HIGHEST)}, integers="proven")
    assert [row.name for row in bounded.refused] == ["square"]
    verdict = check(model(CHAIN), ranges={"ids": (0, HIGHEST), "other": (-46340, 46341)}, integers="proven")
    assert verdict.supported
    assert verdict.integers == ()
    # With one more, it is not proven.
    verdict = check(model(CHAIN), ranges={"ids": (0, HIGHEST), "other": (-46341, 46341)}, integers="proven")
    assert [row.name for row in verdict.refused] == ["square"]


def test_proven_refuses_all_nodes_in_one_run() -> None:
    verdict = check(model(CHAIN), integers="proven")
    assert {(row.code, row.name, row.op, row.bind) for row in verdict.refused} == {
        ("FM1306", "sum", "Add", ("ids",)),
        ("FM1306", "square", "Mul", ("other",)),
    }


def test_the_manifest_lists_unproven_nodes_and_ranges(tmp_path: Path) -> None:
    manifest = forge_mlir.compile(model(CHAIN), tmp_path, ranges={"ids": (0, 5)}).manifest()
    assert [(row["node"], row["inputs"]) for row in manifest["unproven_integers"]] == [("square", ["other"])]
    assert manifest["onnx"]["inputs"][0]["range"] == [0, 4]


@pytest.mark.parametrize("fallback", ["error", "cpu"])
def test_run_holds_inputs_to_their_ranges(fallback: str, tmp_path: Path) -> None:
    proto = model("(int64[2] ids, float[9,3] t) => (float[2,3] y, float[9,3] z) { y = Gather(t, ids) z = Gelu(t) }", 20)
    cpu = {"cpu_ops": ["Gelu"]} if fallback == "cpu" else {}
    artifact = forge_mlir.compile(proto, tmp_path, ranges={"ids": (0, 9)}, fallback=fallback, **cpu)  # type: ignore[arg-type]
    table = np.arange(27, dtype=np.float32).reshape(9, 3)
    np.testing.assert_array_equal(forge_mlir.run(artifact, {"ids": int64(8, 0), "t": table})["y"], table[[8, 0]])
    for wrong in (-1, 9):
        with pytest.raises(ForgeError, match=rf"FM5003.*input 'ids': {wrong} is outside \[0, 8\]"):
            forge_mlir.run(artifact, {"ids": int64(1, wrong), "t": table})


@pytest.mark.parametrize("fallback", ["error", "cpu"])
def test_run_refuses_indices_outside_of_their_axis(fallback: str, tmp_path: Path) -> None:
    proto = model(
        """(int64[1,2] ids, float[9,3] t, float[7,3] u) => (float[2,3] y, float[1,2,3] z, float[2,3] g)
        { shape = Constant<value = int64[1] {2}>() flat = Reshape(ids, shape)
          y = Gather(t, flat) z = Gather(u, ids) g = Gelu(y) }""",
        20,
    )
    cpu = {"cpu_ops": ["Gelu"]} if fallback == "cpu" else {}
    artifact = forge_mlir.compile(proto, tmp_path, fallback=fallback, **cpu)  # type: ignore[arg-type]
    t, u = np.arange(27, dtype=np.float32).reshape(9, 3), np.arange(21, dtype=np.float32).reshape(7, 3)
    for right in (int64(0, 6), int64(-7, -1)):
        results = forge_mlir.run(artifact, {"ids": right[None], "t": t, "u": u})
        np.testing.assert_array_equal(results["y"], t[right])
        np.testing.assert_array_equal(results["z"], u[right][None])
    for wrong in (-8, 7, 8):  # Index 8 is in the range of only one of the two embeddings.
        with pytest.raises(ForgeError, match=rf"FM5003.*input 'ids': {wrong} is an index outside of \[-7, 6\]"):
            forge_mlir.run(artifact, {"ids": int64(1, wrong)[None], "t": t, "u": u})


@pytest.mark.parametrize(
    ("ranges", "reason"),
    [
        ({"nothing": (0, 1)}, "there is no input 'nothing'"),
        ({"table": (0, 1)}, "'table'.*a range is of integers, but its type is float32"),
        ({"ids": (5, 5)}, "'ids'.*no integer of int64 that Int32 can hold"),
    ],
)
def test_ranges_that_make_no_sense_are_refused(ranges: dict[str, tuple[int, int]], reason: str) -> None:
    with pytest.raises(OnnxImportError, match=reason):
        forge_mlir.compile(model(CHAIN), "unused", ranges=ranges)


def test_a_range_is_one_of_the_type(tmp_path: Path) -> None:
    proto = model("(uint8[2] n) => (float[2] y) { y = Cast<to = 1>(n) }")
    artifact = forge_mlir.compile(proto, tmp_path, ranges={"n": (-5, 10)})
    assert artifact.manifest()["onnx"]["inputs"][0]["range"] == [0, 9]
    with pytest.raises(OnnxImportError, match="no integer of uint8"):
        forge_mlir.compile(proto, "unused", ranges={"n": (300, 400)})


def test_an_index_that_cannot_be_negative_needs_no_guard(tmp_path: Path) -> None:
    proto = model("(int64[2] ids, float[9,3] t) => (float[2,3] y) { y = Gather(t, ids) }")
    assert calls(proto, tmp_path / "any") == ["Remainder", "Embedding"]
    assert calls(proto, tmp_path / "bounded", ranges={"ids": (0, None)}) == ["Embedding"]
    found = "(float[4,9] x, float[9,3] t) => (float[4,3] y) { i = ArgMax<axis = 1, keepdims = 0>(x) y = Gather(t, i) }"
    assert "Where" not in calls(model(found), tmp_path / "found")


def calls(proto: ModelProto, folder: Path, **options: Any) -> list[str]:
    """The Forge calls of the module, without constants."""
    text = forge_mlir.compile(proto, folder, name="m", **options).module_path.read_text()
    return [call for call in re.findall(r"forge\.op\.(\w+)\(", text) if call != "Constant"]


def test_bounds_outside_int32_are_removed(tmp_path: Path) -> None:
    proto = model(
        """(int64[3] x) => (int64[3] y) {
            low = Constant<value_int = -9223372036854775807>()
            high = Constant<value_int = 9223372036854775807>()
            y = Clip(x, low, high)
        }"""
    )
    same(proto, tmp_path, x=int64(LOWEST, 0, HIGHEST))


# Values of initializers that are not small


def initialized(body: str, opset: int = 18, **initializers: Array) -> ModelProto:
    proto = model(body, opset)
    proto.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in initializers.items())
    return proto


ROWS = np.random.default_rng(0).permutation(400)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_many_constant_indices(dtype: type, tmp_path: Path) -> None:
    x = np.random.default_rng(1).standard_normal((400, 2)).astype(np.float32)
    same(initialized("(float[400,2] x) => (float[400,2] y) { y = Gather(x, i) }", i=ROWS.astype(dtype)), tmp_path, x=x)
    elements = np.stack([ROWS, ROWS[::-1]], 1).astype(dtype)
    body = "(float[400,2] x) => (float[400,2] y) { y = GatherElements<axis = 0>(x, i) }"
    same(initialized(body, i=elements), tmp_path, x=x)


def test_many_updates_are_scattered(tmp_path: Path) -> None:
    body = "(float[400,2] x, float[400,2] u) => (float[400,2] y) { y = ScatterND(x, i, u) }"
    x = np.zeros((400, 2), np.float32)
    u = np.arange(800, dtype=np.float32).reshape(400, 2)
    same(initialized(body, i=ROWS.reshape(-1, 1)), tmp_path, x=x, u=u)


def test_many_constant_conditions(tmp_path: Path) -> None:
    condition = np.arange(1500) % 3 == 0
    x = np.arange(1500, dtype=np.float32)
    same(initialized("(float[1500] x) => (float[500] y) { y = Compress(x, c) }", c=condition), tmp_path, x=x)


@pytest.mark.parametrize("largest", [0, 1])
def test_wide_constants_are_sorted(largest: int, tmp_path: Path) -> None:
    body = f"""(int64[3] x) => (int64[3] y) {{
        k = Constant<value_ints = [3]>()
        v, i = TopK<largest = {largest}>(c, k)
        d = Sub(v, c)
        y = Add(x, d)
    }}"""
    wide = int64(-(2**40), 5 - 2**40, 3 - 2**40) if largest else int64(2**40, 2**40 - 5, 2**40 - 3)
    same(initialized(body, c=wide), tmp_path, x=int64(0, 0, 0))


def test_the_mean_of_wide_constants(tmp_path: Path) -> None:
    body = "(int64[1] x) => (int64[1] y) { m = ReduceMean(c) d = Sub(m, c1) y = Add(x, d) }"
    same(initialized(body, c=int64(2**40, 2**40 + 6), c1=int64(2**40)), tmp_path, x=int64(0))


def test_an_ignored_label_beyond_the_type_of_labels(tmp_path: Path) -> None:
    body = f"""(float[2,3] x, int32[2] t) => (float[2] y) {{
        y = NegativeLogLikelihoodLoss<ignore_index = {2**32}, reduction = "none">(x, t)
    }}"""
    same(model(body), tmp_path, x=np.arange(1, 7, dtype=np.float32).reshape(2, 3), t=np.array([0, 1], np.int32))


def test_narrow_integers_stay_weights() -> None:
    body = "(float[2] x) => (float[100,100] y) { y = DequantizeLinear(w, s, z) }"
    proto = initialized(body, w=np.eye(100, dtype=np.int8), s=np.float32(0.5), z=np.int8(0))
    assert [weight.name for weight in import_onnx(proto).weights.values()] == ["w"]


# Refusals that users did not understand


@pytest.mark.parametrize("opset", [18, 20])
def test_group_normalization_as_it_was_first(opset: int, tmp_path: Path) -> None:
    body = """(float[2,4,3] x, float[2] s, float[2] b) => (float[2,4,3] y) {
        n = GroupNormalization<num_groups = 2>(x, s, b)
        y = Relu(n)
    }"""
    rng = np.random.default_rng(0)
    x, s, b = (rng.standard_normal(shape).astype(np.float32) for shape in ((2, 4, 3), 2, 2))
    groups = x.reshape(2, 2, 6)
    normal = (groups - groups.mean(2, keepdims=True)) / np.sqrt(groups.var(2, keepdims=True) + 1e-5)
    expected = np.maximum(normal * s.reshape(1, 2, 1) + b.reshape(1, 2, 1), 0).reshape(2, 4, 3)
    assert_same(ours(model(body, opset), tmp_path, x=x, s=s, b=b), expected)


def test_unused_strings_are_accepted(tmp_path: Path) -> None:
    proto = model('(float[2] x) => (float[2] y) { t = Constant<value_string = "text">() y = Relu(x) }')
    proto.graph.initializer.append(helper.make_tensor("labels", TensorProto.STRING, [2], [b"cat", b"dog"]))
    same(proto, tmp_path, x=np.array([-1, 1], np.float32))


def test_a_window_of_one_element_without_a_period(tmp_path: Path) -> None:
    body = """(float[1] x) => (float[1] y) {
        n = Constant<value_int = 1>()
        w = BlackmanWindow<periodic = 0>(n)
        y = Add(x, w)
    }"""
    same(model(body), tmp_path, x=np.zeros(1, np.float32))

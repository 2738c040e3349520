"""Weights that are computed when the weights file is written: numpy is compared with the CPU reference, and C++ with
numpy."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

import forge_mlir
from forge_mlir import ForgeError
from forge_mlir.artifact import recipe
from forge_mlir.artifact.recipe import COMPUTED_OPS, Recipe
from forge_mlir.artifact.weights_file import WeightsFile
from forge_mlir.onnx_model.storage.weights import WeightRef
from forge_mlir.verify import verify_model
from sample_models.tools import run_tool

RNG = np.random.default_rng(7)


def ref(array: Any) -> WeightRef:
    array = np.ascontiguousarray(array)
    return WeightRef("w", array.dtype.name, array.shape, array.nbytes, data=array.tobytes())


def leaf(array: Any, dtype: str = "float32") -> dict[str, Any]:
    return {"key": "w", "dtype": dtype, "shape": list(array.shape)}


def step(op: str, operands: list[int], shape: tuple[int, ...], dtype: str = "float32", **attributes: Any) -> Any:
    return {"op": op, "operands": operands, "shape": list(shape), "dtype": dtype, **attributes}


def computed(steps: list[Any], array: Any, dtype: Any = np.float32) -> Any:
    data = b"".join(Recipe("w", steps, {"w": ref(array)}).chunks())
    return np.frombuffer(data, dtype).reshape(steps[-1]["shape"])


def test_movement() -> None:
    x = RNG.standard_normal((6, 4, 10)).astype(np.float32)
    steps = [
        leaf(x),
        step("index", [0], (6, 4, 3), dim=-1, start=1, stop=8, stride=3),
        step("transpose", [1], (4, 6, 3), dim0=-3, dim1=-2),
        step("reshape", [2], (4, 18)),
        {"splat": "0.0", "dtype": "float32", "shape": [4, 2]},
        step("concatenate", [4, 3], (4, 20), axis=-1),
        step("repeat", [5], (8, 20), repeats=[2, 1]),
    ]
    expected = np.tile(np.pad(x[:, :, 1:8:3].transpose(1, 0, 2).reshape(4, 18), ((0, 0), (2, 0))), (2, 1))
    assert np.array_equal(computed(steps, x), expected)


@pytest.mark.parametrize("chunk", [1, 100, 1 << 20])
def test_arithmetic_in_chunks(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe, "CHUNK", chunk)
    x = RNG.standard_normal((9, 7)).astype(np.float32)
    steps = [
        leaf(x),
        {"hex": np.arange(1, 8, dtype=np.float32).tobytes().hex(), "dtype": "float32", "shape": [7]},
        {"splat": "0.5", "dtype": "float32", "shape": [1]},
        step("add", [1, 2], (7,)),
        step("sqrt", [3], (7,)),
        step("divide", [0, 4], (9, 7)),
        step("index", [5], (9, 1), dim=1, start=0, stop=1, stride=1),
        step("subtract", [5, 6], (9, 7)),
        step("multiply", [7, 0], (9, 7)),
    ]
    scaled = x.astype(np.float64) / np.sqrt(np.arange(1, 8) + 0.5)
    expected = (scaled - scaled[:, :1]) * x
    assert np.allclose(computed(steps, x), expected, rtol=1e-7, atol=0)


def test_functions_and_contractions() -> None:
    x = RNG.standard_normal((6, 4)).astype(np.float32)
    steps = [
        leaf(x),
        step("sine", [0], (6, 4)),
        step("cosine", [0], (6, 4)),
        step("relu", [0], (6, 4)),
        step("reduce_avg", [3], (6, 1), dim=-1, keep_dim=True),
        step("subtract", [1, 4], (6, 4)),
        step("transpose", [2], (4, 6), dim0=0, dim1=1),
        step("matmul", [5, 6], (6, 6)),
    ]
    wide = x.astype(np.float64)
    centred = np.sin(wide) - np.maximum(wide, 0).mean(axis=1, keepdims=True)
    assert np.allclose(computed(steps, x), centred @ np.cos(wide).T, rtol=1e-6, atol=1e-6)


def test_a_product_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe, "CHUNK", 64)
    x = RNG.standard_normal((50, 3)).astype(np.float32)
    row = {"hex": np.arange(50, dtype=np.float32).tobytes().hex(), "dtype": "float32", "shape": [50]}
    expected = np.arange(50) @ x.astype(np.float64)
    assert np.allclose(computed([leaf(x), row, step("matmul", [1, 0], (3,))], x), expected, rtol=1e-6)


def test_embedding() -> None:
    x = RNG.standard_normal((5, 4)).astype(np.float32)

    def indices(*values: int) -> dict[str, Any]:
        return {"hex": np.array(values, np.int32).tobytes().hex(), "dtype": "int32", "shape": [len(values)]}

    rows = computed([leaf(x), indices(3, 0, 3), step("embedding", [1, 0], (3, 4))], x)
    assert np.array_equal(rows, x[[3, 0, 3]])
    columns = computed([leaf(x), indices(2, 1), step("adv_index", [0, 1], (5, 2), dim=-1)], x)
    assert np.array_equal(columns, x[:, [2, 1]])
    for outside in (-1, 5):
        with pytest.raises(ForgeError, match="outside of its axis of 5"):
            computed([leaf(x), indices(outside), step("embedding", [1, 0], (1, 4))], x)


def test_repeated_elements() -> None:
    x = RNG.standard_normal((2, 3)).astype(np.float32)
    columns = computed([leaf(x), step("repeat_interleave", [0], (2, 6), repeats=2, dim=-1)], x)
    assert np.array_equal(columns, x[:, [0, 0, 1, 1, 2, 2]])


def test_casts_round_immediately() -> None:
    x = np.array([1.0, 1.0 + 2.0**-12, 3.0], np.float32)
    steps = [leaf(x), step("cast", [0], (3,), "float16"), step("cast", [1], (3,)), step("add", [2, 0], (3,))]
    assert np.array_equal(computed(steps, x), x.astype(np.float16).astype(np.float32) + x)


@pytest.mark.parametrize(
    ("dtype", "how", "most"),
    [("float16", {}, np.inf), ("bfloat16", {}, np.inf), ("bfloat16", {"saturates": True}, 2.0**128 - 2.0**120)],
)
def test_casts_beyond_the_range(dtype: str, how: dict[str, Any], most: float) -> None:
    x = np.array([1, -3.4028234663852886e38, 3.4e38, -np.inf, np.nan], np.float32)
    steps = [leaf(x), step("cast", [0], (5,), dtype, **how), step("cast", [1], (5,))]
    expected = np.array([1, -most, most, -np.inf, np.nan], np.float32)
    assert np.array_equal(computed(steps, x), expected, equal_nan=True)


@pytest.mark.parametrize("element", [TensorProto.FLOAT16, TensorProto.BFLOAT16])
def test_a_mask_beyond_the_type_that_the_model_casts_it_to(element: int, tmp_path: Path) -> None:
    """The mask is a weight of more bytes than the IR contains."""
    mask = np.triu(np.full((32, 32), np.finfo(np.float32).min), 1).astype(np.float32)
    nodes = [
        helper.make_node("Cast", ["mask"], ["narrow"], to=element),
        helper.make_node("Cast", ["narrow"], ["wide"], to=TensorProto.FLOAT),
        helper.make_node("Add", ["x", "wide"], ["y"]),
    ]
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [32, 32]) for name in "xy"]
    graph = helper.make_graph(nodes, "g", infos[:1], infos[1:], [numpy_helper.from_array(mask, "mask")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    artifact = forge_mlir.compile(model, tmp_path)
    x = np.ones((32, 32), np.float32)
    assert np.array_equal(forge_mlir.run(artifact, {"x": x})["y"], np.where(mask < 0, -np.inf, x))


def test_values_that_do_not_fit() -> None:
    x = np.array([1 << 40])
    with pytest.raises(ForgeError, match="holds 1099511627776, which does not fit int32"):
        computed([leaf(x, "int32"), step("reshape", [0], (1, 1), "int32")], x, np.int32)
    y = np.zeros((3, 4), np.float32)
    with pytest.raises(ForgeError, match=r"of shape \(3, 4\), but \[4, 4\] is needed"):
        computed([{**leaf(y), "shape": [4, 4]}, step("reshape", [0], (16,))], y)


def program(dtype: Any) -> ModelProto:
    """A batch norm after a convolution and a scaled projection, whose weights C++ and Python compute."""
    inits = {
        "w": RNG.standard_normal((64, 8, 3, 3)),
        "scale": RNG.uniform(0.5, 2, 64),
        "bias": RNG.standard_normal(64),
        "mean": RNG.standard_normal(64),
        "var": RNG.uniform(0.1, 2, 64),
        "fc": RNG.standard_normal((32, 64)),
    }
    nodes: list[NodeProto] = [
        helper.make_node("Conv", ["x", "w"], ["c"], "conv"),
        helper.make_node("BatchNormalization", ["c", "scale", "bias", "mean", "var"], ["n"], "norm"),
        helper.make_node("GlobalAveragePool", ["n"], ["p"], "pool"),
        helper.make_node("Flatten", ["p"], ["f"], "flatten"),
        helper.make_node("Gemm", ["f", "fc"], ["y"], "gemm", transB=1),
    ]
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", kind, [1, 8, 6, 6])],
        [helper.make_tensor_value_info("y", kind, [1, 32])],
        [numpy_helper.from_array(array.astype(dtype), name) for name, array in inits.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_a_product_of_weights_that_overflows(tmp_path: Path) -> None:
    """The values of large weights are not known to rewrites. The error names an option with which nothing overflows."""
    names = ("a", "b")
    data = np.linspace(1e30, 2e30, 4096, dtype=np.float32)
    weights = [numpy_helper.from_array(data, name) for name in names]
    nodes = [helper.make_node("Mul", ["x", "a"], ["t"]), helper.make_node("Mul", ["t", "b"], ["y"])]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4096]) for name in "xy"]
    graph = helper.make_graph(nodes, "g", values[:1], values[1:], weights)
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with pytest.raises(ForgeError, match="float32; with --optimize=exact the program computes it"):
        forge_mlir.compile(proto, tmp_path / "merged")
    artifact = forge_mlir.compile(proto, tmp_path / "exact", optimize="exact")
    x = np.full((1, 4096), 1e-30, np.float32)
    (y,) = forge_mlir.run(artifact, {"x": x}).values()
    np.testing.assert_allclose(y, x * data * data, rtol=1e-6)


def test_a_program_of_calls_only(tmp_path: Path) -> None:
    """The norm is folded into the weights of the convolution, the weight of the projection is transposed, and neither
    needs a call."""
    artifact = forge_mlir.compile(program(np.float32), tmp_path, name="m")
    text = artifact.module_path.read_text()
    assert text.count("forge.op.Conv2d") == 1
    for op in ("Multiply", "Subtract", "Divide", "Sqrt", 'Transpose("", self'):
        assert f"forge.op.{op}" not in text
    weights = {entry["name"]: entry for entry in artifact.manifest()["weights"]}
    assert weights["w"]["computed_from"] == ["w", "scale", "var"]
    assert "source" not in weights["w"]
    stored = load_file(artifact.weights_path)
    assert stored["fc"].shape == (64, 32)


def one_number() -> ModelProto:
    """A batch norm after a convolution whose 73,728 weights are a splat, and a product with a matrix that is a
    splat."""
    inits = {
        "w_shape": np.array([64, 128, 3, 3]),
        "fc_shape": np.array([64, 70]),
        **{name: RNG.uniform(0.5, 2, 64).astype(np.float32) for name in ("scale", "bias", "mean", "var")},
        "columns": RNG.standard_normal(70).astype(np.float32),
    }
    nodes = [
        *(
            helper.make_node(
                "ConstantOfShape", [f"{name}_shape"], [name], name, value=helper.make_tensor("v", 1, [1], [number])
            )
            for name, number in (("w", 0.01), ("fc", 0.5))
        ),
        helper.make_node("Conv", ["x", "w"], ["c"], "conv"),
        helper.make_node("BatchNormalization", ["c", "scale", "bias", "mean", "var"], ["n"], "norm"),
        helper.make_node("GlobalAveragePool", ["n"], ["p"], "pool"),
        helper.make_node("Flatten", ["p"], ["f"], "flatten"),
        helper.make_node("MatMul", ["f", "fc"], ["m"], "product"),
        helper.make_node("Mul", ["m", "columns"], ["y"], "scaled"),
    ]
    shapes = {"x": [1, 128, 6, 6], "y": [1, 70]}
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    tensors = [numpy_helper.from_array(array, name) for name, array in inits.items()]
    graph = helper.make_graph(nodes, "g", infos[:1], infos[1:], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def test_equal_elements_are_stored_once(tmp_path: Path) -> None:
    onnx.save(one_number(), tmp_path / "m.onnx")
    artifact = forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "m")
    stored = load_file(artifact.weights_path)
    shapes = {tuple(entry["shape"]): stored[entry["tensor"]].shape for entry in artifact.manifest()["weights"]}
    assert shapes == {(64, 128, 3, 3): (64, 1, 1, 1), (64,): (64,), (64, 70): (1, 70)}
    assert verify_model(tmp_path / "m.onnx").passed


def test_means_of_equal_elements(tmp_path: Path) -> None:
    """A bias and a scale that are splats: their product has all of its elements where its mean is computed."""
    inits = {
        "w": RNG.standard_normal((8, 8)).astype(np.float32),
        "b": np.full(8, 0.25, np.float32),
        "g": np.full(8, 0.1, np.float32),
        "one": np.ones(8, np.float32),
        "v": RNG.standard_normal((8, 4)).astype(np.float32),
    }
    nodes = [
        helper.make_node("Gemm", ["x", "w", "b"], ["p"], "product"),
        helper.make_node("Mul", ["p", "g"], ["s"], "scale"),
        helper.make_node("LayerNormalization", ["s", "one"], ["n"], "norm"),
        helper.make_node("MatMul", ["n", "v"], ["y"], "out"),
    ]
    infos = [helper.make_tensor_value_info(*info) for info in (("x", 1, [3, 8]), ("y", 1, [3, 4]))]
    tensors = [numpy_helper.from_array(array, name) for name, array in inits.items()]
    graph = helper.make_graph(nodes, "g", infos[:1], infos[1:], tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), tmp_path / "m.onnx")
    artifact = forge_mlir.compile(tmp_path / "m.onnx", tmp_path / "m")
    assert "Subtract" not in artifact.module_path.read_text()
    assert verify_model(tmp_path / "m.onnx").passed


W = "tensor<8x8xf32>"
# For each op: a line that applies it to weights, and the type of its result.
ON_WEIGHTS = {
    **{op: (f"forge.{op} %w, %v : {W}", W) for op in ("add", "subtract", "multiply", "divide")},
    **{op: (f"forge.{op} %w : {W}", W) for op in ("sqrt", "sine", "cosine", "relu")},
    "cast": (f"forge.cast %w dtype f16 : ({W}) -> tensor<8x8xf16>", "tensor<8x8xf16>"),
    "bitwise_and": ("forge.bitwise_and %n, %m : tensor<8xi32>", "tensor<8xi32>"),
    "reshape": (f"forge.reshape %w shape [64] : ({W}) -> tensor<64xf32>", "tensor<64xf32>"),
    "squeeze": ("forge.squeeze %one dim 0 : (tensor<1x8xf32>) -> tensor<8xf32>", "tensor<8xf32>"),
    "unsqueeze": (f"forge.unsqueeze %w dim 0 : ({W}) -> tensor<1x8x8xf32>", "tensor<1x8x8xf32>"),
    "transpose": (f"forge.transpose %w dims 0, 1 : ({W}) -> {W}", W),
    "index": (f"forge.index %w dim -1 [0:3] : ({W}) -> tensor<8x3xf32>", "tensor<8x3xf32>"),
    "concatenate": (f"forge.concatenate %w, %v axis -1 : ({W}, {W}) -> tensor<8x16xf32>", "tensor<8x16xf32>"),
    "repeat": (f"forge.repeat %w repeats [2, 1] : ({W}) -> tensor<16x8xf32>", "tensor<16x8xf32>"),
    "repeat_interleave": (
        f"forge.repeat_interleave %w repeats 2 dim -1 : ({W}) -> tensor<8x16xf32>",
        "tensor<8x16xf32>",
    ),
    "adv_index": (f"forge.adv_index %w, %rows dim -2 : ({W}, tensor<3xi32>) -> tensor<3x8xf32>", "tensor<3x8xf32>"),
    "embedding": (f"forge.embedding %rows, %w : (tensor<3xi32>, {W}) -> tensor<3x8xf32>", "tensor<3x8xf32>"),
    "reduce_avg": (f"forge.reduce_avg %w dim -1 keep_dim : ({W}) -> tensor<8x1xf32>", "tensor<8x1xf32>"),
    "matmul": (f"forge.matmul %w, %v : ({W}, {W}) -> {W}", W),
}
CALLS = {op: (f"forge.{op} %w : {W}", W) for op in ("exp", "sigmoid", "tanh", "abs")}


def calls_of(lines: dict[str, tuple[str, str]], folder: Path) -> dict[str, int]:
    """For each op, the number of calls in a program that adds the result of the op to an input."""
    found = {}
    for op, (line, kind) in lines.items():
        (folder / f"{op}.mlir").write_text(f"""func.func @main(%x: {kind}) -> {kind} {{
  %w = forge.parameter "w" : {W}
  %v = forge.parameter "v" : {W}
  %one = forge.parameter "one" : tensor<1x8xf32>
  %n = forge.parameter "n" : tensor<8xi32>
  %m = forge.parameter "m" : tensor<8xi32>
  %rows = forge.constant dense<[2, 0, 1]> : tensor<3xi32>
  %made = {line}
  %sum = forge.add %x, %made : {kind}
  return %sum : {kind}
}}""")
        done = run_tool("forge-translate", "--forge-to-python", folder / f"{op}.mlir")
        assert done.returncode == 0, done.stderr
        found[op] = len(re.findall(r"= forge\.op\.(?!Constant)", done.stdout))
    return found


def test_the_ops_are_those_of_the_compiler(tmp_path: Path) -> None:
    """The ops that the compiler leaves to the weights file are exactly those that can be computed here."""
    assert ON_WEIGHTS.keys() == COMPUTED_OPS
    assert calls_of(ON_WEIGHTS, tmp_path) == dict.fromkeys(ON_WEIGHTS, 1)
    assert calls_of(CALLS, tmp_path) == dict.fromkeys(CALLS, 2)


def test_reshapes_at_the_end_change_no_byte(tmp_path: Path) -> None:
    """A weight that two modules use in different shapes is stored once, and remains in a file of the model."""
    array = RNG.standard_normal((8, 6)).astype(np.float32)
    plain = {"name": "w", "onnx_name": "w", "dtype": "float32", "shape": [8, 6], "source": {"key": "w"}}
    scale = {"splat": "2.0", "dtype": "float32", "shape": [8, 6]}
    product = step("multiply", [0, 1], (8, 6))
    leading, other = step("reshape", [0], (1, 8, 6)), step("reshape", [0], (4, 12))
    file = WeightsFile()
    found = {}
    for name, steps in {
        "leading": [leaf(array), leading],
        "other": [leaf(array), other],
        "product": [leaf(array), scale, product],
        "wide product": [leaf(array), scale, product, step("reshape", [2], (1, 8, 6))],
    }.items():
        weight = {**plain, "name": name, "shape": steps[-1]["shape"], "source": {"steps": steps}}
        found[name] = file.add(weight, {"w": ref(array)})["tensor"]
    assert file.add(plain, {"w": ref(array)})["tensor"] == found["leading"]
    assert found["product"] == found["wide product"]
    file.write(tmp_path / "w.safetensors")
    stored = load_file(tmp_path / "w.safetensors")
    assert np.array_equal(stored[found["leading"]], array)
    assert np.array_equal(stored[found["other"]], array.reshape(4, 12))
    assert np.array_equal(stored[found["wide product"]], 2 * array)

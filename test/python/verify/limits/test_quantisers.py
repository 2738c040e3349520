"""Quantisers whose operand is near a midpoint may round up or down: both results are right, and errors in the same
model are found."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from forge_mlir.compiler.driver import compile_traced
from forge_mlir.verify import Verification, verify_artifact, verify_model
from forge_mlir.verify.limits.quantisers import division_type, evaluate_quantiser
from resealing import replace_module


def quantised(opset: int) -> onnx.ModelProto:
    """A product, quantised in steps of 2."""
    w = np.random.default_rng(0).integers(-3, 4, size=(8, 16)).astype(np.float32)
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["s"], "product"),
        helper.make_node("QuantizeLinear", ["s", "scale", "zero"], ["q"], "quantise"),
        helper.make_node("DequantizeLinear", ["q", "scale", "zero"], ["d"], "dequantise"),
        helper.make_node("Relu", ["d"], ["y"], "positive"),
    ]
    constants = {"w": w, "scale": np.float32(2), "zero": np.uint8(100)}
    stored = [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()]
    values = [helper.make_tensor_value_info(*each) for each in (("x", 1, [32, 8]), ("y", 1, [32, 16]))]
    graph = helper.make_graph(nodes, "g", values[:1], values[1:], stored)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9)


def operand(exact: bool) -> np.ndarray:
    """Integers whose odd products are midway between two steps: exactly, or, for half of the rows, up to a rounding
    error of float32, with any values in the other rows."""
    random = np.random.default_rng(1)
    x = random.integers(-4, 5, size=(32, 8)).astype(np.float32)
    if not exact:
        x *= 1 + random.uniform(-3e-7, 3e-7, size=x.shape)
        x[16:] = 3 * random.standard_normal((16, 8))
    return x


def verified(folder: Path, change: tuple[str, str], exact: bool = False, opset: int = 17) -> Verification:
    """The verification after a change of the emitted module."""
    path = folder / "m.onnx"
    onnx.save(quantised(opset), path)
    artifact, imported = compile_traced(path, folder / "out")
    source = artifact.module_path.read_text()
    assert change[0] in source
    replace_module(artifact, source.replace(*change))
    return verify_artifact(path, artifact, imported, {"x": operand(exact)})


CLIP = 'quantise_clip = forge.op.Clip("", quantise_where,'


def scaled(by: float) -> tuple[str, str]:
    """Multiplies the operand of the quantiser."""
    made = [
        f'factor = forge.op.Constant("", constant={by!r}, dtype=forge.DataFormat.Float32)',
        'moved = forge.op.Multiply("", quantise_where, factor).set_src_layer("quantise")',
        'quantise_clip = forge.op.Clip("", moved,',
    ]
    return CLIP, "\n        ".join(made)


PRODUCT = 'product = forge.op.Matmul("", x, self.get_parameter("w"))'


def rounded(by: float) -> tuple[str, str]:
    """Multiplies the product itself, as another order of its additions may."""
    made = [
        f'factor = forge.op.Constant("", constant={by!r}, dtype=forge.DataFormat.Float32)',
        'whole = forge.op.Matmul("", x, self.get_parameter("w"))',
        'product = forge.op.Multiply("", whole, factor)',
    ]
    return PRODUCT, "\n        ".join(made)


@pytest.mark.parametrize("opset", [13, 17, 21])
@pytest.mark.parametrize("by", [1 + 5e-7, 1 - 5e-7])
def test_rounding_to_the_adjacent_step_is_no_error(by: float, opset: int, tmp_path: Path) -> None:
    """onnx.reference has no DequantizeLinear of opsets before 19, and the rule does not need one."""
    result = verified(tmp_path, rounded(by), opset=opset)
    assert result.divergence is None
    assert not [report for report in result.nodes if report.off]
    (judged,) = [report for report in result.nodes if report.node.op_type == "DequantizeLinear"]
    assert judged.total.max_abs == 2.0  # One step, compared with onnxruntime.


@pytest.mark.parametrize(
    "change",
    [
        scaled(1.01),
        scaled(1.001),
        scaled(-1.0),
        ("constant=2.0,", "constant=2.01,"),
        ("min=-100.0, max=155.0", "min=-100.0, max=3.0"),
        ("min=-100.0, max=155.0", "min=2.0, max=155.0"),
        ("constant=12582912.0", "constant=6291456.0"),
        ("constant=12582912.0", "constant=25165824.0"),
    ],
    ids=lambda change: change[1].splitlines()[0].strip(),
)
def test_a_planted_error_is_found(change: tuple[str, str], tmp_path: Path) -> None:
    """With the same operands near midpoints: a factor, a sign, a scale, bounds, and the steps of rounding."""
    result = verified(tmp_path, change)
    assert result.divergence is not None
    assert not result.divergence.names.isdisjoint({"quantise", "dequantise", "positive"})


def test_an_exact_operand_has_one_rounding(tmp_path: Path) -> None:
    """float32 computes these products exactly, so that a tie is rounded to even only."""
    assert verified(tmp_path, (CLIP, CLIP), exact=True).passed
    assert verified(tmp_path, scaled(1 + 5e-7), exact=True).divergence is not None


def test_the_types_of_zero_points() -> None:
    without = helper.make_node("QuantizeLinear", ["s", "scale"], ["q"])
    named = helper.make_node("QuantizeLinear", ["s", "scale"], ["q"], output_dtype=int(TensorProto.INT16))
    values = {"s": np.array([1e6, -3.0]), "scale": np.float32(1)}
    assert evaluate_quantiser(without, values)["q"].dtype == np.uint8
    assert evaluate_quantiser(named, values)["q"].tolist() == [32767, -3]


@pytest.mark.parametrize(("x", "right"), [(np.inf, 7), (-np.inf, -8), (np.nan, -8), (2.5, 2), (7.6, 7)])
def test_integers_of_four_bits(x: float, right: int) -> None:
    node = helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["q"])
    values = {"x": np.float32(x), "scale": np.float32(1), "zero": np.zeros((), ml_dtypes.int4)}
    (found,) = evaluate_quantiser(node, values).values()
    assert (found.dtype.name, int(found)) == ("int4", right)


@pytest.mark.parametrize(
    ("opset", "scale", "precision", "division"),
    [(23, 10, 0, "float16"), (21, 10, 0, ""), (23, 1, 16, "bfloat16"), (23, 10, 1, ""), (23, 1, 0, "")],
)
def test_the_type_of_a_division(opset: int, scale: int, precision: int, division: str) -> None:
    node = helper.make_node("QuantizeLinear", ["x", "scale"], ["q"], **({"precision": precision} if precision else {}))
    found = division_type(node, opset, scale)
    assert ("" if found is None else found.name) == division


def test_blocks_with_scales_of_their_own() -> None:
    node = helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["q"], axis=1, block_size=2)
    values = {"x": np.full((1, 3), 6.0), "scale": np.float32([[2, 3]]), "zero": np.uint8([[1, 5]])}
    assert evaluate_quantiser(node, values)["q"].tolist() == [[4, 4, 7]]


@pytest.mark.parametrize("zero", ["UINT8", "UINT16", "INT4"])
@pytest.mark.parametrize(("x", "scale", "precision"), [(1, 1, 10), (10, 10, 0), (10, 10, 10)])
def test_a_division_in_float16(zero: str, x: int, scale: int, precision: int, tmp_path: Path) -> None:
    """Some quotients overflow, others are rounded to a midpoint between two integers."""
    code = TensorProto.DataType.Value(zero)
    nodes = [
        helper.make_node(
            "QuantizeLinear", ["x", "s", "z"], ["q"], "q", **({"precision": precision} if precision else {})
        ),
        helper.make_node("Cast", ["q"], ["y"], "c", to=TensorProto.INT32),
    ]
    infos = [helper.make_tensor_value_info(name, kind, [4, 64]) for name, kind in (("x", x), ("y", 6))]
    stored = [helper.make_tensor("s", scale, (), [0.1]), helper.make_tensor("z", code, (), [3])]
    model = helper.make_model(
        helper.make_graph(nodes, "g", infos[:1], infos[1:], stored),
        opset_imports=[helper.make_opsetid("", 23)],
        ir_version=10,
    )
    path = tmp_path / "m.onnx"
    onnx.save(model, path)
    given = np.random.default_rng(0).normal(0, 30000, (4, 64)).clip(-65000, 65000)
    found = verify_model(path, {"x": given.astype(helper.tensor_dtype_to_np_dtype(x))}, alone=False)
    assert (found.verdict, found.reasons) == ("right", ())


@pytest.mark.parametrize("domain", ["", "com.microsoft"])
def test_a_chain_of_quantisers_in_bfloat16(domain: str, tmp_path: Path) -> None:
    """Weights are rounded to bfloat16, and the convolution, whose scale is moved, is not a value of the model. So its
    result may be rounded to the adjacent step."""

    def pair(x: str, scale: str, y: str) -> list[onnx.NodeProto]:
        return [
            helper.make_node("QuantizeLinear", [x, scale, "zero"], [f"{y}q"], domain=domain),
            helper.make_node("DequantizeLinear", [f"{y}q", scale, "zero"], [y], domain=domain),
        ]

    nodes = [
        *pair("x", "sx", "d"),
        helper.make_node("DequantizeLinear", ["wq", "sw", "zw"], ["w"], domain=domain),
        helper.make_node("Conv", ["d", "w"], ["s"], pads=[1] * 4),
        *pair("s", "sy", "y"),
    ]
    constants = {
        "wq": np.random.default_rng(0).integers(-8, 8, (8, 4, 3, 3)).astype(np.int8),
        "zw": np.int8(0),
        "sw": np.float32(0.0157),
        "sx": np.float32(0.03),
        "sy": np.float32(0.0214),
        "zero": np.uint8(128),
    }
    stored = [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()]
    infos = [helper.make_tensor_value_info(name, 1, [1, size, 16, 16]) for name, size in (("x", 4), ("y", 8))]
    graph = helper.make_graph(nodes, "g", infos[:1], infos[1:], stored)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), tmp_path / "m.onnx")
    x = np.random.default_rng(1).standard_normal((1, 4, 16, 16)).astype(np.float32)
    found = verify_model(tmp_path / "m.onnx", {"x": x}, alone=False, float_format="bfloat16")
    assert (found.verdict, found.reasons) == ("right", ())

"""Data of tensors fits their types."""

from __future__ import annotations

import onnx
import pytest
from onnx import ModelProto, TensorProto, helper

from forge_mlir.onnx_model.dtypes import raw_bytes
from sample_models.importing import linear, model, refusal, value, weights


def constant(tensor: TensorProto) -> ModelProto:
    dims = list(tensor.dims)
    out = helper.make_tensor_value_info("y", tensor.data_type, dims)
    return model([helper.make_node("Identity", ["w"], ["y"])], [], [out], [tensor], opsets={"": 21})


def wrong(change: str) -> TensorProto:
    tensor = onnx.numpy_helper.from_array(weights(32, 16), "w")
    match change:
        case "short":
            tensor.raw_data = tensor.raw_data[:-4]
        case "long":
            tensor.raw_data += bytes(4)
        case "both":
            tensor.float_data.extend([1.0] * 512)
        case "no data":
            tensor.ClearField("raw_data")
        case "typed count":
            tensor.ClearField("raw_data")
            tensor.float_data.extend([1.0] * 511)
        case "wrong field":
            tensor.ClearField("raw_data")
            tensor.int32_data.extend([1] * 512)
        case "negative":
            tensor.dims[:] = [-32, -16]
        case "overflow":
            tensor.dims[:] = [1 << 62, 1 << 62]
        case "huge":
            tensor.dims[:] = [1 << 62]
        case "undefined":
            tensor.data_type = 0
        case "unknown":
            tensor.data_type = 99
        case "float4":
            tensor.data_type = TensorProto.FLOAT4E2M1
        case "int4 odd":
            tensor.data_type, tensor.dims[:] = TensorProto.INT4, [4099]
    return tensor


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("short", ["raw_data holds 2044 bytes", "need 2048"]),
        ("long", ["raw_data holds 2052 bytes"]),
        ("both", ["both raw_data and float_data"]),
        ("no data", ["holds 0"]),
        ("typed count", ["float_data holds 511 values"]),
        ("wrong field", ["belongs in float_data"]),
        ("negative", ["negative dimension"]),
        ("overflow", ["too large"]),
        ("huge", ["too large"]),
        ("undefined", ["element type is not set"]),
        ("unknown", ["number 99"]),
        ("float4", ["FLOAT4E2M1"]),
        ("int4 odd", ["raw_data holds 2048 bytes", "2050"]),
    ],
)
def test_data_that_does_not_fit(change: str, words: list[str]) -> None:
    refusal(linear(wrong(change)), "tensor 'w'", *words)
    as_node = [
        helper.make_node("Constant", [], ["k"], value=wrong(change)),
        helper.make_node("MatMul", ["x", "k"], ["y"]),
    ]
    refusal(model(as_node, [value("x", 2, 32)], [value("y", 2, 16)]), *words[1:])


def test_small_integers_out_of_range() -> None:
    refusal(constant(TensorProto(name="w", dims=[1], data_type=TensorProto.INT8, int32_data=[300])), "300 is no int8")


def test_unsigned_integers_on_both_sides_of_2_to_the_63() -> None:
    tensor = helper.make_tensor("w", TensorProto.UINT64, [2], [2**63 + 1, 5])
    assert raw_bytes(tensor, "w") == (2**63 + 1).to_bytes(8, "little") + (5).to_bytes(8, "little")

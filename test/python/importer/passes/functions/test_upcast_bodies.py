"""Function bodies of 16-bit floats compute in float32."""

from __future__ import annotations

import pytest
from onnx import TensorProto, helper

from forge_mlir.importer import import_onnx
from sample_models.importing import model, named, operators, value


@pytest.mark.parametrize("dtype", [TensorProto.FLOAT16, TensorProto.BFLOAT16])
def test_the_body_is_between_casts(dtype: int) -> None:
    x, y = (value(name, 2, 3, dtype=dtype) for name in "xy")
    proto = model([helper.make_node("Mish", ["x"], ["y"], "n")], [x], [y], opsets={"": 22})
    imported = import_onnx(proto, is_known=lambda _domain, op, _opset: op != "Mish")
    ops = [op.attributes["name"].value for op in operators(imported) if "name" in op.attributes]
    assert ops == ["onnx.Cast", "onnx.Softplus", "onnx.Tanh", "onnx.Mul", "onnx.Cast"]
    assert "f32" in str(named(imported, "Tanh").results[0].type)

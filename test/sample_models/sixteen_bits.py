"""Float32 models as exporters write them in a 16-bit format: weights, constants, inputs, outputs and casts have the
format."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import onnx
from onnx import ModelProto, TensorProto, helper, numpy_helper

FORMATS: dict[str, Any] = {"bfloat16": ml_dtypes.bfloat16, "float16": np.float16}


def in_format(model: ModelProto, name: str) -> ModelProto:
    """`model` with every float32 type replaced by `name`, a key of FORMATS. Float32 operands of Resize and of
    quantisers keep their type."""
    dtype, code = FORMATS[name], int(TensorProto.DataType.Value(name.upper()))
    kept = {each for node in model.graph.node if node.op_type == "Resize" for each in node.input[1:]}
    result = ModelProto()
    result.CopyFrom(model)

    def narrow(tensor: TensorProto) -> None:
        if tensor.data_type == TensorProto.FLOAT:
            array = numpy_helper.to_array(tensor)
            limits = ml_dtypes.finfo(dtype)
            array = np.where(np.isfinite(array), np.clip(array, float(limits.min), float(limits.max)), array)
            tensor.CopyFrom(numpy_helper.from_array(array.astype(dtype), tensor.name))

    def visit(graph: onnx.GraphProto) -> None:
        for tensor in graph.initializer:
            if tensor.name not in kept:
                narrow(tensor)
        for value in (*graph.input, *graph.output):
            if value.type.tensor_type.elem_type == TensorProto.FLOAT:
                value.type.tensor_type.elem_type = code
        del graph.value_info[:]
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.type == onnx.AttributeProto.TENSOR and not kept.intersection(node.output):
                    narrow(attribute.t)
                if node.op_type == "Cast" and attribute.name == "to" and attribute.i == TensorProto.FLOAT:
                    attribute.i = code
                if attribute.type == onnx.AttributeProto.GRAPH:
                    visit(attribute.g)

    visit(result.graph)
    return result


def model_of(source: Any, name: str, opset: int | None = None) -> ModelProto:
    """The model of a file in format `name`; bfloat16 needs opset 13 for most ops, and 16 or later for some."""
    model = onnx.load(source)
    if opset is not None:
        del model.opset_import[:]
        model.opset_import.append(helper.make_opsetid("", opset))
    return in_format(model, name)

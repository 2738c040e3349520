"""Constant folding of small integers and booleans from constants and shapes, such as the trip count of a Loop."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from onnx import NodeProto, TensorProto, helper, numpy_helper

from forge_mlir.onnx_model.graph import constant_value
from forge_mlir.onnx_model.storage.weightless import placeholder_of

Value = npt.NDArray[np.generic]

_ARITHMETIC = frozenset(
    {
        "Add", "Sub", "Mul", "Min", "Max", "Gather", "Slice", "Concat", "Squeeze", "Unsqueeze", "Reshape",
        "Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Not", "And", "Or", "Cast", "Identity",
    }
)  # fmt: skip
"""Ops whose result never has more elements than their operands."""
_TYPES = (TensorProto.INT32, TensorProto.INT64, TensorProto.BOOL)
_MOST_ELEMENTS = 4096


def known_tensor(tensor: TensorProto) -> Value | None:
    """The values of a tensor if they are small integers or booleans in the model."""
    if tensor.data_type not in _TYPES or placeholder_of(tensor) is not None:
        return None
    return np.asarray(numpy_helper.to_array(tensor))


def known_value(
    node: NodeProto, constants: Mapping[str, Value], shapes: Mapping[str, list[int | None]], opset: int
) -> Value | None:
    """The value of the only output of `node`, given `constants` and `shapes` by name (no entry for an unknown rank);
    None if these do not determine it."""
    if node.domain or len(node.output) != 1:
        return None
    if (constant := constant_value(node)) is not None:
        return known_tensor(constant)
    if node.op_type in ("Shape", "Size"):
        return _of_shape(node, shapes.get(node.input[0]))
    given = [constants.get(name) for name in node.input if name]
    values = [value for value in given if value is not None]
    if node.op_type not in _ARITHMETIC or not values or len(values) < len(given):
        return None
    if sum(value.size for value in values) > _MOST_ELEMENTS:
        return None
    made = _evaluated(node, values, opset)
    return made if made is not None and made.dtype in (np.int32, np.int64, np.bool_) else None


def _of_shape(node: NodeProto, shape: list[int | None] | None) -> Value | None:
    numbers = {attribute.name: int(attribute.i) for attribute in node.attribute}
    if shape is None:
        return None
    sizes = shape[slice(numbers.get("start", 0), numbers.get("end"))]
    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes):
        return None
    return np.array(known, np.int64) if node.op_type == "Shape" else np.array(np.prod(known, dtype=np.int64))


def _evaluated(node: NodeProto, values: list[Value], opset: int) -> Value | None:
    from onnx.reference import ReferenceEvaluator

    names = [f"operand_{at}" for at in range(len(values))]
    inputs = iter(names)
    alone = NodeProto.FromString(node.SerializeToString())
    alone.input[:] = [next(inputs) if name else "" for name in node.input]
    typed = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        for name, value in zip(names, values, strict=True)
    ]
    graph = helper.make_graph([alone], "value", typed, [helper.make_empty_tensor_value_info(node.output[0])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    try:
        with np.errstate(all="ignore"):
            (made,) = ReferenceEvaluator(model).run(None, dict(zip(names, values, strict=True)))
    except Exception:  # A node without a valid result; its users report the error.
        return None
    return np.asarray(made)

"""ONNX's two quantisers in float64, for any opset.

onnx.reference rounds their quotients in float32, so that an element close to the midpoint between two integers may
become either. Here, the distance to the midpoint is exact up to float64.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import NodeProto, helper

from forge_mlir.execute.onnx.nodes import Values
from forge_mlir.onnx_model.dtypes import is_floating

Array = npt.NDArray[Any]


class NotEvaluated(ValueError):
    """A quantiser whose integers have no numpy type."""


def is_quantiser(node: NodeProto) -> bool:
    """Whether `node` is one of ONNX's quantisers that can be evaluated in float64 here."""
    by_block = any(attribute.name == "block_size" and attribute.i for attribute in node.attribute)
    return not node.domain and node.op_type in ("QuantizeLinear", "DequantizeLinear") and not by_block


def evaluate_quantiser(node: NodeProto, values: Mapping[str, Any]) -> Values:
    """The result of a QuantizeLinear (integers, in their type) or a DequantizeLinear (float64), of any opset."""
    x, scale, zero = _operands(node, values)
    if node.op_type == "DequantizeLinear":
        return {node.output[0]: (x.astype(np.float64) - zero.astype(np.float64)) * scale}
    return {node.output[0]: _integers(np.rint(x / scale), zero)}


def _operands(node: NodeProto, values: Mapping[str, Any]) -> tuple[Array, Array, Array]:
    """Operand, scale and zero point, reshaped to broadcast; the first two in float64 if they are floats."""
    x, scale = np.asarray(values[node.input[0]]), np.asarray(values[node.input[1]]).astype(np.float64)
    settings = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    if len(node.input) > 2 and node.input[2]:
        zero = np.asarray(values[node.input[2]])
    else:
        integers = x.dtype if node.op_type == "DequantizeLinear" else np.dtype(np.uint8)
        zero = np.zeros((), _DTYPES.get(settings.get("output_dtype", 0), integers))
    if scale.ndim == 1 and scale.size > 1:
        shape = np.ones(x.ndim, int)
        shape[settings.get("axis", 1)] = scale.size
        scale, zero = scale.reshape(shape), zero.reshape(shape) if zero.ndim else zero
    elif scale.ndim == 1:
        scale, zero = scale.reshape(()), zero.reshape(())
    return (x.astype(np.float64) if is_floating(x.dtype) else x), scale, zero


_DTYPES = {int(helper.np_dtype_to_tensor_dtype(np.dtype(kind))): np.dtype(kind) for kind in ("u1", "i1", "u2", "i2")}


def _integers(rounded: Array, zero: Array) -> Array:
    """Converts rounded quotients to integers of the zero point's type, with saturation."""
    if not np.issubdtype(zero.dtype, np.integer):
        raise NotEvaluated(f"{zero.dtype} is no integer type of numpy")
    bounds = np.iinfo(zero.dtype)
    return np.asarray(np.clip(rounded + zero.astype(np.float64), bounds.min, bounds.max)).astype(zero.dtype)

"""ONNX's two quantisers in float64, for any opset, and those of the same names of onnxruntime.

onnx.reference rounds their quotients in float32, so that an element close to the midpoint between two integers may
become either. Here, the distance to the midpoint is exact up to float64. Only a division that ONNX defines in 16 bits
is rounded to these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
from onnx import NodeProto, TensorProto, helper

from forge_mlir.execute.onnx.corrected_ops import DIVIDES_AS_SCALE
from forge_mlir.execute.onnx.nodes import Values
from forge_mlir.onnx_model.dtypes import is_floating

Array = npt.NDArray[Any]


_SIXTEEN_BITS = (TensorProto.FLOAT16, TensorProto.BFLOAT16)


class NotEvaluated(ValueError):
    """A quantiser whose results are no integers."""


def is_quantiser(node: NodeProto) -> bool:
    """Whether `node` is one of ONNX's quantisers, or one of onnxruntime, which computes the same. Its tools write those
    for 4-bit and 16-bit integers in opsets in which ONNX's have no such types."""
    return node.domain in ("", "com.microsoft") and node.op_type in ("QuantizeLinear", "DequantizeLinear")


def division_type(node: NodeProto, opset: int, scale: int | None) -> np.dtype[Any] | None:
    """The 16-bit type in which ONNX defines the division of a QuantizeLinear, whose scale has the ONNX element type
    `scale`; None for wider types."""
    given = next((each.i for each in node.attribute if each.name == "precision"), 0)
    code = given or (scale if opset >= DIVIDES_AS_SCALE else None)
    return np.dtype(helper.tensor_dtype_to_np_dtype(code)) if code in _SIXTEEN_BITS else None


def evaluate_quantiser(node: NodeProto, values: Mapping[str, Any], division: np.dtype[Any] | None = None) -> Values:
    """The result of a QuantizeLinear (integers, in their type) or a DequantizeLinear (float64), of any opset.
    `division` is the 16-bit type to which operand, scale and quotient are rounded; None for float64."""
    x, scale, zero = _operands(node, values)
    if node.op_type == "DequantizeLinear":
        return {node.output[0]: (x.astype(np.float64) - zero.astype(np.float64)) * scale}
    with np.errstate(all="ignore"):
        if division is None:
            return {node.output[0]: _integers(np.rint(x / scale), zero)}
        # float32 has enough digits that the quotient is rounded as if it were rounded once.
        x, scale = (each.astype(division).astype(np.float32) for each in (x, scale))
        return {node.output[0]: _integers(np.rint((x / scale).astype(division).astype(np.float64)), zero)}


def _operands(node: NodeProto, values: Mapping[str, Any]) -> tuple[Array, Array, Array]:
    """Operand, scale and zero point, reshaped to broadcast; the first two in float64 if they are floats."""
    x, scale = np.asarray(values[node.input[0]]), np.asarray(values[node.input[1]]).astype(np.float64)
    settings = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    if len(node.input) > 2 and node.input[2]:
        zero = np.asarray(values[node.input[2]])
    elif node.op_type == "DequantizeLinear":
        zero = np.zeros((), x.dtype)
    else:
        zero = np.zeros((), helper.tensor_dtype_to_np_dtype(settings.get("output_dtype", 0) or TensorProto.UINT8))
    block, axis = settings.get("block_size", 0), settings.get("axis", 1)
    if block:
        scale, zero = (_by_block(each, block, axis, x.shape) for each in (scale, zero))
    elif scale.ndim == 1 and scale.size > 1:
        shape = np.ones(x.ndim, int)
        shape[axis] = scale.size
        scale, zero = scale.reshape(shape), zero.reshape(shape) if zero.ndim else zero
    elif scale.ndim == 1:
        scale, zero = scale.reshape(()), zero.reshape(())
    return (x.astype(np.float64) if is_floating(x.dtype) else x), scale, zero


def _by_block(values: Array, block: int, axis: int, shape: tuple[int, ...]) -> Array:
    """Repeats the elements of `values` for each block; the last block may be shorter."""
    if not values.ndim or values.size == 1:
        return values.reshape(())
    return values.repeat(block, axis).take(range(shape[axis]), axis)


def _integers(rounded: Array, zero: Array) -> Array:
    """Converts rounded quotients to integers of the zero point's type, with saturation; NaN to the smallest, as
    onnxruntime and onnx.reference do."""
    if is_floating(zero.dtype):
        raise NotEvaluated(f"{zero.dtype} is no integer type")
    info: Any = ml_dtypes.iinfo  # not typed
    bounds = info(zero.dtype)
    wide = np.nan_to_num(rounded, nan=-np.inf, posinf=np.inf, neginf=-np.inf) + zero.astype(np.float64)
    return np.asarray(np.clip(wide, float(bounds.min), float(bounds.max)).astype(np.int32).astype(zero.dtype))

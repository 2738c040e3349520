"""Quantisers that may round either way.

Between two integers there is a point at which rounding changes its mind. Where the operand of a QuantizeLinear was
itself computed, it carries the rounding of that, and two sound programs may fall on two sides of the point: then both
integers are right. Everything here is float64, so that what is left of rounding is the distance to that point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import NodeProto, helper

from forge_mlir.verify.comparison import is_floating
from forge_mlir.verify.onnx_nodes import Values

Array = npt.NDArray[Any]
Evaluate = Callable[[NodeProto, Values], Values]

_FOLLOWING = frozenset(
    ("DequantizeLinear", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Relu", "Clip")
)
"""Ops with which each element of the result comes from one element of operand 0, and from no other."""


def is_quantiser(node: NodeProto) -> bool:
    """Whether `node` is one of ONNX's two that know how to be evaluated in float64 here."""
    by_block = any(attribute.name == "block_size" and attribute.i for attribute in node.attribute)
    return not node.domain and node.op_type in ("QuantizeLinear", "DequantizeLinear") and not by_block


def evaluate_quantiser(node: NodeProto, values: Mapping[str, Any]) -> Values:
    """The result of a QuantizeLinear (integers, in their type) or a DequantizeLinear (float64), of any opset."""
    x, scale, zero = _operands(node, values)
    if node.op_type == "DequantizeLinear":
        return {node.output[0]: (x.astype(np.float64) - zero.astype(np.float64)) * scale}
    return {node.output[0]: _integers(np.rint(x / scale), zero)}


def either_way(
    nodes: Sequence[NodeProto], values: Mapping[str, Any], evaluate: Evaluate, limit: float
) -> tuple[Array, Array] | None:
    """What `nodes`, in model order, give where the last quantiser among them rounds down, and up, the elements whose
    float64 operand is as near to the point between two integers as `limit` allows an operand to be off: relative to the
    largest one, as every comparison of this package is. All other elements are the same in both.

    `values` are what the nodes begin with, and what float32 makes of the rest. None where the rule does not hold: the
    operand comes from none of the nodes (nothing was rounded, so nothing excuses a difference), or float32 computes it
    exactly, or elements mix on the way from the quantiser to the result.
    """
    at = max(
        (at for at, node in enumerate(nodes) if node.op_type == "QuantizeLinear" and is_quantiser(node)), default=0
    )
    quantiser, following = nodes[at], nodes[at + 1 :]
    made = {name for node in nodes[:at] for name in node.output}
    chain = quantiser.output[0]
    for node in following:
        if node.domain or node.op_type not in _FOLLOWING or node.input[0] != chain or chain in node.input[1:]:
            return None
        chain = node.output[0]
    if quantiser.op_type != "QuantizeLinear" or quantiser.input[0] not in made:
        return None
    begun = dict(values)
    for node in nodes[:at]:
        begun.update(evaluate(node, begun))
    x, scale, zero = _operands(quantiser, begun)
    rounded = values.get(quantiser.input[0])
    if rounded is None or not is_floating(x.dtype) or not np.isfinite(x).all() or np.array_equal(rounded, x):
        return None
    nearest, slack = x / scale, limit * np.abs(x).max(initial=0.0) / scale
    down, up = np.rint(nearest - slack), np.rint(nearest + slack)
    # More than one integer: the scale is nothing next to the operand, and this rule says nothing.
    down, up = (np.where(up - down > 1, np.rint(nearest), side) for side in (down, up))

    def finish(side: Array) -> Array:
        ended = dict(begun)
        ended[quantiser.output[0]] = _integers(side, zero)
        for node in following:
            ended.update(evaluate(node, ended))
        return np.asarray(ended[chain])

    return finish(down), finish(up)


def _operands(node: NodeProto, values: Mapping[str, Any]) -> tuple[Array, Array, Array]:
    """Operand, scale and zero point, ready to broadcast; the first two in float64 where they are floats."""
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
    """Rounded quotients as integers of the zero point's type, saturated."""
    if not np.issubdtype(zero.dtype, np.integer):
        raise ValueError(f"{zero.dtype} is no integer type of numpy")
    bounds = np.iinfo(zero.dtype)
    return np.asarray(np.clip(rounded + zero.astype(np.float64), bounds.min, bounds.max)).astype(zero.dtype)

"""Elements of results that ONNX does not define."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
from onnx import NodeProto

from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.execute.onnx.nodes import Values
from forge_mlir.onnx_model.dtypes import is_floating, is_integer
from forge_mlir.onnx_model.graph import node_where

Array = npt.NDArray[Any]


class DivisionByZero(ForgeError):
    """A node of the model divides integers by 0, which ONNX does not define."""


def undefined_elements(node: NodeProto, values: Values, golden: Array) -> npt.NDArray[np.bool_] | None:
    """The elements of a cast's result that ONNX does not define: floats out of range of the integer type. None if there
    are none."""
    casts = node.op_type in ("Cast", "CastLike") and not node.domain and node.input
    source = values.get(node.input[0]) if casts else None
    if not isinstance(source, np.ndarray) or not is_floating(source.dtype) or not is_integer(golden.dtype):
        return None
    info: Any = ml_dtypes.iinfo  # not typed
    limits = info(golden.dtype)
    wide = np.trunc(source.astype(np.float64))
    defined = np.isfinite(wide) & (wide >= float(limits.min)) & (wide < float(limits.max) + 1)
    return None if defined.all() or defined.shape != golden.shape else ~defined


def require_divisors(node: NodeProto, values: Values) -> None:
    """Raises DivisionByZero if the node divides integers by 0."""
    divisor = values.get(node.input[1]) if node.op_type in ("Div", "Mod") and not node.domain else None
    if isinstance(divisor, np.ndarray) and divisor.dtype.kind in "iu" and not divisor.all():
        where = node_where(node)
        raise DivisionByZero(Code.ValueOutOfRange, f"{where}: for these inputs it divides integers by 0")


def with_undefined(node: NodeProto, values: Values, actual: Array, golden: Array) -> Array:
    """`actual` with the golden's elements where ONNX defines no value."""
    undefined = undefined_elements(node, values, golden)
    if undefined is None or actual.shape != golden.shape:
        return actual
    return np.asarray(np.where(undefined, golden, actual)).astype(actual.dtype)

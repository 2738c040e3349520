"""The builder of forge ops that a lowering gets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from forge_mlir.lowerings.element_types import element_of
from forge_mlir.lowerings.node import Value
from forge_mlir.lowerings.op_methods import OpMethods


class Builder(OpMethods):
    """Makes forge ops at the place of the node, with inferred types.

    Every op of the dialect is a method, with operands first and attributes by the names that the dialect's reference
    has for them: `b.softmax(x, dim=-1, stable=True)`. A broken constraint refuses the node and leaves the lowering. Ops
    on small constants are evaluated on the way: `Value.known` of the result has their elements.
    """

    def constant(self, value: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> Value:
        """A constant of these elements."""
        array = np.asarray(value, dtype=dtype)
        if array.dtype.name in ("int4", "uint4"):
            raise TypeError("a constant of 4-bit integers cannot be built; cast one of int8")
        return Value(self._call.make_constant(element_of(array.dtype), list(array.shape), array.tobytes()))

    def scalar_like(self, like: Value, number: float) -> Value:
        """A constant of rank 0 and of the dtype of `like`; it broadcasts against any shape."""
        return Value(self._call.scalar_like(like.native, number))

    def cast(self, operand_a: Value, dtype: npt.DTypeLike) -> Value:
        """`operand_a` as `dtype`; no op where it is that already."""
        return Value(self._call.cast(operand_a.native, element_of(dtype)))

    def reshape(self, operand_a: Value, shape: Sequence[int]) -> Value:
        """`operand_a` with another shape of as many elements; no op where it has it already."""
        return Value(self._call.reshape(operand_a.native, list(shape)))

"""The builder of forge ops that is passed to a lowering."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from forge_mlir.lowerings.element_types import element_of
from forge_mlir.lowerings.node import Value
from forge_mlir.lowerings.op_methods import OpMethods


class Builder(OpMethods):
    """Creates forge ops at the position of the node, with inferred types.

    Every op of the dialect is a method, with operands first and attributes by their names in the dialect's reference:
    `b.softmax(x, dim=-1, stable=True)`. A violated constraint refuses the node and exits the lowering. Ops on small
    constants are folded; `Value.known` of the result has the elements.
    """

    def constant(self, value: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> Value:
        """A constant with these elements."""
        array = np.asarray(value, dtype=dtype)
        if array.dtype.name in ("int4", "uint4"):
            raise TypeError("a constant of 4-bit integers cannot be built; cast one of int8")
        native = array.astype(array.dtype.newbyteorder("="), copy=False)
        return Value(self._call.make_constant(element_of(array.dtype), list(array.shape), native.tobytes()))

    def scalar_like(self, like: Value, number: float) -> Value:
        """A scalar constant with the dtype of `like`, which broadcasts to any shape. Raises ValueError for a number
        that is not one of an integer dtype."""
        if "int" in like.dtype:
            bits, is_signed = int(like.dtype.partition("int")[2]), like.dtype.startswith("int")
            lowest, highest = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if is_signed else (0, 2**bits - 1)
            if not (lowest <= number <= highest and number == int(number)):
                raise ValueError(f"{number} is no number of type {like.dtype}")
            if bits == 64:  # the native module takes a double, which has 53 bits
                return self.constant(int(number), like.dtype)
        return Value(self._call.scalar_like(like.native, number))

    def cast(self, operand_a: Value, dtype: npt.DTypeLike) -> Value:
        """Casts `operand_a` to `dtype`; no op if it has that dtype already."""
        return Value(self._call.cast(operand_a.native, element_of(dtype)))

    def reshape(self, operand_a: Value, shape: Sequence[int]) -> Value:
        """Reshapes `operand_a`; no op if it has the shape already."""
        return Value(self._call.reshape(operand_a.native, list(shape)))

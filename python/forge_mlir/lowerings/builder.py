"""The builder of forge ops that a lowering gets."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Sequence
from functools import cache
from types import ModuleType

import numpy as np
import numpy.typing as npt

from forge_mlir._native import LoweringCall
from forge_mlir.lowerings.element_types import element_of
from forge_mlir.lowerings.node import Value

# Ops that are no computation, or take what has a method of its own here.
_NOT_BUILT = {"constant", "parameter", "run"}


@cache
def _ops() -> ModuleType:
    """The generated functions of the forge dialect, over `._ods_common` of this package."""
    source = importlib.util.find_spec("forge_mlir.dialects._forge_ops_gen")
    assert source is not None
    assert source.origin is not None
    spec = importlib.util.spec_from_file_location(f"{__package__}._forge_ops_gen", source.origin)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Builder:
    """Makes forge ops at the place of the node, with inferred types.

    Every op of the dialect is a method, with operands first and attributes by the names that the dialect's reference
    has for them: `b.softmax(x, dim=-1, stable=True)`. A broken constraint refuses the node and leaves the lowering. Ops
    on small constants are evaluated on the way: `Value.known` of the result has their elements.
    """

    def __init__(self, call: LoweringCall) -> None:
        self._call = call

    def __getattr__(self, op: str) -> Callable[..., Value]:
        function = None if op.startswith("_") or op in _NOT_BUILT else getattr(_ops(), op, None)
        if function is None or isinstance(function, (type, ModuleType)):
            raise AttributeError(f"the forge dialect has no op '{op}'")
        build: Callable[..., Value] = functools.partial(function, loc=self._call)
        return build

    def split(self, operand: Value, dim: int, sizes: Sequence[int]) -> list[Value]:
        """The pieces of a tensor along an axis."""
        pieces = _ops().SplitOp(operand, dim, sizes, loc=self._call).results
        return list(pieces)

    def constant(self, value: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> Value:
        """A constant of these elements."""
        array = np.ascontiguousarray(np.asarray(value, dtype=dtype))
        shape = np.asarray(value).shape
        if array.dtype.name in ("int4", "uint4"):
            raise TypeError("a constant of 4-bit integers cannot be built; cast one of int8")
        return Value(self._call.make_constant(element_of(array.dtype), list(shape), array.tobytes()))

    def scalar_like(self, like: Value, number: float) -> Value:
        """A constant of rank 0 and of the dtype of `like`; it broadcasts against any shape."""
        return Value(self._call.scalar_like(like.native, number))

    def cast(self, operand: Value, dtype: npt.DTypeLike) -> Value:
        """`operand` as `dtype`; no op where it is that already."""
        return Value(self._call.cast(operand.native, element_of(dtype)))

    def reshape(self, operand: Value, shape: Sequence[int]) -> Value:
        """`operand` with another shape of as many elements; no op where it has it already."""
        return Value(self._call.reshape(operand.native, list(shape)))

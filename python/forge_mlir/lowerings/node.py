"""The typed view of a node that a lowering gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from forge_mlir._native import LoweringCall, TensorValue
from forge_mlir.lowerings.element_types import Array, array_of, dtype_of


@dataclass(frozen=True)
class Value:
    """A tensor while a lowering runs. Its shape is always known."""

    native: TensorValue

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.native.shape)

    @property
    def dtype(self) -> str:
        """numpy's (or ml_dtypes') name."""
        return dtype_of(self.native.element_type)

    def known(self) -> Array | None:
        """Its elements, if they are known at compile time and in the IR (big weights are not)."""
        found = self.native.known()
        return None if found is None else array_of(found)


class Node:
    """One ONNX node, its operands already converted.

    A getter that cannot deliver records the reason, as the compiler's own converters do, and leaves the lowering; the
    other nodes go on. Every attribute must be read, or named with `ignore_attr`: a node with one that was not is
    refused. A node is good until the lowering returns.
    """

    def __init__(self, call: LoweringCall) -> None:
        self._call = call

    @property
    def op_type(self) -> str:
        return self._call.op_type

    @property
    def domain(self) -> str:
        return self._call.domain

    @property
    def name(self) -> str:
        """As in the model."""
        return self._call.name

    @property
    def opset(self) -> int:
        """The version of the domain that the model imports."""
        return self._call.opset

    @property
    def num_inputs(self) -> int:
        return self._call.num_inputs

    @property
    def num_outputs(self) -> int:
        return self._call.num_outputs

    def has_input(self, index: int) -> bool:
        """Whether an operand is there (ONNX spells an absent one as "" or leaves it out)."""
        return self._call.has_input(index)

    def uses_output(self, index: int) -> bool:
        """Whether anything uses an output."""
        return self._call.uses_output(index)

    def input(self, index: int) -> Value:
        """An operand, which must be there."""
        return Value(self._call.input(index))

    def optional_input(self, index: int) -> Value | None:
        """An operand, None when it is absent."""
        found = self._call.optional_input(index)
        return None if found is None else Value(found)

    def inputs(self) -> list[Value]:
        """All operands, which must be there."""
        return [self.input(index) for index in range(self.num_inputs)]

    def constant(self, index: int, what: str) -> Array:
        """An operand whose elements must be known at compile time; `what` names it in the reason."""
        return array_of(self._call.constant(index, what))

    def has_attr(self, name: str) -> bool:
        return self._call.has_attr(name)

    def ignore_attr(self, name: str) -> None:
        """Says that an attribute has no influence on the result."""
        self._call.ignore_attr(name)

    def int_attr(self, name: str, default: int | None = None) -> int:
        """An attribute; it must be there unless there is a default. So do the next five."""
        return self._call.int_attr(name, default)

    def flag_attr(self, name: str, default: bool | None = None) -> bool:
        """An integer attribute that is 0 or 1."""
        value = self.int_attr(name, None if default is None else int(default))
        if value not in (0, 1):
            self.refuse(f"attribute '{name}' must be 0 or 1, but is {value}")
        return bool(value)

    def float_attr(self, name: str, default: float | None = None) -> float:
        return self._call.float_attr(name, default)

    def string_attr(self, name: str, default: str | None = None) -> str:
        return self._call.string_attr(name, default)

    def ints_attr(self, name: str, default: Sequence[int] | None = None) -> list[int]:
        return self._call.ints_attr(name, None if default is None else list(default))

    def floats_attr(self, name: str, default: Sequence[float] | None = None) -> list[float]:
        if default is not None and not self.has_attr(name):
            return list(default)
        return self._call.floats_attr(name)

    def tensor_attr(self, name: str) -> Array:
        """A tensor attribute, which must be there."""
        return array_of(self._call.tensor_attr(name))

    def axis(self, axis: int, rank: int) -> int:
        """`axis` as an index in [0, rank)."""
        if not -rank <= axis < rank:
            self.refuse(f"axis {axis} is outside of rank {rank}")
        return axis % rank

    def inline_subgraph(self, index: int, arguments: Sequence[Value]) -> list[Value | None]:
        """Converts a subgraph (in the order of their attributes' names) at the place of the node, with values for its
        arguments; gives what it yields."""
        found = self._call.inline_subgraph(index, [value.native for value in arguments])
        return [None if value is None else Value(value) for value in found]

    @property
    def num_subgraphs(self) -> int:
        """Asking says that the lowering knows what they mean."""
        return self._call.num_subgraphs

    @property
    def allows_rounding(self) -> bool:
        """Whether the user accepts results that agree with ONNX only up to rounding."""
        return self._call.allows_rounding

    def refuse(self, reason: str) -> NoReturn:
        """Leaves the lowering; the node is reported with this reason, with all others in one run."""
        self._call.refuse(reason)

    def refuse_rounding(self, reason: str) -> None:
        """`refuse`, unless the user accepts results that agree with ONNX only up to rounding."""
        self._call.refuse_rounding(reason)

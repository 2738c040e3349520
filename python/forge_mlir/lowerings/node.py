"""The typed view of a node that is passed to a lowering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from forge_mlir._native import LoweringCall, TensorValue
from forge_mlir.lowerings.element_types import Array, array_of, dtype_of


@dataclass(frozen=True)
class Value:
    """A tensor during a lowering. Its shape is always static."""

    native: TensorValue

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.native.shape)

    @property
    def dtype(self) -> str:
        """The numpy (or ml_dtypes) name of its element type."""
        return dtype_of(self.native.element_type)

    def known(self) -> Array | None:
        """Its elements if they are constant and in the IR (large weights are not); otherwise None."""
        found = self.native.known()
        return None if found is None else array_of(found)


class Node:
    """One ONNX node, its operands already converted.

    A getter that has no value records the reason, as in the compiler's own converters, and exits the lowering; other
    nodes are still converted. Every attribute must be read or passed to `ignore_attr`: a node with an unread attribute
    is refused. A node is valid until the lowering returns.
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
        """The name in the model."""
        return self._call.name

    @property
    def opset(self) -> int:
        """The version of the node's domain that the model imports."""
        return self._call.opset

    @property
    def num_inputs(self) -> int:
        return self._call.num_inputs

    @property
    def num_outputs(self) -> int:
        return self._call.num_outputs

    def has_input(self, index: int) -> bool:
        """Whether an operand is present. In ONNX an absent operand has the name "" or is left out."""
        return self._call.has_input(index)

    def uses_output(self, index: int) -> bool:
        """Whether anything uses an output."""
        return self._call.uses_output(index)

    def input(self, index: int) -> Value:
        """An operand, which is required."""
        return Value(self._call.input(index))

    def optional_input(self, index: int) -> Value | None:
        """An operand, or None if it is absent."""
        found = self._call.optional_input(index)
        return None if found is None else Value(found)

    def inputs(self) -> list[Value]:
        """All operands, which are required."""
        return [self.input(index) for index in range(self.num_inputs)]

    def constant(self, index: int, what: str) -> Array:
        """The elements of an operand that must be constant; `what` names it in the reason."""
        return array_of(self._call.constant(index, what))

    def has_attr(self, name: str) -> bool:
        return self._call.has_attr(name)

    def ignore_attr(self, name: str) -> None:
        """Marks an attribute as read, for one that does not change the result."""
        self._call.ignore_attr(name)

    def int_attr(self, name: str, default: int | None = None) -> int:
        """An attribute, which is required unless there is a default; the same holds for the next five."""
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
        """A tensor attribute, which is required."""
        return array_of(self._call.tensor_attr(name))

    def axis(self, axis: int, rank: int) -> int:
        """`axis` as an index in [0, rank)."""
        if not -rank <= axis < rank:
            self.refuse(f"axis {axis} is outside of rank {rank}")
        return axis % rank

    def inline_subgraph(self, index: int, arguments: Sequence[Value]) -> list[Value | None]:
        """Converts a subgraph (they are in alphabetical order of their attributes) inline, with values for its inputs;
        returns its outputs."""
        found = self._call.inline_subgraph(index, [value.native for value in arguments])
        return [None if value is None else Value(value) for value in found]

    @property
    def num_subgraphs(self) -> int:
        """The number of subgraphs. The call marks them as read."""
        return self._call.num_subgraphs

    @property
    def allows_rounding(self) -> bool:
        """Whether the user accepts results that agree with ONNX only up to rounding."""
        return self._call.allows_rounding

    def refuse(self, reason: str) -> NoReturn:
        """Exits the lowering; the node is reported with this reason, together with all other refused nodes."""
        self._call.refuse(reason)

    def refuse_rounding(self, reason: str) -> None:
        """`refuse`, unless the user accepts results that agree with ONNX only up to rounding."""
        self._call.refuse_rounding(reason)

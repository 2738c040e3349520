"""What every op shares: typed attributes, checks in Forge's own kinds of error, and the construction of the result.

Forge stores attributes in a strict variant (string, bool, 32-bit int, float, list of ints) and reads them back by
exact type. Nothing is converted: 1 is no float and no bool, True is no int, and each raises RuntimeError. A list
with something else than 32-bit ints in it fits no alternative and raises TypeError.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from ..data_format import DataFormat
from ..tensor import Operand, Parameter, Tensor

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Call:
    """One call of ``forge.op.<op>``."""

    op: str
    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError(f"forge.op.{self.op}: the name must be a string, got {self.name!r}")

    # Checks

    def require(self, condition: bool, message: str) -> None:
        """An assert of Forge's Python layer: AssertionError, also under ``python -O``."""
        if not condition:
            raise AssertionError(f"forge.op.{self.op}: {message}")

    def tt_assert(self, condition: bool, message: str) -> None:
        """A TT_ASSERT of Forge's C++ layer: RuntimeError."""
        if not condition:
            raise RuntimeError(f"forge.op.{self.op}: {message}")

    # Attributes

    def float_attr(self, attr: str, value: object) -> float:
        """A float, rounded to the 32 bits it has in C++."""
        if not isinstance(value, float):
            raise self._wrong_type(attr, "float", value)
        return ctypes.c_float(value).value

    def int_attr(self, attr: str, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not _fits_int32(value):
            raise self._wrong_type(attr, "32-bit int", value)
        return value

    def bool_attr(self, attr: str, value: object) -> bool:
        if not isinstance(value, bool):
            raise self._wrong_type(attr, "bool", value)
        return value

    def str_attr(self, attr: str, value: object) -> str:
        if not isinstance(value, str):
            raise self._wrong_type(attr, "string", value)
        return value

    def ints_attr(self, attr: str, value: object, length: int | None = None) -> list[int]:
        if not isinstance(value, list | tuple):
            raise self._wrong_type(attr, "list of ints", value)
        for entry in value:
            if not isinstance(entry, int) or not _fits_int32(entry):
                raise TypeError(f"forge.op.{self.op}: {attr} must be a list of 32-bit ints, got {value!r}")
        if length is not None:
            self.tt_assert(len(value) == length, f"{attr} must have {length} entries, got {value!r}")
        return [int(entry) for entry in value]

    def pair_attr(self, attr: str, value: object) -> list[int]:
        """Two ints, for height and width; a single int is used for both."""
        return self.ints_attr(attr, [value, value] if isinstance(value, int) else value, length=2)

    def any_attr(self, attr: str, value: object) -> None:
        """An attribute that is stored and never read. TypeError if it cannot even be stored."""
        if isinstance(value, list | tuple):
            self.ints_attr(attr, value)
        elif not isinstance(value, str | int | float | None):
            raise TypeError(f"forge.op.{self.op}: {attr} cannot be {value!r}")

    def _wrong_type(self, attr: str, wanted: str, value: object) -> RuntimeError:
        return RuntimeError(f"forge.op.{self.op}: {attr} must be a {wanted}, got {value!r}")

    # Operands

    def operand(self, value: Operand | None) -> Tensor | Parameter:
        """A Tensor or Parameter as it is; a float as a Constant.

        RuntimeError for a bare int or bool, which Constant refuses; TypeError for anything else.
        """
        match value:
            case Tensor() | Parameter():
                return value
            case float() | int():
                constant = Call("Constant", "").float_attr("constant", value)
                return Tensor(torch.tensor([constant], dtype=torch.float32), src_op="Constant")
        raise TypeError(f"forge.op.{self.op}: an operand must be a forge Tensor or Parameter, got {value!r}")

    def axis(self, attr: str, value: object, rank: int) -> int:
        """An int attribute that names one of ``rank`` axes, made non-negative. RuntimeError outside of them."""
        axis = self.int_attr(attr, value)
        self.tt_assert(-rank <= axis < rank, f"{attr}={axis} is no axis of a tensor of rank {rank}")
        return axis % rank

    # Result

    def result(
        self,
        compute: Callable[..., torch.Tensor],
        *operands: Operand,
        shape: Sequence[int] | None = None,
        data_format: DataFormat | None = None,
    ) -> Tensor:
        """Run ``compute`` on the operands' torch values and wrap what it returns.

        Operands of 16 bits are computed in float32 and the result is rounded once, as the device accumulates.
        ``shape`` is what Forge's own shape function says, wherever that can differ from torch: a difference
        raises RuntimeError, as does a result dtype that Forge has no format for.
        """
        values = [self.operand(operand).value() for operand in operands]
        formats = {value.dtype for value in values if value.is_floating_point()}
        if formats in ({torch.bfloat16}, {torch.float16}):
            compute = _rounded_once(compute, *formats)
        return self._result(compute, values, shape, data_format)

    def moved(
        self,
        compute: Callable[..., torch.Tensor],
        *operands: Operand,
        shape: Sequence[int] | None = None,
        data_format: DataFormat | None = None,
    ) -> Tensor:
        """``result`` for an op whose elements are those of its operands, or that only changes their dtype."""
        return self._result(compute, [self.operand(operand).value() for operand in operands], shape, data_format)

    def arithmetic(
        self,
        compute: Callable[..., torch.Tensor],
        *operands: Operand,
        shape: Sequence[int] | None = None,
        reach: Callable[..., tuple[torch.Tensor, torch.Tensor]] | None = None,
        sums: bool = False,
    ) -> Tensor:
        """``result`` for an op that can leave Int32, which is all the device has for integers.

        Integers are computed in 64 bits, ``compute`` gets them so, and a result outside Int32 raises OverflowError
        instead of wrapping; it comes back in the dtype that torch promotes the operands to, booleans as int32. With
        ``sums``, narrower integers come back as int32 too: torch widens the results of its sums.
        ``reach`` gives the lowest and the highest intermediate values, if they are outside of the range of the result.
        Padding (an operand that is not ``checked``) may hold anything, so there integers wrap.
        """
        found = [self.operand(operand) for operand in operands]
        values = [operand.value() for operand in found]
        if any(value.is_floating_point() for value in values) or not values:
            return self.result(compute, *found, shape=shape)
        dtype = values[0].dtype
        for value in values[1:]:
            dtype = torch.promote_types(dtype, value.dtype)
        if sums or dtype == torch.bool:
            dtype = torch.promote_types(dtype, torch.int32)
        checked = all(operand.checked for operand in found)

        def narrowed(*wide: torch.Tensor) -> torch.Tensor:
            value = compute(*wide)
            if checked:
                self.require_int32(*((value, value) if reach is None else reach(*wide)))
            return value.to(dtype)

        return self._result(narrowed, [value.to(torch.int64) for value in values], shape, None)

    def require_int32(self, lowest: torch.Tensor, highest: torch.Tensor) -> None:
        """OverflowError unless all of ``lowest`` and ``highest`` are numbers that Int32 holds."""
        if lowest.numel() == 0:
            return
        # Compared so that NaN fails.
        if not (lowest.min().item() > -(2**31) - 1 and highest.max().item() < 2**31):
            raise OverflowError(f"forge.op.{self.op}: an integer does not fit Int32 on the device")

    def _result(
        self,
        compute: Callable[..., torch.Tensor],
        values: list[torch.Tensor],
        shape: Sequence[int] | None,
        data_format: DataFormat | None,
    ) -> Tensor:
        wants_grad = torch.is_grad_enabled() and any(value.requires_grad for value in values)
        with torch.set_grad_enabled(wants_grad):
            try:
                value = compute(*values)
            except RuntimeError as error:
                if "ZeroDivisionError" in str(error):  # torch's text for integers
                    raise ZeroDivisionError(f"forge.op.{self.op}: an integer division by zero") from error
                raise RuntimeError(f"forge.op.{self.op}: {error}") from error
        if shape is not None and tuple(shape) != tuple(value.shape):
            raise RuntimeError(
                f"forge.op.{self.op}: traced shape {tuple(shape)} differs from the computed one {tuple(value.shape)}"
            )
        return Tensor(value, data_format, src_op=self.op)


def _rounded_once(compute: Callable[..., torch.Tensor], narrow: torch.dtype) -> Callable[..., torch.Tensor]:
    """``compute`` in float32 of ``narrow`` operands; its result rounded to ``narrow``."""

    def in_float32(*operands: torch.Tensor) -> torch.Tensor:
        value = compute(*(x.to(torch.float32) if x.dtype == narrow else x for x in operands))
        return value.to(narrow) if value.dtype == torch.float32 else value

    return in_float32


def broadcast_shape(call: Call, *shapes: Shape) -> Shape:
    """Right-aligned broadcast. RuntimeError unless every pair of aligned dims is equal or has a 1."""
    rank = max(len(shape) for shape in shapes)
    result = [1] * rank
    for shape in shapes:
        for position, dim in enumerate(shape, start=rank - len(shape)):
            call.tt_assert(1 in (dim, result[position]) or dim == result[position], f"cannot broadcast {shapes}")
            result[position] = dim if result[position] == 1 else result[position]
    return tuple(result)


def widest_float(*values: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """The values, the floating ones promoted to the widest floating dtype among them."""
    floating = [value.dtype for value in values if value.is_floating_point()]
    if not floating:
        return values
    widest = floating[0]
    for dtype in floating[1:]:
        widest = torch.promote_types(widest, dtype)
    return tuple(value.to(widest) if value.is_floating_point() else value for value in values)


def _fits_int32(value: int) -> bool:
    return -(2**31) <= value < 2**31


def indices_within(indices: torch.Tensor, size: int) -> torch.Tensor:
    """`indices` as int64. IndexError if one is outside [0, size)."""
    whole = indices.to(torch.int64)
    outside = whole[(whole < 0) | (whole >= size)]
    if outside.numel():
        raise IndexError(f"index {int(outside[0])} is outside of the {size} elements of the axis")
    return whole

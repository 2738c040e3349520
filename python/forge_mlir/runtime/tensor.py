"""The two kinds of operand a Forge op takes: Tensor (inputs, constants, op results) and Parameter (weights)."""

from __future__ import annotations

from typing import TypeAlias

import torch

from .data_format import DataFormat, forge_dataformat_to_pytorch_dtype, pytorch_dtype_to_forge_dataformat


class _Arithmetic:
    """``+``, ``-`` and ``*`` build the corresponding Forge op."""

    checked = True
    """Whether integers computed from this one must fit Int32; false for tensors with padding, whose values are
    arbitrary."""

    def __add__(self, other: Operand) -> Tensor:
        from .op.eltwise_binary import Add  # ops are built on tensors, hence the late import

        return Add("", _as_operand(self), other)

    def __sub__(self, other: Operand) -> Tensor:
        from .op.eltwise_binary import Subtract

        return Subtract("", _as_operand(self), other)

    def __mul__(self, other: Operand) -> Tensor:
        from .op.eltwise_binary import Multiply

        return Multiply("", _as_operand(self), other)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: Operand) -> Tensor:
        from .op.eltwise_binary import Subtract

        return Subtract("", other, _as_operand(self))


class _Declared(_Arithmetic):
    """What a tensor and a parameter tell of themselves, with a value or without."""

    _shape: tuple[int, ...]
    _data_format: DataFormat
    _value: torch.Tensor | None

    @property
    def shape(self) -> tuple[int, ...]:
        return self._shape

    @property
    def data_format(self) -> DataFormat:
        return self._data_format

    @property
    def pt_data_format(self) -> torch.dtype:
        return forge_dataformat_to_pytorch_dtype(self._data_format)

    def ndim(self) -> int:
        return len(self._shape)

    def has_value(self) -> bool:
        return self._value is not None


class Tensor(_Declared):
    """A torch value with its Forge data format.

    A generated module releases a value it no longer needs with ``t._value = None``; shape and format
    stay readable, the value does not.
    """

    def __init__(
        self,
        value: torch.Tensor,
        data_format: DataFormat | None = None,
        constant: bool = False,
        src_op: str | None = None,
    ) -> None:
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"a forge Tensor holds a torch tensor, got {type(value).__name__}")
        natural_format = pytorch_dtype_to_forge_dataformat(value.dtype)
        self._value = value
        self._shape = tuple(value.shape)
        self._data_format = data_format or natural_format
        self.constant = constant
        self.src_op = src_op
        self.src_layer: str | None = None

    @classmethod
    def create_from_torch(
        cls, torch_tensor: torch.Tensor, dev_data_format: DataFormat | None = None, constant: bool = False
    ) -> Tensor:
        """Wrap a torch tensor. RuntimeError for a dtype without a Forge format (float64, int16 ...)."""
        return cls(torch_tensor, dev_data_format, constant)

    @property
    def requires_grad(self) -> bool:
        return self._value is not None and self._value.requires_grad

    def value(self) -> torch.Tensor:
        """The torch value. RuntimeError once it was released."""
        if self._value is None:
            raise RuntimeError(f"{self._label()} was released and is read again")
        return self._value

    def set_value(self, value: torch.Tensor) -> None:
        """Replace the value. RuntimeError unless the shape stays the same."""
        if tuple(value.shape) != self._shape:
            raise RuntimeError(f"{self._label()} cannot hold a value of shape {tuple(value.shape)}")
        self._value = value

    def set_src_layer(self, layer: str) -> Tensor:
        """Remember the model's node this value comes from; returns the tensor itself, for chaining."""
        self.src_layer = layer
        return self

    def __repr__(self) -> str:
        return self._label() if self._value is None else f"{self._label()}:\n{self._value}"

    def _label(self) -> str:
        origin = self.src_layer or self.src_op or ("constant" if self.constant else "input")
        return f"Tensor({origin}, shape={self._shape}, {self._data_format.name})"


class Parameter(_Declared):
    """A weight, declared by shape and format, filled in later by ``set_value`` (or given as a torch tensor)."""

    def __init__(
        self,
        *args: int | torch.Tensor,
        requires_grad: bool = True,
        name: str | None = None,
        dev_data_format: DataFormat | None = None,
    ) -> None:
        if not args:
            raise RuntimeError("a forge Parameter needs its dimensions, or a torch tensor")
        self.requires_grad = requires_grad
        self._name = name
        self._value = None
        first = args[0]
        if isinstance(first, torch.Tensor):
            if len(args) != 1:
                raise TypeError("a forge Parameter takes one torch tensor, or dimensions")
            self._shape = tuple(first.shape)
            self._data_format = dev_data_format or pytorch_dtype_to_forge_dataformat(first.dtype)
            self.set_value(first)
            return
        dims: list[int] = []
        for dim in args:
            if isinstance(dim, bool) or not isinstance(dim, int) or dim < 0:
                raise TypeError(f"a dimension of a forge Parameter must be a non-negative int, got {dim!r}")
            dims.append(dim)
        self._shape = tuple(dims)
        self._data_format = dev_data_format or DataFormat.Float32

    def get_name(self) -> str | None:
        return self._name

    def _set_auto_name(self, name: str) -> None:
        """Name the parameter after its attribute path in a module, unless it was named by hand."""
        if self._name is None:
            self._name = name

    def value(self) -> torch.Tensor:
        """The torch value. RuntimeError as long as none was set."""
        if self._value is None:
            raise RuntimeError(f"{self!r} has no value yet: set_parameter was never called for it")
        return self._value

    def set_value(self, value: torch.Tensor) -> None:
        """Fill in the weight.

        A 0-d value takes the declared shape if that has one element. RuntimeError for any other shape, for a
        dtype without a Forge format, for integers in a floating format (or the reverse), and for integers
        that should require gradients. The Forge package itself checks none of these here.
        """
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"{self!r} takes a torch tensor, got {type(value).__name__}")
        natural_format = pytorch_dtype_to_forge_dataformat(value.dtype)
        if natural_format.is_floating != self._data_format.is_floating:
            raise RuntimeError(f"{self!r} cannot hold {value.dtype}")
        if self.requires_grad and not natural_format.is_floating:
            raise RuntimeError(f"{self!r} requires gradients, so it cannot hold {value.dtype}; use a constant")
        self._value = fit_to_declared(value, self._shape, repr(self)).detach().requires_grad_(self.requires_grad)

    def __repr__(self) -> str:
        return f"Parameter({self._name!r}, shape={self._shape}, {self._data_format.name})"


Operand: TypeAlias = Tensor | Parameter | float
"""What an op accepts: a bare Python float becomes a Constant."""


def _as_operand(value: _Arithmetic) -> Tensor | Parameter:
    assert isinstance(value, Tensor | Parameter)
    return value


def fit_to_declared(value: torch.Tensor, shape: tuple[int, ...], owner: str) -> torch.Tensor:
    """``value`` in the declared shape; only a scalar may be reshaped. RuntimeError for a mismatch."""
    if value.ndim == 0 and all(dim == 1 for dim in shape):
        return value.reshape(shape)
    if tuple(value.shape) != shape:
        raise RuntimeError(f"{owner} cannot hold a value of shape {tuple(value.shape)}")
    return value

"""Module classes of forge.op.nn: each owns its weights and calls the op of the same name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from ..module import ForgeModule
from ..tensor import Operand, Parameter, Tensor
from .convolution import Conv2d, Conv2dTranspose
from .matmul import Matmul
from .pooling import AvgPool2d, MaxPool1d, MaxPool2d


class Linear(ForgeModule):
    """forge.op.nn.Linear: activations @ weights, with weights (in_features, out_features) initialised at random.

    As shipped, bias=True (the default) raises AttributeError.
    """

    def __init__(self, name: str, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__(name)
        weights = torch.empty(in_features, out_features)
        torch.nn.init.kaiming_uniform_(weights, a=math.sqrt(5))
        self.weights = Parameter(weights)
        if bias:
            raise AttributeError("forge.op.nn.Linear: bias=True fails in Forge; pass bias=False and add it yourself")

    def forward(self, activations: Operand) -> Tensor:
        return Matmul(self.name, activations, self.weights, None)


class Conv2dModule(ForgeModule):
    """forge.op.nn.Conv2dModule: Conv2d with weights (out, in/groups, kH, kW) and a bias, to be set.

    AssertionError unless groups divides in_channels; NotImplementedError for t_stream_workaround, which only
    concerns an older device.
    """

    def __init__(
        self,
        name: str,
        in_channels: int,
        out_channels: int,
        kernel_size: Sequence[int],
        stride: int | list[int] = 1,
        padding: int | str | list[int] = "same",
        dilation: int | list[int] = 1,
        groups: int = 1,
        bias: bool = True,
        t_stream_workaround: bool = False,
    ) -> None:
        super().__init__(name)
        if in_channels % groups != 0:
            raise AssertionError(f"Conv2dModule: {groups} groups do not divide {in_channels} input channels")
        if t_stream_workaround:
            raise NotImplementedError("Conv2dModule: t_stream_workaround is not available on the CPU")
        self.weights = Parameter(out_channels, in_channels // groups, kernel_size[0], kernel_size[1])
        self.bias = Parameter(out_channels) if bias else None
        self._kwargs: dict[str, Any] = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}

    def forward(self, activations: Operand) -> Tensor:
        return Conv2d(self.name, activations, self.weights, self.bias, **self._kwargs)


class ConvTranspose2dModule(ForgeModule):
    """forge.op.nn.ConvTranspose2dModule: Conv2dTranspose with weights (in, out/groups, kH, kW) and a bias, to be set.

    AssertionError unless groups divides out_channels, padding_mode is 'zeros' and output_padding 0.
    """

    def __init__(
        self,
        name: str,
        in_channels: int,
        out_channels: int,
        kernel_size: Sequence[int],
        stride: int = 1,
        padding: int | str | tuple[int, int, int, int] = "same",
        output_padding: int = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: int = 1,
        padding_mode: str = "zeros",
    ) -> None:
        super().__init__(name)
        if out_channels % groups != 0:
            raise AssertionError(f"ConvTranspose2dModule: {groups} groups do not divide {out_channels} output channels")
        if padding_mode != "zeros" or output_padding != 0:
            raise AssertionError("ConvTranspose2dModule: padding_mode must be 'zeros' and output_padding 0")
        self.weights = Parameter(in_channels, out_channels // groups, kernel_size[0], kernel_size[1])
        self.bias = Parameter(out_channels) if bias else None
        self._kwargs: dict[str, Any] = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}

    def forward(self, activations: Operand) -> Tensor:
        return Conv2dTranspose(self.name, activations, self.weights, self.bias, **self._kwargs)


class MaxPool1dModule(ForgeModule):
    """forge.op.nn.MaxPool1dModule: MaxPool1d with stored arguments; it raises what that raises."""

    def __init__(
        self,
        name: str,
        kernel_size: int,
        stride: int = 1,
        padding: int | str = 0,
        dilation: int = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> None:
        super().__init__(name)
        self._args = (kernel_size, stride, padding, dilation, ceil_mode, return_indices)

    def forward(self, activations: Operand) -> Tensor:
        return MaxPool1d(self.name, activations, *self._args)


class MaxPool2dModule(ForgeModule):
    """forge.op.MaxPool2dModule: MaxPool2d with stored arguments; it raises what that raises."""

    def __init__(
        self,
        name: str,
        kernel_size: int | tuple[int, int],
        stride: int = 1,
        padding: int | str = "same",
        dilation: int = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> None:
        super().__init__(name)
        self._args = (kernel_size, stride, padding, dilation, ceil_mode, return_indices)

    def forward(self, activations: Operand) -> Tensor:
        return MaxPool2d(self.name, activations, *self._args)


class AvgPool2dModule(ForgeModule):
    """forge.op.nn.AvgPool2dModule: AvgPool2d with stored arguments; it raises what that raises."""

    def __init__(
        self,
        name: str,
        kernel_size: int | tuple[int, int],
        stride: int = 1,
        padding: int | str = "same",
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: float | None = None,
    ) -> None:
        super().__init__(name)
        self._args = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    def forward(self, activations: Operand) -> Tensor:
        return AvgPool2d(self.name, activations, *self._args)

"""2-D convolutions. Activations are N,C,H,W, or N,H,W,C with channel_last.

Padding defaults to 'same' in both ops, and each has its own order for a sequence: read the docstrings.
"""

from collections.abc import Callable

import torch
from torch.nn.functional import conv2d, conv_transpose2d, pad

from ..tensor import Operand, Parameter, Tensor
from ._call import Call
from .eltwise_binary import Add
from .matmul import integer_product


def Conv2d(
    name: str,
    activations: Operand,
    weights: Operand,
    bias: Operand | None = None,
    stride: int | list[int] = 1,
    padding: int | str | list[int] = "same",
    dilation: int | list[int] = 1,
    groups: int = 1,
    channel_last: bool = False,
) -> Tensor:
    """forge.op.Conv2d: cross-correlation with weights Cout,Cin/groups,kH,kW and a bias whose last axis is Cout.

    padding is [top, left, bottom, right], an int for all four, or 'same'. As shipped, two values [p0, p1] give
    top = left = p1 and bottom = right = p0, and 'same' with an even kernel pads by rows of the wrong axis.
    Integer weights give int32, and raise OverflowError where a sum of products leaves it; otherwise activations are
    cast to the weights' dtype and the result back.

    IndexError for weights of rank below 4; AssertionError for another string or sequence length of padding;
    RuntimeError for attribute types, a stride or dilation that is not an int or two, activations not of rank 4.
    """
    call = Call("Conv2d", name)
    activations, weights = call.operand(activations), call.operand(weights)
    kernel = (weights.shape[2], weights.shape[3])
    top, left, bottom, right = call.ints_attr("padding", _canonical_padding(call, padding, kernel), length=4)
    strides, dilations = call.pair_attr("stride", stride), call.pair_attr("dilation", dilation)
    groups = call.int_attr("groups", groups)
    channel_last = call.bool_attr("channel_last", channel_last)
    _check_ranks(call, activations, weights)

    def window(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor | None = None) -> torch.Tensor:
        return conv2d(pad(x, [left, right, top, bottom]), w, b, strides, 0, dilations, groups)

    return _convolution(call, window, activations, weights, bias, channel_last)


def Conv2dTranspose(
    name: str,
    activations: Operand,
    weights: Operand,
    bias: Operand | None = None,
    stride: int = 1,
    padding: int | str | tuple[int, int, int, int] = "same",
    dilation: int = 1,
    groups: int = 1,
    channel_last: bool = False,
    output_padding: int | tuple[int, int] = 0,
) -> Tensor:
    """forge.op.Conv2dTranspose: transposed convolution with weights Cin,Cout/groups,kH,kW; the bias is flattened.

    padding is an int, a tuple (top, left, bottom, right) that must be symmetric, or a list of which the first two
    are read as [pH, pW]; 'same' is kW//2 on both axes. dtypes as in Conv2d.

    AssertionError for an asymmetric tuple or another string; ValueError for a tuple that has not four entries;
    IndexError for weights of rank below 4; RuntimeError for attribute types and what torch refuses.
    """
    call = Call("Conv2dTranspose", name)
    activations, weights = call.operand(activations), call.operand(weights)
    pads = _transpose_padding(call, padding, weights.shape[3])
    strides, dilations = call.pair_attr("stride", stride), call.pair_attr("dilation", dilation)
    extra = call.pair_attr("output_padding", output_padding)
    groups = call.int_attr("groups", groups)
    channel_last = call.bool_attr("channel_last", channel_last)
    _check_ranks(call, activations, weights)

    def window(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor | None = None) -> torch.Tensor:
        return conv_transpose2d(x, w, b, strides, pads, extra, groups, dilations)

    return _convolution(call, window, activations, weights, bias, channel_last)


def _convolution(
    call: Call,
    window: Callable[..., torch.Tensor],
    activations: Tensor | Parameter,
    weights: Tensor | Parameter,
    bias: Operand | None,
    channel_last: bool,
) -> Tensor:
    """`window` on channels first; integers as a sum of products and a sum, each of which must fit Int32."""

    def of_floats(x: torch.Tensor, w: torch.Tensor, *b: torch.Tensor) -> torch.Tensor:
        flat_bias = b[0].reshape(-1) if b else None
        y = window(_channel_first(x.to(w.dtype), channel_last), w, flat_bias)
        return _channel_back(y, channel_last).to(x.dtype)

    if weights.data_format.is_floating:
        return call.result(of_floats, activations, weights, *([] if bias is None else [bias]))

    def on_channels(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return _channel_back(window(_channel_first(x, channel_last), w), channel_last)

    product = integer_product(call, on_channels, activations, weights)
    if bias is None:
        return product
    columns = call.operand(bias).value().reshape(-1)
    return Add(f"{call.name}.bias", product, Tensor(columns if channel_last else columns.reshape(-1, 1, 1)))


def _canonical_padding(call: Call, padding: object, kernel: tuple[int, int]) -> object:
    """Conv2d's padding as four entries that C++ reads as top, left, bottom, right."""
    height, width = kernel
    match padding:
        case str():
            call.require(padding == "same", f"padding must be 'same', ints or a list, got '{padding}'")
            # Built as left, right, top, bottom but read as top, left, bottom, right: only odd square kernels are right.
            return [width // 2, width // 2 - (width % 2 == 0), height // 2, height // 2 - (height % 2 == 0)]
        case int():
            return [padding] * 4
        case [first, second]:
            return [second, second, first, first]
        case [_, _, _, _]:
            return padding
    raise AssertionError(f"forge.op.{call.op}: unsupported padding {padding!r}")


def _transpose_padding(call: Call, padding: object, kernel_width: int) -> list[int]:
    """Conv2dTranspose's padding as [pH, pW]."""
    match padding:
        case str():
            call.require(padding == "same", f"padding must be 'same', an int, a tuple or a list, got '{padding}'")
            return [kernel_width // 2] * 2
        case int():
            return call.pair_attr("padding", padding)
        case tuple():
            top, left, bottom, right = padding
            call.require(left == right and top == bottom, f"padding {padding} is not symmetric")
            return call.pair_attr("padding", [top, left])
    entries = call.ints_attr("padding", padding)
    call.tt_assert(len(entries) >= 2, f"padding needs two entries, got {entries}")
    return entries[:2]


def _check_ranks(call: Call, activations: Tensor | Parameter, weights: Tensor | Parameter) -> None:
    for what, operand in (("activations", activations), ("weights", weights)):
        call.tt_assert(len(operand.shape) == 4, f"{what} must have rank 4, got shape {operand.shape}")


def _channel_first(x: torch.Tensor, channel_last: bool) -> torch.Tensor:
    # Contiguous, so that torch adds in one order for both layouts.
    return x.movedim(-1, 1).contiguous() if channel_last else x


def _channel_back(x: torch.Tensor, channel_last: bool) -> torch.Tensor:
    return x.movedim(1, -1) if channel_last else x

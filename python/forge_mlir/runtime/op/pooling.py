"""Max and average pooling over the last one or two axes (channel_last: the two before the channels).

The 2-d ops take padding as [left, right, top, bottom], an int, or 'same' (half the kernel), which is the default.
"""

import math

import torch
from torch.nn.functional import avg_pool1d, avg_pool2d, max_pool1d, max_pool2d, pad

from ..tensor import Operand, Tensor
from ._call import Call, Shape


def MaxPool1d(
    name: str,
    activations: Operand,
    kernel_size: int | tuple[int, int],
    stride: int = 1,
    padding: int | str = 0,
    dilation: int = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Tensor:
    """forge.op.MaxPool1d: maximum over windows of the last axis of N,C,W, -inf on both sides as padding.

    AssertionError unless ceil_mode and return_indices are False and kernel_size and padding are ints; RuntimeError
    unless dilation is 1, the rank at least 3 and stride an int. The device has no lowering for it.
    """
    call = Call("MaxPool1d", name)
    call.require(not ceil_mode, "ceil_mode is not supported")
    call.require(not return_indices, "return_indices is not supported")
    call.require(type(kernel_size) is int, f"kernel_size must be an int, got {kernel_size!r}")
    call.require(type(padding) is int, f"padding must be an int, got {padding!r}")
    kernel, step = call.int_attr("kernel_size", kernel_size), call.int_attr("stride", stride)
    pads = call.int_attr("padding", padding)
    call.bool_attr("ceil_mode", ceil_mode)
    call.tt_assert(call.int_attr("dilation", dilation) == 1, f"dilation must be 1, got {dilation}")
    activations = call.operand(activations)
    call.tt_assert(len(activations.shape) >= 3, f"needs rank 3, got shape {activations.shape}")
    return call.result(
        lambda x: max_pool1d(pad(x, [pads, pads], value=-math.inf), kernel, step, 0, 1),
        activations,
        shape=(*activations.shape[:-1], _window_count(activations.shape[-1], kernel, step, pads, False)),
    )


def MaxPool2d(
    name: str,
    activations: Operand,
    kernel_size: int | tuple[int, int],
    stride: int = 1,
    padding: int | str = "same",
    dilation: int = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
    max_pool_add_sub_surround: bool = False,
    max_pool_add_sub_surround_value: float = 1.0,
    channel_last: bool = False,
) -> Tensor:
    """forge.op.MaxPool2d: maximum over windows of H and W; the two max_pool_add_sub_surround arguments do nothing.

    The operand is padded with -inf before it is pooled, so with ceil_mode torch may drop a window that Forge's
    shape formula counts: RuntimeError. Also RuntimeError for a dilation other than 1, padding that differs within
    an axis, rank below 4 and ceil_mode that is no bool. AssertionError for return_indices, a kernel_size that is
    no int or tuple (a list is not) and strings other than 'same'; IndexError for fewer than four pads.
    """
    del max_pool_add_sub_surround, max_pool_add_sub_surround_value
    call = Call("MaxPool2d", name)
    call.require(not return_indices, "return_indices is not supported")
    call.require(isinstance(kernel_size, int | tuple), f"kernel_size must be an int or tuple, got {kernel_size!r}")
    kernel, strides = call.pair_attr("kernel_size", kernel_size), call.pair_attr("stride", stride)
    vertical, horizontal = _symmetric_padding(call, padding, kernel)
    call.tt_assert(call.pair_attr("dilation", dilation) == [1, 1], f"dilation must be 1, got {dilation}")
    ceil_mode = call.bool_attr("ceil_mode", ceil_mode)
    activations = call.operand(activations)
    call.tt_assert(len(activations.shape) == 4, f"needs rank 4, got shape {activations.shape}")
    last = bool(channel_last)

    def compute(x: torch.Tensor) -> torch.Tensor:
        x = pad(x.movedim(-1, 1) if last else x, [horizontal, horizontal, vertical, vertical], value=-math.inf)
        y = max_pool2d(x, kernel, strides, 0, 1, ceil_mode)
        return y.movedim(1, -1) if last else y

    shape = _pooled_shape(activations.shape, kernel, strides, (vertical, horizontal), ceil_mode, last)
    return call.result(compute, activations, shape=shape)


def AvgPool1d(
    name: str,
    activations: Operand,
    kernel_size: int | tuple[int, int],
    stride: int | list[int] = 1,
    padding: int | str | list[int] = "same",
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    """forge.op.AvgPool1d: mean over windows of the last axis of N,C,W; of sequences only the first entry counts.

    As shipped, the default padding raises IndexError unless kernel_size has two entries. AssertionError for a
    kernel_size that is no int, tuple or list; RuntimeError for padding [left, right] with left != right, rank
    below 3 and attribute types.
    """
    call = Call("AvgPool1d", name)
    call.require(isinstance(kernel_size, int | tuple | list), f"kernel_size cannot be {kernel_size!r}")
    sizes = [kernel_size] if isinstance(kernel_size, int) else kernel_size
    strides = [stride] if isinstance(stride, int) else stride
    kernel, step = call.int_attr("kernel_size", sizes[0]), call.int_attr("stride", strides[0])
    if isinstance(padding, str):
        call.require(padding == "same", f"padding must be 'same' or ints, got '{padding}'")
        left = right = sizes[1] // 2
    else:
        pads = call.pair_attr("padding", padding)
        left, right = pads[0], pads[1]
    call.tt_assert(left == right, f"padding {padding} is not symmetric")
    ceil_mode = call.bool_attr("ceil_mode", ceil_mode)
    include = call.bool_attr("count_include_pad", count_include_pad)
    activations = call.operand(activations)
    call.tt_assert(len(activations.shape) >= 3, f"needs rank 3, got shape {activations.shape}")
    return call.result(lambda x: avg_pool1d(x, kernel, step, left, ceil_mode, include), activations)


def AvgPool2d(
    name: str,
    activations: Operand,
    kernel_size: int | tuple[int, int],
    stride: int = 1,
    padding: int | str = "same",
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: float | None = None,
    channel_last: bool = False,
) -> Tensor:
    """forge.op.AvgPool2d: mean over windows of H and W.

    As shipped, evaluation swaps the pads of H and W: the result is right only if they are equal, and RuntimeError
    follows where the sizes come out different. Also RuntimeError for padding that differs within an axis, rank
    below 4 and flags that are no bools. AssertionError for divisor_override, a kernel_size that is no int, tuple
    or list, and strings other than 'same'; IndexError for fewer than four pads.
    """
    call = Call("AvgPool2d", name)
    call.require(divisor_override is None, "divisor_override is not supported")
    call.require(isinstance(kernel_size, int | tuple | list), f"kernel_size cannot be {kernel_size!r}")
    kernel, strides = call.pair_attr("kernel_size", kernel_size), call.pair_attr("stride", stride)
    vertical, horizontal = _symmetric_padding(call, padding, kernel)
    ceil_mode = call.bool_attr("ceil_mode", ceil_mode)
    include = call.bool_attr("count_include_pad", count_include_pad)
    activations = call.operand(activations)
    call.tt_assert(len(activations.shape) == 4, f"needs rank 4, got shape {activations.shape}")
    last = bool(channel_last)

    def compute(x: torch.Tensor) -> torch.Tensor:
        x = x.movedim(-1, 1) if last else x
        y = avg_pool2d(x, kernel, strides, (horizontal, vertical), ceil_mode, include)
        return y.movedim(1, -1) if last else y

    shape = _pooled_shape(activations.shape, kernel, strides, (vertical, horizontal), ceil_mode, last)
    return call.result(compute, activations, shape=shape)


def _symmetric_padding(call: Call, padding: object, kernel: list[int]) -> tuple[int, int]:
    """Padding above and below, and padding left and right."""
    match padding:
        case str():
            call.require(padding == "same", f"padding must be 'same' or ints, got '{padding}'")
            pads = [kernel[1] // 2] * 2 + [kernel[0] // 2] * 2
        case int():
            pads = [padding] * 4
        case _:
            pads = call.ints_attr("padding", padding)
    left, right, top, bottom = (pads[position] for position in range(4))
    call.tt_assert(left == right and top == bottom, f"padding {padding} is not symmetric")
    return call.int_attr("padding", int(top)), call.int_attr("padding", int(left))


def _window_count(size: int, kernel: int, stride: int, padding: int, ceil_mode: bool) -> int:
    """How many windows Forge's shape function counts; torch may drop the last one in ceil_mode."""
    room = size + 2 * padding - kernel
    return (-(-room // stride) if ceil_mode else room // stride) + 1


def _pooled_shape(
    shape: Shape, kernel: list[int], strides: list[int], pads: tuple[int, int], ceil_mode: bool, channel_last: bool
) -> Shape:
    height, width = (1, 2) if channel_last else (2, 3)
    pooled = list(shape)
    for position, axis in enumerate((height, width)):
        pooled[axis] = _window_count(shape[axis], kernel[position], strides[position], pads[position], ceil_mode)
    return tuple(pooled)

"""Resizing of spatial axes. With channel_last the channels are the trailing axis.

'nearest' picks floor(i * in / out); the linear modes use half-pixel centres unless align_corners.
"""

import torch
from torch.nn.functional import interpolate

from ..tensor import Operand, Tensor
from ._call import Call


def Resize1d(
    name: str,
    operandA: Operand,
    size: int,
    mode: str = "nearest",
    align_corners: bool = False,
    channel_last: bool = False,
) -> Tensor:
    """forge.op.Resize1d: N,C,W to width ``size``, mode nearest or linear.

    AssertionError for a size that is no int or another mode; RuntimeError for a rank other than 3 and for flags
    that are no bools.
    """
    call = Call("Resize1d", name)
    call.require(isinstance(size, int), f"size must be an int, got {size!r}")
    return _resize(call, operandA, [call.int_attr("size", size)], mode, "linear", align_corners, channel_last)


def Resize2d(
    name: str,
    operandA: Operand,
    sizes: list[int] | tuple[int, int],
    mode: str = "nearest",
    align_corners: bool = False,
    channel_last: bool = False,
) -> Tensor:
    """forge.op.Resize2d: N,C,H,W to ``sizes`` [H, W], mode nearest or bilinear.

    AssertionError for sizes that are no list or tuple of two, or another mode; RuntimeError for a rank other than
    4 and for flags that are no bools; TypeError for sizes that are no ints.
    """
    call = Call("Resize2d", name)
    call.require(isinstance(sizes, list | tuple) and len(sizes) == 2, f"sizes must be two ints, got {sizes!r}")
    return _resize(call, operandA, call.ints_attr("sizes", sizes), mode, "bilinear", align_corners, channel_last)


def Upsample2d(
    name: str,
    operandA: Operand,
    scale_factor: int | list[int] | tuple[int, int],
    mode: str = "nearest",
    channel_last: bool = False,
) -> Tensor:
    """forge.op.Upsample2d: H and W of N,C,H,W times integer factors, mode nearest or bilinear.

    AssertionError for a scale_factor that is no int and no list or tuple of two, or another mode; RuntimeError for
    a rank other than 4 and a channel_last that is no bool; TypeError for factors that are no ints.
    """
    call = Call("Upsample2d", name)
    _check_scale_factor(call, scale_factor, mode)
    operandA = call.operand(operandA)
    call.tt_assert(len(operandA.shape) == 4, f"needs rank 4, got shape {operandA.shape}")
    spatial = operandA.shape[1:3] if channel_last else operandA.shape[2:4]
    factors = call.pair_attr("scale_factor", scale_factor)
    sizes = [dim * factor for dim, factor in zip(spatial, factors, strict=True)]
    return _resize(call, operandA, sizes, mode, "bilinear", False, channel_last)


def Downsample2d(
    name: str,
    operandA: Operand,
    scale_factor: int | list[int] | tuple[int, int],
    mode: str = "nearest",
    channel_last: bool = False,
) -> Tensor:
    """forge.op.Downsample2d: not implemented in Forge, so every call raises.

    AssertionError for the arguments Upsample2d would refuse, RuntimeError for all others.
    """
    del operandA, channel_last
    call = Call("Downsample2d", name)
    _check_scale_factor(call, scale_factor, mode)
    raise RuntimeError("forge.op.Downsample2d: not implemented by Forge")


def _check_scale_factor(call: Call, scale_factor: object, mode: str) -> None:
    pair = isinstance(scale_factor, list | tuple) and len(scale_factor) == 2
    call.require(pair or isinstance(scale_factor, int), f"scale_factor must be one or two ints, got {scale_factor!r}")
    call.require(mode in ("nearest", "bilinear"), f"mode must be nearest or bilinear, got {mode!r}")


def _resize(
    call: Call, operand: Operand, sizes: list[int], mode: str, linear: str, align_corners: bool, channel_last: bool
) -> Tensor:
    """Resize the spatial axes, as many as there are sizes."""
    call.require(mode in ("nearest", linear), f"mode must be nearest or {linear}, got {mode!r}")
    align_corners = call.bool_attr("align_corners", align_corners)
    channel_last = call.bool_attr("channel_last", channel_last)
    operand = call.operand(operand)
    rank = len(sizes) + 2
    call.tt_assert(len(operand.shape) == rank, f"needs rank {rank}, got shape {operand.shape}")

    def compute(x: torch.Tensor) -> torch.Tensor:
        x = x.movedim(-1, 1) if channel_last else x
        # torch refuses align_corners=False together with nearest, but takes None.
        y = interpolate(x, size=sizes, mode=mode, align_corners=True if align_corners and mode == linear else None)
        return y.movedim(1, -1) if channel_last else y

    return call.result(compute, operand)

"""Ops that move, repeat or drop elements without computing on them. All keep the dtype."""

import math

import torch

from ..tensor import Operand, Tensor
from ._call import Call, indices_within

_PAD_MODES = ("constant", "replicate", "reflect")


def Transpose(name: str, operandA: Operand, dim0: int, dim1: int) -> Tensor:
    """forge.op.Transpose: swaps two axes.

    AssertionError if dim0 == dim1 as written (the same axis in two spellings passes and swaps nothing) or a
    non-negative dim is not below the rank; RuntimeError for a negative dim outside the rank.
    """
    call = Call("Transpose", name)
    operandA = call.operand(operandA)
    rank = len(operandA.shape)
    axes = [call.int_attr("dim0", dim0), call.int_attr("dim1", dim1)]
    call.require(dim0 != dim1, f"dim0 and dim1 are both {dim0}")
    call.require(all(axis < rank for axis in axes), f"dims {axes} of a tensor of rank {rank}")
    first, second = (call.axis("dim", axis, rank) for axis in axes)
    return call.moved(lambda x: torch.transpose(x, first, second), operandA)


def Reshape(name: str, operandA: Operand, shape: tuple[int, ...]) -> Tensor:
    """forge.op.Reshape: row-major reshape; 0 means zero.

    One entry may be -1, in a list only: Forge patches it in place, so a tuple raises TypeError. AssertionError for
    a second -1 and for element counts that do not match.
    """
    call = Call("Reshape", name)
    operandA = call.operand(operandA)
    sizes = call.ints_attr("shape", shape)
    volume = math.prod(operandA.shape)
    call.require(sizes.count(-1) <= 1, f"more than one -1 in {shape}")
    if -1 in sizes:
        rest = math.prod(size for size in sizes if size != -1)
        call.require(rest != 0 and volume % rest == 0, f"{operandA.shape} cannot become {shape}")
        if isinstance(shape, tuple):
            raise TypeError(f"forge.op.Reshape: a shape with -1 must be a list, got {shape}")
        sizes[sizes.index(-1)] = volume // rest
    call.require(math.prod(sizes) == volume, f"{operandA.shape} cannot become {shape}")
    return call.moved(lambda x: x.reshape(sizes), operandA, shape=sizes)


def Index(name: str, operandA: Operand, dim: int, start: int, stop: int | None = None, stride: int = 1) -> Tensor:
    """forge.op.Index: operandA[..., start:stop:stride, ...] on one axis, which stays.

    stop=None means start + 1, so start=-1 without a stop is empty. A negative stride is taken only on an axis of
    size 1, as its absolute value, and start=-1 then means the whole axis.

    AssertionError unless start < size, stop <= size and 0 < stride <= size; RuntimeError for a dim outside the
    rank and for attributes that are no 32-bit ints.
    """
    call = Call("Index", name)
    operandA = call.operand(operandA)
    axis = call.axis("dim", dim, len(operandA.shape))
    size = operandA.shape[axis]
    stop = start + 1 if stop is None else stop
    stop = stop + size if stop < 0 else stop
    if stride < 0 and size == 1:
        stride = -stride
        start, stop = (0, 1) if start == -1 else (start, stop)
    call.require(stride > 0, f"stride must be positive, got {stride}")
    call.require(start < size, f"start {start} is not below the size {size}")
    call.require(stop <= size, f"stop {stop} is above the size {size}")
    call.require(stride <= size, f"stride {stride} is above the size {size}")
    begin, end, step = (call.int_attr(*attr) for attr in (("start", start), ("stop", stop), ("stride", stride)))
    return call.moved(lambda x: torch.ops.aten.slice.Tensor(x, axis, begin, end, step), operandA)


def AdvIndex(name: str, operandA: Operand, operandB: Operand, dim: int = 0) -> Tensor:
    """forge.op.AdvIndex: whole slices along dim, picked by the indices in operandB (any dtype, cast to int64).

    Indices of rank 2 are flattened, so the result keeps operandA's rank. RuntimeError for indices of another rank
    and for a dim outside the rank; IndexError for an index outside [0, size).
    """
    call = Call("AdvIndex", name)
    operandA, operandB = call.operand(operandA), call.operand(operandB)
    axis = call.axis("dim", dim, len(operandA.shape))
    call.tt_assert(len(operandB.shape) in (1, 2), f"indices must have rank 1 or 2, got shape {operandB.shape}")
    return call.moved(
        lambda x, indices: torch.index_select(x, axis, indices_within(indices, x.shape[axis]).reshape(-1)),
        operandA,
        operandB,
        shape=(*operandA.shape[:axis], math.prod(operandB.shape), *operandA.shape[axis + 1 :]),
    )


def Select(name: str, operandA: Operand, dim: int, index: int | tuple[int, int], stride: int = 0) -> Tensor:
    """forge.op.Select: from every block of ``stride`` along dim, the elements begin .. begin+length-1, concatenated.

    index is (begin, length), or an int k for (k, 1); stride 0 makes the axis one block. Positions past the end
    give zeros. AssertionError unless dim < 4, begin < size, begin + length <= size, stride <= size and
    0 < begin + length <= stride; RuntimeError for a dim outside the rank and attribute types.
    """
    call = Call("Select", name)
    operandA = call.operand(operandA)
    dim = call.int_attr("dim", dim)
    rank = len(operandA.shape)
    call.require((dim + rank if dim < 0 else dim) < 4, f"dim {dim} is not below 4")
    axis = call.axis("dim", dim, rank)
    size = operandA.shape[axis]
    begin, length = call.ints_attr("index", (index, 1) if isinstance(index, int) else index, length=2)
    block = call.int_attr("stride", stride) or size
    call.require(begin < size, f"begin {begin} is not below the size {size}")
    call.require(begin + length <= size, f"begin + length = {begin + length} is above the size {size}")
    call.require(block <= size, f"stride {block} is above the size {size}")
    call.require(begin + length <= block, f"begin + length = {begin + length} is above the stride {block}")
    call.require(begin + length > 0, f"begin + length = {begin + length} is not positive")
    positions = [offset + index for offset in range(0, size - begin, block) for index in range(begin, begin + length)]

    def compute(x: torch.Tensor) -> torch.Tensor:
        zeros = torch.zeros_like(x.select(axis, 0))
        return torch.stack([x.select(axis, p) if p < size else zeros for p in positions], axis)

    return call.moved(compute, operandA)


def Pad(
    name: str,
    operandA: Operand,
    pad: tuple[int, ...],
    mode: str = "constant",
    value: float = 0.0,
    channel_last: bool = False,
) -> Tensor:
    """forge.op.Pad: the last axis by (left, right), or the last two by (left, right, top, bottom).

    channel_last pads the axes before the last one instead. Modes are constant (with ``value``), replicate and
    reflect. AssertionError for other lengths or modes, and for replicate or reflect on rank below 2; RuntimeError
    for attribute types, for ranks and sizes torch refuses (two values take rank 2 or 3 in the latter modes, four
    take 3 or 4; reflect takes at most size - 1), and for negative top or bottom without a positive one.
    """
    call = Call("Pad", name)
    operandA = call.operand(operandA)
    rank = len(operandA.shape)
    call.require(len(pad) in (2, 4), f"pad must have 2 or 4 entries, got {pad}")
    call.require(mode in _PAD_MODES, f"mode must be one of {', '.join(_PAD_MODES)}, got {mode!r}")
    call.require(mode == "constant" or rank >= 2, f"mode {mode} needs rank 2, got shape {operandA.shape}")
    pads = call.ints_attr("pad", pad)
    fill = call.float_attr("value", value)
    channel_last = call.bool_attr("channel_last", channel_last)
    call.tt_assert(rank >= len(pads) // 2 + channel_last, f"cannot pad shape {operandA.shape} by {pad}")

    # Forge's shape function leaves the height alone unless top or bottom is positive.
    shape = list(operandA.shape)
    width_axis = -2 if channel_last else -1
    shape[width_axis] += pads[0] + pads[1]
    if max(pads[2:], default=0) > 0:
        shape[width_axis - 1] += pads[2] + pads[3]

    # The position of the channels for padding: before the spatial axes, after the batch if there is one.
    channel_axis = min(1, rank - 1 - len(pads) // 2)

    def compute(x: torch.Tensor) -> torch.Tensor:
        x = x.movedim(-1, channel_axis) if channel_last else x
        y = torch.nn.functional.pad(x, pads, mode, fill if mode == "constant" else None)
        return y.movedim(channel_axis, -1) if channel_last else y

    return call.moved(compute, operandA, shape=shape)


def ConstantPad(name: str, operandA: Operand, padding: list[int], value: float = 0.0) -> Tensor:
    """forge.op.ConstantPad: exists in Forge's Python but not in its C++ bindings, so every call raises.

    AssertionError unless padding has a low and a high entry per axis, AttributeError otherwise.
    """
    del value
    call = Call("ConstantPad", name)
    rank = len(call.operand(operandA).shape)
    call.require(len(padding) == 2 * rank, f"padding must have {2 * rank} entries, got {padding}")
    raise AttributeError("forge.op.ConstantPad: OpType.ConstantPad is not exported by Forge")


def Broadcast(name: str, operandA: Operand, dim: int, shape: int) -> Tensor:
    """forge.op.Broadcast: expands one axis of size 1 to ``shape``, a single int.

    A dim past the rank prepends axes of size 1 first: dim + 1 in all for dim >= 0, -dim for a negative one.
    RuntimeError for an axis of another size and for attributes that are no ints. The device only honours it
    in consumers that broadcast by themselves; Repeat materialises.
    """
    call = Call("Broadcast", name)
    operandA = call.operand(operandA)
    dim, size = call.int_attr("dim", dim), call.int_attr("shape", shape)
    missing = (dim + 1 if dim >= 0 else -dim) - len(operandA.shape)
    expanded = [1] * missing + list(operandA.shape)
    expanded[dim] = size
    return call.moved(lambda x: x.broadcast_to(expanded), operandA, shape=expanded)


def Repeat(name: str, operandA: Operand, repeats: list[int]) -> Tensor:
    """forge.op.Repeat: tiles the tensor; repeats align to the right and may be longer than the rank.

    RuntimeError for fewer repeats than axes or a negative one, TypeError for entries that are no ints.
    """
    call = Call("Repeat", name)
    operandA = call.operand(operandA)
    counts = call.ints_attr("repeats", repeats)
    call.tt_assert(len(counts) >= len(operandA.shape), f"repeats {repeats} for shape {operandA.shape}")
    return call.moved(lambda x: x.repeat(counts), operandA)


def RepeatInterleave(name: str, operandA: Operand, repeats: int, dim: int) -> Tensor:
    """forge.op.RepeatInterleave: each element along dim ``repeats`` times in a row.

    RuntimeError for a dim outside the rank and for attributes that are no ints.
    """
    call = Call("RepeatInterleave", name)
    operandA = call.operand(operandA)
    count, axis = call.int_attr("repeats", repeats), call.axis("dim", dim, len(operandA.shape))
    return call.moved(lambda x: torch.repeat_interleave(x, count, axis), operandA)


def Unsqueeze(name: str, operandA: Operand, dim: int) -> Tensor:
    """forge.op.Unsqueeze: inserts one axis of size 1. RuntimeError unless -(rank+1) <= dim <= rank."""
    call = Call("Unsqueeze", name)
    operandA = call.operand(operandA)
    axis = call.axis("dim", dim, len(operandA.shape) + 1)
    return call.moved(lambda x: torch.unsqueeze(x, axis), operandA)


def Squeeze(name: str, operandA: Operand, dim: int) -> Tensor:
    """forge.op.Squeeze: drops one axis. RuntimeError unless it lies in the rank and has size 1."""
    call = Call("Squeeze", name)
    operandA = call.operand(operandA)
    axis = call.axis("dim", dim, len(operandA.shape))
    call.tt_assert(operandA.shape[axis] == 1, f"axis {dim} of shape {operandA.shape} is not 1")
    return call.moved(lambda x: torch.squeeze(x, axis), operandA)


def PixelShuffle(name: str, operandA: Operand, upscale_factor: int) -> Tensor:
    """forge.op.PixelShuffle: (..., C*r*r, H, W) to (..., C, H*r, W*r), channel-major (ONNX DepthToSpace's CRD).

    RuntimeError for a rank below 3, for channels that r*r does not divide, and for a factor that is no int.
    """
    call = Call("PixelShuffle", name)
    operandA = call.operand(operandA)
    factor = call.int_attr("upscale_factor", upscale_factor)
    call.tt_assert(len(operandA.shape) >= 3, f"needs rank 3, got shape {operandA.shape}")
    channels = operandA.shape[-3]
    call.tt_assert(factor > 0 and channels % factor**2 == 0, f"{channels} channels by a factor of {factor}")
    return call.moved(lambda x: torch.nn.functional.pixel_shuffle(x, factor), operandA)

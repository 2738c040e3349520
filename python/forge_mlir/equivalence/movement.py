"""Ops that only move elements, as functions on numpy arrays of any dtype, which both engines use.

Written from ForgeMovementOps.td, ForgeIndexingOps.td and related files. Indices are int64 arrays; one out of bounds
raises NotCovered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from forge_mlir.equivalence.program import Array, NotCovered, Op

Move = Callable[[Op, Sequence[Array]], list[Array]]


def _transpose(op: Op, x: Sequence[Array]) -> list[Array]:
    return [np.swapaxes(x[0], op.attributes["dim0"], op.attributes["dim1"])]


def _reshape(op: Op, x: Sequence[Array]) -> list[Array]:
    return [x[0].reshape(op.type.shape)]


def _sliced(x: Array, axis: int, positions: slice) -> Array:
    return x[(slice(None),) * axis + (positions,)]


def _index(op: Op, x: Sequence[Array]) -> list[Array]:
    at = op.attributes
    return [_sliced(x[0], op.axis(), slice(at["start"], at["stop"], at["stride"]))]


def _strided_slice(op: Op, x: Sequence[Array]) -> list[Array]:
    result, at = x[0], op.attributes
    for axis, *bounds in zip(at["axes"], at["begin"], at["end"], at["strides"], strict=True):
        axis %= result.ndim
        size = result.shape[axis]
        begin, end, stride = bounds
        begin, end = (value + size if value < 0 else value for value in (begin, end))
        low, high = (0, size) if stride > 0 else (-1, size - 1)
        begin, end = min(max(begin, 0), high), min(max(end, low), high)
        result = np.take(result, np.arange(begin, end, stride), axis)
    return [result]


def _split(op: Op, x: Sequence[Array]) -> list[Array]:
    edges = np.cumsum([0, *op.attributes["sizes"]])
    return [_sliced(x[0], op.axis(), slice(first, last)) for first, last in pairwise(edges)]


def _select(op: Op, x: Sequence[Array]) -> list[Array]:
    axis, (begin, length) = op.axis(), op.attributes["index"]
    size = x[0].shape[axis]
    block = op.attributes["stride"] or size
    indices = [at + i for at in range(0, size, block) for i in range(begin, begin + length)]
    return [np.take(x[0], indices, axis)]


def _broadcast(op: Op, x: Sequence[Array]) -> list[Array]:
    return [np.broadcast_to(x[0], op.type.shape)]


def _repeat(op: Op, x: Sequence[Array]) -> list[Array]:
    return [np.tile(x[0], op.attributes["repeats"])]


def _repeat_interleave(op: Op, x: Sequence[Array]) -> list[Array]:
    return [np.repeat(x[0], op.attributes["repeats"], op.axis())]


def _pixel_shuffle(op: Op, x: Sequence[Array]) -> list[Array]:
    factor = op.attributes["upscale_factor"]
    *lead, channels, height, width = x[0].shape
    count = len(lead)
    parts = x[0].reshape(*lead, channels // factor**2, factor, factor, height, width)
    order = [*range(count), count, count + 3, count + 1, count + 4, count + 2]
    return [parts.transpose(order).reshape(op.type.shape)]


def _concatenate(op: Op, x: Sequence[Array]) -> list[Array]:
    return [np.concatenate(x, op.attributes["axis"])]


def _stack(op: Op, x: Sequence[Array]) -> list[Array]:
    return [np.stack(x, op.attributes["axis"])]


MOVES: dict[str, Move] = {
    "forge.transpose": _transpose,
    "forge.reshape": _reshape,
    "forge.squeeze": _reshape,
    "forge.unsqueeze": _reshape,
    "forge.identity": _reshape,
    "forge.index": _index,
    "forge.strided_slice": _strided_slice,
    "forge.split": _split,
    "forge.select": _select,
    "forge.broadcast": _broadcast,
    "forge.repeat": _repeat,
    "forge.repeat_interleave": _repeat_interleave,
    "forge.pixel_shuffle": _pixel_shuffle,
    "forge.concatenate": _concatenate,
    "forge.stack": _stack,
}
"""The function of each op, all of whose operands are moved."""


# Ops with computed indices


def _within(indices: Array, size: int) -> Array:
    if indices.size and (indices.min() < 0 or indices.max() >= size):
        raise NotCovered(f"an index outside of an axis of {size}")
    return indices


def embedding(op: Op, table: Array, indices: Array) -> Array:
    """Rows of a table, for indices of any shape."""
    return np.take(table, _within(indices, table.shape[0]), 0).reshape(op.type.shape)


def adv_index(op: Op, x: Array, indices: Array) -> Array:
    """Selects slices along one axis."""
    axis = op.axis()
    return np.take(x, _within(indices.reshape(-1), x.shape[axis]), axis).reshape(op.type.shape)


def index_copy(op: Op, x: Array, value: Array, indices: Array) -> Array:
    """`x` with slices along an axis replaced."""
    axis, result = op.axis(), x.copy()
    result[(slice(None),) * axis + (_within(indices.reshape(-1), x.shape[axis]),)] = value
    return result


def fill_cache(op: Op, cache: Array, update: Array) -> Array:
    """The cache with `update` written at sequence position 0, starting at a batch row."""
    first, result = op.attributes.get("batch_offset", 0), cache.copy()
    result[first : first + update.shape[0], :, : update.shape[2]] = update
    return result


def update_cache(op: Op, cache: Array, update: Array, indices: Array) -> Array:
    """The cache with one position of each batch row replaced."""
    first, result = op.attributes.get("batch_offset", 0), cache.copy()
    for row, position in enumerate(_within(indices.reshape(-1), cache.shape[2])):
        result[first + row, :, position] = update[row, :, 0]
    return result


# Ops that add elements


def pads_of(op: Op) -> list[tuple[int, int]]:
    """The numbers of elements that forge.pad or forge.constant_pad adds before and after each axis."""
    rank = len(op.type.shape)
    if op.name == "forge.constant_pad":
        flat = op.attributes["padding"]
        return [(flat[2 * axis], flat[2 * axis + 1]) for axis in range(rank)]
    pads, flat = [(0, 0)] * rank, op.attributes["pad"]
    last = rank - (2 if op.attributes["channel_last"] else 1)
    for at in range(len(flat) // 2):
        pads[last - at] = (flat[2 * at], flat[2 * at + 1])
    return pads


def pad(op: Op, x: Array, fill: Array) -> Array:
    """Pads `x` with the single element of `fill`."""
    pads, mode = pads_of(op), op.attributes.get("mode", "constant")
    if mode == "constant":
        return padded(x, pads, fill)
    return np.pad(x, pads, mode="edge" if mode == "replicate" else "reflect")


def padded(x: Array, pads: Sequence[tuple[int, int]], fill: Array) -> Array:
    """Pads the axes of `x` with `fill`."""
    result = np.empty([low + size + high for (low, high), size in zip(pads, x.shape, strict=True)], dtype=x.dtype)
    result[...] = fill.reshape(())
    result[tuple(slice(low, low + size) for (low, _), size in zip(pads, x.shape, strict=True))] = x
    return result


def windows(x: Array, kernel: Sequence[int], stride: Sequence[int], dilation: Sequence[int]) -> Array:
    """The windows [N, C, rows, columns, kH, kW] within [N, C, H, W]."""
    spans = [(size - 1) * step + 1 for size, step in zip(kernel, dilation, strict=True)]
    found = np.lib.stride_tricks.sliding_window_view(x, spans, axis=(2, 3))
    return found[:, :, :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]


def spread(x: Array, stride: Sequence[int], fill: Array) -> Array:
    """Inserts `stride - 1` elements `fill` between rows and columns of [N, C, H, W]."""
    height, width = ((size - 1) * step + 1 for size, step in zip(x.shape[2:], stride, strict=True))
    result = np.empty([*x.shape[:2], height, width], dtype=x.dtype)
    result[...] = fill.reshape(())
    result[:, :, :: stride[0], :: stride[1]] = x
    return result

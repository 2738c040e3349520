"""The operands after the first one, for ops where they depend on its shape."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

Array = np.ndarray
Attributes = dict[str, Any]
Maker = Callable[[Random, Array, Attributes], list[Array | None]]


class Impossible(Exception):
    """There are no sensible operands of the op for this first one."""


def values(r: Random, shape: tuple[int, ...], dtype: Any) -> Array:
    """Small numbers, for which sums and products are exact."""
    generator = np.random.default_rng(r.getrandbits(32))
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return np.asarray(generator.integers(-16, 17, shape) / 8, dtype)
    if dtype.kind == "b":
        return np.asarray(generator.integers(0, 2, shape), dtype)
    low = 0 if dtype.kind == "u" else -6
    return np.asarray(generator.integers(low, 7, shape), dtype)


def broadcastable(r: Random, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that broadcasts to `shape`."""
    kept = shape[r.randint(0, len(shape)) :] if r.random() < 0.3 else shape
    return tuple(1 if r.random() < 0.25 else size for size in kept)


def _needs(condition: bool) -> None:
    if not condition:
        raise Impossible


def _axis(x: Array, attributes: Attributes, default: int = 0) -> int:
    axis = attributes.get("axis", default)
    return int(axis) % max(x.ndim, 1)


def _ints(*numbers: Any) -> Array:
    return np.asarray(numbers[0] if len(numbers) == 1 else numbers, np.int64)


def _indices(r: Random, size: int, shape: tuple[int, ...]) -> Array:
    _needs(size > 0)
    generator = np.random.default_rng(r.getrandbits(32))
    return generator.integers(-size if r.random() < 0.3 else 0, size, shape).astype(np.int64)


def _conv(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    _needs(x.ndim in (3, 4) and x.size > 0)
    group = r.choice([g for g in (1, 1, 2, x.shape[1]) if x.shape[1] % g == 0])
    window = attributes.get("kernel_shape") or [r.randint(1, 3) for _ in x.shape[2:]]
    out = group * r.randint(1, 3)
    attributes["group"] = group
    weights = values(r, (out, x.shape[1] // group, *window), x.dtype)
    return [weights, values(r, (out,), x.dtype) if r.random() < 0.5 else None]


def _conv_transpose(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    weights, _ = _conv(r, x, attributes)
    assert weights is not None
    group = attributes["group"]
    out = r.randint(1, 2)
    weights = values(r, (x.shape[1], out, *weights.shape[2:]), x.dtype)
    return [weights, values(r, (out * group,), x.dtype) if r.random() < 0.5 else None]


def _matmul(r: Random, x: Array, _: Attributes) -> list[Array | None]:
    _needs(x.ndim >= 1)
    batch = x.shape[:-2] if r.random() < 0.3 else ()
    return [values(r, (*batch, x.shape[-1], *([r.randint(1, 4)] if x.ndim > 1 or batch else [])), x.dtype)]


def _gemm(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    _needs(x.ndim == 2)
    rows, inner = x.shape[:: -1 if attributes.get("transA") else 1]
    columns = r.randint(1, 4)
    b = values(r, (columns, inner) if attributes.get("transB") else (inner, columns), x.dtype)
    c = values(r, r.choice([(columns,), (1, columns), (rows, columns), (rows, 1)]), x.dtype)
    return [b, c if r.random() < 0.7 else None]


def _per_channel(count: int) -> Maker:
    def make(r: Random, x: Array, _: Attributes) -> list[Array | None]:
        _needs(x.ndim >= 3 and x.size > 0)
        made = [values(r, x.shape[1:2], x.dtype) for _ in range(count)]
        if count == 4:
            made[3] = np.abs(made[3]) + np.asarray(0.5, x.dtype)
        return list(made)

    return make


def _normalised(optional: bool) -> Maker:
    def make(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
        _needs(x.ndim >= 1 and x.size > 0)
        shape = x.shape[_axis(x, attributes, -1) :]
        return [values(r, shape, x.dtype), *([values(r, shape, x.dtype)] if optional and r.random() < 0.5 else [])]

    return make


def _same(r: Random, x: Array, _: Attributes) -> list[Array | None]:
    return [values(r, broadcastable(r, x.shape), x.dtype)]


def _gather(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    _needs(x.ndim >= 1)
    shape = tuple(r.randint(1, 3) for _ in range(r.randint(0, 2)))
    return [_indices(r, x.shape[_axis(x, attributes)], shape)]


def _gather_elements(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    _needs(x.ndim >= 1)
    axis = _axis(x, attributes)
    shape = tuple(r.randint(1, size + 1) if k == axis else size for k, size in enumerate(x.shape))
    return [_indices(r, x.shape[axis], shape)]


def _scatter_elements(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    _needs(x.ndim >= 1 and x.size > 0)
    axis = _axis(x, attributes)
    # Each index occurs once: the order of writes to equal indices is not defined.
    rows = np.moveaxis(np.zeros(x.shape, np.int64), axis, 0)
    count = r.randint(1, x.shape[axis])
    picked = np.asarray(r.sample(range(x.shape[axis]), count))
    rows = rows[:count] + picked.reshape(-1, *[1] * (x.ndim - 1))
    indices = np.ascontiguousarray(np.moveaxis(rows, 0, axis))
    return [indices, values(r, indices.shape, x.dtype)]


def _gather_nd(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    batch = attributes.get("batch_dims", 0)
    _needs(x.ndim > batch and x.size > 0)
    depth = r.randint(1, x.ndim - batch)
    parts = [_indices(r, x.shape[batch + k], (*x.shape[:batch], 2)) for k in range(depth)]
    return [np.stack(parts, -1)]


def _slice(r: Random, x: Array, _: Attributes) -> list[Array | None]:
    _needs(x.ndim >= 1)
    axes = r.sample(range(x.ndim), r.randint(1, x.ndim))
    starts, ends, steps = [], [], []
    for axis in axes:
        size = x.shape[axis]
        step = r.choice([1, 1, 1, 2, 3, -1, -2])
        first, last = r.randint(-size - 1, size), r.choice([size, 2**62, r.randint(-size - 1, size + 1)])
        if step < 0:
            first, last = r.choice([size, -1, 2**62]), r.choice([-(2**62), -size - 1, 0])
        starts, ends, steps = [*starts, first], [*ends, last], [*steps, step]
    return [_ints(starts), _ints(ends), _ints(axes), _ints(steps) if r.random() < 0.7 or min(steps) < 0 else None]


def _split(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    _needs(x.ndim >= 1 and x.size > 0)
    size = x.shape[_axis(x, attributes)]
    cuts = sorted(r.randint(0, size) for _ in range(r.randint(0, 2)))
    pieces = [b - a for a, b in zip([0, *cuts], [*cuts, size], strict=True)]
    attributes.pop("num_outputs", None)
    attributes["#outputs"] = len(pieces)
    return [_ints(pieces)]


def _reshape(r: Random, x: Array, _: Attributes) -> list[Array | None]:
    factors = [size for size in x.shape if size != 1]
    r.shuffle(factors)
    while len(factors) > 1 and r.random() < 0.6:
        factors[:2] = [factors[0] * factors[1]]
    target = factors or [1]
    if x.size and r.random() < 0.3:
        target[r.randrange(len(target))] = -1
    _needs(x.size > 0)
    return [_ints(target)]


def _some_axes(only: Callable[[int], bool] | None = None) -> Maker:
    def make(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
        attributes.pop("axes", None)
        able = [k for k, size in enumerate(x.shape) if only is None or only(size)]
        _needs(bool(able))
        return [_ints(r.sample(able, r.randint(1, len(able)))) if r.random() < 0.85 else None]

    return make


def _unsqueeze(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    attributes.pop("axes", None)
    rank = x.ndim + r.randint(1, 2)
    _needs(rank <= 5)
    return [_ints(r.sample(range(rank), rank - x.ndim))]


def _pad(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    _needs(x.ndim >= 1 and x.size > 0)
    plain = attributes.get("mode", "constant") == "constant"
    most = [2 if plain else min(2, size - 1) for size in (*x.shape, *x.shape)]
    least = [-1 if plain and size > 2 and r.random() < 0.2 else 0 for size in (*x.shape, *x.shape)]
    pads = _ints([r.randint(low, high) for low, high in zip(least, most, strict=True)])
    return [pads, values(r, (), x.dtype) if plain and r.random() < 0.5 else None]


def _where(r: Random, x: Array, _: Attributes) -> list[Array | None]:
    dtype = r.choice([np.float32, np.int64])
    return [values(r, broadcastable(r, x.shape), dtype), values(r, broadcastable(r, x.shape), dtype)]


def _clip(r: Random, x: Array, _: Attributes) -> list[Array | None]:
    low = values(r, (), x.dtype)
    return [low if r.random() < 0.8 else None, low + np.asarray(2, x.dtype) if r.random() < 0.8 else None]


def _reverse_sequence(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    _needs(x.ndim >= 2 and x.size > 0)
    attributes.update(batch_axis=1, time_axis=0)
    return [_ints([r.randint(1, x.shape[0]) for _ in range(x.shape[1])])]


def _mod(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    attributes["fmod"] = 1 if x.dtype.kind == "f" else attributes.get("fmod", 0)
    divisor = values(r, broadcastable(r, x.shape), x.dtype)
    divisor[divisor == 0] = 2
    return [divisor]


def _div(r: Random, x: Array, _: Attributes) -> list[Array | None]:
    divisor = values(r, broadcastable(r, x.shape), x.dtype)
    divisor[divisor == 0] = 2
    return [divisor]


def _pow(r: Random, x: Array, _: Attributes) -> list[Array | None]:
    return [np.asarray(r.choice([1, 2, 3]), x.dtype)]


def _top_k(r: Random, x: Array, attributes: Attributes) -> list[Array | None]:
    _needs(x.ndim >= 1 and x.shape[_axis(x, attributes, -1)] > 0)
    return [_ints([r.randint(1, x.shape[_axis(x, attributes, -1)])])]


def _one_hot(r: Random, x: Array, _: Attributes) -> list[Array | None]:
    _needs(x.dtype == np.int64)
    return [_ints(r.randint(2, 6)), values(r, (2,), np.float32)]


MAKERS: dict[str, Maker] = {
    "BatchNormalization": _per_channel(4),
    "BitShift": lambda r, x, _: [values(r, x.shape, x.dtype)],
    "CastLike": lambda r, _x, _a: [values(r, (), r.choice([np.float32, np.int64, np.int32]))],
    "Clip": _clip,
    "Conv": _conv,
    "ConvTranspose": _conv_transpose,
    "CumSum": lambda r, x, _: [np.asarray(r.randrange(-x.ndim, x.ndim) if x.ndim else 0, np.int64)],
    "Div": _div,
    "Expand": lambda r, x, _: [_ints([size if size != 1 else r.randint(1, 3) for size in x.shape])],
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "GatherND": _gather_nd,
    "Gemm": _gemm,
    "GroupNormalization": _per_channel(2),
    "InstanceNormalization": _per_channel(2),
    "LayerNormalization": _normalised(True),
    "MatMul": _matmul,
    "Mod": _mod,
    "OneHot": _one_hot,
    "PRelu": _same,
    "Pad": _pad,
    "Pow": _pow,
    "RMSNormalization": _normalised(False),
    "Reshape": _reshape,
    "ReverseSequence": _reverse_sequence,
    "ScatterElements": _scatter_elements,
    "Slice": _slice,
    "Split": _split,
    "Squeeze": _some_axes(lambda size: size == 1),
    "Tile": lambda r, x, _: [_ints([r.randint(1, 2) for _ in x.shape])],
    "TopK": _top_k,
    "Trilu": lambda r, _x, _a: [np.asarray(r.randint(-2, 2), np.int64)],
    "Unsqueeze": _unsqueeze,
    "Where": _where,
}
MAKERS |= {
    f"Reduce{kind}": _some_axes()
    for kind in ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")
}

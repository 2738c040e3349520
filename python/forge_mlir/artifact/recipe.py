"""Weights that are computed from others when the file is written.

The compiler lists the steps in a device module's manifest (`lib/Target/Artifact/Weights.cpp`). Each is an op of the
forge dialect; `ComputedWeights` in C++ defines which ops are allowed. Arithmetic is done in float64 and rounded at the
end. Movement is a view of the memory-mapped weight where numpy supports that, so that a large weight is not held
twice.
"""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from forge_mlir.artifact.device_types import DEVICE_TYPES
from forge_mlir.codes import Code
from forge_mlir.errors import ForgeError
from forge_mlir.onnx_model.storage.weights import CHUNK, WeightRef

Json = dict[str, Any]
Array = npt.NDArray[Any]

_LARGEST_BFLOAT16 = 2.0**128 - 2.0**120

_ARITHMETIC: dict[str, Callable[..., Array]] = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "sqrt": np.sqrt,
    "sine": np.sin,
    "cosine": np.cos,
    "relu": lambda value: np.where(value < 0, 0, value),
    "bitwise_and": lambda one, other: one.astype(np.int64) & other.astype(np.int64),
    "cast": lambda value: value,  # Results are rounded to the dtype of the step when they are read.
}


def _index(step: Json, value: Array) -> Array:
    axis = step["dim"] % value.ndim
    slices: Array = value[(slice(None),) * axis + (slice(step["start"], step["stop"], step["stride"]),)]
    return slices


def _taken(value: Array, indices: Array, axis: int) -> Array:
    if indices.size and not (indices.min() >= 0 and indices.max() < value.shape[axis]):
        raise ForgeError(Code.WeightUnfit, f"indices of a weight are outside of its axis of {value.shape[axis]}")
    taken: Array = np.take(value, indices, axis=axis)
    return taken


_MOVEMENT: dict[str, Callable[..., Array]] = {
    "reshape": lambda step, value: value.reshape(step["shape"]),
    "squeeze": lambda step, value: value.reshape(step["shape"]),
    "unsqueeze": lambda step, value: value.reshape(step["shape"]),
    "transpose": lambda step, value: np.swapaxes(value, step["dim0"], step["dim1"]),
    "index": _index,
    "concatenate": lambda step, *values: np.concatenate(values, axis=step["axis"]),
    "repeat": lambda step, value: np.tile(value, step["repeats"]),
    "repeat_interleave": lambda step, value: np.repeat(value, step["repeats"], axis=step["dim"]),
    "adv_index": lambda step, value, indices: _taken(value, indices, step["dim"]),
    "embedding": lambda _, indices, table: _taken(table, indices, 0),
}


def _mean(step: Json, value: Array) -> Array:
    return np.asarray(np.mean(value, axis=step["dim"], keepdims=step["keep_dim"], dtype=np.float64))


def _matmul(step: Json, rows: Array, matrix: Array) -> Array:
    # Computed in blocks: the matrix may be large and is memory-mapped as float32.
    result = np.zeros(step["shape"])
    block = max(1, CHUNK // max(1, matrix.shape[1] * result.itemsize))
    for begin in range(0, matrix.shape[0], block):
        part = slice(begin, begin + block)
        result += rows[..., part].astype(np.float64) @ matrix[part].astype(np.float64)
    return result


_CONTRACTIONS: dict[str, Callable[..., Array]] = {"reduce_avg": _mean, "matmul": _matmul}

COMPUTED_OPS = frozenset(_ARITHMETIC) | frozenset(_MOVEMENT) | frozenset(_CONTRACTIONS)
_ON_WHOLE_VALUES = ChainMap(_MOVEMENT, _CONTRACTIONS)


@dataclass
class Recipe:
    """Evaluates `steps`, the last of which gives the weight. `name` is for errors; `weights` are those of the
    importer."""

    name: str
    steps: Sequence[Json]
    weights: Mapping[str, WeightRef]
    _known: dict[int, Array] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Steps with several users are evaluated once, as a whole.
        self._uses = Counter(operand for step in self.steps for operand in step.get("operands", ()))

    def chunks(self) -> Iterator[bytes]:
        """The bytes of the weight in C order, in chunks of about `CHUNK` bytes. Intermediate results are dropped,
        because a file may have many weights."""
        last = len(self.steps) - 1
        shape = tuple(self.steps[last]["shape"])
        dtype = _dtype(self.steps[last])
        if 0 in shape:
            return
        # Rewrites assume weights of ordinary size, because their bytes were not read. The program may not overflow.
        is_computed = any("op" in step for step in self.steps)
        cure = "; with --optimize=exact the program computes it from the model's weights" if is_computed else ""
        rows = max(1, CHUNK // max(1, int(np.prod(shape[1:], dtype=np.int64)) * dtype.itemsize))
        for begin in range(0, shape[0], rows):
            chunk = self._rows(last, begin, min(begin + rows, shape[0]))
            yield converted(self.name, chunk, dtype, cure).tobytes()
        self._known.clear()

    def array(self) -> Array:
        """The weight."""
        last = self.steps[-1]
        return np.frombuffer(b"".join(self.chunks()), _dtype(last)).reshape(last["shape"])

    def _rows(self, at: int, begin: int, end: int) -> Array:
        """Slices of the leading axis of a step's result, possibly in a wider type than its dtype."""
        step = self.steps[at]
        compute = _ARITHMETIC.get(step.get("op", ""))
        if compute is None or at in self._known or self._uses[at] > 1:
            return self._whole(at)[begin:end]
        return self._computed(step, compute, begin, end)

    def _computed(self, step: Json, compute: Callable[..., Array], begin: int, end: int) -> Array:
        with np.errstate(all="ignore"):
            value = compute(*(self._aligned(operand, step["shape"], begin, end) for operand in step["operands"]))
            if step["op"] == "cast":
                target = _dtype(step)
                rounded = converted(self.name, value, target) if step.get("saturates") else value.astype(target)
                return rounded.astype(np.float64)
        return value

    def _aligned(self, at: int, shape: Sequence[int], begin: int, end: int) -> Array:
        """The part of an operand that broadcasts to slices [begin, end) of a result of `shape`."""
        own = self.steps[at]["shape"]
        varies = len(own) == len(shape) and own[0] == shape[0] and own[0] != 1
        rows = self._rows(at, begin, end) if varies else self._rows(at, 0, own[0])
        return rows.astype(np.float64, copy=False)

    def _whole(self, at: int) -> Array:
        if at not in self._known:
            step = self.steps[at]
            if "op" not in step:
                value = self._source(step)
            elif step["op"] in _ARITHMETIC:
                value = self._computed(step, _ARITHMETIC[step["op"]], 0, step["shape"][0])
            else:
                value = _ON_WHOLE_VALUES[step["op"]](step, *(self._whole(operand) for operand in step["operands"]))
            if list(value.shape) != step["shape"]:
                raise ForgeError(
                    Code.WeightUnfit, f"weight {self.name!a} of shape {value.shape}, but {step['shape']} is needed"
                )
            self._known[at] = value
        return self._known[at]

    def _source(self, step: Json) -> Array:
        dtype, shape = _dtype(step), tuple(step["shape"])
        if "key" in step:
            value = self.weights[step["key"]].array()
            # The device has shape [1] for rank 0.
            return converted(self.name, value.reshape(shape) if value.shape == () else value, dtype)
        if "splat" in step:
            return np.broadcast_to(np.array(float(step["splat"])).astype(dtype), shape)
        return np.frombuffer(bytes.fromhex(step["hex"]), dtype=dtype).reshape(shape)


def _dtype(step: Json) -> np.dtype[Any]:
    return DEVICE_TYPES[step["dtype"]][1]


def converted(name: str, values: Array, target: np.dtype[Any], cure: str = "") -> Array:
    """Converts `values` to `target`. Integers must be exact; floats are rounded but must not overflow. Raises
    ForgeError, whose text ends with `cure`.

    A float32 beyond the largest bfloat16, such as a mask of -3.4e38, becomes the largest bfloat16 instead of infinity.
    """
    if values.dtype == target:
        return values
    with np.errstate(over="ignore", invalid="ignore"):
        result = values.astype(target)
    if values.dtype.kind in "iu":
        lost = result.astype(np.int64) != values if values.dtype != np.uint64 else values > np.iinfo(target).max
    elif values.dtype.kind == "f":
        lost = np.isinf(result) & np.isfinite(values)
        if target == ml_dtypes.bfloat16:
            fits = lost & (np.abs(values) <= np.finfo(np.float32).max)
            result[fits] = np.copysign(np.float64(_LARGEST_BFLOAT16), values[fits]).astype(target)
            lost &= ~fits
    else:
        lost = np.zeros(values.shape, dtype=bool)
    if lost.any():
        value = values[lost][0]
        raise ForgeError(Code.WeightUnfit, f"weight {name!a} holds {value}, which does not fit {target}{cure}")
    return result

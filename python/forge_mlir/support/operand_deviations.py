"""The table of known deviations of onnxruntime and onnx.reference from ONNX for operands with certain values, and the
conditions on operands in its rows.

The fuzzer and `verify --profile special`, which generate such values, read it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from forge_mlir.support.known_deviations import Program

if TYPE_CHECKING:
    from onnx import NodeProto

Array = npt.NDArray[Any]
Condition = Literal[
    "not finite",
    "not finite or huge",
    "not finite beside dilations",
    "not finite without a bound",
    "squares beyond float16",
    "16-bit scale",
    "floats like integers of 4 bits",
    "saturating products",
    "almost equal elements",
    "small variance",
    "rounded length",
    "open order",
    "at a rounded threshold",
    "transposed matrix times a vector",
]


@dataclass(frozen=True)
class OperandDeviation:
    """A row that applies only to operands with certain values."""

    ops: tuple[str, ...]
    """Op types of any version and domain."""
    engine: Program
    when: Condition
    """The condition on operands, which `CONDITIONS` evaluates."""
    reason: str
    ordinary: bool = False
    """Whether operands of any run may meet the condition, not only those of the profile `special`."""


OPERAND_DEVIATIONS = (
    OperandDeviation(
        ops=(
            *("MatMulInteger", "ConvInteger", "QLinearMatMul", "QLinearConv", "QGemm", "MatMulIntegerToFloat"),
            *("DynamicQuantizeMatMul", "DynamicQuantizeLSTM", "QAttention"),
        ),
        engine="onnxruntime",
        when="saturating products",
        reason="without VNNI, the sum of two products of 8-bit integers is saturated to 16 bits, which signed weights "
        "of the whole range exceed",
        ordinary=True,
    ),
    OperandDeviation(
        ops=("QuantizeLinear",),
        engine="onnxruntime",
        when="16-bit scale",
        reason="it divides in float32, not in the 16-bit type of the scale",
        ordinary=True,
    ),
    OperandDeviation(
        ops=("LayerNormalization", "RMSNormalization"),
        engine="onnxruntime",
        when="squares beyond float16",
        reason="it computes in float32, not in the float16 of stash_type, in which the squares overflow",
    ),
    OperandDeviation(
        ops=("ThresholdedRelu", "Shrink"),
        engine="onnxruntime",
        when="at a rounded threshold",
        reason="it compares 16-bit floats with the attribute in float32; ONNX casts the attribute to their type",
        ordinary=True,
    ),
    OperandDeviation(
        ops=("CastLike",),
        engine="onnxruntime",
        when="floats like integers of 4 bits",
        reason="it rounds floats to the nearest integer of 4 bits, as its Cast does",
        ordinary=True,
    ),
    OperandDeviation(
        ops=("MeanVarianceNormalization",),
        engine="onnxruntime",
        when="almost equal elements",
        reason="it does not add 1e-9 to the deviation: rows of equal elements give NaN",
        ordinary=True,
    ),
    OperandDeviation(
        ops=("GroupNormalization",),
        engine="onnxruntime",
        when="small variance",
        reason="it subtracts the square of the mean from the mean of the squares, which is negative by rounding",
        ordinary=True,
    ),
    OperandDeviation(
        ops=("GRU", "LSTM", "RNN", "DynamicQuantizeLSTM", "Attention"),
        engine="onnxruntime",
        when="not finite",
        reason="its sigmoid and tanh clamp what they are given: NaN becomes a number, and the product with a "
        "first state of 0 is left out",
    ),
    OperandDeviation(
        ops=("GridSample", "DeformConv", "RoiAlign"),
        engine="onnxruntime",
        when="not finite or huge",
        reason="it converts a coordinate to an integer, which C++ does not define beyond 2^31",
    ),
    OperandDeviation(
        ops=("LayerNormalization", "InstanceNormalization", "GroupNormalization", "SkipLayerNormalization"),
        engine="onnxruntime",
        when="not finite",
        reason="it takes the mean by running differences, in which one infinity makes NaN; the sum is an infinity",
    ),
    OperandDeviation(
        ops=("QuantizeLinear",),
        engine="onnxruntime",
        when="not finite",
        reason="it converts an infinity of float16 to uint16 0; ONNX saturates",
    ),
    OperandDeviation(
        ops=("MaxRoiPool", "MaxPool", "ReduceMax", "ReduceMin"),
        engine="onnxruntime",
        when="not finite",
        reason="it keeps a number where the next one is not larger, so that a NaN is passed over; a maximum "
        "with NaN is NaN",
    ),
    OperandDeviation(
        ops=("MaxPool",),
        engine="onnx.reference",
        when="not finite",
        reason="it takes a NaN for padding, which it passes over",
    ),
    OperandDeviation(
        ops=("GlobalMaxPool",),
        engine="onnxruntime",
        when="not finite",
        reason="it passes over a NaN, as MaxPool does",
    ),
    OperandDeviation(
        ops=("Clip",),
        engine="onnxruntime",
        when="not finite without a bound",
        reason="it makes the largest number of an infinity where a bound is absent; the function that ONNX writes for "
        "the op compares with no number there",
    ),
    OperandDeviation(
        ops=("LRN",),
        engine="onnxruntime",
        when="not finite or huge",
        reason="it sums squares by running differences, so that an infinity makes NaN of the elements after it",
    ),
    OperandDeviation(
        ops=("ArgMax", "ArgMin", "Hardmax", "TopK"),
        engine="onnxruntime",
        when="not finite",
        reason="where it places a NaN depends on the position; onnx.reference takes the first NaN for the largest and "
        "for the smallest element, and TopK orders it above infinity",
    ),
    OperandDeviation(
        ops=("DynamicQuantizeLinear",),
        engine="onnxruntime",
        when="not finite or huge",
        reason="the range has no scale, and its zero point is an integer made of NaN, which ONNX leaves open",
    ),
    OperandDeviation(
        ops=("DynamicQuantizeLinear",),
        engine="onnx.reference",
        when="not finite or huge",
        reason="the range has no scale, and its zero point is an integer made of NaN, which ONNX leaves open",
    ),
    OperandDeviation(
        ops=("DFT", "STFT"),
        engine="onnxruntime",
        when="not finite",
        reason="its algorithm decides which elements an infinity is multiplied by 0 for, and which it reaches at all",
    ),
    OperandDeviation(
        ops=("DFT", "STFT"),
        engine="onnx.reference",
        when="not finite",
        reason="its algorithm decides which elements an infinity is multiplied by 0 for, and which it reaches at all",
    ),
    OperandDeviation(
        ops=("Resize", "Upsample"),
        engine="onnxruntime",
        when="rounded length",
        reason="it computes lengths in float32, in which 20 * 1.3 is 26; ONNX truncates the product, 25.99999905",
        ordinary=True,
    ),
    OperandDeviation(
        ops=("TopK",),
        engine="onnxruntime",
        when="open order",
        reason="with `sorted` = 0, ONNX leaves the order open; onnx.reference and the compiler sort",
        ordinary=True,
    ),
    OperandDeviation(
        ops=("FusedMatMul", "TransposeMatMul"),
        engine="onnxruntime",
        when="transposed matrix times a vector",
        reason="its shape inference transposes the matrix by transA, and its kernel reads the elements in their order",
        ordinary=True,
    ),
    OperandDeviation(
        ops=("Conv",),
        engine="onnx.reference",
        when="not finite beside dilations",
        reason="it multiplies an infinity or NaN by the zeros that it inserts between the elements of a dilated filter",
    ),
    OperandDeviation(
        ops=("GridSample",),
        engine="onnx.reference",
        when="not finite or huge",
        reason="it converts a coordinate to an integer, and raises an error for NaN",
    ),
    OperandDeviation(
        ops=("LSTM",),
        engine="onnx.reference",
        when="not finite",
        reason="it multiplies cells by peepholes of 0 where there are none, so that an infinite cell becomes NaN",
    ),
    OperandDeviation(
        ops=("Attention",),
        engine="onnx.reference",
        when="not finite or huge",
        reason="a row of scores that are all -inf gives 0, masked or not; the softmax that ONNX writes there gives NaN",
    ),
)


def deviates_for(engine: Program, node: NodeProto, values: Mapping[str, Any], *, ordinary: bool = False) -> bool:
    """Whether `engine` is known to deviate from ONNX for `node` with these values; with `ordinary` by rows about such
    operands only. If not all operands of `node` are known, each of the values may be one."""
    names = [name for name in node.input if name]
    is_known = values.keys() >= set(names)
    given = [values[name] for name in names] if is_known else values.values()
    operands = [value for value in given if isinstance(value, np.ndarray)]
    return any(
        row.engine == engine
        and node.op_type in row.ops
        and (row.ordinary or not ordinary)
        and CONDITIONS[row.when](node if is_known else None, operands)
        for row in OPERAND_DEVIATIONS
    )


def _not_finite(_: NodeProto | None, operands: Sequence[Array]) -> bool:
    return any(_has_fractions(each) and not bool(np.isfinite(each.astype(np.float64)).all()) for each in operands)


def _huge(_: NodeProto | None, operands: Sequence[Array]) -> bool:
    """Whether elements exceed 2^30, so that a small factor or offset overflows Int32."""
    return any(bool((np.abs(each.astype(np.float64)) >= 2.0**30).any()) for each in operands)


def _is_dilated(node: NodeProto | None) -> bool:
    return node is None or any(
        each.name == "dilations" and any(size > 1 for size in each.ints) for each in node.attribute
    )


def _has_narrow_scale(_: NodeProto | None, operands: Sequence[Array]) -> bool:
    """Whether the second operand has a 16-bit type."""
    return len(operands) > 1 and _has_fractions(operands[1]) and operands[1].dtype.itemsize == 2


def _are_like_four_bits(_: NodeProto | None, operands: Sequence[Array]) -> bool:
    """Whether the first operand has floats and the second one integers of 4 bits."""
    kinds = [each.dtype.name for each in operands[1:2]]
    return _has_fractions(operands[0]) and kinds in (["int4"], ["uint4"]) if kinds else False


def _at_threshold(node: NodeProto | None, operands: Sequence[Array]) -> bool:
    """Whether an element of 16 bits is the attribute that it is compared with, in this type."""
    x = operands[0]
    if not _has_fractions(x) or x.dtype.itemsize != _BYTES_OF_SIXTEEN_BITS:
        return False
    limits = [each.f for each in node.attribute if each.name in ("alpha", "lambd")] if node is not None else []
    return node is None or any(bool((np.abs(x) == np.float32(limit).astype(x.dtype)).any()) for limit in limits)


def _saturating(_: NodeProto | None, operands: Sequence[Array]) -> bool:
    """Whether two products of an 8-bit operand with signed 8-bit weights may exceed Int16 in sum. Floats are quantised
    by the op to any 8-bit integer, and signed integers are shifted to unsigned ones."""
    weights = [np.abs(each.astype(np.int64)) for each in operands if each.dtype == np.int8 and each.ndim]
    return any(2 * _MOST_UNSIGNED * int(each.max(initial=0)) > _MOST_OF_PAIRS for each in weights)


def _almost_equal(node: NodeProto | None, operands: Sequence[Array]) -> bool:
    """Whether the elements of a row are so close to each other that 1e-9 is no rounding of their deviation."""
    if node is None:
        return any(_has_fractions(each) and np.unique(each).size < each.size for each in operands)
    axes = next((tuple(each.ints) for each in node.attribute if each.name == "axes"), (0, 2, 3))
    found = _statistics(operands[0], axes)
    return found is not None and bool((found[0] <= _SMALL_DEVIATION).any())


def _small_variance(node: NodeProto | None, operands: Sequence[Array]) -> bool:
    """Whether the square of the mean of a group is so much larger than its variance, with epsilon, that their
    difference is inexact."""
    if node is None:
        return any(_has_fractions(each) and np.unique(each).size < each.size for each in operands)
    settings = {attribute.name: attribute for attribute in node.attribute}
    x, groups = operands[0], _number(node, "num_groups")
    if not groups or not x.ndim or not x.size or x.size % (x.shape[0] * groups):
        return False
    found = _statistics(x.reshape(x.shape[0], groups, -1), (2,))
    epsilon = settings["epsilon"].f if "epsilon" in settings else _EPSILON
    return found is not None and bool((found[0] ** 2 + epsilon <= (found[1] / _TIMES_DEVIATION) ** 2).any())


def _rounds_length(node: NodeProto | None, operands: Sequence[Array]) -> bool:
    """Whether float32 rounds the product of a size and its scale up to an integer."""
    if node is None or len(operands) < 2 or operands[-1].dtype != np.float32 or operands[-1].ndim != 1:
        return False
    axes = next((list(each.ints) for each in node.attribute if each.name == "axes"), range(operands[0].ndim))
    sizes = [operands[0].shape[axis] for axis in axes]
    return any(
        np.floor(np.float32(size) * scale) != np.floor(float(size) * float(scale))
        for size, scale in zip(sizes, operands[-1], strict=False)
    )


def _transposes_before_vector(node: NodeProto | None, operands: Sequence[Array]) -> bool:
    """Whether a product transposes its first operand, a matrix, and its second operand is a vector."""
    if node is None:
        return any(each.ndim == 1 for each in operands)
    return bool(_number(node, "transA")) and operands[0].ndim > 1 and operands[-1].ndim == 1


def _statistics(x: Array, axes: tuple[int, ...]) -> tuple[Array, Array] | None:
    """The standard deviations of the rows along `axes`, and their means; None if `x` has no such rows."""
    wide = x.astype(np.float64)
    if not x.size or any(not -x.ndim <= axis < x.ndim for axis in axes):
        return None
    with np.errstate(all="ignore"):
        return wide.std(axes), wide.mean(axes)


def _number(node: NodeProto, name: str) -> int:
    return next((int(each.i) for each in node.attribute if each.name == name), 0)


_SMALL_DEVIATION = 1e-3
"""Of a larger deviation, 1e-9 is less than 1e-6, about what onnxruntime's sums are off by (measured)."""
_TIMES_DEVIATION, _EPSILON = 2, 1e-5
"""A mean of this multiple of the deviation costs two bits of the variance, and results are off by more than 1e-6
(measured); the default of GroupNormalization."""


_FLOAT16, _LARGEST_ROOT = 10, 127.0
"""The type in ONNX, and about the largest number for which it has the square of a difference of two."""


def _exceeds(x: Array, most: float) -> bool:
    return bool((np.abs(x.astype(np.float64)) > most).any())


_BYTES_OF_SIXTEEN_BITS = 2
_CLIPPED = 3
"""The operands of a Clip with both bounds."""
_MOST_UNSIGNED, _MOST_OF_PAIRS = 255, (1 << 15) - 1


def _has_fractions(values: Array) -> bool:
    """Whether values have fractions. The small integers of ml_dtypes have no numpy kind."""
    dtype = values.dtype
    return dtype.kind == "f" or (dtype.kind == "V" and dtype.name.startswith(("bfloat", "float")))


CONDITIONS: dict[Condition, Callable[[NodeProto | None, Sequence[Array]], bool]] = {
    "not finite": _not_finite,
    "not finite or huge": lambda node, operands: _not_finite(node, operands) or _huge(node, operands),
    "not finite beside dilations": lambda node, operands: _is_dilated(node) and _not_finite(node, operands),
    "not finite without a bound": lambda node, operands: (
        (node is None or not all(node.input) or len(node.input) < _CLIPPED) and _not_finite(node, operands)
    ),
    "squares beyond float16": lambda node, operands: (
        node is not None and _number(node, "stash_type") == _FLOAT16 and _exceeds(operands[0], _LARGEST_ROOT)
    ),
    "16-bit scale": _has_narrow_scale,
    "floats like integers of 4 bits": _are_like_four_bits,
    "saturating products": _saturating,
    "rounded length": _rounds_length,
    "open order": lambda node, _: node is None or any(each.name == "sorted" and not each.i for each in node.attribute),
    "transposed matrix times a vector": _transposes_before_vector,
    "almost equal elements": _almost_equal,
    "small variance": _small_variance,
    "at a rounded threshold": _at_threshold,
}
"""The meaning of `when`, for the operands of a node; of None if each of the values may be an operand."""

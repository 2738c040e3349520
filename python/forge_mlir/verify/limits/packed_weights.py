"""onnxruntime's ops on weights of few bits, with a scale for each block, as ONNX's ops on the numbers that these are.

onnx.reference does not know these ops.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from onnx import NodeProto, helper

from forge_mlir.execute.onnx.nodes import Values
from forge_mlir.onnx_model.dtypes import is_floating
from forge_mlir.verify.comparison import epsilon

Array = npt.NDArray[Any]


class Unpacked(NamedTuple):
    """A node as ONNX nodes in order, of which the last one makes the result, with the values that only these have, and
    the rounding errors of the weights by name."""

    nodes: tuple[NodeProto, ...]
    values: Values
    errors: Mapping[str, npt.NDArray[np.float64]]


def unpacked(node: NodeProto, values: Mapping[str, Any], dtype: npt.DTypeLike = np.float32) -> Unpacked:
    """`node` on weights in `dtype`, in which the other operands of a product are, too; another node as it is."""
    if node.domain != "com.microsoft" or node.op_type not in ("MatMulNBits", "GatherBlockQuantized"):
        return Unpacked((node,), {}, {})
    settings = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    given = [np.asarray(values[name]) if name else None for name in node.input]
    name, made = f"{node.output[0]} (weights)", node.output[0]
    if node.op_type == "GatherBlockQuantized":
        table, size = _table(given, settings, dtype)
        axis = settings.get("gather_axis", 0)
        gather = helper.make_node("Gather", [name, node.input[1]], [made], node.name, axis=axis)
        return Unpacked((gather,), {name: table}, {name: size})
    weights, size = _rows(given, settings, dtype)
    x = np.asarray(given[0]).astype(dtype)
    own: Values = {name: weights.T, node.input[0]: x}
    bias = node.input[5] if len(node.input) > 5 else ""
    product = f"{made} (product)" if bias else made
    nodes = [helper.make_node("MatMul", [node.input[0], name], [product], node.name)]
    if bias:
        own |= {product: x @ weights.T, bias: np.asarray(values[bias]).astype(dtype)}
        nodes.append(helper.make_node("Add", [product, bias], [made], node.name))
    return Unpacked(tuple(nodes), own, {name: size.T})


def _dequantised(
    numbers: Array, zeros: Array, scales: Array, dtype: npt.DTypeLike
) -> tuple[Array, npt.NDArray[np.float64]]:
    """The weights, and their rounding errors. A difference of integers is exact, and their product rounds once."""
    steps, wide = np.abs(numbers.astype(np.float64) - zeros.astype(np.float64)), scales.astype(np.float64)
    if is_floating(zeros.dtype):
        steps = steps + np.abs(zeros.astype(np.float64))
    weights = (numbers.astype(dtype) - zeros.astype(dtype)) * scales.astype(dtype)
    return weights, epsilon(scales.dtype) / 2 * steps * np.abs(wide)


def _rows(
    given: list[Array | None], settings: Mapping[str, Any], dtype: npt.DTypeLike
) -> tuple[Array, npt.NDArray[np.float64]]:
    """The weights of a MatMulNBits, a row for each column of the result."""
    _, packed, scales, zeros, groups, *_ = (*given, None, None, None)
    assert packed is not None
    assert scales is not None
    bits, rows, columns, block = settings.get("bits", 4), settings["N"], settings["K"], settings["block_size"]
    count = math.ceil(columns / block)
    numbers = _numbers(packed.reshape(rows, -1), bits)[:, :columns]
    if zeros is None:
        zeros = np.full((rows, count), 2 ** (bits - 1))
    elif not is_floating(zeros.dtype):
        zeros = _numbers(zeros.reshape(rows, -1), bits)[:, :count]
    of = np.arange(columns) // block if groups is None else groups[:columns]
    return _dequantised(numbers, zeros.reshape(rows, count)[:, of], scales.reshape(rows, count)[:, of], dtype)


def _table(
    given: list[Array | None], settings: Mapping[str, Any], dtype: npt.DTypeLike
) -> tuple[Array, npt.NDArray[np.float64]]:
    """The table of a GatherBlockQuantized."""
    numbers, _, scales, zeros, *_ = (*given, None)
    assert numbers is not None
    assert scales is not None
    bits, axis, block = settings.get("bits", 4), settings.get("quantize_axis", 1), settings.get("block_size", 128)
    if numbers.dtype == np.uint8:
        numbers = _numbers(numbers, bits)
        zeros = np.array(2 ** (bits - 1)) if zeros is None else _numbers(zeros, bits)[..., : scales.shape[-1]]
    of = np.arange(numbers.shape[axis]) // block
    zeros = np.zeros(()) if zeros is None else zeros
    return _dequantised(numbers, zeros.take(of, axis) if zeros.ndim else zeros, scales.take(of, axis), dtype)


def _numbers(packed: Array, bits: int) -> Array:
    """The integers of `bits` bits in bytes of the last axis, the lowest bits first."""
    parts = [packed >> at & 2**bits - 1 for at in range(0, 8, bits)]
    return np.stack(parts, -1).reshape(*packed.shape[:-1], -1)

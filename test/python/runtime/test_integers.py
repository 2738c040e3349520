"""Integers of the CPU reference: results are exact if they fit Int32; otherwise an error is raised."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from forge_mlir import runtime as forge
from forge_mlir.runtime import op

LOWEST, HIGHEST = -(2**31), 2**31 - 1


def ints(*values: int) -> forge.Tensor:
    return forge.Tensor.create_from_torch(torch.tensor(values, dtype=torch.int32))


def floats(*values: float) -> forge.Tensor:
    return forge.Tensor.create_from_torch(torch.tensor(values))


def column(*values: int) -> forge.Tensor:
    return forge.Tensor.create_from_torch(torch.tensor(values, dtype=torch.int32).reshape(-1, 1))


def image(*values: int) -> forge.Tensor:
    return forge.Tensor.create_from_torch(torch.tensor(values, dtype=torch.int32).reshape(1, 1, 1, -1))


# A call whose result is the limit, and a call that exceeds it by as little as possible.
EDGES: dict[str, tuple[Callable[[], Any], list[int], Callable[[], Any]]] = {
    "Add": (lambda: op.Add("", ints(HIGHEST - 1), ints(1)), [HIGHEST], lambda: op.Add("", ints(HIGHEST), ints(1))),
    "Subtract": (
        lambda: op.Subtract("", ints(LOWEST + 1), ints(1)),
        [LOWEST],
        lambda: op.Subtract("", ints(LOWEST), ints(1)),
    ),
    "Multiply": (
        lambda: op.Multiply("", ints(-65536), ints(32768)),
        [LOWEST],
        lambda: op.Multiply("", ints(65536), ints(32768)),
    ),
    "Power": (lambda: op.Power("", ints(-2), ints(31)), [LOWEST], lambda: op.Power("", ints(2), ints(31))),
    "Power far off": (lambda: op.Power("", ints(3), ints(19)), [3**19], lambda: op.Power("", ints(3), ints(80))),
    "Abs": (lambda: op.Abs("", ints(LOWEST + 1)), [HIGHEST], lambda: op.Abs("", ints(LOWEST))),
    "ReduceSum": (
        lambda: op.ReduceSum("", ints(HIGHEST, 0, LOWEST), -1),
        [-1],
        lambda: op.ReduceSum("", ints(HIGHEST, 1, LOWEST), -1),
    ),
    "CumSum": (
        lambda: op.CumSum("", ints(HIGHEST, -1), -1),
        [HIGHEST, HIGHEST - 1],
        lambda: op.CumSum("", ints(HIGHEST, 1), -1),
    ),
    "Matmul": (
        lambda: op.Matmul("", ints(HIGHEST, 2), column(1, -5)),
        [HIGHEST - 10],
        lambda: op.Matmul("", ints(HIGHEST, 1, -5), column(1, 1, 1)),
    ),
    "Matmul far off": (
        lambda: op.Matmul("", ints(LOWEST, 0), column(1, HIGHEST)),
        [LOWEST],
        lambda: op.Matmul("", ints(LOWEST, LOWEST, LOWEST), column(LOWEST, LOWEST, LOWEST)),
    ),
    "Conv2d": (
        lambda: op.Conv2d("", image(HIGHEST, 3), image(1, 0), padding=[0, 0, 0, 0]),
        [HIGHEST],
        lambda: op.Conv2d("", image(HIGHEST, 3), image(1, 1), padding=[0, 0, 0, 0]),
    ),
    "Cast": (
        lambda: op.Cast("", floats(-2147483648.0), forge.DataFormat.Int32),
        [LOWEST],
        lambda: op.Cast("", floats(2147483648.0), forge.DataFormat.Int32),
    ),
    "Cast of a fraction": (
        lambda: op.Cast("", floats(-7.9), torch.int64),
        [-7],
        lambda: op.Cast("", floats(3e9), torch.int64),
    ),
}


@pytest.mark.parametrize("name", EDGES)
def test_results_are_exact_and_the_first_overflow_raises(name: str) -> None:
    inside, expected, outside = EDGES[name]
    result = inside().value()
    assert result.dtype == torch.int32
    assert result.reshape(-1).tolist() == expected
    with pytest.raises(OverflowError, match="does not fit Int32"):
        outside()


@pytest.mark.parametrize(("value", "integer"), [(float("nan"), 0), (float("inf"), HIGHEST), (-float("inf"), LOWEST)])
def test_nan_and_infinity_are_cast_to_some_integer(value: float, integer: int) -> None:
    """ONNX does not define which, and exporters cast values that they do not use (the buckets of log(0) in T5)."""
    assert op.Cast("", floats(1.0, value), forge.DataFormat.Int32).value().tolist() == [1, integer]


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8])
def test_sums_of_narrow_integers_do_not_wrap(dtype: torch.dtype) -> None:
    operand = forge.Tensor.create_from_torch(torch.tensor([100, 120, 90], dtype=dtype))
    assert op.ReduceSum("", operand, 0).value().tolist() == [310]
    assert op.CumSum("", operand, 0).value().tolist() == [100, 220, 310]


def test_overflow_of_padding_is_not_an_error() -> None:
    tile = ints(HIGHEST)
    tile.checked = False
    assert op.Add("", tile, ints(1)).value().tolist() == [LOWEST]

"""Elementwise ops of two operands.

The result's shape is the right-aligned broadcast of both; dtypes promote as in torch, except where said.
Shared errors: RuntimeError for shapes that do not broadcast, for a released operand and for dtypes torch does not
take here; TypeError for an operand that is no tensor. A Python float is taken as a constant of one element.
"""

from collections.abc import Callable

import numpy as np
import torch

from ..tensor import Operand, Tensor
from ._call import Call, broadcast_shape


def _binary(
    op: str, name: str, compute: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], a: Operand, b: Operand
) -> Tensor:
    call = Call(op, name)
    a, b = call.operand(a), call.operand(b)
    return call.result(compute, a, b, shape=broadcast_shape(call, a.shape, b.shape))


def _arithmetic(
    op: str, name: str, compute: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], a: Operand, b: Operand
) -> Tensor:
    call = Call(op, name)
    a, b = call.operand(a), call.operand(b)
    return call.arithmetic(compute, a, b, shape=broadcast_shape(call, a.shape, b.shape))


def _comparison(
    op: str, name: str, compute: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], a: Operand, b: Operand
) -> Tensor:
    return _binary(op, name, lambda x, y: compute(x, y).to(x.dtype), a, b)


def Add(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.Add: a + b. OverflowError for integers beyond int32."""
    return _arithmetic("Add", name, torch.add, operandA, operandB)


def Subtract(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.Subtract: a - b. OverflowError for integers beyond int32."""
    return _arithmetic("Subtract", name, torch.subtract, operandA, operandB)


def Multiply(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.Multiply: a * b. OverflowError for integers beyond int32."""
    return _arithmetic("Multiply", name, torch.multiply, operandA, operandB)


def Divide(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.Divide: true division: two integers give float32, there is no truncation."""
    return _binary("Divide", name, torch.div, operandA, operandB)


def Max(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.Max: the larger value; NaN wins."""
    return _binary("Max", name, torch.maximum, operandA, operandB)


def Min(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.Min: the smaller value; NaN wins."""
    return _binary("Min", name, torch.minimum, operandA, operandB)


def Heaviside(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.Heaviside: 0 below zero, 1 above, b where a is zero. Both must have one dtype, else RuntimeError."""
    return _binary("Heaviside", name, torch.heaviside, operandA, operandB)


def Power(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.Power: a to the power b. Integers: OverflowError beyond int32; powers between -1 and 1 are 0."""
    call = Call("Power", name)
    a, b = call.operand(operandA), call.operand(operandB)
    shape = broadcast_shape(call, a.shape, b.shape)
    return call.arithmetic(torch.pow, a, b, shape=shape, reach=_power_reach)


def _power_reach(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    # 64 bits overflow as well; float64 does not, and is exact for all of Int32.
    power = torch.pow(a.to(torch.float64), b)
    return power, power


def Remainder(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.Remainder: modulo with the sign of the divisor b, like Python's %."""
    return _binary("Remainder", name, _remainder, operandA, operandB)


def _remainder(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    result = torch.remainder(a, b)
    if result.is_floating_point():
        # torch's vector code gives NaN next to denormal divisors; numpy divides as C does.
        lost = torch.isnan(result) & torch.isfinite(a) & torch.isfinite(b) & (b != 0)
        if lost.any():
            a, b = (x.broadcast_to(result.shape)[lost].to(torch.float32) for x in (a, b))
            result[lost] = torch.from_numpy(np.mod(a.numpy(), b.numpy())).to(result.dtype)
    return result


def Equal(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.Equal: a == b as 0 and 1 in the dtype of operandA, not in bool."""
    return _comparison("Equal", name, torch.eq, operandA, operandB)


def NotEqual(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.NotEqual: a != b as 0 and 1 in the dtype of operandA, not in bool."""
    return _comparison("NotEqual", name, torch.ne, operandA, operandB)


def Greater(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.Greater: a > b as 0 and 1 in the dtype of operandA, not in bool."""
    return _comparison("Greater", name, torch.gt, operandA, operandB)


def Less(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.Less: a < b as 0 and 1 in the dtype of operandA, not in bool."""
    return _comparison("Less", name, torch.lt, operandA, operandB)


def GreaterEqual(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.GreaterEqual: a >= b as 0 and 1 in the dtype of operandA, not in bool."""
    return _comparison("GreaterEqual", name, torch.ge, operandA, operandB)


def LessEqual(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.LessEqual: a <= b as 0 and 1 in the dtype of operandA, not in bool."""
    return _comparison("LessEqual", name, torch.le, operandA, operandB)


def LogicalAnd(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.LogicalAnd, as shipped: operandB is never looked at, the result is a != 0 in a's shape and dtype.

    Meant is a nonzero and b nonzero; multiply two NotEqual(x, 0) instead.
    """
    del operandB
    return _comparison("LogicalAnd", name, torch.logical_and, operandA, operandA)


def BitwiseAnd(name: str, operandA: Operand, operandB: Operand) -> Tensor:
    """forge.op.BitwiseAnd: both operands cast to int32, and-ed, and cast back to the dtype of operandA."""
    return _comparison(
        "BitwiseAnd", name, lambda a, b: torch.bitwise_and(a.to(torch.int32), b.to(torch.int32)), operandA, operandB
    )

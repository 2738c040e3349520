"""Ops of no other family."""

import torch

from ..tensor import Operand, Tensor
from ._call import Call


def CumSum(name: str, operandA: Operand, dim: int) -> Tensor:
    """forge.op.CumSum: inclusive running sum along dim. Integers give int32; OverflowError beyond it.

    RuntimeError for a dim outside the rank or no int.
    """
    call = Call("CumSum", name)
    operandA = call.operand(operandA)
    axis = call.axis("dim", dim, len(operandA.shape))
    return call.arithmetic(lambda x: torch.cumsum(x, axis), operandA, shape=operandA.shape, sums=True)

"""Reductions over one axis; keep_dim leaves an axis of size 1.

The three Reduce ops check the axis twice, as Forge does: AssertionError unless -4 <= dim <= 3, then RuntimeError
unless it lies in the rank. On ranks above 4 the other axes are reached by the other sign. A dim that is no int
raises TypeError, a keep_dim that is no bool RuntimeError.
"""

from collections.abc import Callable

import torch

from ..tensor import Operand, Parameter, Tensor
from ._call import Call


def ReduceSum(name: str, operandA: Operand, dim: int, keep_dim: bool = True) -> Tensor:
    """forge.op.ReduceSum: sum over axis dim. Integers and bools give int32; OverflowError where a sum leaves it,
    whatever the order in which a device adds."""
    call, operand, axis, keep = _read("ReduceSum", name, operandA, dim, keep_dim)

    def total(x: torch.Tensor) -> torch.Tensor:
        return torch.sum(x, axis, keepdim=keep)

    def reach(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return total(x.clamp(max=0)), total(x.clamp(min=0))

    return call.arithmetic(total, operand, reach=reach, sums=True)


def ReduceAvg(name: str, operandA: Operand, dim: int, keep_dim: bool = True) -> Tensor:
    """forge.op.ReduceAvg: mean over axis dim. Integers raise RuntimeError."""
    return _reduce("ReduceAvg", name, lambda x, axis, keep: torch.mean(x, axis, keepdim=keep), operandA, dim, keep_dim)


def ReduceMax(name: str, operandA: Operand, dim: int, keep_dim: bool = True) -> Tensor:
    """forge.op.ReduceMax: maximum over axis dim. Keeps the dtype."""
    return _reduce(
        "ReduceMax", name, lambda x, axis, keep: torch.max(x, axis, keepdim=keep).values, operandA, dim, keep_dim
    )


def Argmax(name: str, operandA: Operand, dim: int | None = None, keep_dim: bool = False) -> Tensor:
    """forge.op.Argmax: position of the maximum along dim, int32.

    Without dim, the position in the flattened tensor: rank 0, or all ones with keep_dim. RuntimeError for a dim
    outside the rank or no int, and for a keep_dim that is no bool.
    """
    call = Call("Argmax", name)
    operandA = call.operand(operandA)
    keep = call.bool_attr("keep_dim", keep_dim)
    axis = None if dim is None else call.axis("dim", dim, len(operandA.shape))
    return call.result(lambda x: torch.argmax(x, axis, keepdim=keep).to(torch.int32), operandA)


def _reduce(
    op: str,
    name: str,
    compute: Callable[[torch.Tensor, int, bool], torch.Tensor],
    operand: Operand,
    dim: int,
    keep_dim: bool,
) -> Tensor:
    call, operand, axis, keep = _read(op, name, operand, dim, keep_dim)
    return call.result(lambda x: compute(x, axis, keep), operand)


def _read(op: str, name: str, operand: Operand, dim: int, keep_dim: bool) -> tuple[Call, Tensor | Parameter, int, bool]:
    call = Call(op, name)
    call.require(-4 <= dim <= 3, f"dim must lie in [-4, 3], got {dim}")
    (axis,) = call.ints_attr("dim", [dim])
    keep = call.bool_attr("keep_dim", keep_dim)
    operand = call.operand(operand)
    return call, operand, call.axis("dim", axis, len(operand.shape)), keep

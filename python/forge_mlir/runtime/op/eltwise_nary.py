"""Ops of several operands that work element by element or join tensors."""

import torch

from ..tensor import Operand, Tensor
from ._call import Call, broadcast_shape, widest_float


def Concatenate(name: str, *operands: Operand, axis: int) -> Tensor:
    """forge.op.Concatenate: joins along axis (negative counts from the end); dtypes promote.

    RuntimeError without operands, for different ranks, for sizes that differ on another axis (so a rank-1 empty
    tensor does not pass), and for an axis outside the rank.
    """
    call = Call("Concatenate", name)
    call.tt_assert(bool(operands), "needs at least one operand")
    shapes = [call.operand(operand).shape for operand in operands]
    first = shapes[0]
    dim = call.axis("axis", axis, len(first))
    for shape in shapes:
        call.tt_assert(len(shape) == len(first), f"operands differ in rank: {shapes}")
        call.tt_assert(shape[:dim] + shape[dim + 1 :] == first[:dim] + first[dim + 1 :], f"sizes differ: {shapes}")
    result = (*first[:dim], sum(shape[dim] for shape in shapes), *first[dim + 1 :])
    return call.moved(lambda *values: torch.cat(values, dim=dim), *operands, shape=result)


def Stack(name: str, *operands: Operand, axis: int) -> Tensor:
    """forge.op.Stack: joins tensors of one shape along a new axis, -(rank+1) <= axis <= rank, else RuntimeError."""
    call = Call("Stack", name)
    call.tt_assert(bool(operands), "needs at least one operand")
    shapes = [call.operand(operand).shape for operand in operands]
    first = shapes[0]
    call.tt_assert(all(shape == first for shape in shapes), f"shapes differ: {shapes}")
    dim = call.axis("axis", axis, len(first) + 1)
    stacked = (*first[:dim], len(shapes), *first[dim:])
    return call.moved(lambda *values: torch.stack(values, dim=dim), *operands, shape=stacked)


def Where(name: str, condition: Operand, x: Operand, y: Operand) -> Tensor:
    """forge.op.Where: x where condition is nonzero, else y; all three broadcast, x and y promote.

    RuntimeError for shapes that do not broadcast.
    """
    call = Call("Where", name)
    condition, x, y = call.operand(condition), call.operand(x), call.operand(y)
    return call.moved(
        lambda c, a, b: torch.where(c.to(torch.bool), a, b),
        condition,
        x,
        y,
        shape=broadcast_shape(call, condition.shape, x.shape, y.shape),
    )


def IndexCopy(name: str, operandA: Operand, index: Operand, value: Operand, dim: int) -> Tensor:
    """forge.op.IndexCopy: operandA with the slices at positions ``index`` along ``dim`` replaced by ``value``.

    Floating operands promote to the widest float first. index has rank 0 or 1, value the shape of operandA with
    len(index) on dim: torch raises RuntimeError or IndexError otherwise.
    """
    call = Call("IndexCopy", name)
    operandA = call.operand(operandA)
    axis = call.axis("dim", dim, len(operandA.shape))

    def compute(data: torch.Tensor, positions: torch.Tensor, update: torch.Tensor) -> torch.Tensor:
        data, update = widest_float(data, update)
        return data.index_copy(axis, positions.to(torch.int64), update)

    return call.moved(compute, operandA, index, value, shape=operandA.shape)

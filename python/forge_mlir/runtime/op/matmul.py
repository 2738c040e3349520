"""Matrix product."""

from collections.abc import Callable

import torch

from ..data_format import DataFormat
from ..tensor import Operand, Parameter, Tensor
from ._call import Call, widest_float
from .eltwise_binary import Add


def Matmul(name: str, operandA: Operand, operandB: Operand, bias: Operand | None = None) -> Tensor:
    """forge.op.Matmul: torch.matmul with rank-1 operands and batch broadcasting, plus an Add when bias is given.

    A bias that is one row, of the product's type or Float32, is added before the product is rounded to 16 bits: the
    device's compiler makes one kernel of both, also where the sum is Float32 by its bias. Any other bias is added to
    the rounded product.

    Floating operands promote to the widest float; float16 is computed in float32. Integers give int32; OverflowError
    where a sum of products leaves it, whatever the order in which a device adds. RuntimeError for shapes or dtypes
    torch cannot multiply.
    """
    call = Call("Matmul", name)
    operandA, operandB = call.operand(operandA), call.operand(operandB)
    integers = not any(operand.data_format.is_floating for operand in (operandA, operandB))
    if integers:
        product = integer_product(call, torch.matmul, operandA, operandB)
    elif bias is not None and _is_row(call.operand(bias), operandA, operandB):
        return call.result(_matmul_of_row, operandA, operandB, bias)
    else:
        product = call.result(_matmul, operandA, operandB)
    return product if bias is None else Add(f"{name}.bias", product, bias)


def _matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    a, b = widest_float(a, b)
    promoted = a.dtype if a.is_floating_point() else b.dtype
    a, b = (x.to(torch.float32) if x.dtype == torch.float16 else x for x in (a, b))
    return torch.matmul(a, b).to(promoted)


def _matmul_of_row(a: torch.Tensor, b: torch.Tensor, row: torch.Tensor) -> torch.Tensor:
    """The sum in float32; rounded to the type of ``a`` and ``b``, which ``Call.result`` does itself unless ``row`` has
    another one."""
    if a.dtype == row.dtype:
        return _matmul(a, b) + row
    return (_matmul(a.to(row.dtype), b.to(row.dtype)) + row).to(a.dtype).to(row.dtype)


def _is_row(bias: Tensor | Parameter, a: Tensor | Parameter, b: Tensor | Parameter) -> bool:
    """Whether ``bias`` is one row of columns, and ``a`` and ``b`` have one type, which is that of ``bias`` unless
    ``bias`` is in Float32."""
    if not bias.shape or len(b.shape) < 2 or bias.shape[-1] != b.shape[-1] or set(bias.shape[:-1]) - {1}:
        return False
    return (
        len(bias.shape) <= max(len(a.shape), len(b.shape))
        and a.data_format == b.data_format
        and (bias.data_format in (a.data_format, DataFormat.Float32))
    )


def integer_product(
    call: Call,
    product: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    operandA: Tensor | Parameter,
    operandB: Tensor | Parameter,
) -> Tensor:
    """Sums of products of integers as int32. OverflowError where one leaves it, in whatever order they are added.

    float64 is exact up to 2**53; larger results are far outside of Int32.
    """

    def compute(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        a, b = a.to(torch.float64), b.to(torch.float64)
        total = product(a, b)
        if operandA.checked and operandB.checked:
            magnitude = product(a.abs(), b.abs())
            call.require_int32((total - magnitude) / 2, (total + magnitude) / 2)
        return total.to(torch.int32)

    return call.result(compute, operandA, operandB)

"""Matrix product."""

import torch

from ..tensor import Operand, Tensor
from ._call import Call, widest_float
from .eltwise_binary import Add


def Matmul(name: str, operandA: Operand, operandB: Operand, bias: Operand | None = None) -> Tensor:
    """forge.op.Matmul: torch.matmul with rank-1 operands and batch broadcasting, plus an Add when bias is given.

    Floating operands promote to the widest float; float16 and int8 are computed in float32. The result has the
    promoted dtype, or int32 if an operand is int8. RuntimeError for shapes or dtypes torch cannot multiply.
    """
    product = Call("Matmul", name).result(_matmul, operandA, operandB)
    return product if bias is None else Add(f"{name}.bias", product, bias)


def _matmul(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    any_int8 = torch.int8 in (a.dtype, b.dtype)
    a, b = widest_float(a, b)
    promoted = a.dtype if a.is_floating_point() else b.dtype
    a, b = (x.to(torch.float32) if x.dtype in (torch.float16, torch.int8) else x for x in (a, b))
    return torch.matmul(a, b).to(torch.int32 if any_int8 else promoted)

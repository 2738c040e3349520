"""Scalar constants."""

import torch

from ..data_format import DataFormat, forge_dataformat_to_pytorch_dtype
from ..tensor import Tensor
from ._call import Call


def Constant(name: str, *, constant: float, dtype: DataFormat = DataFormat.Float32) -> Tensor:
    """forge.op.Constant: one element, always of shape (1,), in the torch dtype of ``dtype``.

    RuntimeError if constant is no Python float (an int is not), dtype no DataFormat, or without a torch dtype.
    """
    call = Call("Constant", name)
    value = call.float_attr("constant", constant)
    call.tt_assert(isinstance(dtype, DataFormat), f"dtype must be a DataFormat, got {dtype!r}")
    torch_dtype = forge_dataformat_to_pytorch_dtype(dtype)
    return call.result(lambda: torch.tensor([value]).to(torch_dtype))

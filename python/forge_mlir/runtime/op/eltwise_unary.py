"""Elementwise ops of one operand. All keep the shape.

Shared errors: TypeError for an operand that is no tensor, RuntimeError for a released operand, for a dtype torch
does not take here, and for an attribute of another Python type than the one named.
"""

import torch

from ..data_format import DataFormat, forge_dataformat_to_pytorch_dtype, pytorch_dtype_to_forge_dataformat
from ..tensor import Operand, Tensor
from ._call import Call

# The reference keeps Log and Reciprocal finite at zero by adding this first.
_EPSILON = 1e-10
_GELU_IS_X = 16.0


def Abs(name: str, operandA: Operand) -> Tensor:
    """forge.op.Abs: absolute value. Keeps the dtype; OverflowError for -2**31."""
    return Call("Abs", name).arithmetic(torch.abs, operandA)


def Atan(name: str, operandA: Operand) -> Tensor:
    """forge.op.Atan: arc tangent. Integers give float32."""
    return Call("Atan", name).result(torch.atan, operandA)


def Cast(name: str, operandA: Operand, dtype: torch.dtype | DataFormat) -> Tensor:
    """forge.op.Cast: converts to the torch dtype of a DataFormat, which the result then carries.

    A torch dtype names its DataFormat first, so int64, int8, uint8 and bool all become int32: a cast to bool does
    not normalise to 0 and 1. RuntimeError for float64, int16, complex, wide unsigned types, and for formats
    without a torch dtype (Int8, Lf8, Bfp2_b, RawUInt16, Invalid). OverflowError for numbers that int32 does not hold.
    Infinities become the nearest, NaN 0: ONNX defines no integer for them, and models cast them to drop the result (the
    position buckets of T5 do).
    """
    call = Call("Cast", name)
    data_format = pytorch_dtype_to_forge_dataformat(dtype) if isinstance(dtype, torch.dtype) else dtype
    call.tt_assert(isinstance(data_format, DataFormat), f"dtype must be a torch dtype or DataFormat, got {dtype!r}")
    torch_dtype = forge_dataformat_to_pytorch_dtype(data_format)
    operandA = call.operand(operandA)

    def compute(x: torch.Tensor) -> torch.Tensor:
        if torch_dtype == torch.int32 and x.is_floating_point():
            x = x.to(torch.float64).nan_to_num(0.0, 2.0**31 - 1, -(2.0**31))
        if torch_dtype == torch.int32 and operandA.checked and x.dtype != torch.bool:
            call.require_int32(x, x)
        return x.to(torch_dtype)

    return call.moved(compute, operandA, data_format=data_format)


def Clip(name: str, operandA: Operand, min: float, max: float) -> Tensor:
    """forge.op.Clip: clamps to [min, max], two floats. Integers give float32."""
    call = Call("Clip", name)
    low, high = call.float_attr("min", min), call.float_attr("max", max)
    return call.result(lambda x: torch.clamp(x, low, high), operandA)


def Cosine(name: str, operandA: Operand) -> Tensor:
    """forge.op.Cosine: cosine. Integers give float32."""
    return Call("Cosine", name).result(torch.cos, operandA)


def Erf(name: str, operandA: Operand) -> Tensor:
    """forge.op.Erf: Gauss error function. Integers give float32."""
    return Call("Erf", name).result(torch.erf, operandA)


def Exp(name: str, operandA: Operand) -> Tensor:
    """forge.op.Exp: natural exponential. Integers give float32."""
    return Call("Exp", name).result(torch.exp, operandA)


def Gelu(name: str, operandA: Operand, approximate: str = "none") -> Tensor:
    """forge.op.Gelu: GELU, exact ("none") or by tanh ("tanh"); any other string raises RuntimeError."""
    call = Call("Gelu", name)
    approximate = call.str_attr("approximate", approximate)

    def compute(x: torch.Tensor) -> torch.Tensor:
        # Above 16 GELU is x in every format; torch's own formula overflows there, and gives NaN for infinity.
        return torch.where(x > _GELU_IS_X, x, torch.nn.functional.gelu(x, approximate=approximate))

    return call.result(compute, operandA)


def Identity(name: str, operandA: Operand, unsqueeze: str | None = None, unsqueeze_dim: int | None = None) -> Tensor:
    """forge.op.Identity: the operand's value. The two attributes are stored by Forge and change nothing."""
    call = Call("Identity", name)
    call.any_attr("unsqueeze", unsqueeze)
    call.any_attr("unsqueeze_dim", unsqueeze_dim)
    return call.moved(lambda x: x, operandA)


def LeakyRelu(name: str, operandA: Operand, alpha: float) -> Tensor:
    """forge.op.LeakyRelu: x where x >= 0, else alpha * x. Keeps the dtype."""
    call = Call("LeakyRelu", name)
    slope = call.float_attr("alpha", alpha)
    leaky_relu = torch.nn.functional.leaky_relu  # torch's multiplies 0 by the slope, too: NaN if that is infinite.
    return call.result(lambda x: torch.where(x >= 0, x, leaky_relu(x, negative_slope=slope)), operandA)


def Log(name: str, operandA: Operand) -> Tensor:
    """forge.op.Log: natural logarithm of x + 1e-10, so that zero gives about -23.03. Integers give float32."""
    return Call("Log", name).result(lambda x: torch.log(x + _EPSILON), operandA)


def LogicalNot(name: str, operandA: Operand) -> Tensor:
    """forge.op.LogicalNot: True where x is zero. The value is torch.bool, its format Int32."""
    return Call("LogicalNot", name).result(torch.logical_not, operandA)


def Pow(name: str, operandA: Operand, exponent: float) -> Tensor:
    """forge.op.Pow: x to a float exponent; an int exponent raises RuntimeError, whatever the annotation in Forge says.

    Integers give float32. The device has no lowering for it: Power does.
    """
    call = Call("Pow", name)
    power = call.float_attr("exponent", exponent)
    return call.result(lambda x: torch.pow(x, power), operandA)


def Reciprocal(name: str, operandA: Operand) -> Tensor:
    """forge.op.Reciprocal: 1 / (x + 1e-10), so that zero gives 1e10. Integers give float32."""
    return Call("Reciprocal", name).result(lambda x: torch.reciprocal(x + _EPSILON), operandA)


def Relu(name: str, operandA: Operand) -> Tensor:
    """forge.op.Relu: max(x, 0). Keeps the dtype; bool raises."""
    return Call("Relu", name).result(torch.relu, operandA)


def Sigmoid(name: str, operandA: Operand) -> Tensor:
    """forge.op.Sigmoid: logistic function. Integers give float32."""
    return Call("Sigmoid", name).result(torch.sigmoid, operandA)


def Sine(name: str, operandA: Operand) -> Tensor:
    """forge.op.Sine: sine. Integers give float32."""
    return Call("Sine", name).result(torch.sin, operandA)


def Sqrt(name: str, operandA: Operand) -> Tensor:
    """forge.op.Sqrt: square root, NaN below zero. Integers give float32."""
    return Call("Sqrt", name).result(torch.sqrt, operandA)


def Tanh(name: str, operandA: Operand) -> Tensor:
    """forge.op.Tanh: hyperbolic tangent. Integers give float32."""
    return Call("Tanh", name).result(torch.tanh, operandA)

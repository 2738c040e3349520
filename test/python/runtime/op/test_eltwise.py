"""Elementwise ops, joins and Constant give the results of torch, with Forge's dtypes."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

from forge_cases import Case, Random, parametrize
from forge_mlir import runtime as forge

R = Random(1)
SHAPES = [(), (1,), (7,), (2, 3), (2, 1, 4, 5), (0, 3)]
PAIRS = [((2, 3), (2, 3)), ((4, 1, 5), (3, 1)), ((), (2, 2)), ((3,), (2, 4, 3)), ((1,), (1, 1))]

FLOAT_UNARY: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "Atan": torch.atan,
    "Cosine": torch.cos,
    "Erf": torch.erf,
    "Exp": torch.exp,
    "Identity": lambda x: x,
    "Relu": lambda x: torch.where(x > 0, x, torch.zeros_like(x)),
    "Sigmoid": lambda x: 1 / (1 + torch.exp(-x)),
    "Sine": torch.sin,
    "Tanh": torch.tanh,
    "Abs": lambda x: torch.where(x < 0, -x, x),
    "LogicalNot": lambda x: x == 0,
    "Gelu": lambda x: x * 0.5 * (1 + torch.erf(x / math.sqrt(2))),
    "Reciprocal": lambda x: 1 / (x + 1e-10),
}
ATTRIBUTE_UNARY: list[tuple[str, dict[str, Any], Callable[[torch.Tensor], torch.Tensor]]] = [
    (
        "Clip",
        {"min": -0.5, "max": 0.25},
        lambda x: torch.minimum(torch.maximum(x, x.new_tensor(-0.5)), x.new_tensor(0.25)),
    ),
    ("Clip", {"min": -math.inf, "max": 0.5}, lambda x: torch.where(x > 0.5, x.new_tensor(0.5), x)),
    ("LeakyRelu", {"alpha": 0.25}, lambda x: torch.where(x >= 0, x, 0.25 * x)),
    ("Pow", {"exponent": 2.0}, lambda x: x * x),
    ("Gelu", {"approximate": "tanh"}, lambda x: torch.nn.functional.gelu(x, approximate="tanh")),
    ("Identity", {"unsqueeze": "yes", "unsqueeze_dim": 0}, lambda x: x),
]
ARITHMETIC: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "Add": lambda a, b: a + b,
    "Subtract": lambda a, b: a - b,
    "Multiply": lambda a, b: a * b,
    "Divide": lambda a, b: a / b,
    "Max": lambda a, b: torch.where(a > b, a, b),
    "Min": lambda a, b: torch.where(a < b, a, b),
    "Remainder": lambda a, b: a - torch.floor(a / b).to(a.dtype) * b,
}
COMPARISONS: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "Equal": lambda a, b: a == b,
    "NotEqual": lambda a, b: a != b,
    "Greater": lambda a, b: a > b,
    "Less": lambda a, b: a < b,
    "GreaterEqual": lambda a, b: a >= b,
    "LessEqual": lambda a, b: a <= b,
}
NAN, INF = math.nan, math.inf

CASES = [
    *(Case(op, [R.floats(*s)], f) for op, f in FLOAT_UNARY.items() for s in SHAPES),
    *(Case(op, [R.floats(*s)], f, attrs) for op, attrs, f in ATTRIBUTE_UNARY for s in SHAPES),
    *(Case(op, [R.positive(3, 2)], f) for op, f in (("Log", torch.log), ("Sqrt", torch.sqrt))),
    *(Case(op, [R.floats(*a), R.floats(*b)], f) for op, f in ARITHMETIC.items() for a, b in PAIRS),
    *(Case(op, [R.ints(*a), R.ints(*b, low=1)], f) for op, f in ARITHMETIC.items() for a, b in PAIRS if op != "Divide"),
    *(
        # Results have the dtype of the first operand, whatever that of the second is.
        Case(
            op, [R.ints(*a, low=-2, high=3, dtype=d), R.ints(*b, low=-2, high=3)], lambda x, y, f=f: f(x, y).to(x.dtype)
        )
        for op, f in COMPARISONS.items()
        for a, b in PAIRS
        for d in (torch.float32, torch.int64)
    ),
    Case("Power", [R.positive(2, 3), R.floats(3)], lambda a, b: torch.exp(b * torch.log(a))),
    Case("Power", [torch.tensor([2, 3]), torch.tensor([3, 2])], torch.tensor([8, 9])),
    Case("Heaviside", [torch.tensor([-2.0, 0.0, 3.0]), torch.tensor([7.0])], torch.tensor([0.0, 7.0, 1.0])),
    # Edge cases: Log and Reciprocal are finite, NaN is propagated, integers are divided exactly, and the sign is that
    # of the divisor.
    Case("Log", [torch.tensor([0.0])], torch.tensor([-23.02585])),
    Case("Reciprocal", [torch.tensor([0.0])], torch.tensor([1e10])),
    Case("Sqrt", [torch.tensor([-1.0, 4.0])], torch.tensor([NAN, 2.0])),
    Case("Max", [torch.tensor([NAN, 1.0]), torch.tensor([1.0, NAN])], torch.tensor([NAN, NAN])),
    Case("Min", [torch.tensor([NAN, 1.0]), torch.tensor([1.0, NAN])], torch.tensor([NAN, NAN])),
    Case("Divide", [torch.tensor([7, -7]), torch.tensor([2, 2])], torch.tensor([3.5, -3.5])),
    Case("Remainder", [torch.tensor([7, -7]), torch.tensor([-3, 3])], torch.tensor([-2, 2])),
    Case("Equal", [torch.tensor([NAN])] * 2, torch.tensor([0.0])),
    Case("Equal", [torch.tensor([True, False])] * 2, torch.tensor([True, True])),
    Case("Clip", [torch.tensor([1, 9])], torch.tensor([1.0, 2.5]), {"min": 0.0, "max": 2.5}),
    Case("Exp", [torch.tensor([0, 1])], torch.tensor([1.0, math.e])),
    Case("Pow", [torch.tensor([2, 3])], torch.tensor([4.0, 9.0]), {"exponent": 2.0}),
    Case("Add", [R.floats(2, dtype=torch.bfloat16), R.floats(2)], lambda a, b: a.float() + b),
    Case("Add", [R.floats(2, dtype=torch.float16), R.ints(2)], lambda a, b: a + b.half()),
    # As in Forge: the second operand is ignored, even its shape.
    Case("LogicalAnd", [torch.tensor([2.0, 0.0]), torch.zeros(5)], torch.tensor([1.0, 0.0])),
    Case("BitwiseAnd", [torch.tensor([6.0, 5.9]), torch.tensor([3, 4])], torch.tensor([2.0, 4.0])),
    Case("BitwiseAnd", [torch.tensor([12]), torch.tensor([[10], [6]])], torch.tensor([[8], [4]])),
    # A cast changes small and large integer types to Int32, and does not normalise booleans.
    *(
        Case(
            "Cast",
            [torch.tensor([2.5, -1.5, 0.0])],
            torch.tensor([2, -1, 0], dtype=torch.int32),
            {"dtype": d},
        )
        for d in (torch.int64, torch.int32, torch.int8, torch.uint8, torch.bool, forge.DataFormat.Int32)
    ),
    *(
        Case("Cast", [R.ints(3)], lambda x, d=d: x.to(d), {"dtype": d})
        for d in (torch.float32, torch.float16, torch.bfloat16)
    ),
    Case("Cast", [torch.tensor([True])], torch.tensor([1.0]), {"dtype": forge.DataFormat.Float32}),
    # Joins and selections.
    Case("Concatenate", [R.floats(2, 3), R.floats(2, 1), R.floats(2, 4)], lambda *x: torch.hstack(x), {"axis": 1}),
    Case("Concatenate", [R.floats(2, 3), R.floats(1, 3)], lambda *x: torch.vstack(x), {"axis": -2}),
    Case("Concatenate", [R.floats(2), R.ints(3)], lambda a, b: torch.hstack([a, b.float()]), {"axis": 0}),
    Case("Concatenate", [R.floats(2, 3)], lambda a: a, {"axis": 0}),
    Case("Stack", [R.floats(2, 3), R.floats(2, 3)], lambda a, b: torch.hstack([a, b]).reshape(2, 2, 3), {"axis": 1}),
    Case("Stack", [R.floats(3), R.floats(3)], lambda a, b: torch.vstack([a, b]), {"axis": 0}),
    Case("Stack", [R.floats(3), R.floats(3)], lambda a, b: torch.vstack([a, b]).T, {"axis": -1}),
    Case(
        "Where",
        [torch.tensor([[2.0], [0.0]]), R.floats(3), R.floats(1)],
        lambda _c, x, y: torch.vstack([x, y.expand(3)]),
    ),
    Case("Where", [torch.tensor([1, 0]), R.ints(2), R.floats(2)], lambda _c, x, y: torch.stack([x[0].float(), y[1]])),
    Case(
        "IndexCopy",
        [torch.zeros(2, 3), torch.tensor([2.0, 0.0]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])],
        torch.tensor([[2.0, 0.0, 1.0], [4.0, 0.0, 3.0]]),
        {"dim": -1},
    ),
    Case(
        "IndexCopy",
        [torch.zeros(2, 1, dtype=torch.bfloat16), torch.tensor([1]), torch.tensor([[0.1]])],
        torch.tensor([[0.0], [0.1]]),
        {"dim": 0},
    ),
]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()


@pytest.mark.parametrize("data_format", ["Float32", "Float16", "Float16_b", "Bfp8_b", "Int32", "RawUInt8"])
def test_constant_has_shape_1_and_the_format_asked_for(data_format: str) -> None:
    wanted = forge.DataFormat[data_format]
    value = forge.op.Constant("", constant=2.5, dtype=wanted).value()
    dtype = forge.forge_dataformat_to_pytorch_dtype(wanted)
    assert value.shape == (1,)
    assert value.dtype is dtype
    assert value.item() == (2.5 if dtype.is_floating_point else 2)


def test_constant_is_float32_by_default() -> None:
    assert forge.op.Constant("", constant=0.1).value().item() == torch.tensor(0.1).item()


def test_a_float_operand_is_a_constant() -> None:
    x = forge.Tensor.create_from_torch(torch.tensor([1, 2]))
    torch.testing.assert_close(forge.op.Multiply("", x, 0.5).value(), torch.tensor([0.5, 1.0]))


def test_a_float_attribute_is_rounded_to_32_bits() -> None:
    x = forge.Tensor.create_from_torch(torch.tensor([1], dtype=torch.int32))
    clipped = forge.op.Clip("", x, min=0.0, max=1e39).value()  # Beyond float32 it is infinity.
    assert clipped.item() == 1.0
    assert forge.op.Constant("", constant=1e39).value().item() == INF


def test_cast_forces_the_data_format() -> None:
    x = forge.Tensor.create_from_torch(torch.ones(2))
    cast = forge.op.Cast("", x, forge.DataFormat.Bfp8_b)
    assert cast.data_format is forge.DataFormat.Bfp8_b
    assert cast.value().dtype is torch.bfloat16


def test_operators_build_ops() -> None:
    x, y = torch.randn(3), torch.randn(3)
    a = forge.Tensor.create_from_torch(x)
    b = forge.Parameter(y, requires_grad=False)
    assert torch.equal((a + b).value(), x + y)
    assert torch.equal((b - a).value(), y - x)
    assert torch.equal((a * 2.0).value(), x * 2)
    assert torch.equal((1.0 - a).value(), 1 - x)

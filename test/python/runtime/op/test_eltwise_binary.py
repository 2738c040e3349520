"""Arithmetic and comparisons of two operands give the results of torch, with Forge's dtypes."""

import math
from collections.abc import Callable

import torch

from forge_cases import Case, Random, parametrize
from forge_mlir import runtime as forge

R = Random(1)
PAIRS = [((2, 3), (2, 3)), ((4, 1, 5), (3, 1)), ((), (2, 2)), ((3,), (2, 4, 3)), ((1,), (1, 1))]

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

CASES = [
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
    Case("Max", [torch.tensor([math.nan, 1.0]), torch.tensor([1.0, math.nan])], torch.tensor([math.nan, math.nan])),
    Case("Min", [torch.tensor([math.nan, 1.0]), torch.tensor([1.0, math.nan])], torch.tensor([math.nan, math.nan])),
    Case("Divide", [torch.tensor([7, -7]), torch.tensor([2, 2])], torch.tensor([3.5, -3.5])),
    Case("Remainder", [torch.tensor([7, -7]), torch.tensor([-3, 3])], torch.tensor([-2, 2])),
    Case("Equal", [torch.tensor([math.nan])] * 2, torch.tensor([0.0])),
    Case("Equal", [torch.tensor([True, False])] * 2, torch.tensor([True, True])),
    Case("Add", [R.floats(2, dtype=torch.bfloat16), R.floats(2)], lambda a, b: a.float() + b),
    Case("Add", [R.floats(2, dtype=torch.float16), R.ints(2)], lambda a, b: a + b.half()),
    # As in Forge: the second operand is ignored, even its shape.
    Case("LogicalAnd", [torch.tensor([2.0, 0.0]), torch.zeros(5)], torch.tensor([1.0, 0.0])),
    Case("BitwiseAnd", [torch.tensor([6.0, 5.9]), torch.tensor([3, 4])], torch.tensor([2.0, 4.0])),
    Case("BitwiseAnd", [torch.tensor([12]), torch.tensor([[10], [6]])], torch.tensor([[8], [4]])),
]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()


def test_a_float_operand_is_a_constant() -> None:
    x = forge.Tensor.create_from_torch(torch.tensor([1, 2]))
    torch.testing.assert_close(forge.op.Multiply("", x, 0.5).value(), torch.tensor([0.5, 1.0]))

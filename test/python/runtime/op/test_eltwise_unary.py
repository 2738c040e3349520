"""Elementwise ops of one operand give the results of torch, with Forge's dtypes."""

import math
from collections.abc import Callable
from typing import Any

import torch

from forge_cases import Case, Random, parametrize
from forge_mlir import runtime as forge

R = Random(1)
SHAPES = [(), (1,), (7,), (2, 3), (2, 1, 4, 5), (0, 3)]

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

CASES = [
    *(Case(op, [R.floats(*s)], f) for op, f in FLOAT_UNARY.items() for s in SHAPES),
    *(Case(op, [R.floats(*s)], f, attrs) for op, attrs, f in ATTRIBUTE_UNARY for s in SHAPES),
    *(Case(op, [R.positive(3, 2)], f) for op, f in (("Log", torch.log), ("Sqrt", torch.sqrt))),
    # Edge cases: Log and Reciprocal are finite, NaN is propagated, integers are divided exactly, and the sign is that
    # of the divisor.
    Case("Log", [torch.tensor([0.0])], torch.tensor([-23.02585])),
    Case("Reciprocal", [torch.tensor([0.0])], torch.tensor([1e10])),
    Case("Sqrt", [torch.tensor([-1.0, 4.0])], torch.tensor([math.nan, 2.0])),
    Case("Clip", [torch.tensor([1, 9])], torch.tensor([1.0, 2.5]), {"min": 0.0, "max": 2.5}),
    *(
        Case("LeakyRelu", [torch.tensor([0.0, 2.0, -1.0])], torch.tensor([0.0, 2.0, -slope]), {"alpha": slope})
        for slope in (math.inf, -math.inf, math.nan)
    ),
    Case("Exp", [torch.tensor([0, 1])], torch.tensor([1.0, math.e])),
    Case("Pow", [torch.tensor([2, 3])], torch.tensor([4.0, 9.0]), {"exponent": 2.0}),
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
]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()


def test_cast_forces_the_data_format() -> None:
    x = forge.Tensor.create_from_torch(torch.ones(2))
    cast = forge.op.Cast("", x, forge.DataFormat.Bfp8_b)
    assert cast.data_format is forge.DataFormat.Bfp8_b
    assert cast.value().dtype is torch.bfloat16

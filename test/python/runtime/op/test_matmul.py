"""Matrix products."""

import pytest
import torch

from forge_cases import Case, Random, parametrize
from forge_mlir import runtime as forge

R = Random(3)
F16, BF16, I8 = torch.float16, torch.bfloat16, torch.int8


MATMUL = [
    *(
        Case("Matmul", [R.floats(*a), R.floats(*b)], lambda x, y, e=e: torch.einsum(e, x, y))
        for a, b, e in [
            ((2, 3), (3, 4), "ik,kj->ij"),
            ((5, 2, 3), (3, 4), "bik,kj->bij"),
            ((3,), (3,), "k,k->"),
            ((3,), (3, 4), "k,kj->j"),
            ((2, 3), (3,), "ik,k->i"),
        ]
    ),
    Case("Matmul", [R.floats(5, 1, 2, 3), R.floats(4, 3, 2)], lambda x, y: (x[..., None] * y[:, None]).sum(-2)),
    Case("Matmul", [R.floats(2, 3), R.floats(3, 4), R.floats(4)], lambda x, y, b: x @ y + b),
    Case("Matmul", [R.floats(2, 3, dtype=F16), R.floats(3, 2, dtype=F16)], lambda x, y: (x.float() @ y.float()).half()),
    Case("Matmul", [R.floats(2, 3, dtype=BF16), R.floats(3, 2)], lambda x, y: x.float() @ y),
    Case("Matmul", [R.ints(2, 3, dtype=I8), R.ints(3, 2, dtype=I8)], lambda x, y: x.int() @ y.int()),
    Case("Matmul", [R.ints(2, 3), R.ints(3, 2)], lambda x, y: (x[..., None] * y).sum(1).int()),
]

CASES = [*MATMUL]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()


@pytest.mark.parametrize("dtype", [F16, BF16])
def test_the_bias_of_a_product_is_added_before_it_is_rounded(dtype: torch.dtype) -> None:
    x, w = torch.tensor([[1.0, 1.0]]).to(dtype), torch.tensor([[1.0], [2.0**-12]]).to(dtype)
    row, residual = torch.tensor([-1.0]).to(dtype), torch.tensor([[-1.0]])
    assert forge.op.Matmul("", forge.Tensor(x), forge.Tensor(w), forge.Tensor(row)).value().item() == 2.0**-12
    # A residual in Float32 is added to the product before that is rounded.
    rows, residual = torch.cat([x, x]), torch.tensor([[-1.0], [-1.0]])
    found = forge.op.Matmul("", forge.Tensor(rows), forge.Tensor(w), forge.Tensor(residual)).value()
    assert found.dtype is torch.float32
    assert found.tolist() == [[0.0], [0.0]]
    # A bias in Float32 makes the result Float32, but the product is rounded nevertheless.
    for bias, expected in ((-1.0, 2.0**-12), (2.0**-12, 1.0)):
        found = forge.op.Matmul("", forge.Tensor(x), forge.Tensor(w), forge.Tensor(torch.tensor([bias]))).value()
        assert found.dtype is torch.float32
        assert found.item() == expected
    # An operand in Float32 is not rounded.
    wide = forge.op.Matmul("", forge.Tensor(torch.tensor([[1.0, 1.0]])), forge.Tensor(w)).value()
    assert wide.item() == 1.0 + 2.0**-12

"""Rows of a table, by indices."""

import torch

from forge_cases import Case, Random, parametrize

R = Random(3)

CASES = [
    Case("Embedding", [torch.tensor([[2, 0], [1, 1]]), R.floats(3, 4)], lambda i, t: t[i]),
    Case("Embedding", [torch.tensor(1.0), R.floats(3, 4)], lambda _i, t: t[1]),
    Case("Embedding", [torch.tensor([2, 1]), R.ints(3, 2)], lambda _i, t: torch.stack([t[2], t[1]])),
]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()

"""Reductions (`runtime/op/reduce.py`)."""

import torch

from forge_cases import Case, Random, parametrize

R = Random(3)
X = R.floats(2, 4, 7, 6)

CASES = [
    *(Case("ReduceSum", [X], lambda x, d=d: sum(x.split(1, d)), {"dim": d}) for d in (0, 1, 3, -1, -4)),
    Case("ReduceSum", [X], lambda x: torch.einsum("abcd->abd", x), {"dim": 2, "keep_dim": False}),
    Case("ReduceSum", [R.ints(3)], lambda x: torch.tensor([x.sum().item()]), {"dim": 0}),
    Case("ReduceSum", [R.floats(1, 1, 1, 1, 2)], lambda x: x[..., :1] + x[..., 1:], {"dim": -1}),
    Case("ReduceAvg", [X], lambda x: sum(x.split(1, 1)) / 4, {"dim": -3}),
    Case("ReduceAvg", [X[0, 0, 0]], lambda x: x.sum() / 6, {"dim": 0, "keep_dim": False}),
    Case("ReduceMax", [X], lambda x: x.sort(dim=2).values[:, :, -1:], {"dim": 2}),
    Case("ReduceMax", [R.ints(2, 3)], lambda x: x.sort(dim=0).values[-1], {"dim": -2, "keep_dim": False}),
    Case("Argmax", [torch.tensor([[1.0, 3.0], [9.0, 2.0]])], torch.tensor([1, 0]), {"dim": -1}),
    Case(
        "Argmax",
        [torch.tensor([[1.0, 3.0], [9.0, 2.0]])],
        torch.tensor([[1, 0]]),
        {"dim": 0, "keep_dim": True},
    ),
    Case("Argmax", [torch.tensor([[1.0, 3.0], [9.0, 2.0]])], torch.tensor(2)),
    Case("Argmax", [torch.tensor([[1.0, 3.0], [9.0, 2.0]])], torch.tensor([[2]]), {"keep_dim": True}),
]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()

"""Ops that write keys and values into a cache."""

import torch

from forge_cases import Case, parametrize

CASES = [
    Case(
        "FillCache",
        [torch.zeros(3, 2, 4, 5), torch.ones(1, 2, 3, 5)],
        lambda c, x: torch.cat([c[:1], torch.cat([x, c[:1, :, :1]], 2), c[:1]]),
        {"batch_offset": 1},
    ),
    Case(
        "UpdateCache",
        [torch.zeros(3, 1, 3, 2), torch.ones(2, 1, 1, 2), torch.tensor([2, 0])],
        torch.tensor([[0.0, 0, 0], [0, 0, 1], [1, 0, 0]])[:, None, :, None].expand(3, 1, 3, 2),
        {"batch_offset": 1},
    ),
    Case(
        "UpdateCache",
        [torch.zeros(1, 1, 2, 1), torch.ones(1, 1, 1, 1), torch.tensor(1)],
        torch.tensor([[[[0.0], [1.0]]]]),
    ),
]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()

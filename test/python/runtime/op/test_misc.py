"""Running sums (`runtime/op/misc.py`)."""

import torch

from forge_cases import Case, Random, parametrize

R = Random(3)
X = R.floats(2, 4, 7, 6)

CASES = [
    Case("CumSum", [X], lambda x: torch.stack([x[:, :, : i + 1].sum(2) for i in range(7)], 2), {"dim": -2}),
    Case("CumSum", [torch.tensor([1, 2, 3], dtype=torch.int32)], torch.tensor([1, 3, 6]), {"dim": 0}),
]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()

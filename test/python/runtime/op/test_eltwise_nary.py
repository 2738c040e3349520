"""Joins and selections give the results of torch, with Forge's dtypes."""

import torch

from forge_cases import Case, Random, parametrize

R = Random(1)

CASES = [
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

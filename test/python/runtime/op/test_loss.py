"""Losses agree with torch's, up to Forge's epsilon in Log."""

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional

from forge_cases import Random
from forge_mlir import runtime as forge

R = Random(4)
SHAPE = (4, 3)
PREDICTION = R.floats(*SHAPE) * 2
LABELS = R.floats(*SHAPE)
ONE_HOT = torch.eye(4)[:, :3]
PROBABILITIES = torch.softmax(R.floats(*SHAPE), -1)
TRIPLET = [R.floats(*SHAPE) for _ in range(3)]
REDUCED: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "none": lambda x: x,
    "mean": lambda x: x.mean().reshape(1, 1),
    "sum": lambda x: x.sum().reshape(1, 1),
}


def tensors(*values: torch.Tensor) -> list[forge.Tensor]:
    return [forge.Tensor.create_from_torch(value) for value in values]


@pytest.mark.parametrize("reduction", REDUCED)
@pytest.mark.parametrize(
    ("name", "attributes", "inputs", "want"),
    [
        ("L1Loss", {}, [PREDICTION, LABELS], functional.l1_loss(PREDICTION, LABELS, reduction="none")),
        ("MSELoss", {}, [PREDICTION, LABELS], functional.mse_loss(PREDICTION, LABELS, reduction="none")),
        ("NLLLoss", {}, [PROBABILITIES.log(), ONE_HOT], -(PROBABILITIES.log() * ONE_HOT).sum(-1, keepdim=True)),
        (
            "KLDivLoss",
            {},
            [PROBABILITIES.log(), PROBABILITIES.flip(0)],
            functional.kl_div(PROBABILITIES.log(), PROBABILITIES.flip(0), reduction="none"),
        ),
        *(
            ("HuberLoss", {"delta": d}, [PREDICTION, LABELS], functional.huber_loss(PREDICTION, LABELS, "none", d))
            for d in (0.5, 1.0, 3.0)
        ),
        (
            "BCELoss",
            {},
            [PROBABILITIES, ONE_HOT],
            functional.binary_cross_entropy(PROBABILITIES, ONE_HOT, reduction="none"),
        ),
        (
            "BCEWithLogitsLoss",
            {},
            [PREDICTION, ONE_HOT],
            functional.binary_cross_entropy_with_logits(PREDICTION, ONE_HOT, reduction="none"),
        ),
        *(
            (
                "TripletMarginLoss",
                {"margin": 0.5, "swap": swap, "p": 7.0},
                TRIPLET,
                functional.triplet_margin_loss(*TRIPLET, margin=0.5, swap=swap, eps=1e-8, reduction="none")[:, None],
            )
            for swap in (False, True)
        ),
    ],
)
def test_reduced_losses(
    name: str, attributes: dict[str, Any], inputs: list[torch.Tensor], want: torch.Tensor, reduction: str
) -> None:
    loss = getattr(forge.op.loss, name)("loss", reduction=reduction, **attributes)
    torch.testing.assert_close(loss(*tensors(*inputs)).value(), REDUCED[reduction](want), rtol=1e-5, atol=1e-5)


def test_cross_entropy() -> None:
    got = forge.op.loss.CrossEntropyLoss("loss")(*tensors(PREDICTION, PROBABILITIES)).value()
    torch.testing.assert_close(got, functional.cross_entropy(PREDICTION, PROBABILITIES).reshape(1, 1))


def test_log_of_zero_is_finite() -> None:
    got = forge.op.loss.BCELoss("loss", "none")(*tensors(torch.tensor([0.0]), torch.tensor([1.0]))).value()
    assert math.isclose(got.item(), 23.02585, rel_tol=1e-5)


@pytest.mark.parametrize(
    ("loss", "arguments", "error"),
    [
        ("L1Loss", tensors(torch.ones(2), torch.ones(3)), AssertionError),
        ("L1Loss", tensors(torch.ones(2), torch.ones(2, 1)), AssertionError),
        ("L1Loss", tensors(torch.ones(2), torch.ones(2).int()), AssertionError),
        ("L1Loss", tensors(torch.ones(1, 1, 1), torch.ones(1, 1, 1)), AssertionError),
        ("L1Loss", [*tensors(torch.ones(2)), forge.Parameter(torch.ones(2))], AssertionError),
        ("CrossEntropyLoss", tensors(torch.ones(2), torch.ones(2)), AssertionError),
        ("TripletMarginLoss", tensors(*[torch.ones(2)] * 3), AssertionError),
    ],
)
def test_arguments_are_checked(loss: str, arguments: list[Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        getattr(forge.op.loss, loss)("loss")(*arguments)


def test_the_message_about_operands_has_no_elements() -> None:
    with pytest.raises(AssertionError) as caught:
        forge.op.loss.L1Loss("loss")(*tensors(torch.ones(2), torch.ones(2).int()))
    shapes = "shape (2,) in Float32 and shape (2,) in Int32"
    assert str(caught.value) == f"loss: arguments differ in format or shape: {shapes}"


def test_an_unknown_reduction_is_refused() -> None:
    with pytest.raises(RuntimeError, match="reduction must be"):
        forge.op.loss.MSELoss("loss", reduction="median")(*tensors(torch.ones(2), torch.ones(2)))

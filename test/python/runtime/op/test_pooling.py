"""Pools."""

import math
from collections.abc import Callable

import torch

from forge_cases import Case, Random, parametrize

R = Random(3)
X = R.floats(2, 4, 7, 6)
NHWC = X.permute(0, 2, 3, 1).contiguous()


def zero_pad(x: torch.Tensor, left: int, right: int, top: int, bottom: int, value: float = 0.0) -> torch.Tensor:
    canvas = torch.full((*x.shape[:2], x.shape[2] + top + bottom, x.shape[3] + left + right), value)
    canvas[:, :, top : top + x.shape[2], left : left + x.shape[3]] = x
    return canvas


def windows(x: torch.Tensor, kernel: tuple[int, int], stride: tuple[int, int]) -> torch.Tensor:
    """All windows of the last two axes, each flattened to a new last axis."""
    return x.unfold(2, kernel[0], stride[0]).unfold(3, kernel[1], stride[1]).flatten(-2)


def last(f: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[torch.Tensor], torch.Tensor]:
    """Applies ``f``, defined on N,C,H,W, to N,H,W,C."""
    return lambda x: f(x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)


POOLING = [
    Case("MaxPool1d", [X[0]], lambda x: x.unfold(-1, 3, 2).amax(-1), {"kernel_size": 3, "stride": 2}),
    Case(
        "MaxPool1d",
        [X[0]],
        lambda x: torch.nn.functional.pad(x, (2, 2), value=-math.inf).unfold(-1, 3, 1).amax(-1),
        {"kernel_size": 3, "padding": 2},
    ),
    Case("MaxPool2d", [X], lambda x: windows(x, (2, 2), (1, 1)).amax(-1), {"kernel_size": 2, "padding": 0}),
    Case(
        "MaxPool2d",
        [X],
        lambda x: windows(zero_pad(x, 2, 2, 1, 1, -math.inf), (3, 2), (2, 1)).amax(-1),
        {"kernel_size": (3, 2), "stride": [2, 1], "padding": [2, 2, 1, 1]},
    ),
    Case(
        "MaxPool2d", [X], lambda x: windows(zero_pad(x, 1, 1, 1, 1, -9e9), (3, 3), (1, 1)).amax(-1), {"kernel_size": 3}
    ),
    Case(
        "MaxPool2d",
        [NHWC],
        last(lambda x: windows(x, (2, 2), (2, 2)).amax(-1)),
        {"kernel_size": 2, "stride": 2, "padding": 0, "channel_last": 1},
    ),
    Case(
        "MaxPool2d",
        [X],
        lambda x: windows(zero_pad(x, 0, 0, 0, 1, -math.inf), (2, 2), (2, 2)).amax(-1),
        {"kernel_size": 2, "stride": 2, "padding": 0, "ceil_mode": True},
    ),
    Case("AvgPool1d", [X[0]], lambda x: x.unfold(-1, 3, 2).mean(-1), {"kernel_size": [3], "stride": 2, "padding": 0}),
    Case(
        "AvgPool1d",
        [torch.ones(1, 1, 4)],
        torch.tensor([[[2 / 3, 1, 1, 2 / 3]]]),
        {"kernel_size": 3, "padding": [1, 1]},
    ),
    Case(
        "AvgPool1d",
        [torch.ones(1, 1, 4)],
        torch.ones(1, 1, 4),
        {"kernel_size": (3, 3), "count_include_pad": False},
    ),
    Case(
        "AvgPool2d",
        [X],
        lambda x: windows(x, (3, 2), (2, 1)).mean(-1),
        {"kernel_size": [3, 2], "stride": [2, 1], "padding": 0},
    ),
    Case("AvgPool2d", [X], lambda x: windows(zero_pad(x, 1, 1, 1, 1), (3, 3), (1, 1)).mean(-1), {"kernel_size": 3}),
    Case(
        "AvgPool2d",
        [torch.ones(1, 1, 4, 4)],
        lambda x: x,
        {"kernel_size": 3, "padding": [1, 1, 1, 1], "count_include_pad": False},
    ),
    Case(
        "AvgPool2d",
        [NHWC],
        last(lambda x: windows(x, (2, 2), (1, 1)).mean(-1)),
        {"kernel_size": 2, "padding": 0, "channel_last": True},
    ),
    # As in Forge: evaluation pads the height by pW. Here the sizes agree, so that the wrong values are not noticed.
    Case(
        "AvgPool2d",
        [R.floats(1, 1, 4, 4)],
        lambda x: windows(zero_pad(x, 0, 0, 1, 1), (3, 3), (4, 4)).mean(-1),
        {"kernel_size": 3, "stride": 4, "padding": [1, 1, 0, 0]},
    ),
]

CASES = [*POOLING]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()

"""Resize and upsampling."""

from collections.abc import Callable

import torch

from forge_cases import Case, Random, parametrize

R = Random(3)
X = R.floats(2, 4, 7, 6)
NHWC = X.permute(0, 2, 3, 1).contiguous()


def last(f: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[torch.Tensor], torch.Tensor]:
    """Applies ``f``, defined on N,C,H,W, to N,H,W,C."""
    return lambda x: f(x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)


RESIZE = [
    Case("Resize1d", [X[0]], lambda x: x[..., [0, 1, 3, 4]], {"size": 4}),
    Case(
        "Resize1d",
        [X[0]],
        lambda x: x[:, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]],
        {"size": 14, "channel_last": True},
    ),
    Case(
        "Resize1d",
        [torch.tensor([[[0.0, 4.0]]])],
        torch.tensor([[[0.0, 1.0, 3.0, 4.0]]]),
        {"size": 4, "mode": "linear"},
    ),
    Case(
        "Resize1d",
        [torch.tensor([[[0.0, 6.0]]])],
        torch.tensor([[[0.0, 2.0, 4.0, 6.0]]]),
        {"size": 4, "mode": "linear", "align_corners": True},
    ),
    Case(
        "Resize2d", [X], lambda x: x[:, :, [0, 1, 3, 5]][..., [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]], {"sizes": [4, 12]}
    ),
    Case("Resize2d", [X], lambda x: x[:, :, [0, 1, 3, 5]], {"sizes": (4, 6), "align_corners": True}),
    Case(
        "Resize2d",
        [X],
        lambda x: torch.nn.functional.interpolate(x, scale_factor=2, mode="bilinear"),
        {"sizes": [14, 12], "mode": "bilinear"},
    ),
    Case(
        "Resize2d",
        [NHWC],
        last(lambda x: torch.nn.functional.interpolate(x, (9, 9), mode="bilinear", align_corners=True)),
        {"sizes": [9, 9], "mode": "bilinear", "align_corners": True, "channel_last": True},
    ),
    Case("Upsample2d", [X], lambda x: x.repeat_interleave(2, 2).repeat_interleave(3, 3), {"scale_factor": [2, 3]}),
    Case(
        "Upsample2d",
        [NHWC],
        lambda x: x.repeat_interleave(2, 1).repeat_interleave(2, 2),
        {"scale_factor": 2, "channel_last": True},
    ),
    Case(
        "Upsample2d",
        [X],
        lambda x: torch.nn.functional.interpolate(x, scale_factor=[2, 3], mode="bilinear"),
        {"scale_factor": (2, 3), "mode": "bilinear"},
    ),
]

CASES = [*RESIZE]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()

"""Convolutions and their transposes."""

from collections.abc import Callable

import torch
from torch.nn.functional import conv2d, conv_transpose2d

from forge_cases import Case, Random, parametrize

R = Random(3)
BF16, I8 = torch.bfloat16, torch.int8
X = R.floats(2, 4, 7, 6)
NHWC = X.permute(0, 2, 3, 1).contiguous()
W = R.floats(6, 4, 3, 2)
B = R.floats(6)


def zero_pad(x: torch.Tensor, left: int, right: int, top: int, bottom: int, value: float = 0.0) -> torch.Tensor:
    canvas = torch.full((*x.shape[:2], x.shape[2] + top + bottom, x.shape[3] + left + right), value)
    canvas[:, :, top : top + x.shape[2], left : left + x.shape[3]] = x
    return canvas


def last(f: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[torch.Tensor], torch.Tensor]:
    """Applies ``f``, defined on N,C,H,W, to N,H,W,C."""
    return lambda x: f(x.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)


CONVOLUTION = [
    Case("Conv2d", [X, W], lambda x, w: conv2d(zero_pad(x, 2, 4, 1, 3), w), {"padding": [1, 2, 3, 4]}),
    Case("Conv2d", [X, W, B], lambda x, w, b: conv2d(x, w) + b[:, None, None], {"padding": 0}),
    Case("Conv2d", [X, W, B.reshape(1, 1, 1, 6)], lambda x, w, b: conv2d(x, w, b.flatten()), {"padding": 0}),
    Case(
        "Conv2d",
        [X, R.floats(6, 2, 3, 3)],
        lambda x, w: torch.cat([conv2d(x[:, :2], w[:3], None, (2, 1), 1), conv2d(x[:, 2:], w[3:], None, (2, 1), 1)], 1),
        {"stride": [2, 1], "padding": 1, "groups": 2},
    ),
    Case("Conv2d", [X, W], lambda x, w: conv2d(x, w, dilation=(2, 3)), {"padding": 0, "dilation": (2, 3)}),
    Case(
        "Conv2d",
        [NHWC, W],
        lambda x, w: last(lambda y: conv2d(zero_pad(y, 1, 0, 0, 2), w))(x),
        {"padding": [0, 1, 2, 0], "channel_last": True},
    ),
    # As in Forge: two pads are swapped, and 'same' with an even kernel of width 2 and height 3 gives t,l,b,r = 1,0,1,1.
    Case("Conv2d", [X, W], lambda x, w: conv2d(zero_pad(x, 5, 2, 5, 2), w), {"padding": [2, 5]}),
    Case("Conv2d", [X, W], lambda x, w: conv2d(zero_pad(x, 0, 1, 1, 1), w)),
    Case("Conv2d", [X, R.floats(1, 4, 3, 3)], lambda x, w: conv2d(x, w, padding=1), {"padding": "same"}),
    Case(
        "Conv2d",
        [R.ints(1, 2, 4, 4, dtype=I8), R.ints(3, 2, 2, 2, dtype=I8)],
        lambda x, w: conv2d(x.double(), w.double()).int(),
        {"padding": 0},
    ),
    Case(
        "Conv2d",
        [R.floats(1, 2, 4, 4, dtype=BF16), R.floats(3, 2, 2, 2)],
        lambda x, w: conv2d(x.float(), w).bfloat16(),
        {"padding": 0},
    ),
    Case("Conv2dTranspose", [X, R.floats(4, 6, 3, 2), B], conv_transpose2d, {"padding": 0}),
    Case(
        "Conv2dTranspose",
        [X, R.floats(4, 3, 3, 2), B],
        lambda x, w, b: conv_transpose2d(x, w, b, 2, (2, 1), (1, 0), 2, 1),
        {"stride": 2, "padding": [2, 1], "output_padding": (1, 0), "groups": 2},
    ),
    Case(
        "Conv2dTranspose",
        [X, R.floats(4, 6, 3, 2)],
        lambda x, w: conv_transpose2d(x, w, None, padding=(2, 1)),
        {"padding": (2, 1, 2, 1)},
    ),
    Case(
        "Conv2dTranspose",
        [NHWC, R.floats(4, 6, 3, 3)],
        lambda x, w: last(lambda y: conv_transpose2d(y, w, None, padding=1, dilation=2))(x),
        {"padding": 1, "dilation": 2, "channel_last": True},
    ),
    Case("Conv2dTranspose", [X, R.floats(4, 6, 3, 5)], lambda x, w: conv_transpose2d(x, w, None, padding=2)),  # 'same'
]

CASES = [*CONVOLUTION]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()

"""Ops that move data: the position of every element is that of Forge."""

import pytest
import torch

from forge_cases import Case, Random, parametrize
from forge_mlir import runtime as forge

R = Random(2)
X = R.floats(2, 3, 4, 5)
V = torch.arange(7.0)


def _pad_constant(x: torch.Tensor, left: int, right: int, top: int, bottom: int, value: float) -> torch.Tensor:
    """A reference for padding: a filled tensor with x in it."""
    canvas = torch.full((*x.shape[:-2], x.shape[-2] + top + bottom, x.shape[-1] + left + right), value)
    canvas[..., top : top + x.shape[-2], left : left + x.shape[-1]] = x
    return canvas


CASES = [
    Case("Transpose", [X], lambda x: x.permute(0, 3, 2, 1), {"dim0": 1, "dim1": -1}),
    Case("Transpose", [X], lambda x: x.permute(1, 0, 2, 3), {"dim0": -4, "dim1": -3}),
    Case("Transpose", [X[0, 0]], lambda x: x.T, {"dim0": 1, "dim1": 0}),
    Case("Transpose", [X], lambda x: x, {"dim0": 1, "dim1": -3}),  # one axis in two spellings
    Case("Reshape", [X], lambda x: x.flatten(), {"shape": (120,)}),
    Case("Reshape", [X], lambda x: x.flatten(0, 1), {"shape": [6, -1, 5]}),
    Case("Reshape", [torch.zeros(0, 3)], torch.zeros(3, 0, 2), {"shape": (3, 0, 2)}),
    Case("Reshape", [torch.ones(1)], torch.tensor(1.0), {"shape": ()}),
    Case("Index", [X], lambda x: x[:, :, 1:4], {"dim": -2, "start": 1, "stop": 4}),
    Case("Index", [X], lambda x: x[:, :, :, 0:5:2], {"dim": 3, "start": 0, "stop": 5, "stride": 2}),
    Case("Index", [X], lambda x: x[:, :, :, 1:5:3], {"dim": 3, "start": 1, "stop": 5, "stride": 3}),
    Case("Index", [X], lambda x: x[1:2], {"dim": 0, "start": 1}),
    Case("Index", [X], lambda x: x[:, :, :, 1:4], {"dim": -1, "start": 1, "stop": -1}),
    Case("Index", [X], lambda x: x[:, :, :, 2:5], {"dim": -1, "start": -3, "stop": 5}),
    Case("Index", [X], lambda x: x[:, :, :, :0], {"dim": -1, "start": -1}),  # stop becomes 0: empty slice
    Case("Index", [X[:1]], lambda x: x, {"dim": 0, "start": -1, "stop": -5, "stride": -1}),
    Case("Index", [X[:1]], lambda x: x, {"dim": 0, "start": 0, "stop": 1, "stride": -1}),
    Case("AdvIndex", [X, torch.tensor([1, 0, 1])], lambda x, _i: torch.stack([x[1], x[0], x[1]])),
    Case("AdvIndex", [X, torch.tensor([[2.0], [0.0]])], lambda x, _i: torch.stack([x[:, 2], x[:, 0]], 1), {"dim": -3}),
    Case("Select", [V], torch.tensor([2.0]), {"dim": 0, "index": 2}),
    Case("Select", [V], torch.tensor([1.0, 2.0, 3.0]), {"dim": -1, "index": (1, 3)}),
    Case("Select", [V[:6]], torch.tensor([1.0, 2.0, 4.0, 5.0]), {"dim": 0, "index": (1, 2), "stride": 3}),
    # The third block starts at 6 and exceeds the axis.
    Case("Select", [V + 1], torch.tensor([1.0, 2.0, 4.0, 5.0, 7.0, 0.0]), {"dim": 0, "index": (0, 2), "stride": 3}),
    Case("Select", [X], lambda x: x[:, 1:3], {"dim": 1, "index": (1, 2)}),
    Case("Pad", [X], lambda x: _pad_constant(x, 1, 2, 0, 0, 0.0), {"pad": (1, 2)}),
    Case("Pad", [X], lambda x: _pad_constant(x, 1, 2, 3, 4, 7.5), {"pad": [1, 2, 3, 4], "value": 7.5}),
    Case("Pad", [X], lambda x: x[..., 1:-1], {"pad": (-1, -1)}),
    Case(
        "Pad",
        [X],
        lambda x: _pad_constant(x.permute(0, 3, 1, 2), 1, 2, 3, 4, 0.0).permute(0, 2, 3, 1),
        {"pad": (1, 2, 3, 4), "channel_last": True},
    ),
    Case(
        "Pad",
        [X[0, 0]],
        lambda x: torch.vstack([torch.zeros(1, 5), x, torch.zeros(2, 5)]),
        {"pad": (1, 2), "channel_last": True},
    ),
    Case("Pad", [V[None]], lambda x: x[:, [2, 1, 0, 1, 2, 3, 4, 5, 6, 5]], {"pad": (2, 1), "mode": "reflect"}),
    Case("Pad", [V[None]], lambda x: x[:, [0, 0, 0, 1, 2, 3, 4, 5, 6, 6]], {"pad": (2, 1), "mode": "replicate"}),
    Case(
        "Pad",
        [X],
        lambda x: x[:, :, [1, 0, 1, 2, 3]][..., [0, 1, 2, 3, 4, 3, 2]],
        {"pad": (0, 2, 1, 0), "mode": "reflect"},
    ),
    Case("Broadcast", [X[:, :1]], lambda x: torch.cat([x] * 6, 1), {"dim": -3, "shape": 6}),
    Case("Broadcast", [V], lambda x: torch.stack([x] * 2), {"dim": -2, "shape": 2}),
    Case("Broadcast", [torch.ones(1)], torch.ones(1, 1, 4), {"dim": 2, "shape": 4}),
    Case("Broadcast", [V], lambda x: x, {"dim": 0, "shape": 7}),
    Case("Repeat", [X], lambda x: torch.cat([torch.cat([x, x], 0)] * 3, 3), {"repeats": [2, 1, 1, 3]}),
    Case("Repeat", [V], lambda x: torch.cat([x, x]).expand(2, 1, 14), {"repeats": (2, 1, 2)}),
    Case("RepeatInterleave", [V[:3]], lambda x: x[[0, 0, 1, 1, 2, 2]], {"repeats": 2, "dim": -1}),
    Case("RepeatInterleave", [X], lambda x: x[:, [0, 0, 0, 1, 1, 1, 2, 2, 2]], {"repeats": 3, "dim": 1}),
    Case("Unsqueeze", [X], lambda x: x[:, None], {"dim": 1}),
    Case("Unsqueeze", [X], lambda x: x[..., None], {"dim": -1}),
    Case("Unsqueeze", [torch.tensor(3.0)], torch.tensor([3.0]), {"dim": 0}),
    Case("Squeeze", [X[:, :1]], lambda x: x[:, 0], {"dim": 1}),
    Case("Squeeze", [X[:, :1]], lambda x: x[:, 0], {"dim": -3}),
    Case(
        "PixelShuffle",
        [R.floats(2, 12, 3, 4)],
        lambda x: x.reshape(2, 3, 2, 2, 3, 4).permute(0, 1, 4, 2, 5, 3).reshape(2, 3, 6, 8),
        {"upscale_factor": 2},
    ),
]


@parametrize(CASES)
def test_value(case: Case) -> None:
    case.check()


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64, torch.bool, torch.bfloat16])
@pytest.mark.parametrize(
    ("op", "attributes"),
    [
        ("Transpose", {"dim0": 0, "dim1": 1}),
        ("Reshape", {"shape": (6,)}),
        ("Index", {"dim": 1, "start": 0, "stop": 2}),
        ("Select", {"dim": 0, "index": 1}),
        ("Repeat", {"repeats": [2, 2]}),
        ("Squeeze", {"dim": 2}),
    ],
)
def test_movement_keeps_the_dtype(op: str, attributes: dict[str, object], dtype: torch.dtype) -> None:
    x = torch.ones((2, 3, 1) if op == "Squeeze" else (2, 3), dtype=dtype)
    result = getattr(forge.op, op)("", forge.Tensor.create_from_torch(x), **attributes)
    assert result.value().dtype is dtype


def test_reshape_leaves_the_callers_list_alone() -> None:
    shape = [2, -1]
    forge.op.Reshape("", forge.Tensor.create_from_torch(torch.ones(6)), shape)
    assert shape == [2, -1]


@pytest.mark.parametrize(("dim", "stop"), [(d, s) for d in range(1, 6) for s in range(1, d + 1)])
def test_index_agrees_with_python_slices(dim: int, stop: int) -> None:
    x = torch.arange(float(dim))
    for start in range(dim):
        for stride in range(1, dim + 1):
            got = forge.op.Index("", forge.Tensor.create_from_torch(x), 0, start, stop, stride).value()
            assert got.tolist() == list(range(dim))[start:stop:stride]

"""Calls on tiles have the elements of the reference; test/python/compiler/layout tests padding in compiled modules."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from forge_mlir.execute.tile_emulator import TileEmulator
from forge_mlir.runtime import Tensor
from forge_mlir.runtime import op as forge_op
from forge_mlir.verify import OUTPUT_LIMITS, Limits, compare
from sample_models.goldens import CLOSE

_CALLS: list[tuple[str, list[tuple[int, ...]], dict[str, Any]]] = [
    ("Argmax", [()], {}),
    ("Argmax", [(32,)], {}),
    ("Argmax", [(32, 64)], {}),
    ("Argmax", [(2, 32, 64)], {"dim": -3, "keep_dim": True}),
    ("Argmax", [(32, 64)], {"dim": 1}),
    ("Index", [(4, 3, 5)], {"dim": 0, "start": -3, "stop": -1}),
    ("Index", [(4, 3, 5)], {"dim": 2, "start": -4, "stop": 5, "stride": 2}),
    ("Index", [(4, 1, 5)], {"dim": 1, "start": -1, "stop": 0, "stride": -1}),
    ("Index", [(64, 5)], {"dim": 0, "start": -32, "stop": 64}),
    ("Matmul", [(5,), (5, 3), (3,)], {}),
    ("Matmul", [(5,), (5,), (1,)], {}),
    ("Matmul", [(2, 3, 5), (5,), (2, 3)], {}),
    ("Matmul", [(5,), (5, 3), (4, 3)], {}),
    ("Pad", [(3, 5)], {"pad": [0, 1]}),
    ("Pad", [(3, 5)], {"pad": [0, 1, 0, 2], "mode": "constant", "value": 2.0}),
    ("Pad", [(3, 5)], {"pad": [0, 2], "mode": "replicate"}),
]


@pytest.mark.parametrize(("op", "shapes", "arguments"), _CALLS)
def test_the_elements_of_a_call(op: str, shapes: list[tuple[int, ...]], arguments: dict[str, Any]) -> None:
    generator = torch.Generator().manual_seed(0)
    operands = [Tensor.create_from_torch(torch.empty(shape).normal_(generator=generator)) for shape in shapes]
    # The lowest number in padding does not change the positions of maxima.
    found = TileEmulator(-math.inf).call(op, "", *operands, **arguments).value()
    expected = getattr(forge_op, op)("", *operands, **arguments).value()
    assert found.dtype == expected.dtype
    assert compare(op, found.numpy(), expected.numpy(), Limits(CLOSE, OUTPUT_LIMITS.pcc)).passed


def test_a_pad_of_transposed_tiles_does_not_fill_those_of_the_operand() -> None:
    emulator = TileEmulator(math.nan)
    x = emulator.call("Exp", "", Tensor.create_from_torch(torch.zeros(3, 5)))
    x = emulator.call("Pad", "", x, pad=[1, 1])  # moves elements into new tiles
    turned = emulator.call("Transpose", "", x, dim0=-2, dim1=-1)
    emulator.call("Pad", "", turned, pad=[0, 29, 0, 25], value=0.0)
    assert all(part.isnan().all() for part in x.padding().values())


def test_a_pad_of_transposed_tiles_does_not_change_the_tensor_in_their_padding() -> None:
    """The first column of tiles of a wide tensor is a view, with the other columns in its padding."""
    emulator = TileEmulator(math.nan)
    x = emulator.call("Exp", "", Tensor.create_from_torch(torch.zeros(32, 64)))
    part = emulator.call("Index", "", x, dim=-1, start=0, stop=20)
    turned = emulator.call("Transpose", "", part, dim0=-2, dim1=-1)
    emulator.call("Pad", "", turned, pad=[0, 0, 0, 12], value=7.0)
    assert (x.value() == 1).all()

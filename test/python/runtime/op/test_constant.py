"""Constant has the value, shape and format that were asked for, and attributes are rounded as Forge does."""

import math

import pytest
import torch

from forge_mlir import runtime as forge


@pytest.mark.parametrize("data_format", ["Float32", "Float16", "Float16_b", "Bfp8_b", "Int32", "RawUInt8"])
def test_constant_has_shape_1_and_the_format_asked_for(data_format: str) -> None:
    wanted = forge.DataFormat[data_format]
    value = forge.op.Constant("", constant=2.5, dtype=wanted).value()
    dtype = forge.forge_dataformat_to_pytorch_dtype(wanted)
    assert value.shape == (1,)
    assert value.dtype is dtype
    assert value.item() == (2.5 if dtype.is_floating_point else 2)


def test_constant_is_float32_by_default() -> None:
    assert forge.op.Constant("", constant=0.1).value().item() == torch.tensor(0.1).item()


def test_a_float_attribute_is_rounded_to_32_bits() -> None:
    x = forge.Tensor.create_from_torch(torch.tensor([1], dtype=torch.int32))
    clipped = forge.op.Clip("", x, min=0.0, max=1e39).value()  # Beyond float32 it is infinity.
    assert clipped.item() == 1.0
    assert forge.op.Constant("", constant=1e39).value().item() == math.inf

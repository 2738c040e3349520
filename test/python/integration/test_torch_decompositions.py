"""Ops in graphs of torch.compile that torch.onnx lacks."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest
import torch

from sample_models.goldens import assert_same

pytestmark = pytest.mark.skipif(find_spec("onnxscript") is None, reason="what torch exports with is not there")


@pytest.mark.alike(keep=1)
@pytest.mark.parametrize("mask", ["", "keys", "causal"])
@pytest.mark.parametrize("options", [{}, {"norm_first": True, "activation": "gelu"}])
def test_encoder_layers(options: dict[str, Any], mask: str) -> None:
    """In inference they are a single op of torch, which torch.onnx does not support."""
    layer = torch.nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, **options).eval()
    x = torch.randn(2, 5, 16)
    given = {
        "": {},
        "keys": {"src_key_padding_mask": torch.tensor([[False] * 3 + [True] * 2, [False] * 5])},
        "causal": {"src_mask": torch.triu(torch.ones(5, 5, dtype=torch.bool), 1)},
    }[mask]
    torch._dynamo.reset()
    with torch.no_grad():
        compiled = torch.compile(layer, backend="forge_mlir")
        assert_same(*(each(x, **given).numpy() for each in (compiled, layer)))

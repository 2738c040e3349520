"""Decompositions for ops in graphs of torch.compile that torch.onnx lacks, or exports as if for inference."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch._decomp import get_decompositions
from torch.nn import functional

_KEY_PADDING = 1
"""The mask type of (batch, keys); other masks broadcast to (batch, heads, queries, keys)."""


def decompositions() -> dict[Any, Callable[..., Any]]:
    """The replacements of ops for AOTAutograd."""
    aten = torch.ops.aten
    found: dict[Any, Callable[..., Any]] = get_decompositions(
        [aten._scaled_dot_product_flash_attention_for_cpu, aten._native_batch_norm_legit_functional]
    )
    found[aten._transformer_encoder_layer_fwd.default] = encoder_layer
    return found


def encoder_layer(
    x: torch.Tensor,
    width: int,
    heads: int,
    in_weight: torch.Tensor,
    in_bias: torch.Tensor,
    out_weight: torch.Tensor,
    out_bias: torch.Tensor,
    gelu: bool,
    norm_first: bool,
    eps: float,
    norm_weight_1: torch.Tensor,
    norm_bias_1: torch.Tensor,
    norm_weight_2: torch.Tensor,
    norm_bias_2: torch.Tensor,
    ffn_weight_1: torch.Tensor,
    ffn_bias_1: torch.Tensor,
    ffn_weight_2: torch.Tensor,
    ffn_bias_2: torch.Tensor,
    mask: torch.Tensor | None = None,
    mask_type: int | None = None,
) -> torch.Tensor:
    """aten::_transformer_encoder_layer_fwd, which nn.TransformerEncoderLayer calls in inference: attention on (batch,
    tokens, width) and two linear layers, each with a residual and a norm before or after. Parameters are named as in
    torch. As in torch's kernel, all nonzero elements of `mask` are masked."""

    def first_norm(value: torch.Tensor) -> torch.Tensor:
        return functional.layer_norm(value, (width,), norm_weight_1, norm_bias_1, eps)

    def second_norm(value: torch.Tensor) -> torch.Tensor:
        return functional.layer_norm(value, (width,), norm_weight_2, norm_bias_2, eps)

    mixed = _attention(first_norm(x) if norm_first else x, heads, in_weight, in_bias, mask, mask_type)
    x = x + functional.linear(mixed, out_weight, out_bias)
    x = x if norm_first else first_norm(x)
    hidden = functional.linear(second_norm(x) if norm_first else x, ffn_weight_1, ffn_bias_1)
    x = x + functional.linear(functional.gelu(hidden) if gelu else functional.relu(hidden), ffn_weight_2, ffn_bias_2)
    return x if norm_first else second_norm(x)


def _attention(
    x: torch.Tensor, heads: int, weight: torch.Tensor, bias: torch.Tensor, mask: torch.Tensor | None, kind: int | None
) -> torch.Tensor:
    batch, tokens, width = x.shape
    size = width // heads
    split = functional.linear(x, weight, bias).view(batch, tokens, 3, heads, size).permute(2, 0, 3, 1, 4)
    query, key, value = split[0], split[1], split[2]
    scores = query @ key.transpose(-2, -1) / math.sqrt(size)
    if mask is not None:
        blocked = mask.to(torch.bool)
        scores = scores.masked_fill(blocked[:, None, None, :] if kind == _KEY_PADDING else blocked, -math.inf)
    return (scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, tokens, width)

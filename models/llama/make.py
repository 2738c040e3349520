"""Makes the Llama of this folder: rotary embedding, RMS norm, grouped heads, SwiGLU (see models/exporting.py).

Batch and tokens are open, so that the exporter spells out every shape as shape arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import torch
from models.exporting import destination, export
from torch import Tensor, nn

VOCABULARY, WIDTH, HEADS, GROUPS, LAYERS = 50, 32, 4, 2, 2
HEAD = WIDTH // HEADS


class RMSNorm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(WIDTH) * 0.1 + 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


def rotated(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    return x * cos + torch.cat((-x[..., half:], x[..., :half]), dim=-1) * sin


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm, self.last_norm = RMSNorm(), RMSNorm()
        self.query, self.output = nn.Linear(WIDTH, WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.key, self.value = (nn.Linear(WIDTH, GROUPS * HEAD, bias=False) for _ in range(2))
        self.gate, self.up = (nn.Linear(WIDTH, 2 * WIDTH, bias=False) for _ in range(2))
        self.down = nn.Linear(2 * WIDTH, WIDTH, bias=False)

    def forward(
        self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor, past: Sequence[Tensor] = ()
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The layer after the keys and values of `past`: its rows, and the keys and values with its own."""
        batch, tokens, _ = x.shape
        h = self.norm(x)
        q, k, v = (
            project(h).view(batch, tokens, -1, HEAD).transpose(1, 2) for project in (self.query, self.key, self.value)
        )
        q, k = rotated(q, cos, sin), rotated(k, cos, sin)
        total = tokens
        if past:
            k, v = (torch.cat(pair, dim=2) for pair in zip(past, (k, v), strict=True))
            total = k.shape[2]
        keys, values = k, v
        shape = (batch, GROUPS, HEADS // GROUPS, total, HEAD)
        k, v = (each[:, :, None].expand(shape).reshape(batch, HEADS, total, HEAD) for each in (k, v))
        scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(HEAD) + mask
        mixed = torch.matmul(torch.softmax(scores, dim=-1), v).transpose(1, 2).reshape(batch, tokens, WIDTH)
        x = x + self.output(mixed)
        h = self.last_norm(x)
        out: Tensor = x + self.down(nn.functional.silu(self.gate(h)) * self.up(h))
        return out, keys, values


class Llama(nn.Module):
    frequencies: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm, self.head = RMSNorm(), nn.Linear(WIDTH, VOCABULARY, bias=False)
        self.register_buffer("frequencies", 10000.0 ** (-torch.arange(0, HEAD, 2) / HEAD))

    def forward(self, ids: Tensor) -> Tensor:
        tokens = ids.shape[1]
        angles = torch.arange(tokens, dtype=torch.float32)[:, None] * self.frequencies
        angles = torch.cat((angles, angles), dim=-1)
        mask = torch.full((tokens, tokens), torch.finfo(torch.float32).min).triu(1)
        x = self.words(ids)
        for layer in self.layers:
            x, _, _ = layer(x, angles.cos(), angles.sin(), mask)
        out: Tensor = self.head(self.norm(x))
        return out


def main(folder: Path) -> None:
    torch.manual_seed(3)
    dims = {0: "batch", 1: "tokens"}
    inputs = {"input_ids": torch.randint(VOCABULARY, (2, 10))}
    export(Llama(), inputs, ["logits"], folder, dynamic={"input_ids": dims, "logits": dims})


if __name__ == "__main__":
    main(destination(__file__))

"""Makes the ViT of this folder: patches by convolution, class token, fused QKV (see models/exporting.py)."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from models.exporting import destination, export, train_norms
from torch import Tensor, nn

IMAGE, PATCH, WIDTH, HEADS, LAYERS, CLASSES = 16, 4, 32, 4, 2, 10


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm, self.last_norm = nn.LayerNorm(WIDTH, eps=1e-6), nn.LayerNorm(WIDTH, eps=1e-6)
        self.qkv, self.output = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        batch, tokens, _ = x.shape
        split = self.qkv(self.norm(x)).reshape(batch, tokens, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        q, k, v = split.unbind(0)
        weights = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(WIDTH // HEADS), dim=-1)
        x = x + self.output((weights @ v).transpose(1, 2).reshape(batch, tokens, WIDTH))
        out: Tensor = x + self.down(nn.functional.gelu(self.up(self.last_norm(x))))
        return out


class Vit(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, WIDTH, PATCH, PATCH)
        self.first = nn.Parameter(torch.randn(1, 1, WIDTH))
        self.positions = nn.Parameter(torch.randn(1, (IMAGE // PATCH) ** 2 + 1, WIDTH))
        self.layers = nn.Sequential(*(Layer() for _ in range(LAYERS)))
        self.norm, self.head = nn.LayerNorm(WIDTH, eps=1e-6), nn.Linear(WIDTH, CLASSES)

    def forward(self, image: Tensor) -> Tensor:
        x = self.patches(image).flatten(2).transpose(1, 2)
        x = torch.cat((self.first.expand(x.shape[0], -1, -1), x), dim=1) + self.positions
        out: Tensor = self.head(self.norm(self.layers(x))[:, 0])
        return out


def main(folder: Path) -> None:
    torch.manual_seed(2)
    module = Vit()
    train_norms(module)
    export(module, {"image": torch.randn(1, 3, IMAGE, IMAGE)}, ["logits"], folder)


if __name__ == "__main__":
    main(destination(__file__))

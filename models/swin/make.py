"""Makes the Swin of this folder: attention in windows, shifted by a roll, patch merging (see models/exporting.py)."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from models.exporting import destination, export, train_norms
from torch import Tensor, nn

IMAGE, PATCH, WIDTH, HEADS, WINDOW, CLASSES = 32, 4, 16, 2, 4, 10


def windows(x: Tensor) -> Tensor:
    """[batch, rows, columns, width] to [windows, elements of a window, width]."""
    batch, rows, columns, width = x.shape
    x = x.view(batch, rows // WINDOW, WINDOW, columns // WINDOW, WINDOW, width).permute(0, 1, 3, 2, 4, 5)
    return x.reshape(-1, WINDOW * WINDOW, width)


def joined(x: Tensor, rows: int, columns: int) -> Tensor:
    """The way back from `windows`."""
    x = x.view(-1, rows // WINDOW, columns // WINDOW, WINDOW, WINDOW, x.shape[-1]).permute(0, 1, 3, 2, 4, 5)
    return x.reshape(-1, rows, columns, x.shape[-1])


def shifted_mask(rows: int, columns: int, shift: int) -> Tensor:
    """What keeps elements apart that only the roll brought into one window: [windows, 1, elements, elements]."""
    parts = torch.zeros(1, rows, columns, 1)
    places = (slice(0, -WINDOW), slice(-WINDOW, -shift), slice(-shift, None))
    for at, (row, column) in enumerate((row, column) for row in places for column in places):
        parts[:, row, column] = at
    flat = windows(parts).squeeze(-1)
    return torch.where(flat[:, None, :] == flat[:, :, None], 0.0, -100.0).unsqueeze(1)


class Layer(nn.Module):
    def __init__(self, width: int, size: int, shift: int) -> None:
        super().__init__()
        self.shift = shift
        self.norm, self.last_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.output = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.bias = nn.Parameter(torch.randn(1, HEADS, WINDOW**2, WINDOW**2) * 0.1)
        self.register_buffer("mask", shifted_mask(size, size, shift) if shift else None)

    def attention(self, x: Tensor) -> Tensor:
        count, elements, width = x.shape
        q, k, v = self.qkv(x).reshape(count, elements, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4).unbind(0)
        scores = q @ k.transpose(-2, -1) / math.sqrt(width // HEADS) + self.bias
        if self.mask is not None:
            scores = scores + self.mask
        out: Tensor = self.output((scores.softmax(-1) @ v).transpose(1, 2).reshape(count, elements, width))
        return out

    def forward(self, x: Tensor) -> Tensor:
        h = self.norm(x)
        if self.shift:
            h = torch.roll(h, (-self.shift, -self.shift), (1, 2))
        h = joined(self.attention(windows(h)), x.shape[1], x.shape[2])
        if self.shift:
            h = torch.roll(h, (self.shift, self.shift), (1, 2))
        x = x + h
        out: Tensor = x + self.down(nn.functional.gelu(self.up(self.last_norm(x))))
        return out


class Merging(nn.Module):
    """Four neighbours become one element of twice the width."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm, self.reduce = nn.LayerNorm(4 * width), nn.Linear(4 * width, 2 * width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        pieces = [x[:, row::2, column::2] for column in (0, 1) for row in (0, 1)]
        out: Tensor = self.reduce(self.norm(torch.cat(pieces, -1)))
        return out


class Swin(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        size = IMAGE // PATCH
        self.patches = nn.Conv2d(3, WIDTH, PATCH, PATCH)
        self.layers = nn.Sequential(
            Layer(WIDTH, size, 0), Layer(WIDTH, size, WINDOW // 2), Merging(WIDTH), Layer(2 * WIDTH, size // 2, 0)
        )
        self.norm, self.head = nn.LayerNorm(2 * WIDTH), nn.Linear(2 * WIDTH, CLASSES)

    def forward(self, image: Tensor) -> Tensor:
        x = self.layers(self.patches(image).permute(0, 2, 3, 1))
        out: Tensor = self.head(self.norm(x).mean((1, 2)))
        return out


def main(folder: Path) -> None:
    torch.manual_seed(8)
    module = Swin()
    train_norms(module)
    export(module, {"image": torch.randn(1, 3, IMAGE, IMAGE)}, ["logits"], folder)


if __name__ == "__main__":
    main(destination(__file__))

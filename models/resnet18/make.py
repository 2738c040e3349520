"""Makes the ResNet-18 of this folder: eight basic blocks, batch norms kept apart (see models/exporting.py)."""

from __future__ import annotations

from pathlib import Path

import torch
from models.exporting import destination, export, train_norms
from torch import Tensor, nn

WIDTHS, CLASSES = (4, 8, 12, 16), 10


class Block(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs),
        )  # fmt: skip
        self.shortcut = nn.Sequential()
        if inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.body(x) + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        first = WIDTHS[0]
        self.stem = nn.Sequential(
            nn.Conv2d(3, first, 7, 2, 3, bias=False), nn.BatchNorm2d(first), nn.ReLU(), nn.MaxPool2d(3, 2, 1)
        )
        blocks = []
        for before, after in zip((first, *WIDTHS), WIDTHS, strict=False):
            blocks += [Block(before, after, 1 if before == after else 2), Block(after, after, 1)]
        self.blocks = nn.Sequential(*blocks)
        self.head = nn.Linear(WIDTHS[-1], CLASSES)

    def forward(self, image: Tensor) -> Tensor:
        x = nn.functional.adaptive_avg_pool2d(self.blocks(self.stem(image)), 1)
        out: Tensor = self.head(torch.flatten(x, 1))
        return out


def made() -> tuple[ResNet, dict[str, Tensor]]:
    """The network and an image for it."""
    torch.manual_seed(4)
    module = ResNet()
    train_norms(module)
    return module, {"image": torch.randn(1, 3, 64, 64)}


def main(folder: Path) -> None:
    module, inputs = made()
    export(module, inputs, ["logits"], folder, opset=13, keep_batch_norm=True)


if __name__ == "__main__":
    main(destination(__file__))

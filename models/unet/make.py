"""Makes the U-Net of this folder: transposed convolutions up, skips that need padding (see models/exporting.py)."""

from __future__ import annotations

from pathlib import Path

import torch
from models.exporting import destination, export, train_norms
from torch import Tensor, nn

WIDTHS, SIZE = (6, 10, 14), 26


def double(inputs: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU(),
        nn.Conv2d(outputs, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU(),
    )  # fmt: skip


class Unet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        a, b, c = WIDTHS
        self.first, self.second, self.bottom = double(3, a), double(a, b), double(b, c)
        self.up_second, self.up_first = nn.ConvTranspose2d(c, b, 2, 2), nn.ConvTranspose2d(b, a, 2, 2)
        self.after_second, self.after_first = double(2 * b, b), double(2 * a, a)
        self.head = nn.Conv2d(a, 2, 1)

    def joined(self, x: Tensor, skip: Tensor) -> Tensor:
        """`x` padded to the size of `skip`, and both together: 26 halves to 13, 13 to 6, and 6 doubles to 12."""
        rows, columns = skip.shape[2] - x.shape[2], skip.shape[3] - x.shape[3]
        x = nn.functional.pad(x, [columns // 2, columns - columns // 2, rows // 2, rows - rows // 2])
        return torch.cat((skip, x), dim=1)

    def forward(self, image: Tensor) -> Tensor:
        first = self.first(image)
        second = self.second(nn.functional.max_pool2d(first, 2))
        x = self.bottom(nn.functional.max_pool2d(second, 2))
        x = self.after_second(self.joined(self.up_second(x), second))
        x = self.after_first(self.joined(self.up_first(x), first))
        out: Tensor = self.head(x)
        return out


def main(folder: Path) -> None:
    torch.manual_seed(6)
    module = Unet()
    train_norms(module)
    export(module, {"image": torch.randn(1, 3, SIZE, SIZE)}, ["mask"], folder)


if __name__ == "__main__":
    main(destination(__file__))

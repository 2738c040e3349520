"""Makes the detector of this folder in the way of YOLOv8: C2f, SPPF, features joined after upsampling, and boxes as the
mean of a softmax over distances (see models/exporting.py)."""

from __future__ import annotations

from pathlib import Path

import torch
from models.exporting import destination, export, train_norms
from torch import Tensor, nn

SIZE, WIDTH, BINS, CLASSES = 64, 8, 4, 3


class Conv(nn.Module):
    def __init__(self, inputs: int, outputs: int, kernel: int = 1, stride: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        return nn.functional.silu(self.norm(self.conv(x)))


class C2f(nn.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        half = outputs // 2
        self.first, self.last = Conv(inputs, outputs), Conv(2 * outputs, outputs)
        self.parts = nn.ModuleList(nn.Sequential(Conv(half, half, 3), Conv(half, half, 3)) for _ in range(2))

    def forward(self, x: Tensor) -> Tensor:
        pieces = list(self.first(x).chunk(2, 1))
        for part in self.parts:
            pieces.append(pieces[-1] + part(pieces[-1]))
        out: Tensor = self.last(torch.cat(pieces, 1))
        return out


class Sppf(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.last = Conv(width, width // 2), Conv(2 * width, width)
        self.pool = nn.MaxPool2d(5, 1, 2)

    def forward(self, x: Tensor) -> Tensor:
        pools = [self.first(x)]
        for _ in range(3):
            pools.append(self.pool(pools[-1]))
        out: Tensor = self.last(torch.cat(pools, 1))
        return out


class Detector(nn.Module):
    bins: Tensor

    def __init__(self) -> None:
        super().__init__()
        w = WIDTH
        self.stem = nn.Sequential(Conv(3, w, 3, 2), Conv(w, 2 * w, 3, 2), C2f(2 * w, 2 * w))
        self.deep = nn.Sequential(Conv(2 * w, 2 * w, 3, 2), C2f(2 * w, 2 * w), Sppf(2 * w))
        self.up = nn.Upsample(scale_factor=2.0, mode="nearest")
        self.fine, self.down, self.coarse = C2f(4 * w, 2 * w), Conv(2 * w, 2 * w, 3, 2), C2f(4 * w, 2 * w)
        self.heads = nn.ModuleList(nn.Conv2d(2 * w, 4 * BINS + CLASSES, 1) for _ in range(2))
        self.register_buffer("bins", torch.arange(BINS, dtype=torch.float32).view(1, BINS, 1, 1))

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        shallow = self.stem(image)
        deep = self.deep(shallow)
        fine = self.fine(torch.cat((self.up(deep), shallow), 1))
        coarse = self.coarse(torch.cat((self.down(fine), deep), 1))
        batch = image.shape[0]
        found = [
            head(x).view(batch, 4 * BINS + CLASSES, -1) for head, x in zip(self.heads, (fine, coarse), strict=True)
        ]
        boxes, classes = torch.cat(found, 2).split((4 * BINS, CLASSES), 1)
        shares = boxes.view(batch, 4, BINS, -1).transpose(2, 1).softmax(1)
        near, far = (shares * self.bins).sum(1).chunk(2, 1)
        return torch.cat(((near + far) / 2, far - near), 1), classes.sigmoid()


def main(folder: Path) -> None:
    torch.manual_seed(7)
    module = Detector()
    train_norms(module)
    export(module, {"image": torch.randn(1, 3, SIZE, SIZE)}, ["boxes", "classes"], folder)


if __name__ == "__main__":
    main(destination(__file__))

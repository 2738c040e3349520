"""Makes the LSTM language model of this folder: two layers, states in and out (see models/exporting.py)."""

from __future__ import annotations

from pathlib import Path

import torch
from models.exporting import destination, export
from torch import Tensor, nn

VOCABULARY, WIDTH, LAYERS, BATCH, TOKENS = 30, 24, 2, 2, 7


class Lstm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.LSTM(WIDTH, WIDTH, LAYERS, batch_first=True)
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, ids: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x, (hidden, cell) = self.layers(self.words(ids), (hidden, cell))
        return self.head(x), hidden, cell


def main(folder: Path) -> None:
    torch.manual_seed(5)
    inputs = {
        "input_ids": torch.randint(VOCABULARY, (BATCH, TOKENS)),
        "hidden": torch.randn(LAYERS, BATCH, WIDTH),
        "cell": torch.randn(LAYERS, BATCH, WIDTH),
    }
    export(Lstm(), inputs, ["logits", "hidden_out", "cell_out"], folder)


if __name__ == "__main__":
    main(destination(__file__))

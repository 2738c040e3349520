"""Makes the BERT of this folder: two encoder layers, padding mask, token types and pooler (see models/exporting.py)."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from models.exporting import destination, export, train_norms
from torch import Tensor, nn

VOCABULARY, WIDTH, HEADS, TOKENS, LAYERS = 50, 32, 4, 12, 2


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.output = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.norm, self.last_norm = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def heads(self, x: Tensor) -> Tensor:
        return x.view(x.shape[0], x.shape[1], HEADS, WIDTH // HEADS).permute(0, 2, 1, 3)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        q, k, v = (self.heads(project(x)) for project in (self.query, self.key, self.value))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(WIDTH // HEADS) + mask
        mixed = torch.matmul(torch.softmax(scores, dim=-1), v).permute(0, 2, 1, 3).reshape(x.shape)
        x = self.norm(x + self.output(mixed))
        out: Tensor = self.last_norm(x + self.down(nn.functional.gelu(self.up(x))))
        return out


class Bert(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.types = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(2, WIDTH)
        self.positions = nn.Parameter(torch.randn(1, TOKENS, WIDTH))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.pooler = nn.Linear(WIDTH, WIDTH)

    def forward(self, ids: Tensor, attention_mask: Tensor, types: Tensor) -> tuple[Tensor, Tensor]:
        mask = (1.0 - attention_mask[:, None, None, :].to(torch.float32)) * torch.finfo(torch.float32).min
        x = self.norm(self.words(ids) + self.types(types) + self.positions)
        for layer in self.layers:
            x = layer(x, mask)
        return x, torch.tanh(self.pooler(x[:, 0]))


def main(folder: Path) -> None:
    torch.manual_seed(1)
    module = Bert()
    train_norms(module)
    attended = torch.ones(2, TOKENS, dtype=torch.int64)
    attended[1, 9:] = 0
    inputs = {
        "input_ids": torch.randint(VOCABULARY, (2, TOKENS)),
        "attention_mask": attended,
        "token_type_ids": torch.randint(2, (2, TOKENS)),
    }
    export(module, inputs, ["last_hidden_state", "pooler_output"], folder)


if __name__ == "__main__":
    main(destination(__file__))

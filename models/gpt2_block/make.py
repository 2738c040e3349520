"""Makes the GPT-2 block of this folder: model.onnx, inputs.npz and outputs.npz (see models/exporting.py).

One transformer block with GPT-2's own arithmetic at toy size (64 wide, 4 heads, 16 tokens, batch 1), exported from
PyTorch with static shapes at opset 17. What makes it GPT-2, and a good test, is kept: one fused QKV projection (the
Conv1D of the original, an `addmm`) that `split` cuts in three, a causal mask held as a buffer, and GELU in tanh form.
"""

from __future__ import annotations

import math
from pathlib import Path

import torch
from models.exporting import destination, export
from torch import Tensor, nn

WIDTH = 64
HEADS = 4
TOKENS = 16


class Conv1D(nn.Module):
    """GPT-2's linear layer: the weight is stored (in, out) and applied by `addmm`, unlike `nn.Linear`."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.outputs = outputs
        self.weight = nn.Parameter(torch.empty(inputs, outputs).normal_(std=0.08))
        self.bias = nn.Parameter(torch.empty(outputs).normal_(std=0.02))

    def forward(self, x: Tensor) -> Tensor:
        shape = (*x.shape[:-1], self.outputs)
        return torch.addmm(self.bias, x.view(-1, x.shape[-1]), self.weight).view(shape)


class Attention(nn.Module):
    mask: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.c_attn = Conv1D(WIDTH, 3 * WIDTH)
        self.c_proj = Conv1D(WIDTH, WIDTH)
        self.register_buffer("mask", torch.ones(TOKENS, TOKENS, dtype=torch.bool).tril()[None, None])

    def heads(self, x: Tensor) -> Tensor:
        return x.view(1, TOKENS, HEADS, WIDTH // HEADS).permute(0, 2, 1, 3)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (self.heads(piece) for piece in self.c_attn(x).split(WIDTH, dim=2))
        scores = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(WIDTH // HEADS)
        scores = torch.where(self.mask, scores, torch.finfo(scores.dtype).min)
        mixed = torch.matmul(torch.softmax(scores, dim=-1), v)
        merged: Tensor = self.c_proj(mixed.permute(0, 2, 1, 3).reshape(1, TOKENS, WIDTH))
        return merged


class MLP(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.c_fc = Conv1D(WIDTH, 4 * WIDTH)
        self.c_proj = Conv1D(4 * WIDTH, WIDTH)

    def forward(self, x: Tensor) -> Tensor:
        h: Tensor = self.c_fc(x)
        # gelu_new, spelled out as the original does: 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
        h = 0.5 * h * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (h + 0.044715 * torch.pow(h, 3.0))))
        out: Tensor = self.c_proj(h)
        return out


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.ln_1 = nn.LayerNorm(WIDTH, eps=1e-5)
        self.attn = Attention()
        self.ln_2 = nn.LayerNorm(WIDTH, eps=1e-5)
        self.mlp = MLP()
        for norm in (self.ln_1, self.ln_2):  # trained norms are not the identity
            nn.init.normal_(norm.weight, mean=1.0, std=0.1)
            nn.init.normal_(norm.bias, std=0.05)

    def forward(self, hidden: Tensor) -> Tensor:
        hidden = hidden + self.attn(self.ln_1(hidden))
        out: Tensor = hidden + self.mlp(self.ln_2(hidden))
        return out


def main(folder: Path) -> None:
    torch.manual_seed(20260101)
    block = Block()
    export(block, {"hidden_states": torch.randn(1, TOKENS, WIDTH)}, ["hidden_states_out"], folder)


if __name__ == "__main__":
    main(destination(__file__))

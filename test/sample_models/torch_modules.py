"""PyTorch modules."""

from __future__ import annotations

import torch


class Mlp(torch.nn.Module):
    """Two layers, from 8 to 4 features."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.first, self.second = torch.nn.Linear(8, 16), torch.nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.second(torch.nn.functional.gelu(self.first(x)))


X = torch.linspace(-1, 1, 16).reshape(2, 8)
"""An input of `Mlp`."""

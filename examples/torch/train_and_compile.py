"""A torch module, trained, run by torch.compile, and compiled ahead of time: `python train_and_compile.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import torch

import forge_mlir


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = torch.nn.Linear(2, 32), torch.nn.Linear(32, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(self.second(torch.relu(self.first(x))))


def train(net: Net) -> None:
    """Inside or outside of a circle."""
    points = torch.rand(512, 2) * 2 - 1
    inside = (points.square().sum(dim=1, keepdim=True) < 0.5).float()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
    for _ in range(200):
        optimizer.zero_grad()
        torch.nn.functional.binary_cross_entropy(net(points), inside).backward()
        optimizer.step()


def main(output: Path) -> None:
    torch.manual_seed(0)
    net = Net()
    train(net)
    net.eval()
    points = torch.tensor([[0.0, 0.0], [0.9, 0.9]])
    with torch.no_grad():
        expected = net(points)

        # While the program runs: what torch hands over is compiled at the first call.
        compiled = torch.compile(net, backend="forge_mlir")
        torch.testing.assert_close(compiled(points), expected, rtol=1e-4, atol=1e-5)
        print("torch.compile agrees with torch")

    # Ahead of time: module, weights and manifest, for a machine without this one's packages.
    artifact = forge_mlir.compile(net, output, (points,), name="circle")
    (name,) = [info["name"] for info in artifact.manifest()["onnx"]["inputs"]]
    (result,) = forge_mlir.run(artifact, {name: points.numpy()}).values()
    torch.testing.assert_close(torch.from_numpy(result), expected, rtol=1e-4, atol=1e-5)
    print(f"{artifact.module_path}: inside {result[0, 0] > 0.5}, outside {result[1, 0] < 0.5}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("circle_forge"))

"""CPU partition CLASS_NAME, compiled from ONNX by forge-mlir: NODE_COUNT nodes, kept in MODULE_STEM.onnx."""

from pathlib import Path

import torch

from forge_mlir.emitted import OnnxSubgraph


class CLASS_NAME(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.graph = OnnxSubgraph(Path(__file__).with_suffix(".onnx"))

    def forward(self, ARGUMENT_NAMES):
        return self.graph(ARGUMENT_NAMES)


def load():
    """The module, ready for forge.PyTorchModule or a call."""
    return CLASS_NAME()

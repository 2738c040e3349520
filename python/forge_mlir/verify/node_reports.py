"""What a comparison node by node finds: a report for each output of a node, and the first node that is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from onnx import NodeProto

from forge_mlir.verify.comparison import Comparison
from forge_mlir.verify.module_steps import Step


@dataclass(frozen=True)
class NodeReport:
    """An output of an ONNX node: `total` is the comparison on ONNX's inputs, `local` that on the module's. `off` names
    the side that is wrong if they differ by more than rounding: "onnxruntime", "module", or "both" if float64 is
    equally far from both; "judges" if onnxruntime and onnx.reference differ and neither is known to be wrong; "random"
    if the value is random, so that it cannot be compared."""

    node: NodeProto
    total: Comparison
    local: Comparison
    off: str = ""

    def json(self) -> dict[str, Any]:
        return {
            "node": self.node.name,
            "op": op_of(self.node),
            "total": self.total.json(),
            "local": self.local.json(),
            "off": self.off,
        }


@dataclass(frozen=True)
class Divergence:
    """The first wrong node. `fused` are earlier nodes that were fused with it; `steps` are the calls in the emitted
    module that they all became."""

    node: NodeProto
    reason: str
    inputs: tuple[tuple[str, str], ...]
    fused: tuple[NodeProto, ...]
    steps: tuple[Step, ...]

    @property
    def names(self) -> set[str]:
        """The nodes that may be at fault: those that were fused into one call, and those that its calls came from."""
        made = (step.node for step in self.steps if step.node)
        return {self.node.name, *(node.name for node in self.fused), *made}

    def json(self) -> dict[str, Any]:
        return {
            "node": self.node.name,
            "op": op_of(self.node),
            "reason": self.reason,
            "inputs": [{"name": name, "type": kind} for name, kind in self.inputs],
            "fused": [{"node": node.name, "op": op_of(node)} for node in self.fused],
            "emitted": [{"file": step.file, "line": step.line, "text": step.text} for step in self.steps],
        }


def op_of(node: NodeProto) -> str:
    return f"{node.domain}.{node.op_type}" if node.domain else str(node.op_type)

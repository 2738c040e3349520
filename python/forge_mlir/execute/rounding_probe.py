"""Measures where a smaller float format loses precision: computes each call of a Float32 module in both formats."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from forge_mlir.runtime import DataFormat, ForgeModule, Parameter, Tensor
from forge_mlir.runtime import op as forge_op
from forge_mlir.runtime.module import with_globals


@dataclass
class NodeRounding:
    """The precision that the calls of one ONNX node lose in the smaller format, on exact operands.

    `error` is the root mean square of the difference, relative to that of the exact result; squares are summed over the
    node's calls. `nbytes` is the number of bytes that its operands and results need more in Float32.
    """

    squares: float = 0.0
    nbytes: int = 0
    ops: set[str] = field(default_factory=set)

    @property
    def error(self) -> float:
        return float(self.squares**0.5)


class _Probed(Tensor):
    """A result that passes the name of its node to the probe; emitted modules set it after the call."""

    found: NodeRounding
    probe: RoundingProbe

    def set_src_layer(self, layer: str) -> Tensor:
        self.probe.assign(layer, self.found)
        return super().set_src_layer(layer)


class RoundingProbe:
    """Runs a Float32 module unchanged. Each call is repeated with operands and result rounded to `dtype`. This measures
    the errors that originate at a node, not those it inherits: `by_node` has them in program order; "" is for calls
    without a node."""

    def __init__(self, dtype: torch.dtype = torch.bfloat16) -> None:
        self.dtype = dtype
        self.by_node: dict[str, NodeRounding] = {}

    def run(self, module: ForgeModule, *inputs: Tensor) -> list[Tensor]:
        """The outputs of the module's `forward`, in Float32. Raises what the ops raise."""
        self.by_node.clear()
        probed = with_globals(module, forge=types.SimpleNamespace(op=_ProbedOps(self), DataFormat=DataFormat))
        with torch.no_grad():
            result = probed.forward(*inputs)
        return list(result) if isinstance(result, tuple | list) else [result]

    def assign(self, layer: str, found: NodeRounding) -> None:
        node = self.by_node.setdefault(layer, NodeRounding())
        node.squares += found.squares
        node.nbytes += found.nbytes
        node.ops |= found.ops

    def call(self, op: str, name: str, *operands: Tensor | Parameter, **arguments: Any) -> Tensor:
        """Computes `forge.op.<op>` in both formats."""
        function: Callable[..., Tensor] = getattr(forge_op, op)
        exact = function(name, *operands, **arguments).value()
        result = _Probed(exact, src_op=op)
        values = [operand.value() for operand in operands if isinstance(operand, Tensor | Parameter)]
        nbytes = sum(value.numel() for value in (*values, exact) if value.dtype == torch.float32) * 2
        result.probe = self
        result.found = NodeRounding(0.0, nbytes, {op})
        if op != "Constant" and exact.dtype == torch.float32:
            rounded = function(name, *(self._rounded(operand) for operand in operands), **arguments).value()
            result.found.squares = _relative_square(rounded.to(self.dtype), exact)
        return result

    def _rounded(self, operand: Any) -> Any:
        if not isinstance(operand, Tensor | Parameter) or operand.value().dtype != torch.float32:
            return operand
        most = torch.finfo(self.dtype).max
        value = operand.value()
        # Finite numbers stay finite, as --forge-float-format does for constants and weights.
        return Tensor(torch.where(value.isfinite(), value.clamp(-most, most), value).to(self.dtype))


class _ProbedOps:
    """Stands in for `forge.op`."""

    def __init__(self, probe: RoundingProbe) -> None:
        self._probe = probe

    def __getattr__(self, op: str) -> Callable[..., Tensor]:
        def call(name: str, *operands: Tensor | Parameter, **arguments: Any) -> Tensor:
            return self._probe.call(op, name, *operands, **arguments)

        return call


def _relative_square(rounded: torch.Tensor, exact: torch.Tensor) -> float:
    """The mean square of the difference of finite elements, relative to that of the exact result. Elements beyond 1e30,
    such as masks, are ignored."""
    measured = exact.isfinite() & (exact.abs() < 1e30)
    if not measured.any():
        return 0.0
    reference = exact[measured].double()
    difference = torch.nan_to_num(rounded[measured].double() - reference, nan=1e30)
    scale = reference.square().mean().item()
    return float(difference.square().mean().item() / scale) if scale else 0.0

"""Operands for which an oracle is not used: entries of the table of known deviations that are about operands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from onnx import NodeProto

from forge_mlir.support.known_deviations import Program
from forge_mlir.support.operand_conditions import deviates_for
from fuzz.operands import Array
from fuzz.variants.variant import nodes_in


def is_not_asked(engine: Program, nodes: Iterable[NodeProto], arrays: Mapping[str, Array]) -> bool:
    """Whether an entry says that the engine deviates for one of these nodes and its operands."""
    return any(deviates_for(engine, node.op_type, _operands(node, arrays)) for node in nodes_in(nodes))


def _operands(node: NodeProto, arrays: Mapping[str, Array]) -> list[Array]:
    """The known operands; all arrays if another node computes some of the operands."""
    known = [arrays[name] for name in node.input if name in arrays]
    return known if len(known) == sum(map(bool, node.input)) else [*arrays.values()]

"""Operands for which an oracle is not asked: the rows about them in the table of known deviations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from onnx import NodeProto

from forge_mlir.support.known_deviations import Program
from forge_mlir.support.operand_conditions import deviates_for
from fuzz.operands import Array
from fuzz.variants.variant import nodes_in


def is_not_asked(engine: Program, nodes: Iterable[NodeProto], arrays: Mapping[str, Array]) -> bool:
    """Whether a row says that the engine computes something of its own for one of these nodes and its operands."""
    return any(deviates_for(engine, node.op_type, _operands(node, arrays)) for node in nodes_in(nodes))


def _operands(node: NodeProto, arrays: Mapping[str, Array]) -> list[Array]:
    """Those that are known; where another node makes some of them, all that there are."""
    known = [arrays[name] for name in node.input if name in arrays]
    return known if len(known) == sum(map(bool, node.input)) else [*arrays.values()]

"""Oracles that are known to be wrong for a variant: entries of the table of known deviations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from onnx import NodeProto

from forge_mlir.support.known_deviations import Program, deviations_of
from forge_mlir.support.operand_deviations import deviates_for
from fuzz.operands import Array
from fuzz.variants.variant import Variant, nodes_in


def is_known(engine: str, variant: Variant) -> bool:
    """Whether this oracle is known to be wrong for these nodes or for these operands."""
    program: Program = engine.split()[0]  # type: ignore[assignment]
    opsets = {**variant.domains, "": variant.opset}
    known = any(deviations_of(program, node, opsets.get(node.domain, 0)) for node in nodes_in(variant.nodes))
    return known or is_not_asked(program, variant.nodes, variant.arrays)


def is_not_asked(engine: Program, nodes: Iterable[NodeProto], arrays: Mapping[str, Array]) -> bool:
    """Whether an entry says that the engine deviates for one of these nodes and its operands."""
    return any(deviates_for(engine, node, arrays) for node in nodes_in(nodes))

"""Oracles that are known to be wrong for a variant: entries of the table of known deviations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from onnx import NodeProto, ValueInfoProto
from onnx.reference import ReferenceEvaluator

from forge_mlir.execute.onnx.corrected_ops import corrected_ops
from forge_mlir.support.known_deviations import Program, deviations_of
from forge_mlir.support.operand_deviations import OPERAND_DEVIATIONS, deviates_for
from fuzz.operands import Array
from fuzz.variants.variant import Variant, nodes_in


def is_known(engine: str, variant: Variant) -> bool:
    """Whether this oracle is known to be wrong for these nodes or for these operands."""
    program: Program = engine.split()[0]  # type: ignore[assignment]
    opsets = {**variant.domains, "": variant.opset}
    known = any(deviations_of(program, node, opsets.get(node.domain, 0)) for node in nodes_in(variant.nodes))
    return known or is_not_asked(program, variant.nodes, {**_computed(variant), **variant.arrays})


def is_not_asked(engine: Program, nodes: Iterable[NodeProto], arrays: Mapping[str, Array]) -> bool:
    """Whether an entry says that the engine deviates for one of these nodes and its operands."""
    return any(deviates_for(engine, node, arrays) for node in nodes_in(nodes))


_DEPEND = {op for row in OPERAND_DEVIATIONS for op in row.ops}


def _computed(variant: Variant) -> dict[str, Array]:
    """The results of all nodes, as far as entries depend on them; none if onnx.reference cannot run the model."""
    names = list(dict.fromkeys(name for node in variant.nodes for name in node.output if name))
    read = {name for node in nodes_in(variant.nodes) if node.op_type in _DEPEND for name in node.input}
    if read.isdisjoint(names):
        return {}
    model = variant.model([ValueInfoProto(name=name) for name in names])
    try:
        with np.errstate(all="ignore"):
            values = ReferenceEvaluator(model, new_ops=corrected_ops()).run(None, variant.inputs())
    except Exception:  # It raises any exception.
        return {}
    return {name: each for name, each in zip(names, values, strict=True) if isinstance(each, np.ndarray)}

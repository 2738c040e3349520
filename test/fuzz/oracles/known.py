"""Operands for which an oracle is not asked: the rows about them in the table of known deviations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from onnx import NodeProto

from forge_mlir.support.known_deviations import OPERAND_DEVIATIONS
from fuzz.operands import Array
from fuzz.variants.variant import is_float, nodes_in


def _not_finite(operands: Sequence[Array]) -> bool:
    return any(is_float(a.dtype) and not bool(np.isfinite(a.astype(np.float64)).all()) for a in operands)


def _huge(operands: Sequence[Array]) -> bool:
    """Beyond 2^30, from where a small factor or offset leaves an Int32."""
    return any(bool((np.abs(a.astype(np.float64)) >= 2.0**30).any()) for a in operands)


def _large_quotient(operands: Sequence[Array]) -> bool:
    """Whether the first operand, divided by the second one, leaves Int32, or is no number."""
    if len(operands) < 2 or not operands[0].size or not operands[1].size:
        return True
    with np.errstate(all="ignore"):
        quotient = np.abs(operands[0].astype(np.float64)).max() / np.abs(operands[1].astype(np.float64)).min()
    return not quotient < 2.0**31


WORDS: dict[str, Callable[[Sequence[Array]], bool]] = {
    "not finite": _not_finite,
    "not finite or huge": lambda operands: _not_finite(operands) or _huge(operands),
    "large quotient": _large_quotient,
}


def is_not_asked(engine: str, nodes: Iterable[NodeProto], arrays: Mapping[str, Array]) -> bool:
    """Whether a row says that the engine computes something of its own for one of these nodes and its operands."""
    return any(
        row.engine == engine and node.op_type in row.ops and WORDS[row.when](_operands(node, arrays))
        for node in nodes_in(nodes)
        for row in OPERAND_DEVIATIONS
    )


def _operands(node: NodeProto, arrays: Mapping[str, Array]) -> list[Array]:
    """Those that are known; where another node makes some of them, all that there are."""
    known = [arrays[name] for name in node.input if name in arrays]
    return known if len(known) == sum(map(bool, node.input)) else [*arrays.values()]

"""The rows of known.toml: operands for which an oracle is not asked."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import numpy as np
from onnx import NodeProto

from fuzz.operands import Array
from fuzz.variants.variant import is_float, nodes_in


def _not_finite(array: Array) -> bool:
    return is_float(array.dtype) and not bool(np.isfinite(array.astype(np.float64)).all())


def _huge(array: Array) -> bool:
    """Beyond 2^30, from where a small factor or offset leaves an Int32."""
    numbers = array.astype(np.float64)
    return bool((np.abs(numbers) >= 2.0**30).any())


def _denormal(array: Array) -> bool:
    if not is_float(array.dtype):
        return False
    numbers = np.abs(array.astype(np.float64))
    return bool(((numbers > 0) & (numbers < 1.2e-38)).any())


WORDS: dict[str, Callable[[Array], bool]] = {
    "not finite": _not_finite,
    "not finite or huge": lambda array: _not_finite(array) or _huge(array),
    "denormal": _denormal,
    "empty": lambda array: array.size == 0,
    "any": lambda _: True,
}


@cache
def rows() -> tuple[dict[str, str], ...]:
    """All of them."""
    return tuple(tomllib.loads((Path(__file__).parent / "known.toml").read_text(encoding="utf-8"))["row"])


def is_not_asked(engine: str, nodes: Iterable[NodeProto], arrays: Iterable[Array]) -> bool:
    """Whether a row says that the engine computes something of its own for these nodes and operands."""
    ops, held = {node.op_type for node in nodes_in(nodes)}, list(arrays)
    return any(
        row["engine"] == engine and not ops.isdisjoint(row["op"].split()) and any(map(WORDS[row["when"]], held))
        for row in rows()
    )

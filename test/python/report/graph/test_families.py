"""Each op belongs to a family."""

from __future__ import annotations

from onnx import defs

from forge_mlir import _native
from forge_mlir.report.graph.families import FAMILIES, OTHER, family_of


def test_families() -> None:
    assert family_of("Gelu") == "activations"
    assert family_of("NoSuchOp") == OTHER
    listed = [op for names in FAMILIES.values() for op in names.split()]
    assert len(listed) == len(set(listed)), "an op is in one family"
    # Ops that the compiler converts have a colour; few have none.
    converted = {op for domain, op, _ in _native.registered_ops() if not domain and defs.has(op)}
    assert len([op for op in converted if family_of(op) == OTHER]) <= 12
    assert [callee for _, callee, *_ in _native.forge_calls() if family_of(callee.rpartition(".")[2]) == OTHER] == []

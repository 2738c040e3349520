"""Checks that each pass of a compilation preserves what the IR computes."""

from __future__ import annotations

from onnx import ModelProto

from forge_mlir.bisect import passes_of
from forge_mlir.bisect.equivalent import compare_stages
from forge_mlir.bisect.search import staged
from forge_mlir.compiler.lower import import_model
from forge_mlir.equivalence import engine_of
from forge_mlir.errors import ForgeError
from fuzz.oracles.compare import Mismatch


def hold(model: ModelProto) -> None:
    """Compares the IR before and after each pass in float64. Raises Mismatch for a pass that changes a result; a model
    that is refused is not judged."""
    try:
        imported = import_model(model)
        found = compare_stages(staged(imported.module, passes_of({})), [engine_of("float64", imported.weights)])
    except ForgeError:
        return
    if found.culprit is not None:
        reasons = "; ".join(verdict.explain() for verdict in found.culprit.verdicts)
        raise Mismatch(f"--{found.culprit.name} changes what is computed: {reasons}")

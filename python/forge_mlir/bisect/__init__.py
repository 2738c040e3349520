"""Finds the pass and the rewrite after which a model computes a different result."""

from forge_mlir.bisect.equivalent import PassVerdict, PassVerdicts, bisect_exact
from forge_mlir.bisect.rewrites import RewriteBisection, bisect_rewrites
from forge_mlir.bisect.search import Bisection, Stage, StageResult, bisect, bisect_model, passes_of

__all__ = [
    "Bisection",
    "PassVerdict",
    "PassVerdicts",
    "RewriteBisection",
    "Stage",
    "StageResult",
    "bisect",
    "bisect_exact",
    "bisect_model",
    "bisect_rewrites",
    "passes_of",
]

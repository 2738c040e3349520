"""Finds the pass after which a model computes something else."""

from forge_mlir.bisect.search import Bisection, Stage, StageResult, bisect, bisect_model, passes_of

__all__ = ["Bisection", "Stage", "StageResult", "bisect", "bisect_model", "passes_of"]

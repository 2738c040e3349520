"""Shrinks a failing model to the part that fails."""

from forge_mlir.reduce.cases import Case, capture
from forge_mlir.reduce.model import Reduction, reduce_model
from forge_mlir.reduce.predicates import Failure
from forge_mlir.reduce.search import minimize, reduce_case

__all__ = ["Case", "Failure", "Reduction", "capture", "minimize", "reduce_case", "reduce_model"]

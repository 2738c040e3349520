"""Shrinks a model that fails to the part that fails."""

from forge_mlir.reduce.cases import Case, capture
from forge_mlir.reduce.predicates import Failure, failure_of, predicate_for
from forge_mlir.reduce.search import reduce_case

__all__ = ["Case", "Failure", "capture", "failure_of", "predicate_for", "reduce_case"]

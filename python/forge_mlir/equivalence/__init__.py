"""Checks that two modules of forge IR compute the same function: the input and the output of a pass."""

from forge_mlir.equivalence.comparison import Chain, Engine, Verdict, compare, engine_of, verdict_of
from forge_mlir.equivalence.differences import Difference, Layer
from forge_mlir.equivalence.program import functions_of

__all__ = ["Chain", "Difference", "Engine", "Layer", "Verdict", "compare", "engine_of", "functions_of", "verdict_of"]

"""Compares a compiled model with the ONNX model it came from."""

import sys

from forge_mlir.verify.calling import CallablePackage
from forge_mlir.verify.comparison import OUTPUT_LIMITS, Comparison, Limits, compare, compare_values
from forge_mlir.verify.goldens import golden_outputs, verify
from forge_mlir.verify.inputs import random_inputs
from forge_mlir.verify.lockstep import NODE_LIMITS, Divergence, NodeReport
from forge_mlir.verify.model import Verification, verify_artifact, verify_model

__all__ = [
    "NODE_LIMITS",
    "OUTPUT_LIMITS",
    "Comparison",
    "Divergence",
    "Limits",
    "NodeReport",
    "Verification",
    "compare",
    "compare_values",
    "golden_outputs",
    "random_inputs",
    "verify",
    "verify_artifact",
    "verify_model",
]

sys.modules[__name__].__class__ = CallablePackage

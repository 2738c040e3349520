"""Compares a compiled model with the ONNX model it came from."""

import sys

from forge_mlir.verify.calling import CallablePackage
from forge_mlir.verify.comparison import OUTPUT_LIMITS, Comparison, Limits, compare, compare_values
from forge_mlir.verify.compiled import Runs, verify_compiled
from forge_mlir.verify.exact import Exactness
from forge_mlir.verify.inputs.goldens import golden_outputs, verify
from forge_mlir.verify.inputs.profiles import PROFILES, Profile
from forge_mlir.verify.inputs.random_inputs import random_inputs
from forge_mlir.verify.model import verify_model, verify_traced
from forge_mlir.verify.node_reports import Divergence, NodeReport
from forge_mlir.verify.one_run import verify_artifact
from forge_mlir.verify.verdict import Alone, Verification

__all__ = [
    "OUTPUT_LIMITS",
    "PROFILES",
    "Alone",
    "Comparison",
    "Divergence",
    "Exactness",
    "Limits",
    "NodeReport",
    "Profile",
    "Runs",
    "Verification",
    "compare",
    "compare_values",
    "golden_outputs",
    "random_inputs",
    "verify",
    "verify_artifact",
    "verify_compiled",
    "verify_model",
    "verify_traced",
]

sys.modules[__name__].__class__ = CallablePackage

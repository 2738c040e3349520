"""Compares a compiled model with the ONNX model it came from."""

from forge_mlir.verify.comparison import OUTPUT_LIMITS, Comparison, Limits, compare
from forge_mlir.verify.goldens import golden_outputs, random_inputs, verify

__all__ = ["OUTPUT_LIMITS", "Comparison", "Limits", "compare", "golden_outputs", "random_inputs", "verify"]

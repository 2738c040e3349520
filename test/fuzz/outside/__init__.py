"""Comparison with independent implementations: torch in float64, and onnxruntime without optimisation."""

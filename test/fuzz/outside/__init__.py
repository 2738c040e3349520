"""An outside opinion: what torch computes in float64, and onnxruntime without optimisation."""

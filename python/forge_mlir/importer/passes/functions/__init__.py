"""Replaces calls of model-local functions, and ops that ONNX defines by functions, by the nodes of their bodies."""

"""Functions of a model, and those that ONNX defines ops by, as nodes."""

"""Models of onnxruntime's own ops, domain com.microsoft."""

"""ONNX models, subgraphs and single nodes, run by onnxruntime or the reference of onnx."""

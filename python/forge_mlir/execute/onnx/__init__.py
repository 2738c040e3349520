"""Executes ONNX models, subgraphs and single nodes with onnxruntime or onnx.reference."""

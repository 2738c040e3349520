"""ONNX models as protobuf: files, weights, element types, opsets and graphs, before they are converted to IR.

May import `errors` and the standard ONNX and numpy packages; never the importer or the compiler.
"""

"""The protobuf side of ONNX: files, weights, element types, opsets and graphs, before there is any IR.

May import `errors` and the standard ONNX and numpy packages; never the importer or the compiler.
"""

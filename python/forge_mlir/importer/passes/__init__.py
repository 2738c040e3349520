"""The steps that prepare a model for import, one file each, in the order in which `onnx_import` runs them:
inline functions, bind inputs, check the graph and its sizes, infer shapes, extract, resolve sequences, expand function
bodies.

May import `onnx_model` and `errors`.
"""

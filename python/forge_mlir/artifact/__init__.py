"""A compiled model on disk: reading (`reader`, `integrity`) and writing (`writer`, `weights_file`).

May import `errors`; the writer also `onnx_model`, for the bytes of weights. Reading does not need onnx.
"""

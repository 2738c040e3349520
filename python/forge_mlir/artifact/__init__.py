"""A compiled model on disk: reading it (`reader`, `integrity`) and writing it (`writer`, `weights_file`).

May import `errors`; the writer also `onnx_model`, for the bytes of weights. Reading needs no onnx.
"""

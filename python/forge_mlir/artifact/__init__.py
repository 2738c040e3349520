"""A compiled model on disk: reading (`reader`, `integrity`), writing (`writer`, `weights_file`), its Python (`source`).

May import `errors`; the writer also `onnx_model`, for the bytes of weights. Reading does not need onnx.
"""

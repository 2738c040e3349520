"""Forge-MLIR: ONNX in, Tenstorrent Forge Python module out, through MLIR."""

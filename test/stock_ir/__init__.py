"""IR of torch-mlir's own ONNX importer, compared with that of ours after the passes: `python -m stock_ir`."""

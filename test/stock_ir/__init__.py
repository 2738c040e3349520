"""Compares the compiled IR of torch-mlir's own ONNX importer with that of this project's importer: `python -m
stock_ir`."""

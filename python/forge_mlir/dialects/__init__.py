"""MLIR dialects of Forge-MLIR for `torch_mlir.ir`, in the layout of `torch_mlir.dialects`."""

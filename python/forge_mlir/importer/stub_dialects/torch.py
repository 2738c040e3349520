"""An empty replacement for torch_mlir.dialects.torch, which has a class for each op: the importer only creates
torch.operator, as a generic operation.

Explicit imports of torch_mlir.dialects.torch still get its classes.
"""

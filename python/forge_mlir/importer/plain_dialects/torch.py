"""The importer makes torch.operator alone, as a plain operation; torch_mlir.dialects.torch has a class for each op.

Who imports that module gets its classes as ever.
"""

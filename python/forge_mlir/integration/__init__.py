"""Forge-MLIR from where users are: torch modules, torch.compile, onnxruntime's interface, folders of models.

May import everything below the command.
"""

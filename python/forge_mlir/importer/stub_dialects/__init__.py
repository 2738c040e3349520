"""Modules of dialects without op classes, which torch_mlir finds before those in its own package."""

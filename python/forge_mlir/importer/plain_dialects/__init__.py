"""Where torch_mlir finds a dialect's op classes before it looks in its own package: modules without any."""

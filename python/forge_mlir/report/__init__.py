"""What `forge-mlir check` tells: refusals, cut points, partitions, tile layout.

May import `compiler` and below; never what runs a module.
"""

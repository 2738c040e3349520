"""The content of `forge-mlir check`, `inspect` and `report`: refusals, cut points, partitions, costs, tile layout.

May import `compiler` and below, but nothing that executes modules.
"""

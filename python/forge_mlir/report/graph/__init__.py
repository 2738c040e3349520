"""The graph of a model for display: families of ops, folded boxes, IR by node, files for viewers."""

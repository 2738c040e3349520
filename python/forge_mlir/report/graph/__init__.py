"""The graph of a model as a reader sees it: families of ops, folded boxes, IR by node, files for viewers."""

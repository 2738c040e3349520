"""What a model may ask for at most: beyond any use, and far below what would take all memory or time."""

MAX_RANK = 1024
"""Axes of a tensor."""
MAX_FILL = 1 << 40
"""Elements of a ConstantOfShape: a tensor, however large the machine."""
MAX_VECTOR = 1 << 24
"""Elements of a vector that a ConstantOfShape or Range makes: onnx may write them all out, in case they are a shape."""
MAX_EXPANSION = 200_000
"""Nodes that the ONNX function bodies of a model may have together."""

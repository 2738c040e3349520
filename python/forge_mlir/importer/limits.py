"""Limits for models: beyond any practical use, and far below what would exhaust memory or time."""

MAX_FILL = 1 << 40
"""The largest ConstantOfShape, in elements."""
MAX_VECTOR = 1 << 24
"""The largest vector that a ConstantOfShape or Range creates, in elements: onnx may evaluate it in case it is a
shape."""
MAX_EXPANSION = 200_000
"""The largest number of nodes that all ONNX function bodies of a model may have together."""
MAX_BATCH = 1 << 20
"""The most texts that a language model generates at a time: masks, positions and caches have a row for each."""

"""Storage of a model's weights: the wire format, external files, sparse tensors, models without weights."""

"""Where the bytes of a model's weights are: the wire format, external files, sparse tensors, models without weights."""

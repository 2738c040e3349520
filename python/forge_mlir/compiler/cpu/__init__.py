"""CPU partitions: their ONNX subgraphs, and a check that an engine can run them."""

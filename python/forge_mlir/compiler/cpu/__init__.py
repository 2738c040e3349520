"""What runs on the CPU: the ONNX subgraphs of partitions, and a proof that an engine can run them."""

"""Rules for ONNX ops on values with padding: where results have padding, and which nodes replace an op."""

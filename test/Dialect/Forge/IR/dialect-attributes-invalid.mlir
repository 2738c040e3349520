// RUN: forge-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{attribute "forge.nonsense" is not known for an op}}
func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> attributes {forge.nonsense = 1} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{attribute "forge.partition" of an op: expected "device", "cpu" or "driver", but got "gpu"}}
func.func @kind(%x: tensor<4xf32>) -> tensor<4xf32> attributes {forge.partition = "gpu"} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{attribute "forge.range" of an argument: expected [lowest, highest], but got array<i64: 5, 0>}}
func.func @range(%x: tensor<4xi32> {forge.range = array<i64: 5, 0>}) -> tensor<4xi32> {
  return %x : tensor<4xi32>
}

// -----

// expected-error @+1 {{attribute "forge.onnx_name" of an argument: expected a string, but got 3 : i64}}
func.func @name(%x: tensor<4xf32> {forge.onnx_name = 3 : i64}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{attribute "forge.range" is not known for a result}}
func.func @place(%x: tensor<4xi32>) -> (tensor<4xi32> {forge.range = array<i64: 0, 5>}) {
  return %x : tensor<4xi32>
}

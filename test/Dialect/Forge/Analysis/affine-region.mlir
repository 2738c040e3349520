// RUN: forge-opt %s --forge-test-affine-region --verify-diagnostics -o /dev/null

// The scale of a sum is folded into all of its addends.
func.func @sources(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %w = forge.parameter "w" : tensor<8x16xf32>
  %v = forge.parameter "v" : tensor<8x16xf32>
  // expected-remark @+1 {{operand 1: all elements change}}
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  // expected-remark @+1 {{operand 1: all elements change}}
  %1 = forge.matmul %y, %v : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %2 = forge.add %0, %1 : tensor<4x16xf32>
  %3 = forge.sigmoid %2 {test.sources} : tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}

// A scale of a slice is one of some columns, and those of another slice do not change.
func.func @columns(%x: tensor<4x8xf32>) -> (tensor<4x4xf32>, tensor<4x12xf32>) {
  %w = forge.parameter "w" : tensor<8x16xf32>
  // expected-remark @+1 {{operand 1: elements [4, 8) of 16 change, along the axis that 0 axes follow}}
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = forge.index %0 dim -1 [4:8] : (tensor<4x16xf32>) -> tensor<4x4xf32>
  %2 = forge.sigmoid %1 {test.sources} : tensor<4x4xf32>
  %3 = forge.index %0 dim -1 [8:16] : (tensor<4x16xf32>) -> tensor<4x8xf32>
  %4 = forge.index %0 dim -1 [0:4] : (tensor<4x16xf32>) -> tensor<4x4xf32>
  %5 = forge.concatenate %3, %4 axis -1 : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<4x12xf32>
  return %2, %5 : tensor<4x4xf32>, tensor<4x12xf32>
}

// One factor per channel, into the rows of the weights of all products that read the value.
func.func @readers(%x: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %w = forge.parameter "w" : tensor<8x16xf32>
  %0 = forge.sigmoid %x {test.readers = 1} : tensor<4x8xf32>
  // expected-remark @+1 {{operand 1: elements [0, 8) of 8 change, along the axis that 1 axes follow}}
  %1 = forge.matmul %0, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}

// A user that is not linear.
func.func @not_linear(%x: tensor<4x8xf32>) -> (tensor<4x16xf32>, tensor<4x8xf32>) {
  %w = forge.parameter "w" : tensor<8x16xf32>
  // expected-remark @+1 {{cannot be folded}}
  %0 = forge.sigmoid %x {test.readers} : tensor<4x8xf32>
  %1 = forge.matmul %0, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %2 = forge.exp %0 : tensor<4x8xf32>
  return %1, %2 : tensor<4x16xf32>, tensor<4x8xf32>
}

// RUN: forge-opt %s --forge-test-computed-weights --verify-diagnostics -o /dev/null

// Arithmetic and movement of weights are evaluated with the weights and produce no call.
func.func @weights(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  // expected-remark @+1 {{read by computed weights alone}}
  %w = forge.parameter "w" : tensor<4x8xf32>
  // expected-remark @+1 {{read by computed weights alone}}
  %s = forge.parameter "s" : tensor<4x1xf32>
  // expected-remark @+1 {{computed with the weights}}
  %0 = forge.multiply %w, %s : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  // expected-remark @+1 {{computed and stored as [8, 4]}}
  %1 = forge.transpose %0 dims -2, -1 : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // expected-remark @+1 {{a call}}
  %2 = forge.matmul %x, %1 : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// An op with an operand that is an input is a call, and so is an exponential of a weight.
func.func @calls(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-remark @+1 {{stored as [4]}}
  %w = forge.parameter "w" : tensor<4xf32>
  // expected-remark @+1 {{a call}}
  %0 = forge.add %x, %w : tensor<4xf32>
  // expected-remark @+1 {{a call}}
  %1 = forge.exp %w : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

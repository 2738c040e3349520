// RUN: forge-opt %s --forge-test-padding-states --verify-diagnostics -o /dev/null
// RUN: not forge-opt %s --forge-test-padding-states=target=unknown 2>&1 | FileCheck %s
// CHECK: error: {{.*}}unknown

// Weights are padded with zeros by the host; kernels compute on the padding as on other elements.
// The kernel of the reciprocal gives a large number for 0.
func.func @states(%x: tensor<3x40xf32>) -> tensor<3x40xf32> {
  // expected-remark @+1 {{rows 0, cols 0, corner 0}}
  %w = forge.parameter "w" : tensor<3x40xf32>
  // expected-remark @+1 {{rows 1, cols 1, corner 1}}
  %0 = forge.exp %x : tensor<3x40xf32>
  // expected-remark @+1 {{rows 0, cols 0, corner 0}}
  %1 = forge.multiply %0, %w : tensor<3x40xf32>
  // expected-remark @+1 {{rows 1e+10, cols 1e+10, corner 1e+10}}
  %2 = forge.reciprocal %1 : tensor<3x40xf32>
  return %2 : tensor<3x40xf32>
}

// Whole tiles have no padding.
func.func @whole(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  // expected-remark @+1 {{rows none, cols none, corner none}}
  %0 = forge.exp %x : tensor<32x64xf32>
  return %0 : tensor<32x64xf32>
}

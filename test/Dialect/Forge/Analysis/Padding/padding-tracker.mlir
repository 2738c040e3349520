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

// The sign of a zero is not known: -1 / (x * -x) is infinity in the padding, not -infinity.
func.func @signed_zeros(%x: tensor<3x40xf32>) -> tensor<3x40xf32> {
  // expected-remark @+1 {{rows 0, cols 0, corner 0}}
  %m = forge.constant dense<-1.0> : tensor<1xf32>
  // expected-remark @+1 {{rows 0, cols 0, corner 0}}
  %0 = forge.multiply %x, %m : (tensor<3x40xf32>, tensor<1xf32>) -> tensor<3x40xf32>
  // expected-remark @+1 {{rows 0, cols 0, corner 0}}
  %1 = forge.multiply %x, %0 : tensor<3x40xf32>
  // expected-remark @+1 {{rows undef, cols undef, corner undef}}
  %2 = forge.divide %m, %1 : (tensor<1xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
  return %2 : tensor<3x40xf32>
}

// A cast to i1 is a comparison with 0.
func.func @booleans(%x: tensor<3x40xf32>) -> tensor<3x40xf32> {
  // expected-remark @+1 {{rows 0, cols 0, corner 0}}
  %two = forge.constant dense<2.0> : tensor<1xf32>
  // expected-remark @+1 {{rows 2, cols 2, corner 2}}
  %0 = forge.add %x, %two : (tensor<3x40xf32>, tensor<1xf32>) -> tensor<3x40xf32>
  // expected-remark @+1 {{rows 1, cols 1, corner 1}}
  %1 = forge.cast %0 dtype i1 : (tensor<3x40xf32>) -> tensor<3x40xi1>
  // expected-remark @+1 {{rows 1, cols 1, corner 1}}
  %2 = forge.cast %1 dtype f32 : (tensor<3x40xi1>) -> tensor<3x40xf32>
  return %2 : tensor<3x40xf32>
}

// Unsigned integers have no sign bit, and their sums may wrap.
func.func @unsigned(%x: tensor<3x40xui8>) -> tensor<3x40xui8> {
  // expected-remark @+1 {{rows 0, cols 0, corner 0}}
  %c = forge.constant dense<255> : tensor<1xui8>
  // expected-remark @+1 {{rows 255, cols 255, corner 255}}
  %0 = forge.add %x, %c : (tensor<3x40xui8>, tensor<1xui8>) -> tensor<3x40xui8>
  // expected-remark @+1 {{rows finite, cols finite, corner finite}}
  %1 = forge.add %0, %c : (tensor<3x40xui8>, tensor<1xui8>) -> tensor<3x40xui8>
  return %1 : tensor<3x40xui8>
}

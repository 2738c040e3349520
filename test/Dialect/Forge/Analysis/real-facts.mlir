// RUN: forge-opt %s --forge-test-real-facts --verify-diagnostics -o /dev/null

// Bounds include the rounding error of Float32. An input may be NaN, and a sigmoid of it then is, too, so that its
// result is not finite.
func.func @facts(%x: tensor<4xf32>, %i: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // expected-remark @+1 {{from 0.000000e+00 to 1.000000e+00}}
  %0 = forge.sigmoid %x : tensor<4xf32>
  // expected-remark @+1 {{, finite, integers}}
  %1 = forge.cast %i dtype f32 : (tensor<4xi8>) -> tensor<4xf32>
  // expected-remark @+1 {{from 2.000000e+00 to 2.000000e+00, finite, integers}}
  %two = forge.constant dense<2.0> : tensor<4xf32>
  // expected-remark @+1 {{, finite, integers}}
  %2 = forge.multiply %1, %two : tensor<4xf32>
  // expected-remark @+1 {{from 0.000000e+00 to INF}}
  %3 = forge.relu %x : tensor<4xf32>
  return %0, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

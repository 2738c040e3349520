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

// An infinity becomes a finite bound, the other operand, or 0.
func.func @infinities(%c: tensor<2xi32>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  // expected-remark @+1 {{from -INF to 5.000000e+00, no NaN}}
  %a = forge.constant dense<[5.0, 0xFF800000]> : tensor<2xf32>
  // expected-remark @+1 {{from -1.000000e+01 to 5.000000e+00, finite}}
  %0 = forge.clip %a min -10.0 max 10.0 : tensor<2xf32>
  // expected-remark @+1 {{from 0.000000e+00 to 5.000000e+00, no NaN}}
  %1 = forge.relu %a : tensor<2xf32>
  // expected-remark @+1 {{from -1.000000e+01 to 5.000000e+00, no NaN}}
  %2 = forge.max %a, %0 : tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// The bound is an infinity in Float16.
func.func @wide_bounds(%c: tensor<2xi32>) -> tensor<2xf16> {
  // expected-remark @+1 {{from 0.000000e+00 to INF, no NaN}}
  %a = forge.constant dense<[0.0, 0x7C00]> : tensor<2xf16>
  // expected-remark-re @+1 {{{{from 0.000000e\+00 to 1.000000e\+05$}}}}
  %0 = forge.clip %a min -1.0e5 max 1.0e5 : tensor<2xf16>
  return %0 : tensor<2xf16>
}

// RUN: forge-opt %s --forge-lower-strided-slice -split-input-file -verify-diagnostics

// A reversal becomes a constant of indices, which is limited in size.
func.func @huge(%x: tensor<1073741824xi32>) -> tensor<1073741824xi32> {
  // expected-error @+1 {{reverses more than 16777216 elements}}
  %0 = forge.strided_slice %x dim 0 [-1:-9223372036854775808:-1] : tensor<1073741824xi32>
  return %0 : tensor<1073741824xi32>
}

// RUN: forge-opt %s --pass-pipeline='builtin.module(func.func(forge-float-format{float-format=bfp8}))' -verify-diagnostics

// expected-error @+1 {{expected float-format float32, bfloat16 or mixed, but got 'bfp8'}}
func.func @product(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = forge.relu %x : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// A concatenation of -0 and 0 is no splat: as a divisor, they lead to different infinities.
// RUN: forge-translate %s --forge-to-manifest | FileCheck %s

// CHECK: "op": "concatenate"
func.func @main(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %a = forge.constant dense<-0.0> : tensor<1x2xf32>
  %b = forge.constant dense<0.0> : tensor<1x2xf32>
  %c = forge.concatenate %a, %b axis 1 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
  %y = forge.divide %x, %c : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}

// RUN: forge-opt %s --no-implicit-module --forge-device-forms | FileCheck %s

// A function may be the top-level op.
// CHECK: forge.reduce_max %arg0
// CHECK: forge.log
func.func @log_softmax(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = forge.log_softmax %x dim -1 : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

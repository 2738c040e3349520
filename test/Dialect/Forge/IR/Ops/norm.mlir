// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @norm(
func.func @norm(%arg0: tensor<2x3x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<1x4xf32>, %arg3: tensor<3xf32>) {
  // CHECK: %{{.+}} = forge.softmax %arg0 dim -1 stable : tensor<2x3x4xf32>
  %0 = forge.softmax %arg0 dim -1 stable : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.log_softmax %arg0 dim 0 : tensor<2x3x4xf32>
  %1 = forge.log_softmax %arg0 dim 0 : tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.layernorm %arg0, %arg1, %arg2 dim -1 epsilon 9.99999974E-6 : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<1x4xf32>) -> tensor<2x3x4xf32>
  %2 = forge.layernorm %arg0, %arg1, %arg2 dim -1 epsilon 9.99999974E-6 : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<1x4xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.batchnorm %arg0, %arg3, %arg3, %arg3, %arg3 epsilon 1.000000e-03 : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  %3 = forge.batchnorm %arg0, %arg3, %arg3, %arg3, %arg3 epsilon 1.000000e-03 : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  return
}

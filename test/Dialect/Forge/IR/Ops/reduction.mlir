// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @reductions(
func.func @reductions(%arg0: tensor<2x3x4xf32>) {
  // CHECK: %{{.+}} = forge.reduce_sum %arg0 dim -1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %0 = forge.reduce_sum %arg0 dim -1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  // CHECK-NEXT: %{{.+}} = forge.reduce_avg %arg0 dim -1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %1 = forge.reduce_avg %arg0 dim -1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  // CHECK-NEXT: %{{.+}} = forge.reduce_max %arg0 dim -1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  %2 = forge.reduce_max %arg0 dim -1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  // CHECK-NEXT: %{{.+}} = forge.reduce_sum %arg0 dim 0 : (tensor<2x3x4xf32>) -> tensor<3x4xf32>
  %3 = forge.reduce_sum %arg0 dim 0 : (tensor<2x3x4xf32>) -> tensor<3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.argmax %arg0 dim 1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x1x4xi32>
  %4 = forge.argmax %arg0 dim 1 keep_dim : (tensor<2x3x4xf32>) -> tensor<2x1x4xi32>
  // CHECK-NEXT: %{{.+}} = forge.argmax %arg0 dim -3 : (tensor<2x3x4xf32>) -> tensor<3x4xi32>
  %5 = forge.argmax %arg0 dim -3 : (tensor<2x3x4xf32>) -> tensor<3x4xi32>
  // CHECK-NEXT: %{{.+}} = forge.argmax %arg0 keep_dim : (tensor<2x3x4xf32>) -> tensor<1x1x1xi32>
  %6 = forge.argmax %arg0 keep_dim : (tensor<2x3x4xf32>) -> tensor<1x1x1xi32>
  // CHECK-NEXT: %{{.+}} = forge.argmax %arg0 : (tensor<2x3x4xf32>) -> tensor<i32>
  %7 = forge.argmax %arg0 : (tensor<2x3x4xf32>) -> tensor<i32>
  // CHECK-NEXT: %{{.+}} = forge.cum_sum %arg0 dim 2 : tensor<2x3x4xf32>
  %8 = forge.cum_sum %arg0 dim 2 : tensor<2x3x4xf32>
  return
}

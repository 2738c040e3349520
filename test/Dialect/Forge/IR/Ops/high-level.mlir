// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @high_level(
func.func @high_level(%arg0: tensor<2x10xf32>, %arg1: tensor<2xi64>) {
  // CHECK: %{{.+}} = forge.split %arg0 dim -1 sizes [2, 3, 0, 5] : (tensor<2x10xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x5xf32>)
  %0:4 = forge.split %arg0 dim -1 sizes [2, 3, 0, 5] : (tensor<2x10xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x5xf32>)
  // CHECK-NEXT: %{{.+}} = forge.split %arg0 dim 0 sizes [2] : (tensor<2x10xf32>) -> tensor<2x10xf32>
  %1 = forge.split %arg0 dim 0 sizes [2] : (tensor<2x10xf32>) -> tensor<2x10xf32>
  // CHECK-NEXT: %{{.+}} = forge.strided_slice %arg0 dim 1 [-3:9223372036854775807:2] dim -2 [0:1] : (tensor<2x10xf32>) -> tensor<1x2xf32>
  %2 = forge.strided_slice %arg0 dim 1 [-3:9223372036854775807:2] dim -2 [0:1] : (tensor<2x10xf32>) -> tensor<1x2xf32>
  // CHECK-NEXT: %{{.+}} = forge.strided_slice %arg0 dim 1 [-1:-9223372036854775808:-9223372036854775808] : (tensor<2x10xf32>) -> tensor<2x1xf32>
  %3 = forge.strided_slice %arg0 dim 1 [-1:-9223372036854775808:-9223372036854775808] : (tensor<2x10xf32>) -> tensor<2x1xf32>
  // CHECK-NEXT: %{{.+}} = forge.strided_slice %arg0 : tensor<2x10xf32>
  %4 = forge.strided_slice %arg0 : tensor<2x10xf32>
  // CHECK-NEXT: %{{.+}} = forge.quotient %arg1, %arg1 : tensor<2xi64>
  %5 = forge.quotient %arg1, %arg1 : tensor<2xi64>
  // CHECK-NEXT: %{{.+}} = forge.wrap_index %arg1 size 9 : tensor<2xi64>
  %6 = forge.wrap_index %arg1 size 9 : tensor<2xi64>
  return
}

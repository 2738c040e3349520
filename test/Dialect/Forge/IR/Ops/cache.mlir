// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @cache(
func.func @cache(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<1x4x3x8xf32>, %arg2: tensor<2x4x1x8xf32>, %arg3: tensor<2xi32>) {
  // CHECK: %{{.+}} = forge.fill_cache %arg0, %arg1 batch_offset 1 : (tensor<2x4x16x8xf32>, tensor<1x4x3x8xf32>) -> tensor<2x4x16x8xf32>
  %0 = forge.fill_cache %arg0, %arg1 batch_offset 1 : (tensor<2x4x16x8xf32>, tensor<1x4x3x8xf32>) -> tensor<2x4x16x8xf32>
  // CHECK-NEXT: %{{.+}} = forge.update_cache %arg0, %arg2, %arg3 : (tensor<2x4x16x8xf32>, tensor<2x4x1x8xf32>, tensor<2xi32>) -> tensor<2x4x16x8xf32>
  %1 = forge.update_cache %arg0, %arg2, %arg3 : (tensor<2x4x16x8xf32>, tensor<2x4x1x8xf32>, tensor<2xi32>) -> tensor<2x4x16x8xf32>
  return
}

// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @indexing(
func.func @indexing(%arg0: tensor<2x3x4xf32>, %arg1: tensor<5xi64>, %arg2: tensor<2x12xf32>, %arg3: tensor<2x5x4xf32>, %arg4: tensor<2x7xi64>, %arg5: tensor<10x4xf32>, %arg6: tensor<256xf32>) {
  // CHECK: %{{.+}} = forge.index %arg0 dim -1 [1:4:2] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
  %0 = forge.index %arg0 dim -1 [1:4:2] : (tensor<2x3x4xf32>) -> tensor<2x3x2xf32>
  // CHECK-NEXT: %{{.+}} = forge.adv_index %arg0, %arg1 dim -2 : (tensor<2x3x4xf32>, tensor<5xi64>) -> tensor<2x5x4xf32>
  %1 = forge.adv_index %arg0, %arg1 dim -2 : (tensor<2x3x4xf32>, tensor<5xi64>) -> tensor<2x5x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.select %arg2 dim 1 index [1, 2] stride 4 : (tensor<2x12xf32>) -> tensor<2x6xf32>
  %2 = forge.select %arg2 dim 1 index [1, 2] stride 4 : (tensor<2x12xf32>) -> tensor<2x6xf32>
  // CHECK-NEXT: %{{.+}} = forge.select %arg2 dim -1 index [1, 2] stride 0 : (tensor<2x12xf32>) -> tensor<2x2xf32>
  %3 = forge.select %arg2 dim -1 index [1, 2] stride 0 : (tensor<2x12xf32>) -> tensor<2x2xf32>
  // CHECK-NEXT: %{{.+}} = forge.index_copy %arg0, %arg1, %arg3 dim 1 : (tensor<2x3x4xf32>, tensor<5xi64>, tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
  %4 = forge.index_copy %arg0, %arg1, %arg3 dim 1 : (tensor<2x3x4xf32>, tensor<5xi64>, tensor<2x5x4xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.embedding %arg4, %arg5 : (tensor<2x7xi64>, tensor<10x4xf32>) -> tensor<2x7x4xf32>
  %5 = forge.embedding %arg4, %arg5 : (tensor<2x7xi64>, tensor<10x4xf32>) -> tensor<2x7x4xf32>
  // CHECK-NEXT: %[[UNSIGNED:.+]] = forge.constant dense<200> : tensor<1xui8>
  // CHECK-NEXT: %{{.+}} = forge.adv_index %arg6, %[[UNSIGNED]] dim 0 : (tensor<256xf32>, tensor<1xui8>) -> tensor<1xf32>
  %c = forge.constant dense<200> : tensor<1xui8>
  %6 = forge.adv_index %arg6, %c dim 0 : (tensor<256xf32>, tensor<1xui8>) -> tensor<1xf32>
  return
}

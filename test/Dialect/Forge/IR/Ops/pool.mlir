// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @pool(
func.func @pool(%arg0: tensor<1x2x8xf32>, %arg1: tensor<1x2x8x9xf32>, %arg2: tensor<1x8x9x2xf32>) {
  // CHECK: %{{.+}} = forge.max_pool1d %arg0 kernel_size 2 stride 2 padding 1 : (tensor<1x2x8xf32>) -> tensor<1x2x5xf32>
  %0 = forge.max_pool1d %arg0 kernel_size 2 stride 2 padding 1 : (tensor<1x2x8xf32>) -> tensor<1x2x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.max_pool2d %arg1 kernel_size [3, 2] stride [2, 2] padding [0, 0, 1, 1] ceil_mode : (tensor<1x2x8x9xf32>) -> tensor<1x2x5x5xf32>
  %1 = forge.max_pool2d %arg1 kernel_size [3, 2] stride [2, 2] padding [0, 0, 1, 1] ceil_mode : (tensor<1x2x8x9xf32>) -> tensor<1x2x5x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.avg_pool1d %arg0 kernel_size 8 stride 1 padding 0 count_include_pad : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  %2 = forge.avg_pool1d %arg0 kernel_size 8 stride 1 padding 0 count_include_pad : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  // CHECK-NEXT: %{{.+}} = forge.avg_pool2d %arg2 kernel_size [2, 2] stride [2, 1] padding [1, 1, 1, 1] count_include_pad channel_last : (tensor<1x8x9x2xf32>) -> tensor<1x5x10x2xf32>
  %3 = forge.avg_pool2d %arg2 kernel_size [2, 2] stride [2, 1] padding [1, 1, 1, 1] count_include_pad channel_last : (tensor<1x8x9x2xf32>) -> tensor<1x5x10x2xf32>
  return
}

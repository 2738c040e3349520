// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @pool_resize(
func.func @pool_resize(%arg0: tensor<1x2x8xf32>, %arg1: tensor<1x2x8x9xf32>, %arg2: tensor<1x8x9x2xf32>) {
  // CHECK: %{{.+}} = forge.max_pool1d %arg0 kernel_size 2 stride 2 padding 1 : (tensor<1x2x8xf32>) -> tensor<1x2x5xf32>
  %0 = forge.max_pool1d %arg0 kernel_size 2 stride 2 padding 1 : (tensor<1x2x8xf32>) -> tensor<1x2x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.max_pool2d %arg1 kernel_size [3, 2] stride [2, 2] padding [0, 0, 1, 1] ceil_mode : (tensor<1x2x8x9xf32>) -> tensor<1x2x5x5xf32>
  %1 = forge.max_pool2d %arg1 kernel_size [3, 2] stride [2, 2] padding [0, 0, 1, 1] ceil_mode : (tensor<1x2x8x9xf32>) -> tensor<1x2x5x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.avg_pool1d %arg0 kernel_size 8 stride 1 padding 0 count_include_pad : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  %2 = forge.avg_pool1d %arg0 kernel_size 8 stride 1 padding 0 count_include_pad : (tensor<1x2x8xf32>) -> tensor<1x2x1xf32>
  // CHECK-NEXT: %{{.+}} = forge.avg_pool2d %arg2 kernel_size [2, 2] stride [2, 1] padding [1, 1, 1, 1] count_include_pad channel_last : (tensor<1x8x9x2xf32>) -> tensor<1x5x10x2xf32>
  %3 = forge.avg_pool2d %arg2 kernel_size [2, 2] stride [2, 1] padding [1, 1, 1, 1] count_include_pad channel_last : (tensor<1x8x9x2xf32>) -> tensor<1x5x10x2xf32>
  // CHECK-NEXT: %{{.+}} = forge.resize1d %arg0 size 16 mode linear : (tensor<1x2x8xf32>) -> tensor<1x2x16xf32>
  %4 = forge.resize1d %arg0 size 16 mode linear : (tensor<1x2x8xf32>) -> tensor<1x2x16xf32>
  // CHECK-NEXT: %{{.+}} = forge.resize2d %arg1 sizes [4, 5] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x5xf32>
  %5 = forge.resize2d %arg1 sizes [4, 5] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.resize2d %arg2 sizes [16, 9] mode bilinear channel_last : (tensor<1x8x9x2xf32>) -> tensor<1x16x9x2xf32>
  %6 = forge.resize2d %arg2 sizes [16, 9] mode bilinear channel_last : (tensor<1x8x9x2xf32>) -> tensor<1x16x9x2xf32>
  // CHECK-NEXT: %{{.+}} = forge.upsample2d %arg1 scale_factor [2, 3] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x16x27xf32>
  %7 = forge.upsample2d %arg1 scale_factor [2, 3] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x16x27xf32>
  // CHECK-NEXT: %{{.+}} = forge.downsample2d %arg1 scale_factor [2, 3] mode bilinear : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x3xf32>
  %8 = forge.downsample2d %arg1 scale_factor [2, 3] mode bilinear : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x3xf32>
  return
}

// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @resize(
func.func @resize(%arg0: tensor<1x2x8xf32>, %arg1: tensor<1x2x8x9xf32>, %arg2: tensor<1x8x9x2xf32>) {
  // CHECK: %{{.+}} = forge.resize1d %arg0 size 16 mode linear : (tensor<1x2x8xf32>) -> tensor<1x2x16xf32>
  %0 = forge.resize1d %arg0 size 16 mode linear : (tensor<1x2x8xf32>) -> tensor<1x2x16xf32>
  // CHECK-NEXT: %{{.+}} = forge.resize2d %arg1 sizes [4, 5] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x5xf32>
  %1 = forge.resize2d %arg1 sizes [4, 5] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.resize2d %arg2 sizes [16, 9] mode bilinear channel_last : (tensor<1x8x9x2xf32>) -> tensor<1x16x9x2xf32>
  %2 = forge.resize2d %arg2 sizes [16, 9] mode bilinear channel_last : (tensor<1x8x9x2xf32>) -> tensor<1x16x9x2xf32>
  // CHECK-NEXT: %{{.+}} = forge.upsample2d %arg1 scale_factor [2, 3] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x16x27xf32>
  %3 = forge.upsample2d %arg1 scale_factor [2, 3] mode nearest : (tensor<1x2x8x9xf32>) -> tensor<1x2x16x27xf32>
  // CHECK-NEXT: %{{.+}} = forge.downsample2d %arg1 scale_factor [2, 3] mode bilinear : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x3xf32>
  %4 = forge.downsample2d %arg1 scale_factor [2, 3] mode bilinear : (tensor<1x2x8x9xf32>) -> tensor<1x2x4x3xf32>
  return
}

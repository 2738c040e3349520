// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @conv(
func.func @conv(%arg0: tensor<1x4x8x9xf32>, %arg1: tensor<6x2x3x3xf32>, %arg2: tensor<1x8x9x4xf32>, %arg3: tensor<6x4x3x3xf32>, %arg4: tensor<1x1x1x6xf32>, %arg5: tensor<4x3x3x3xf32>, %arg6: tensor<6xf32>) {
  // CHECK: %{{.+}} = forge.conv2d %arg0, %arg1 stride [2, 1] padding [1, 0, 1, 2] groups 2 : (tensor<1x4x8x9xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x4x9xf32>
  %0 = forge.conv2d %arg0, %arg1 stride [2, 1] padding [1, 0, 1, 2] groups 2 : (tensor<1x4x8x9xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x4x9xf32>
  // CHECK-NEXT: %{{.+}} = forge.conv2d %arg2, %arg3, %arg4 stride [1, 1] padding [0, 0, 0, 0] dilation [2, 1] channel_last : (tensor<1x8x9x4xf32>, tensor<6x4x3x3xf32>, tensor<1x1x1x6xf32>) -> tensor<1x4x7x6xf32>
  %1 = forge.conv2d %arg2, %arg3, %arg4 stride [1, 1] padding [0, 0, 0, 0] dilation [2, 1] channel_last : (tensor<1x8x9x4xf32>, tensor<6x4x3x3xf32>, tensor<1x1x1x6xf32>) -> tensor<1x4x7x6xf32>
  // CHECK-NEXT: %{{.+}} = forge.conv2d_transpose %arg0, %arg5, %arg6 stride [2, 1] padding [1, 0] groups 2 output_padding [1, 0] : (tensor<1x4x8x9xf32>, tensor<4x3x3x3xf32>, tensor<6xf32>) -> tensor<1x6x16x11xf32>
  %2 = forge.conv2d_transpose %arg0, %arg5, %arg6 stride [2, 1] padding [1, 0] groups 2 output_padding [1, 0] : (tensor<1x4x8x9xf32>, tensor<4x3x3x3xf32>, tensor<6xf32>) -> tensor<1x6x16x11xf32>
  return
}

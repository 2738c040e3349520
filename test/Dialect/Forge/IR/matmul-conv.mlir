// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @matmul_conv(
func.func @matmul_conv(%arg0: tensor<2x3x4xf32>, %arg1: tensor<4x5xf32>, %arg2: tensor<4xf32>, %arg3: tensor<5xf32>, %arg4: tensor<1x4x8x9xf32>, %arg5: tensor<6x2x3x3xf32>, %arg6: tensor<1x8x9x4xf32>, %arg7: tensor<6x4x3x3xf32>, %arg8: tensor<1x1x1x6xf32>, %arg9: tensor<4x3x3x3xf32>, %arg10: tensor<6xf32>) {
  // CHECK: %{{.+}} = forge.matmul %arg0, %arg1 : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %0 = forge.matmul %arg0, %arg1 : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.matmul %arg2, %arg1 : (tensor<4xf32>, tensor<4x5xf32>) -> tensor<5xf32>
  %1 = forge.matmul %arg2, %arg1 : (tensor<4xf32>, tensor<4x5xf32>) -> tensor<5xf32>
  // CHECK-NEXT: %{{.+}} = forge.matmul %arg0, %arg2 : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  %2 = forge.matmul %arg0, %arg2 : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %{{.+}} = forge.matmul %arg2, %arg2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %3 = forge.matmul %arg2, %arg2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  // CHECK-NEXT: %{{.+}} = forge.matmul %arg0, %arg1, %arg3 : (tensor<2x3x4xf32>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
  %4 = forge.matmul %arg0, %arg1, %arg3 : (tensor<2x3x4xf32>, tensor<4x5xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.conv2d %arg4, %arg5 stride [2, 1] padding [1, 0, 1, 2] groups 2 : (tensor<1x4x8x9xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x4x9xf32>
  %5 = forge.conv2d %arg4, %arg5 stride [2, 1] padding [1, 0, 1, 2] groups 2 : (tensor<1x4x8x9xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x4x9xf32>
  // CHECK-NEXT: %{{.+}} = forge.conv2d %arg6, %arg7, %arg8 stride [1, 1] padding [0, 0, 0, 0] dilation [2, 1] channel_last : (tensor<1x8x9x4xf32>, tensor<6x4x3x3xf32>, tensor<1x1x1x6xf32>) -> tensor<1x4x7x6xf32>
  %6 = forge.conv2d %arg6, %arg7, %arg8 stride [1, 1] padding [0, 0, 0, 0] dilation [2, 1] channel_last : (tensor<1x8x9x4xf32>, tensor<6x4x3x3xf32>, tensor<1x1x1x6xf32>) -> tensor<1x4x7x6xf32>
  // CHECK-NEXT: %{{.+}} = forge.conv2d_transpose %arg4, %arg9, %arg10 stride [2, 1] padding [1, 0] groups 2 output_padding [1, 0] : (tensor<1x4x8x9xf32>, tensor<4x3x3x3xf32>, tensor<6xf32>) -> tensor<1x6x16x11xf32>
  %7 = forge.conv2d_transpose %arg4, %arg9, %arg10 stride [2, 1] padding [1, 0] groups 2 output_padding [1, 0] : (tensor<1x4x8x9xf32>, tensor<4x3x3x3xf32>, tensor<6xf32>) -> tensor<1x6x16x11xf32>
  return
}

// One operand may be of a 16-bit float type and the other f32; a product of 16-bit operands may have a bias in f32.
// CHECK-LABEL: func.func @promoted(
func.func @promoted(%x: tensor<2x3xf32>, %w: tensor<3x4xbf16>, %y: tensor<2x3xbf16>, %b: tensor<2x4xf32>) {
  // CHECK-NEXT: forge.matmul %arg0, %arg1 : (tensor<2x3xf32>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  %0 = forge.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xbf16>) -> tensor<2x4xf32>
  // CHECK-NEXT: forge.matmul %arg2, %arg1, %arg3 : (tensor<2x3xbf16>, tensor<3x4xbf16>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = forge.matmul %y, %w, %b : (tensor<2x3xbf16>, tensor<3x4xbf16>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

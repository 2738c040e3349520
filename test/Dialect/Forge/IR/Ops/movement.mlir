// Round trip of every op through text and bytecode.
// RUN: forge-opt %s | forge-opt | FileCheck %s
// RUN: forge-opt %s -mlir-print-op-generic | forge-opt | FileCheck %s
// RUN: forge-opt %s -emit-bytecode | forge-opt | FileCheck %s

// CHECK-LABEL: func.func @movement(
func.func @movement(%arg0: tensor<2x3x4xf32>, %arg1: tensor<1xf32>, %arg2: tensor<1x4x4x3xf32>, %arg3: tensor<2x3xf32>, %arg4: tensor<2x1x4xf32>, %arg5: tensor<1x8x2x3xf32>, %arg6: tensor<2x5xf32>) {
  // CHECK: %{{.+}} = forge.transpose %arg0 dims -2, 0 : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %0 = forge.transpose %arg0 dims -2, 0 : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.reshape %arg0 shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = forge.reshape %arg0 shape [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.reshape %arg1 shape [] : (tensor<1xf32>) -> tensor<f32>
  %2 = forge.reshape %arg1 shape [] : (tensor<1xf32>) -> tensor<f32>
  // CHECK-NEXT: %{{.+}} = forge.pad %arg0 pad [1, 2] mode constant value -1.000000e+00 : (tensor<2x3x4xf32>) -> tensor<2x3x7xf32>
  %3 = forge.pad %arg0 pad [1, 2] mode constant value -1.000000e+00 : (tensor<2x3x4xf32>) -> tensor<2x3x7xf32>
  // CHECK-NEXT: %{{.+}} = forge.pad %arg0 pad [1, 2, 0, 1] mode reflect value 0.000000e+00 : (tensor<2x3x4xf32>) -> tensor<2x4x7xf32>
  %4 = forge.pad %arg0 pad [1, 2, 0, 1] mode reflect value 0.000000e+00 : (tensor<2x3x4xf32>) -> tensor<2x4x7xf32>
  // CHECK-NEXT: %{{.+}} = forge.pad %arg2 pad [1, 1, 2, 2] mode replicate value 0.000000e+00 channel_last : (tensor<1x4x4x3xf32>) -> tensor<1x8x6x3xf32>
  %5 = forge.pad %arg2 pad [1, 1, 2, 2] mode replicate value 0.000000e+00 channel_last : (tensor<1x4x4x3xf32>) -> tensor<1x8x6x3xf32>
  // CHECK-NEXT: %{{.+}} = forge.constant_pad %arg3 padding [1, 0, 0, 2] value 0.000000e+00 : (tensor<2x3xf32>) -> tensor<3x5xf32>
  %6 = forge.constant_pad %arg3 padding [1, 0, 0, 2] value 0.000000e+00 : (tensor<2x3xf32>) -> tensor<3x5xf32>
  // CHECK-NEXT: %{{.+}} = forge.broadcast %arg4 dim 1 shape 5 : (tensor<2x1x4xf32>) -> tensor<2x5x4xf32>
  %7 = forge.broadcast %arg4 dim 1 shape 5 : (tensor<2x1x4xf32>) -> tensor<2x5x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.repeat %arg3 repeats [4, 1, 2] : (tensor<2x3xf32>) -> tensor<4x2x6xf32>
  %8 = forge.repeat %arg3 repeats [4, 1, 2] : (tensor<2x3xf32>) -> tensor<4x2x6xf32>
  // CHECK-NEXT: %{{.+}} = forge.repeat_interleave %arg3 repeats 2 dim -1 : (tensor<2x3xf32>) -> tensor<2x6xf32>
  %9 = forge.repeat_interleave %arg3 repeats 2 dim -1 : (tensor<2x3xf32>) -> tensor<2x6xf32>
  // CHECK-NEXT: %{{.+}} = forge.unsqueeze %arg3 dim 2 : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  %10 = forge.unsqueeze %arg3 dim 2 : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  // CHECK-NEXT: %{{.+}} = forge.unsqueeze %arg3 dim -3 : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
  %11 = forge.unsqueeze %arg3 dim -3 : (tensor<2x3xf32>) -> tensor<1x2x3xf32>
  // CHECK-NEXT: %{{.+}} = forge.squeeze %arg4 dim -2 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
  %12 = forge.squeeze %arg4 dim -2 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
  // CHECK-NEXT: %{{.+}} = forge.pixel_shuffle %arg5 upscale_factor 2 : (tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>
  %13 = forge.pixel_shuffle %arg5 upscale_factor 2 : (tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>
  // CHECK-NEXT: %{{.+}} = forge.concatenate %arg3, %arg6 axis -1 : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  %14 = forge.concatenate %arg3, %arg6 axis -1 : (tensor<2x3xf32>, tensor<2x5xf32>) -> tensor<2x8xf32>
  // CHECK-NEXT: %{{.+}} = forge.stack %arg3, %arg3 axis 2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2xf32>
  %15 = forge.stack %arg3, %arg3 axis 2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2xf32>
  return
}

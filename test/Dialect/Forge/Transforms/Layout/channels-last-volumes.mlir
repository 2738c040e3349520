// RUN: forge-opt %s --forge-channels-last --forge-join-movement | FileCheck %s

// Between convolutions of slices of volumes, the values stay with channels last, and batch and depth stay one axis.
// CHECK-LABEL: func.func @between_convolutions(
// CHECK: %[[SUM:.*]] = forge.add %arg0, %arg1 : tensor<8x4x4x2xf32>
// CHECK-NEXT: %[[RELU:.*]] = forge.relu %[[SUM]] : tensor<8x4x4x2xf32>
// CHECK-NEXT: %[[CONV:.*]] = forge.conv2d %[[RELU]], %arg2
// CHECK-NEXT: return %[[CONV]]
func.func @between_convolutions(%x: tensor<8x4x4x2xf32>, %y: tensor<8x4x4x2xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<8x2x2x2xf32> {
  %0 = forge.reshape %x shape [2, 4, 4, 4, 2] : (tensor<8x4x4x2xf32>) -> tensor<2x4x4x4x2xf32>
  %1 = forge.transpose %0 dims -4, -1 : (tensor<2x4x4x4x2xf32>) -> tensor<2x2x4x4x4xf32>
  %2 = forge.transpose %1 dims -3, -1 : tensor<2x2x4x4x4xf32>
  %3 = forge.transpose %2 dims -2, -1 : tensor<2x2x4x4x4xf32>
  %4 = forge.reshape %y shape [2, 4, 4, 4, 2] : (tensor<8x4x4x2xf32>) -> tensor<2x4x4x4x2xf32>
  %5 = forge.transpose %4 dims -4, -1 : (tensor<2x4x4x4x2xf32>) -> tensor<2x2x4x4x4xf32>
  %6 = forge.transpose %5 dims -3, -1 : tensor<2x2x4x4x4xf32>
  %7 = forge.transpose %6 dims -2, -1 : tensor<2x2x4x4x4xf32>
  %8 = forge.add %3, %7 : tensor<2x2x4x4x4xf32>
  %9 = forge.relu %8 : tensor<2x2x4x4x4xf32>
  %10 = forge.transpose %9 dims -4, -3 : (tensor<2x2x4x4x4xf32>) -> tensor<2x4x2x4x4xf32>
  %11 = forge.transpose %10 dims -3, -2 : (tensor<2x4x2x4x4xf32>) -> tensor<2x4x4x2x4xf32>
  %12 = forge.transpose %11 dims -2, -1 : (tensor<2x4x4x2x4xf32>) -> tensor<2x4x4x4x2xf32>
  %13 = forge.reshape %12 shape [8, 4, 4, 2] : (tensor<2x4x4x4x2xf32>) -> tensor<8x4x4x2xf32>
  %14 = forge.conv2d %13, %w stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<8x4x4x2xf32>, tensor<2x2x3x3xf32>) -> tensor<8x2x2x2xf32>
  return %14 : tensor<8x2x2x2xf32>
}

// The other operand of the product is no such reshape, and would need one: unchanged.
// CHECK-LABEL: func.func @other_operand(
// CHECK: forge.multiply %{{.*}}, %arg1 : tensor<2x4x4x4x2xf32>
// CHECK: forge.conv2d {{.*}} channel_last
func.func @other_operand(%x: tensor<8x4x4x2xf32>, %y: tensor<2x4x4x4x2xf32>, %z: tensor<1x3x4x4xf32>, %w: tensor<3x3x1x1xf32>) -> (tensor<2x4x4x4x2xf32>, tensor<1x3x4x4xf32>) {
  %0 = forge.reshape %x shape [2, 4, 4, 4, 2] : (tensor<8x4x4x2xf32>) -> tensor<2x4x4x4x2xf32>
  %1 = forge.multiply %0, %y : tensor<2x4x4x4x2xf32>
  %2 = forge.conv2d %z, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x4x4xf32>, tensor<3x3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %3 = forge.conv2d %2, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x4x4xf32>, tensor<3x3x1x1xf32>) -> tensor<1x3x4x4xf32>
  return %1, %3 : tensor<2x4x4x4x2xf32>, tensor<1x3x4x4xf32>
}

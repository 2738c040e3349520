// RUN: forge-opt %s --forge-channels-last --forge-convolution-pads | FileCheck %s

// TensorFlow pads with channels last, before a transpose, which is removed. The pad then becomes padding of the
// convolution: the device's compiler asserts on a pad that only convolutions read.
// CHECK-LABEL: func.func @pad(
//  CHECK-NOT: forge.pad
//      CHECK: forge.conv2d %{{.+}}, %{{.+}} stride [2, 2] padding [1, 3, 1, 2] channel_last {{.*}}-> tensor<1x5x6x4xf32>
func.func @pad(%x: tensor<1x9x8x3xf32>) -> tensor<1x5x6x4xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %0 = forge.pad %x pad [0, 0, 2, 1] mode constant value 0.0 : (tensor<1x9x8x3xf32>) -> tensor<1x9x11x3xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x9x11x3xf32>) -> tensor<1x9x3x11xf32>
  %2 = forge.transpose %1 dims -3, -2 : (tensor<1x9x3x11xf32>) -> tensor<1x3x9x11xf32>
  %3 = forge.conv2d %2, %w stride [2, 2] padding [1, 1, 1, 1] : (tensor<1x3x9x11xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x5x6xf32>
  %4 = forge.transpose %3 dims -3, -2 : (tensor<1x4x5x6xf32>) -> tensor<1x5x4x6xf32>
  %5 = forge.transpose %4 dims -2, -1 : (tensor<1x5x4x6xf32>) -> tensor<1x5x6x4xf32>
  return %5 : tensor<1x5x6x4xf32>
}

// The pad is an output as well and stays for it.
// CHECK-LABEL: func.func @shared(
//      CHECK: %[[P:.+]] = forge.pad %arg0 pad [0, 0, 2, 1]
//      CHECK: forge.conv2d %arg0, %{{.+}} padding [1, 3, 1, 2] channel_last
//      CHECK: return %{{.+}}, %[[P]]
func.func @shared(%x: tensor<1x9x8x3xf32>) -> (tensor<1x9x11x4xf32>, tensor<1x9x11x3xf32>) {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %0 = forge.pad %x pad [0, 0, 2, 1] mode constant value 0.0 : (tensor<1x9x8x3xf32>) -> tensor<1x9x11x3xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x9x11x3xf32>) -> tensor<1x9x3x11xf32>
  %2 = forge.transpose %1 dims -3, -2 : (tensor<1x9x3x11xf32>) -> tensor<1x3x9x11xf32>
  %3 = forge.conv2d %2, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x9x11xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x9x11xf32>
  %4 = forge.transpose %3 dims -3, -2 : (tensor<1x4x9x11xf32>) -> tensor<1x9x4x11xf32>
  %5 = forge.transpose %4 dims -2, -1 : (tensor<1x9x4x11xf32>) -> tensor<1x9x11x4xf32>
  return %5, %0 : tensor<1x9x11x4xf32>, tensor<1x9x11x3xf32>
}

// All elements that the convolution reads are padding. The image is empty, so that it cannot be reshaped to channels
// last.
// CHECK-LABEL: func.func @empty_image(
// CHECK-NOT: forge.reshape
// CHECK: forge.conv2d %arg0, {{.*}} : (tensor<1x1x0x4xf32>, tensor<4x1x1x1xf32>) -> tensor<1x4x1x4xf32>
func.func @empty_image(%x: tensor<1x1x0x4xf32>) -> tensor<1x4x1x4xf32> {
  %w = forge.parameter "w" : tensor<4x1x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 1, 0] : (tensor<1x1x0x4xf32>, tensor<4x1x1x1xf32>) -> tensor<1x4x1x4xf32>
  return %0 : tensor<1x4x1x4xf32>
}

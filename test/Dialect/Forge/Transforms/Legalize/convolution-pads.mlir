// RUN: forge-opt %s --forge-convolution-pads | FileCheck %s
// RUN: forge-opt %s --forge-convolution-pads --forge-isolate-outputs --forge-verify-emittable -o /dev/null

// A pad of an image with zeros becomes padding of the convolution.
// CHECK-LABEL: func.func @image(
//  CHECK-NOT: forge.pad
//      CHECK: forge.conv2d %arg0, %{{.+}} stride [1, 1] padding [1, 3, 1, 2] : (tensor<1x3x9x8xf32>
func.func @image(%x: tensor<1x3x9x8xf32>) -> tensor<1x4x9x11xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %0 = forge.pad %x pad [2, 1] mode constant value 0.0 : (tensor<1x3x9x8xf32>) -> tensor<1x3x9x11xf32>
  %1 = forge.conv2d %0, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x9x11xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x9x11xf32>
  return %1 : tensor<1x4x9x11xf32>
}

// Pads are listed from the last axis: with channels last, the height is the axis before the width, and the pad of the
// channels is zero.
// CHECK-LABEL: func.func @channels_last(
//  CHECK-NOT: forge.pad
//      CHECK: forge.conv2d %arg0, %{{.+}} stride [2, 2] padding [1, 3, 1, 2] channel_last
func.func @channels_last(%x: tensor<1x9x8x3xf32>) -> tensor<1x5x6x4xf32> {
  %w = forge.parameter "w" : tensor<4x3x3x3xf32>
  %0 = forge.pad %x pad [0, 0, 2, 1] mode constant value 0.0 : (tensor<1x9x8x3xf32>) -> tensor<1x9x11x3xf32>
  %1 = forge.conv2d %0, %w stride [2, 2] padding [1, 1, 1, 1] channel_last : (tensor<1x9x11x3xf32>, tensor<4x3x3x3xf32>) -> tensor<1x5x6x4xf32>
  return %1 : tensor<1x5x6x4xf32>
}

// Pads of pads.
// CHECK-LABEL: func.func @pads_of_pads(
//  CHECK-NOT: forge.pad
//      CHECK: forge.conv2d %arg0, %{{.+}} stride [1, 1] padding [4, 2, 5, 1] channel_last
func.func @pads_of_pads(%x: tensor<1x7x6x2xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<1x14x7x4xf32> {
  %0 = forge.pad %x pad [2, 1] mode constant value 0.0 channel_last : (tensor<1x7x6x2xf32>) -> tensor<1x7x9x2xf32>
  %1 = forge.pad %0 pad [0, 0, 4, 5] mode constant value 0.0 channel_last : (tensor<1x7x9x2xf32>) -> tensor<1x16x9x2xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x16x9x2xf32>, tensor<4x2x3x3xf32>) -> tensor<1x14x7x4xf32>
  return %2 : tensor<1x14x7x4xf32>
}

// A pad with two convolutions becomes padding of both, each added to its own. For another user and an output the pad
// stays.
// CHECK-LABEL: func.func @shared(
//      CHECK: %[[P:.+]] = forge.pad %arg0 pad [2, 1]
//      CHECK: %[[A:.+]] = forge.conv2d %arg0, %{{.+}} padding [1, 3, 1, 2]
//      CHECK: %[[E:.+]] = forge.exp %[[P]]
//      CHECK: %[[B:.+]] = forge.conv2d %arg0, %{{.+}} padding [0, 2, 0, 1]
//      CHECK: return %[[A]], %[[B]], %[[E]], %[[P]]
func.func @shared(%x: tensor<1x3x9x8xf32>, %w: tensor<4x3x3x3xf32>) -> (tensor<1x4x9x11xf32>, tensor<1x4x7x9xf32>, tensor<1x3x9x11xf32>, tensor<1x3x9x11xf32>) {
  %0 = forge.pad %x pad [2, 1] mode constant value 0.0 : (tensor<1x3x9x8xf32>) -> tensor<1x3x9x11xf32>
  %1 = forge.conv2d %0, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x9x11xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x9x11xf32>
  %2 = forge.exp %0 : tensor<1x3x9x11xf32>
  %3 = forge.conv2d %0, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x9x11xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x7x9xf32>
  return %1, %3, %2, %0 : tensor<1x4x9x11xf32>, tensor<1x4x7x9xf32>, tensor<1x3x9x11xf32>, tensor<1x3x9x11xf32>
}

// A pad of the channels, which are the trailing axis, becomes a concatenation.
// CHECK-LABEL: func.func @channels(
//  CHECK-NOT: forge.pad
//      CHECK: %[[Z:.+]] = forge.constant dense<0.000000e+00> : tensor<1x7x6x1xf32>
//      CHECK: %[[C:.+]] = forge.concatenate %[[Z]], %arg0 axis -1 : (tensor<1x7x6x1xf32>, tensor<1x7x6x2xf32>) -> tensor<1x7x6x3xf32>
//      CHECK: forge.conv2d %[[C]], %{{.+}} stride [1, 1] padding [1, 1, 1, 1] channel_last
func.func @channels(%x: tensor<1x7x6x2xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x7x6x4xf32> {
  %0 = forge.pad %x pad [1, 0] mode constant value 0.0 : (tensor<1x7x6x2xf32>) -> tensor<1x7x6x3xf32>
  %1 = forge.conv2d %0, %w stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x7x6x3xf32>, tensor<4x3x3x3xf32>) -> tensor<1x7x6x4xf32>
  return %1 : tensor<1x7x6x4xf32>
}

// Padding of both axes with another value than zero: concatenations include the corners.
// CHECK-LABEL: func.func @other_value(
//  CHECK-NOT: forge.pad
//      CHECK: %[[L:.+]] = forge.constant dense<1.500000e+00> : tensor<1x3x9x2xf32>
//      CHECK: %[[R:.+]] = forge.constant dense<1.500000e+00> : tensor<1x3x9x1xf32>
//      CHECK: %[[W:.+]] = forge.concatenate %[[L]], %arg0, %[[R]] axis -1 : {{.*}} -> tensor<1x3x9x11xf32>
//      CHECK: %[[T:.+]] = forge.constant dense<1.500000e+00> : tensor<1x3x4x11xf32>
//      CHECK: %[[H:.+]] = forge.concatenate %[[T]], %[[W]] axis -2 : {{.*}} -> tensor<1x3x13x11xf32>
//      CHECK: %[[A:.+]] = forge.conv2d %[[H]], %{{.+}} padding [0, 0, 0, 0]
//      CHECK: %[[B:.+]] = forge.conv2d %[[H]], %{{.+}} padding [1, 1, 1, 1]
//      CHECK: return %[[A]], %[[B]]
func.func @other_value(%x: tensor<1x3x9x8xf32>, %w: tensor<4x3x3x3xf32>) -> (tensor<1x4x11x9xf32>, tensor<1x4x13x11xf32>) {
  %0 = forge.pad %x pad [2, 1, 4, 0] mode constant value 1.5 : (tensor<1x3x9x8xf32>) -> tensor<1x3x13x11xf32>
  %1 = forge.conv2d %0, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x13x11xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x11x9xf32>
  %2 = forge.conv2d %0, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x3x13x11xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x13x11xf32>
  return %1, %2 : tensor<1x4x11x9xf32>, tensor<1x4x13x11xf32>
}

// A pad of filters, which are no image, becomes a concatenation.
// CHECK-LABEL: func.func @filters(
//  CHECK-NOT: forge.pad
//      CHECK: %[[F:.+]] = forge.concatenate %arg1, %{{.+}} axis -1 : {{.*}} -> tensor<4x3x3x3xf32>
//      CHECK: forge.conv2d %arg0, %[[F]] stride [1, 1] padding [0, 0, 0, 0]
func.func @filters(%x: tensor<1x3x9x8xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x7x6xf32> {
  %0 = forge.pad %w pad [0, 1] mode constant value 0.0 : (tensor<4x3x3x2xf32>) -> tensor<4x3x3x3xf32>
  %1 = forge.conv2d %x, %0 stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x9x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x7x6xf32>
  return %1 : tensor<1x4x7x6xf32>
}

// A pad of an empty image, which a concatenation must not have, becomes a constant.
// CHECK-LABEL: func.func @empty_image(
//  CHECK-NOT: forge.pad
//  CHECK-NOT: forge.concatenate
//      CHECK: %[[C:.+]] = forge.constant dense<1.000000e+00> : tensor<1x3x2x6xf32>
//      CHECK: forge.conv2d %[[C]], %arg1 stride [1, 1] padding [0, 0, 0, 0]
func.func @empty_image(%x: tensor<1x3x0x4xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x2x6xf32> {
  %0 = forge.pad %x pad [1, 1, 1, 1] mode constant value 1.0 : (tensor<1x3x0x4xf32>) -> tensor<1x3x2x6xf32>
  %1 = forge.conv2d %0, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x2x6xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x2x6xf32>
  return %1 : tensor<1x4x2x6xf32>
}

// A convolution does not accept an empty image, so that it does not take the pad over.
// CHECK-LABEL: func.func @empty_image_zeros(
//      CHECK: %[[C:.+]] = forge.constant dense<0.000000e+00> : tensor<1x3x2x6xf32>
//      CHECK: forge.conv2d %[[C]], %arg1 stride [1, 1] padding [0, 0, 0, 0]
func.func @empty_image_zeros(%x: tensor<1x3x0x4xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<1x4x2x6xf32> {
  %0 = forge.pad %x pad [1, 1, 1, 1] mode constant value 0.0 : (tensor<1x3x0x4xf32>) -> tensor<1x3x2x6xf32>
  %1 = forge.conv2d %0, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x2x6xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x2x6xf32>
  return %1 : tensor<1x4x2x6xf32>
}

// Unchanged, because the device's compiler does not fuse them: a pad with another user than a convolution, and one of
// another mode.
// CHECK-LABEL: func.func @unchanged(
// CHECK-COUNT-2: forge.pad
//      CHECK: return
func.func @unchanged(%x: tensor<1x3x9x8xf32>, %w: tensor<4x3x3x3xf32>) -> (tensor<1x4x7x9xf32>, tensor<1x3x9x11xf32>, tensor<1x4x9x9xf32>) {
  %0 = forge.pad %x pad [2, 1] mode constant value 1.0 : (tensor<1x3x9x8xf32>) -> tensor<1x3x9x11xf32>
  %1 = forge.conv2d %0, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x9x11xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x7x9xf32>
  %2 = forge.exp %0 : tensor<1x3x9x11xf32>
  %3 = forge.pad %x pad [2, 1, 1, 1] mode reflect value 0.0 : (tensor<1x3x9x8xf32>) -> tensor<1x3x11x11xf32>
  %4 = forge.conv2d %3, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x11x11xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x9x9xf32>
  return %1, %2, %4 : tensor<1x4x7x9xf32>, tensor<1x3x9x11xf32>, tensor<1x4x9x9xf32>
}

// RUN: forge-opt %s --forge-join-convolutions | FileCheck %s

// The result is an output: padding a 1x1 filter with zeros would make a channel NaN next to an infinite pixel.
// CHECK-LABEL: func.func @returned(
// CHECK-COUNT-2: forge.conv2d
//       CHECK: forge.concatenate
func.func @returned(%x: tensor<1x4x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %v = forge.parameter "v" : tensor<8x4x1x1xf32>
  %w = forge.parameter "w" : tensor<8x4x3x3xf32>
  %0 = forge.conv2d %x, %v stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x8x8xf32>
  %1 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %2 = forge.concatenate %0, %1 axis 1 : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %2 : tensor<1x16x8x8xf32>
}

// The common 7x7 window of both filters would cost more than the second convolution.
// CHECK-LABEL: func.func @costs_more(
// CHECK-COUNT-2: forge.conv2d %arg0
func.func @costs_more(%x: tensor<1x256x32x32xf32>) -> tensor<1x4x32x32xf32> {
  %v = forge.parameter "v" : tensor<256x256x1x7xf32>
  %w = forge.parameter "w" : tensor<256x256x7x1xf32>
  %u = forge.parameter "u" : tensor<4x512x1x1xf32>
  %0 = forge.conv2d %x, %v stride [1, 1] padding [0, 3, 0, 3] : (tensor<1x256x32x32xf32>, tensor<256x256x1x7xf32>) -> tensor<1x256x32x32xf32>
  %1 = forge.conv2d %x, %w stride [1, 1] padding [3, 0, 3, 0] : (tensor<1x256x32x32xf32>, tensor<256x256x7x1xf32>) -> tensor<1x256x32x32xf32>
  %2 = forge.concatenate %0, %1 axis 1 : (tensor<1x256x32x32xf32>, tensor<1x256x32x32xf32>) -> tensor<1x512x32x32xf32>
  %3 = forge.conv2d %2, %u stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x512x32x32xf32>, tensor<4x512x1x1xf32>) -> tensor<1x4x32x32xf32>
  return %3 : tensor<1x4x32x32xf32>
}

// Unchanged: different elementwise ops, different inputs, a concatenation along another axis, and a convolution with
// another user.
// CHECK-LABEL: func.func @different(
// CHECK-COUNT-8: forge.conv2d
func.func @different(%x: tensor<1x4x8x8xf32>, %z: tensor<1x4x8x8xf32>)
    -> (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>, tensor<1x8x16x8xf32>, tensor<1x16x8x8xf32>, tensor<1x8x8x8xf32>) {
  %v = forge.parameter "v" : tensor<8x4x3x3xf32>
  %w = forge.parameter "w" : tensor<8x4x3x3xf32>
  %0 = forge.conv2d %x, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %1 = forge.relu %0 : tensor<1x8x8x8xf32>
  %2 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %3 = forge.sigmoid %2 : tensor<1x8x8x8xf32>
  %4 = forge.concatenate %1, %3 axis 1 : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x16x8x8xf32>
  %5 = forge.conv2d %x, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %6 = forge.conv2d %z, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %7 = forge.concatenate %5, %6 axis 1 : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x16x8x8xf32>
  %8 = forge.conv2d %x, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %9 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %10 = forge.concatenate %8, %9 axis 2 : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x8x16x8xf32>
  %11 = forge.conv2d %x, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %12 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %13 = forge.concatenate %11, %12 axis 1 : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %4, %7, %10, %13, %12 : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>, tensor<1x8x16x8xf32>, tensor<1x16x8x8xf32>, tensor<1x8x8x8xf32>
}

// Dilations of two and three have no common window.
// CHECK-LABEL: func.func @different_dilations(
// CHECK-COUNT-2: forge.conv2d %arg0
func.func @different_dilations(%x: tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32> {
  %v = forge.parameter "v" : tensor<8x4x3x3xf32>
  %w = forge.parameter "w" : tensor<8x4x3x3xf32>
  %u = forge.parameter "u" : tensor<4x16x1x1xf32>
  %0 = forge.conv2d %x, %v stride [1, 1] padding [2, 2, 2, 2] dilation [2, 2] : (tensor<1x4x16x16xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x16x16xf32>
  %1 = forge.conv2d %x, %w stride [1, 1] padding [3, 3, 3, 3] dilation [3, 3] : (tensor<1x4x16x16xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x16x16xf32>
  %2 = forge.concatenate %0, %1 axis 1 : (tensor<1x8x16x16xf32>, tensor<1x8x16x16xf32>) -> tensor<1x16x16x16xf32>
  %3 = forge.conv2d %2, %u stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x16x16x16xf32>, tensor<4x16x1x1xf32>) -> tensor<1x4x16x16xf32>
  return %3 : tensor<1x4x16x16xf32>
}

// A ReLU before or after the concatenation: it maps a negative infinity to 0, but the NaN that the merged convolution
// gives stays NaN.
// CHECK-LABEL: func.func @relu_of_branches(
// CHECK-COUNT-4: forge.conv2d %arg0
func.func @relu_of_branches(%x: tensor<1x4x8x8xf32>) -> (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) {
  %v = forge.parameter "v" : tensor<8x4x1x1xf32>
  %w = forge.parameter "w" : tensor<8x4x3x3xf32>
  %u = forge.parameter "u" : tensor<4x16x1x1xf32>
  %0 = forge.conv2d %x, %v stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x8x8xf32>
  %1 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %2 = forge.relu %0 : tensor<1x8x8x8xf32>
  %3 = forge.relu %1 : tensor<1x8x8x8xf32>
  %4 = forge.concatenate %2, %3 axis 1 : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x16x8x8xf32>
  %5 = forge.conv2d %4, %u stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x16x8x8xf32>, tensor<4x16x1x1xf32>) -> tensor<1x4x8x8xf32>
  %6 = forge.conv2d %x, %v stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x8x8xf32>
  %7 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %8 = forge.concatenate %6, %7 axis 1 : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x16x8x8xf32>
  %9 = forge.relu %8 : tensor<1x16x8x8xf32>
  %10 = forge.conv2d %9, %u stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x16x8x8xf32>, tensor<4x16x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %5, %10 : tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>
}

// The convolution that reads all channels would read NaN next to an infinite pixel instead of an infinity and finite
// numbers. The ReLU of its result makes the difference visible.
// CHECK-LABEL: func.func @relu_of_mixed_channels(
// CHECK-COUNT-2: forge.conv2d %arg0
//       CHECK: forge.concatenate
func.func @relu_of_mixed_channels(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %v = forge.parameter "v" : tensor<8x4x1x1xf32>
  %w = forge.parameter "w" : tensor<8x4x3x3xf32>
  %u = forge.parameter "u" : tensor<4x16x1x1xf32>
  %0 = forge.conv2d %x, %v stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x8x8xf32>
  %1 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x8x8xf32>
  %2 = forge.concatenate %0, %1 axis 1 : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x16x8x8xf32>
  %3 = forge.conv2d %2, %u stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x16x8x8xf32>, tensor<4x16x1x1xf32>) -> tensor<1x4x8x8xf32>
  %4 = forge.relu %3 : tensor<1x4x8x8xf32>
  return %4 : tensor<1x4x8x8xf32>
}

// A 1x3 and a 3x1 filter: neither reads the corners of the common 3x3 window, so that an infinity there would become
// NaN.
// CHECK-LABEL: func.func @crossed(
// CHECK-COUNT-2: forge.conv2d %arg0
//       CHECK: forge.concatenate
func.func @crossed(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %v = forge.parameter "v" : tensor<8x4x1x3xf32>
  %w = forge.parameter "w" : tensor<8x4x3x1xf32>
  %u = forge.parameter "u" : tensor<4x16x1x1xf32>
  %0 = forge.conv2d %x, %v stride [1, 1] padding [0, 1, 0, 1] : (tensor<1x4x8x8xf32>, tensor<8x4x1x3xf32>) -> tensor<1x8x8x8xf32>
  %1 = forge.conv2d %x, %w stride [1, 1] padding [1, 0, 1, 0] : (tensor<1x4x8x8xf32>, tensor<8x4x3x1xf32>) -> tensor<1x8x8x8xf32>
  %2 = forge.concatenate %0, %1 axis 1 : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x16x8x8xf32>
  %3 = forge.conv2d %2, %u stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x16x8x8xf32>, tensor<4x16x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %3 : tensor<1x4x8x8xf32>
}

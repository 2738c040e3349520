// RUN: forge-opt %s --forge-fold-weights | FileCheck %s

// A block of RepVGG: a 3x3 convolution, a 1x1 convolution and a batch norm of the same input become one 3x3
// convolution.
// CHECK-LABEL: func.func @branches(
//   CHECK-DAG: %[[W:.+]] = forge.parameter "w"
//   CHECK-DAG: %[[V:.+]] = forge.parameter "v"
//       CHECK: %[[R:.+]] = forge.concatenate %{{.+}}, %[[V]], %{{.+}} axis -2
//       CHECK: %[[E:.+]] = forge.concatenate %{{.+}}, %[[R]], %{{.+}} axis -1 : {{.*}} -> tensor<2x2x3x3xf32>
//       CHECK: %[[WE:.+]] = forge.add %[[W]], %[[E]]
//       CHECK: forge.constant dense<{{.+}}> : tensor<2x2x1x1xf32>
//       CHECK: %[[F:.+]] = forge.add %[[WE]], %{{.+}} : tensor<2x2x3x3xf32>
//       CHECK: %[[Y:.+]] = forge.conv2d %arg0, %[[F]], %{{.+}} stride [1, 1] padding [1, 1, 1, 1]
//  CHECK-NEXT: return %[[Y]]
func.func @branches(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = forge.parameter "w" : tensor<2x2x3x3xf32>
  %v = forge.parameter "v" : tensor<2x2x1x1xf32>
  %b = forge.parameter "b" : tensor<2xf32>
  %s = forge.parameter "s" : tensor<2x1x1xf32>
  %t = forge.parameter "t" : tensor<2x1x1xf32>
  %0 = forge.conv2d %x, %w, %b stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %1 = forge.conv2d %x, %v stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = forge.add %0, %1 : tensor<1x2x4x4xf32>
  %3 = forge.multiply %x, %s : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %4 = forge.add %3, %t : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %5 = forge.add %2, %4 : tensor<1x2x4x4xf32>
  return %5 : tensor<1x2x4x4xf32>
}

// The difference of two grouped convolutions: the filters and the bias of the subtracted one are negated.
// CHECK-LABEL: func.func @difference(
//       CHECK: %[[B:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
//       CHECK: %[[F:.+]] = forge.subtract %{{.+}}, %{{.+}} : tensor<4x1x3x3xf32>
//       CHECK: forge.conv2d %arg0, %[[F]], %[[B]] stride [2, 2] padding [1, 1, 1, 1] groups 4
//   CHECK-NOT: forge.conv2d
func.func @difference(%x: tensor<1x4x8x8xf32>) -> tensor<1x4x4x4xf32> {
  %w = forge.parameter "w" : tensor<4x1x3x3xf32>
  %v = forge.parameter "v" : tensor<4x1x3x3xf32>
  %b = forge.parameter "b" : tensor<4xf32>
  %0 = forge.conv2d %x, %w stride [2, 2] padding [1, 1, 1, 1] groups 4 : (tensor<1x4x8x8xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x4x4xf32>
  %1 = forge.conv2d %x, %v, %b stride [2, 2] padding [1, 1, 1, 1] groups 4 : (tensor<1x4x8x8xf32>, tensor<4x1x3x3xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  %2 = forge.subtract %0, %1 : tensor<1x4x4x4xf32>
  return %2 : tensor<1x4x4x4xf32>
}

// A value and its product with a scale per channel.
// CHECK-LABEL: func.func @value_and_scaled_value(
//       CHECK: %[[S:.+]] = forge.subtract %{{.+}}, %{{.+}} : (tensor<1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
//       CHECK: %[[Y:.+]] = forge.multiply %arg0, %[[S]]
//  CHECK-NEXT: return %[[Y]]
func.func @value_and_scaled_value(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %s = forge.parameter "s" : tensor<2x1x1xf32>
  %0 = forge.multiply %x, %s : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = forge.subtract %x, %0 : tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// Unchanged: adding the convolution's own input, a convolution with another user, other strides, another input, and a
// scalar scale instead of one per channel.
// CHECK-LABEL: func.func @unchanged(
// CHECK-COUNT-4: forge.add %{{.+}}, %{{.+}} : tensor<1x2x4x4xf32>
func.func @unchanged(%x: tensor<1x2x4x4xf32>, %z: tensor<1x2x4x4xf32>, %big: tensor<1x2x8x8xf32>)
    -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = forge.parameter "w" : tensor<2x2x3x3xf32>
  %v = forge.parameter "v" : tensor<2x2x1x1xf32>
  %n = forge.parameter "n" : tensor<1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x4x4xf32>
  %1 = forge.add %0, %x : tensor<1x2x4x4xf32>
  %2 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x4x4xf32>
  %3 = forge.conv2d %z, %v stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %4 = forge.add %2, %3 : tensor<1x2x4x4xf32>
  %5 = forge.conv2d %big, %w stride [2, 2] padding [1, 1, 1, 1] : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x4x4xf32>
  %6 = forge.conv2d %big, %w stride [2, 2] padding [1, 1, 1, 1] : (tensor<1x2x8x8xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x4x4xf32>
  %7 = forge.add %5, %6 : tensor<1x2x4x4xf32>
  %8 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x4x4xf32>
  %9 = forge.multiply %x, %n : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %10 = forge.add %8, %9 : tensor<1x2x4x4xf32>
  return %1, %4, %7, %6, %10 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// Unchanged: an addend of another format cannot be the bias of a convolution, and scales of a format with fewer digits
// are not added in it.
// CHECK-LABEL: func.func @other_formats(
//       CHECK: forge.conv2d %arg0, %{{.+}} stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>)
//       CHECK: forge.multiply %arg0, %{{.+}} : (tensor<1x2x4x4xf32>, tensor<2x1x1xbf16>)
//       CHECK: forge.multiply %arg0, %{{.+}} : (tensor<1x2x4x4xf32>, tensor<2x1x1xbf16>)
func.func @other_formats(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = forge.parameter "w" : tensor<2x2x3x3xf32>
  %s = forge.parameter "s" : tensor<2x1x1xf32>
  %b = forge.parameter "b" : tensor<2x1x1xbf16>
  %t = forge.parameter "t" : tensor<2x1x1xbf16>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x4x4xf32>
  %1 = forge.multiply %x, %s : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = forge.add %1, %b : (tensor<1x2x4x4xf32>, tensor<2x1x1xbf16>) -> tensor<1x2x4x4xf32>
  %3 = forge.add %0, %2 : tensor<1x2x4x4xf32>
  %4 = forge.multiply %x, %b : (tensor<1x2x4x4xf32>, tensor<2x1x1xbf16>) -> tensor<1x2x4x4xf32>
  %5 = forge.multiply %x, %t : (tensor<1x2x4x4xf32>, tensor<2x1x1xbf16>) -> tensor<1x2x4x4xf32>
  %6 = forge.add %4, %5 : tensor<1x2x4x4xf32>
  return %3, %6 : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// Scales and filters that are so large that their sum could be infinite remain.
// CHECK-LABEL: func.func @large_scales(
// CHECK-COUNT-2: forge.multiply %arg0
//       CHECK: forge.add %{{.+}} : tensor<1x2x4x4xf32>
func.func @large_scales(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %s = forge.constant dense<[[[3.0e38]], [[2.9e38]]]> : tensor<2x1x1xf32>
  %t = forge.constant dense<[[[2.0e38]], [[2.1e38]]]> : tensor<2x1x1xf32>
  %0 = forge.multiply %x, %s : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = forge.multiply %x, %t : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = forge.add %0, %1 : tensor<1x2x4x4xf32>
  return %2 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func.func @large_filters(
// CHECK-COUNT-2: forge.conv2d %arg0
func.func @large_filters(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = forge.constant dense<[[[[3.0e38]]], [[[2.9e38]]]]> : tensor<2x1x1x1xf32>
  %v = forge.constant dense<[[[[2.0e38]]], [[[2.1e38]]]]> : tensor<2x1x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = forge.conv2d %x, %v stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = forge.add %0, %1 : tensor<1x2x4x4xf32>
  return %2 : tensor<1x2x4x4xf32>
}

// Unchanged: a scale or filter of 0 times an infinity is NaN, but the sum of the scales or filters is not 0.
// CHECK-LABEL: func.func @scales_of_zero(
// CHECK-COUNT-2: forge.multiply %arg0
//       CHECK: forge.add %{{.+}} : tensor<1x2x4x4xf32>
func.func @scales_of_zero(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %s = forge.constant dense<[[[0.0]], [[1.0]]]> : tensor<2x1x1xf32>
  %t = forge.parameter "t" : tensor<2x1x1xf32>
  %0 = forge.multiply %x, %s : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = forge.multiply %x, %t : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = forge.add %0, %1 : tensor<1x2x4x4xf32>
  return %2 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func.func @filters_of_zero(
// CHECK-COUNT-2: forge.conv2d %arg0
func.func @filters_of_zero(%x: tensor<1x2x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %w = forge.constant dense<[[[[0.0]], [[1.0]]]]> : tensor<1x2x1x1xf32>
  %v = forge.parameter "v" : tensor<1x2x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %1 = forge.conv2d %x, %v stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %2 = forge.add %0, %1 : tensor<1x1x4x4xf32>
  return %2 : tensor<1x1x4x4xf32>
}

// RUN: forge-opt %s --forge-fold-weights | FileCheck %s

// A batch norm before two 1x1 convolutions: its scale is folded into their filters, and its shift, multiplied by the
// filters, into their biases.
// CHECK-LABEL: func.func @batch_norm(
//  CHECK-SAME: %[[X:.+]]: tensor<1x2x4x4xf32>
//       CHECK: %[[R:.+]] = forge.relu %[[X]]
//       CHECK: %[[WT:.+]] = forge.matmul %{{.+}}, %{{.+}} : (tensor<3x2xf32>, tensor<2x1xf32>) -> tensor<3x1xf32>
//       CHECK: %[[WB:.+]] = forge.reshape %[[WT]] shape [3]
//       CHECK: %[[B:.+]] = forge.add %{{.+}}, %[[WB]] : tensor<3xf32>
//       CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<3x2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<3x2x1x1xf32>
//       CHECK: forge.conv2d %[[R]], %[[W]], %[[B]]
//       CHECK: forge.conv2d %[[R]]
//   CHECK-NOT: forge.multiply %[[R]]
func.func @batch_norm(%x: tensor<1x2x4x4xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x5x2x2xf32>) {
  %w = forge.parameter "w" : tensor<3x2x1x1xf32>
  %v = forge.parameter "v" : tensor<5x2x1x1xf32>
  %b = forge.parameter "b" : tensor<3xf32>
  %s = forge.parameter "s" : tensor<2x1x1xf32>
  %t = forge.parameter "t" : tensor<1x2x1x1xf32>
  %0 = forge.relu %x : tensor<1x2x4x4xf32>
  %1 = forge.multiply %0, %s : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = forge.add %1, %t : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %3 = forge.conv2d %2, %w, %b stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %4 = forge.conv2d %2, %v stride [2, 2] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<5x2x1x1xf32>) -> tensor<1x5x2x2xf32>
  return %3, %4 : tensor<1x3x4x4xf32>, tensor<1x5x2x2xf32>
}

// Without padding, every window adds the same shift: the filters are summed over the window and multiplied by the
// shift.
// CHECK-LABEL: func.func @unpadded(
//  CHECK-SAME: %[[X:.+]]: tensor<1x2x4x4xf32>
//       CHECK: %[[R:.+]] = forge.relu %[[X]]
//       CHECK: %[[F:.+]] = forge.reshape %{{.+}} shape [6, 9] : (tensor<3x2x3x3xf32>) -> tensor<6x9xf32>
//       CHECK: %[[S:.+]] = forge.matmul %[[F]], %{{.+}} : (tensor<6x9xf32>, tensor<9x1xf32>) -> tensor<6x1xf32>
//       CHECK: %[[M:.+]] = forge.reshape %[[S]] shape [3, 2]
//       CHECK: %[[T:.+]] = forge.matmul %[[M]], %{{.+}} : (tensor<3x2xf32>, tensor<2x1xf32>) -> tensor<3x1xf32>
//       CHECK: %[[B:.+]] = forge.reshape %[[T]] shape [3]
//       CHECK: forge.conv2d %[[R]], %{{.+}}, %[[B]]
func.func @unpadded(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x2x2xf32> {
  %w = forge.parameter "w" : tensor<3x2x3x3xf32>
  %t = forge.parameter "t" : tensor<2x1x1xf32>
  %0 = forge.relu %x : tensor<1x2x4x4xf32>
  %1 = forge.add %0, %t : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x2x2xf32>
  return %2 : tensor<1x3x2x2xf32>
}

// The shift stays if a side of the convolution is padded, or if a transposed convolution uses it too, whose borders are
// covered by a part of the filters only.
// CHECK-LABEL: func.func @partly_padded(
// CHECK-COUNT-2: forge.add %{{.+}}, %{{.+}} : (tensor<1x2x4x4xf32>
func.func @partly_padded(%x: tensor<1x2x4x4xf32>) -> (tensor<1x3x2x3xf32>, tensor<1x3x2x2xf32>, tensor<1x3x6x6xf32>) {
  %w = forge.parameter "w" : tensor<3x2x3x3xf32>
  %v = forge.parameter "v" : tensor<2x3x3x3xf32>
  %t = forge.parameter "t" : tensor<2x1x1xf32>
  %0 = forge.relu %x : tensor<1x2x4x4xf32>
  %1 = forge.add %0, %t : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [0, 1, 0, 0] : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x2x3xf32>
  %3 = forge.sigmoid %x : tensor<1x2x4x4xf32>
  %4 = forge.add %3, %t : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %5 = forge.conv2d %4, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x2x2xf32>
  %6 = forge.conv2d_transpose %4, %v stride [1, 1] padding [0, 0] : (tensor<1x2x4x4xf32>, tensor<2x3x3x3xf32>) -> tensor<1x3x6x6xf32>
  return %2, %5, %6 : tensor<1x3x2x3xf32>, tensor<1x3x2x2xf32>, tensor<1x3x6x6xf32>
}

// A shift is not added to the zeros of the padding and stays; a scale maps zeros to zeros and is folded.
// CHECK-LABEL: func.func @padded(
//       CHECK: %[[R:.+]] = forge.relu
//       CHECK: forge.conv2d %[[R]]
//       CHECK: %[[A:.+]] = forge.add %[[R]]
//       CHECK: forge.conv2d %[[A]]
func.func @padded(%x: tensor<1x2x4x4xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) {
  %w = forge.parameter "w" : tensor<3x2x3x3xf32>
  %v = forge.parameter "v" : tensor<3x2x3x3xf32>
  %s = forge.parameter "s" : tensor<2x1x1xf32>
  %t = forge.parameter "t" : tensor<2x1x1xf32>
  %0 = forge.relu %x : tensor<1x2x4x4xf32>
  %1 = forge.multiply %0, %s : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  %3 = forge.add %0, %t : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %4 = forge.conv2d %3, %v stride [1, 1] padding [1, 1, 1, 1] : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  return %2, %4 : tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>
}

// Unchanged: the first scaled value has another user, the second convolution is grouped, and the third scale is one
// scalar, not one value per channel.
// CHECK-LABEL: func.func @unchanged(
// CHECK-COUNT-3: forge.multiply %{{.+}}, %{{.+}} : (tensor<1x2x4x4xf32>
func.func @unchanged(%x: tensor<1x2x4x4xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>) {
  %w = forge.parameter "w" : tensor<3x2x1x1xf32>
  %v = forge.parameter "v" : tensor<2x1x1x1xf32>
  %s = forge.parameter "s" : tensor<2x1x1xf32>
  %n = forge.parameter "n" : tensor<1xf32>
  %0 = forge.relu %x : tensor<1x2x4x4xf32>
  %1 = forge.multiply %0, %s : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %2 = forge.conv2d %1, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %3 = forge.sigmoid %x : tensor<1x2x4x4xf32>
  %4 = forge.multiply %3, %s : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %5 = forge.conv2d %4, %v stride [1, 1] padding [0, 0, 0, 0] groups 2 : (tensor<1x2x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %6 = forge.multiply %3, %n : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  %7 = forge.conv2d %6, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  return %2, %1, %5, %7 : tensor<1x3x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>
}

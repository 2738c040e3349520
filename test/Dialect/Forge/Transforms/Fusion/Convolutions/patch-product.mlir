// RUN: forge-opt %s --forge-kernel-forms --split-input-file | FileCheck %s

// The patch embedding of a vision transformer, on an image with leading channels, becomes a matrix product of patches.

// CHECK-LABEL: func @patches(
//  CHECK-SAME:     %[[X:.+]]: tensor<2x3x224x192xf32>
//       CHECK:   %[[R:.+]] = forge.reshape %[[X]] shape [2, 3, 7, 32, 192]
//       CHECK:   %[[S:.+]] = forge.transpose %[[R]] dims -4, -3 {{.*}} -> tensor<2x7x3x32x192xf32>
//       CHECK:   %[[C:.+]] = forge.reshape %[[S]] shape [2, 7, 96, 192]
//       CHECK:   %[[T:.+]] = forge.transpose %[[C]] dims -2, -1 {{.*}} -> tensor<2x7x192x96xf32>
//       CHECK:   %[[P:.+]] = forge.reshape %[[T]] shape [2, 84, 1536]
//       CHECK:   %[[V:.+]] = forge.transpose %{{.+}} dims -4, -1 {{.*}} -> tensor<16x3x32x64xf32>
//       CHECK:   %[[W:.+]] = forge.reshape %[[V]] shape [1536, 64]
//       CHECK:   %[[M:.+]] = forge.matmul %[[P]], %[[W]], %{{.+}} : {{.*}} -> tensor<2x84x64xf32>
//       CHECK:   forge.reshape %[[M]] shape [2, 7, 12, 64]
func.func @patches(%x: tensor<2x3x224x192xf32>) -> tensor<2x7x12x64xf32> {
  %w = forge.parameter "w" : tensor<64x3x32x16xf32>
  %b = forge.parameter "b" : tensor<64xf32>
  %0 = forge.transpose %x dims -3, -2 : (tensor<2x3x224x192xf32>) -> tensor<2x224x3x192xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<2x224x3x192xf32>) -> tensor<2x224x192x3xf32>
  %2 = forge.conv2d %1, %w, %b stride [32, 16] padding [0, 0, 0, 0] channel_last : (tensor<2x224x192x3xf32>, tensor<64x3x32x16xf32>, tensor<64xf32>) -> tensor<2x7x12x64xf32>
  return %2 : tensor<2x7x12x64xf32>
}

// -----

// The rows of small patches would be padded to tiles: the blocks [4, 224] get another shape.

// CHECK-LABEL: func @small_patches(
//       CHECK:   %[[R:.+]] = forge.reshape %arg0 shape [3, 56, 28, 32]
//       CHECK:   %[[S:.+]] = forge.transpose %[[R]] dims -4, -3 {{.*}} -> tensor<56x3x28x32xf32>
//       CHECK:   %[[C:.+]] = forge.reshape %[[S]] shape [1, 56, 12, 224]
//       CHECK:   %[[T:.+]] = forge.transpose %[[C]] dims -2, -1
//       CHECK:   %[[P:.+]] = forge.reshape %[[T]] shape [1, 3136, 48]
//       CHECK:   forge.matmul %[[P]]
func.func @small_patches(%x: tensor<1x3x224x224xf32>) -> tensor<1x56x56x96xf32> {
  %w = forge.parameter "w" : tensor<96x3x4x4xf32>
  %0 = forge.transpose %x dims -3, -2 : (tensor<1x3x224x224xf32>) -> tensor<1x224x3x224xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x224x3x224xf32>) -> tensor<1x224x224x3xf32>
  %2 = forge.conv2d %1, %w stride [4, 4] padding [0, 0, 0, 0] channel_last : (tensor<1x224x224x3xf32>, tensor<96x3x4x4xf32>) -> tensor<1x56x56x96xf32>
  return %2 : tensor<1x56x56x96xf32>
}

// -----

// For small images, the convolution takes less time: the product has one more kernel.

// CHECK-LABEL: func @small_image(
//       CHECK:   forge.conv2d
func.func @small_image(%x: tensor<1x3x32x32xf32>) -> tensor<1x16x16x96xf32> {
  %w = forge.parameter "w" : tensor<96x3x2x2xf32>
  %0 = forge.transpose %x dims -3, -2 : (tensor<1x3x32x32xf32>) -> tensor<1x32x3x32xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x32x3x32xf32>) -> tensor<1x32x32x3xf32>
  %2 = forge.conv2d %1, %w stride [2, 2] padding [0, 0, 0, 0] channel_last : (tensor<1x32x32x3xf32>, tensor<96x3x2x2xf32>) -> tensor<1x16x16x96xf32>
  return %2 : tensor<1x16x16x96xf32>
}

// -----

// The convolution stays if its windows do not cover the image, if trailing rows are in no window, or if the weights are
// an input.

// CHECK-LABEL: func @uncovered_columns(
//       CHECK:   forge.conv2d
func.func @uncovered_columns(%x: tensor<1x3x224x224xf32>) -> tensor<1x14x14x64xf32> {
  %w = forge.parameter "w" : tensor<64x3x15x16xf32>
  %0 = forge.transpose %x dims -3, -2 : (tensor<1x3x224x224xf32>) -> tensor<1x224x3x224xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x224x3x224xf32>) -> tensor<1x224x224x3xf32>
  %2 = forge.conv2d %1, %w stride [16, 16] padding [0, 0, 0, 0] channel_last : (tensor<1x224x224x3xf32>, tensor<64x3x15x16xf32>) -> tensor<1x14x14x64xf32>
  return %2 : tensor<1x14x14x64xf32>
}

// CHECK-LABEL: func @trailing_row(
//       CHECK:   forge.conv2d
func.func @trailing_row(%x: tensor<1x3x225x224xf32>) -> tensor<1x14x14x64xf32> {
  %w = forge.parameter "w" : tensor<64x3x16x16xf32>
  %0 = forge.transpose %x dims -3, -2 : (tensor<1x3x225x224xf32>) -> tensor<1x225x3x224xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x225x3x224xf32>) -> tensor<1x225x224x3xf32>
  %2 = forge.conv2d %1, %w stride [16, 16] padding [0, 0, 0, 0] channel_last : (tensor<1x225x224x3xf32>, tensor<64x3x16x16xf32>) -> tensor<1x14x14x64xf32>
  return %2 : tensor<1x14x14x64xf32>
}

// CHECK-LABEL: func @input(
//       CHECK:   forge.conv2d
func.func @input(%x: tensor<1x3x224x224xf32>, %w: tensor<64x3x16x16xf32>) -> tensor<1x14x14x64xf32> {
  %0 = forge.transpose %x dims -3, -2 : (tensor<1x3x224x224xf32>) -> tensor<1x224x3x224xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x224x3x224xf32>) -> tensor<1x224x224x3xf32>
  %2 = forge.conv2d %1, %w stride [16, 16] padding [0, 0, 0, 0] channel_last : (tensor<1x224x224x3xf32>, tensor<64x3x16x16xf32>) -> tensor<1x14x14x64xf32>
  return %2 : tensor<1x14x14x64xf32>
}

// -----

// An image with channels last would have to be transposed for this: the convolution stays.

// CHECK-LABEL: func @channels_last(
//       CHECK:   forge.conv2d
func.func @channels_last(%x: tensor<1x224x224x3xf32>) -> tensor<1x14x14x64xf32> {
  %w = forge.parameter "w" : tensor<64x3x16x16xf32>
  %2 = forge.conv2d %x, %w stride [16, 16] padding [0, 0, 0, 0] channel_last : (tensor<1x224x224x3xf32>, tensor<64x3x16x16xf32>) -> tensor<1x14x14x64xf32>
  return %2 : tensor<1x14x14x64xf32>
}

// -----

// Another op reads the result of the first transpose, which remains: the convolution takes less time.

// CHECK-LABEL: func @shared_transpose(
//       CHECK:   forge.conv2d
func.func @shared_transpose(%x: tensor<1x3x64x64xf32>) -> (tensor<1x4x4x256xf32>, tensor<1x64x3x64xf32>) {
  %w = forge.parameter "w" : tensor<256x3x16x16xf32>
  %0 = forge.transpose %x dims -3, -2 : (tensor<1x3x64x64xf32>) -> tensor<1x64x3x64xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x64x3x64xf32>) -> tensor<1x64x64x3xf32>
  %2 = forge.conv2d %1, %w stride [16, 16] padding [0, 0, 0, 0] channel_last : (tensor<1x64x64x3xf32>, tensor<256x3x16x16xf32>) -> tensor<1x4x4x256xf32>
  return %2, %0 : tensor<1x4x4x256xf32>, tensor<1x64x3x64xf32>
}

// -----

// The bias has more axes than the product of the patches, and is reshaped. Patches of one column are like others.

// CHECK-LABEL: func @bias_of_four_axes(
//       CHECK:   %[[B:.+]] = forge.reshape %arg1 shape [64]
//       CHECK:   forge.matmul %{{.+}}, %{{.+}}, %[[B]] : (tensor<1x3000x80xf32>, tensor<80x64xf32>, tensor<64xf32>)
func.func @bias_of_four_axes(%x: tensor<1x1x80x3000xf32>, %b: tensor<1x1x1x64xf32>) -> tensor<1x1x3000x64xf32> {
  %w = forge.parameter "w" : tensor<64x1x80x1xf32>
  %0 = forge.transpose %x dims -3, -2 : (tensor<1x1x80x3000xf32>) -> tensor<1x80x1x3000xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<1x80x1x3000xf32>) -> tensor<1x80x3000x1xf32>
  %2 = forge.conv2d %1, %w, %b stride [80, 1] padding [0, 0, 0, 0] channel_last : (tensor<1x80x3000x1xf32>, tensor<64x1x80x1xf32>, tensor<1x1x1x64xf32>) -> tensor<1x1x3000x64xf32>
  return %2 : tensor<1x1x3000x64xf32>
}

// Tensors without elements, which IR that was not converted from ONNX may have: folding and merging change nothing.
// RUN: forge-opt %s --forge-fold-weights --forge-join-slices --forge-column-products --forge-kernel-forms > %t.folded
// RUN: forge-opt %s > %t.plain
// RUN: diff %t.plain %t.folded
// RUN: FileCheck %s < %t.folded

// CHECK-LABEL: func.func @no_rows(
func.func @no_rows(%x: tensor<2x3x0xf32>) -> tensor<2x3x5xf32> {
  %w = forge.parameter "w" : tensor<0x5xf32>
  %t = forge.parameter "t" : tensor<0xf32>
  %0 = forge.add %x, %t : (tensor<2x3x0xf32>, tensor<0xf32>) -> tensor<2x3x0xf32>
  %1 = forge.multiply %0, %t : (tensor<2x3x0xf32>, tensor<0xf32>) -> tensor<2x3x0xf32>
  %2 = forge.matmul %1, %w : (tensor<2x3x0xf32>, tensor<0x5xf32>) -> tensor<2x3x5xf32>
  return %2 : tensor<2x3x5xf32>
}

func.func @no_columns(%x: tensor<2x3x4xf32>) -> tensor<2x3x0xf32> {
  %w = forge.parameter "w" : tensor<4x0xf32>
  %t = forge.parameter "t" : tensor<4xf32>
  %0 = forge.add %x, %t : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %1 = forge.matmul %0, %w : (tensor<2x3x4xf32>, tensor<4x0xf32>) -> tensor<2x3x0xf32>
  return %1 : tensor<2x3x0xf32>
}

func.func @no_columns_of_two_products(%x: tensor<2x8xf32>) -> (tensor<2x0xf32>, tensor<2x0xf32>) {
  %w = forge.parameter "w" : tensor<8x0xf32>
  %v = forge.parameter "v" : tensor<8x0xf32>
  %s = forge.parameter "s" : tensor<2x0xf32>
  %t = forge.parameter "t" : tensor<2x0xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x0xf32>) -> tensor<2x0xf32>
  %1 = forge.matmul %x, %v : (tensor<2x8xf32>, tensor<8x0xf32>) -> tensor<2x0xf32>
  %2 = forge.multiply %0, %s : tensor<2x0xf32>
  %3 = forge.multiply %1, %t : tensor<2x0xf32>
  return %2, %3 : tensor<2x0xf32>, tensor<2x0xf32>
}

// A transpose moves the empty axis behind the axis of the scale.
func.func @scale_before_transpose(%x: tensor<3x0x4xf32>) -> tensor<3x4x5xf32> {
  %s = forge.parameter "s" : tensor<4xf32>
  %w = forge.parameter "w" : tensor<0x5xf32>
  %0 = forge.multiply %x, %s : (tensor<3x0x4xf32>, tensor<4xf32>) -> tensor<3x0x4xf32>
  %1 = forge.transpose %0 dims -2, -1 : (tensor<3x0x4xf32>) -> tensor<3x4x0xf32>
  %2 = forge.matmul %1, %w : (tensor<3x4x0xf32>, tensor<0x5xf32>) -> tensor<3x4x5xf32>
  return %2 : tensor<3x4x5xf32>
}

// The mean of no elements is NaN. A product with a column of no elements would be 0.
func.func @mean(%x: tensor<2x0xf32>) -> tensor<2x1xf32> {
  %epsilon = forge.scalar_constant constant 0.5 dtype f32 : () -> tensor<1xf32>
  %0 = forge.reduce_avg %x dim -1 keep_dim : (tensor<2x0xf32>) -> tensor<2x1xf32>
  %1 = forge.add %0, %epsilon : (tensor<2x1xf32>, tensor<1xf32>) -> tensor<2x1xf32>
  return %1 : tensor<2x1xf32>
}

// CHECK-LABEL: func.func @mean_of_empty_image(
func.func @mean_of_empty_image(%x: tensor<1x0x4x8xf32>) -> tensor<1x1x1x8xf32> {
  %0 = forge.reduce_avg %x dim 1 keep_dim : (tensor<1x0x4x8xf32>) -> tensor<1x1x4x8xf32>
  %1 = forge.reduce_avg %0 dim 2 keep_dim : (tensor<1x1x4x8xf32>) -> tensor<1x1x1x8xf32>
  return %1 : tensor<1x1x1x8xf32>
}

// Nor are scales without elements merged, or a matrix repeated for a product without elements.
func.func @no_channels(%x: tensor<1x0x4x4xf32>) -> tensor<1x0x4x4xf32> {
  %s = forge.parameter "s" : tensor<1x0x1x1xf32>
  %t = forge.parameter "t" : tensor<1x0x1x1xf32>
  %0 = forge.multiply %x, %s : (tensor<1x0x4x4xf32>, tensor<1x0x1x1xf32>) -> tensor<1x0x4x4xf32>
  %1 = forge.multiply %x, %t : (tensor<1x0x4x4xf32>, tensor<1x0x1x1xf32>) -> tensor<1x0x4x4xf32>
  %2 = forge.add %0, %1 : tensor<1x0x4x4xf32>
  return %2 : tensor<1x0x4x4xf32>
}

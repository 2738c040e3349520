// Products and elementwise ops mix float32 with a type of 16 bits, and compute in float32. No weight of 16 bits is
// multiplied or added in its own type, in which it would be rounded, and no op gets operands that do not mix.
// RUN: forge-opt %s --forge-fold-weights --split-input-file | FileCheck %s

// A scale of bfloat16 and weights of float32: the scaled weights have float32.
// CHECK-LABEL: func.func @scale_of_bfloat16(
//       CHECK: %[[V:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<8x4xf32>, tensor<4xbf16>) -> tensor<8x4xf32>
//       CHECK: forge.matmul %arg0, %[[V]]
func.func @scale_of_bfloat16(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %s = forge.parameter "s" : tensor<4xbf16>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.multiply %0, %s : (tensor<2x4xf32>, tensor<4xbf16>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// -----

// The same for a divisor, whose reciprocal has float32.
// CHECK-LABEL: func.func @divisor_of_bfloat16(
//       CHECK: %[[R:.+]] = forge.divide %{{.+}}, %{{.+}} : (tensor<1xf32>, tensor<4xbf16>) -> tensor<4xf32>
//       CHECK: forge.multiply %{{.+}}, %[[R]] : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
func.func @divisor_of_bfloat16(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %s = forge.constant dense<[2.0, 3.0, 4.0, 5.0]> : tensor<4xbf16>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.divide %0, %s : (tensor<2x4xf32>, tensor<4xbf16>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// -----

// Weights of 16 bits do not change.
// CHECK-LABEL: func.func @weights_of_16_bits(
//       CHECK: forge.matmul %arg0, %{{.+}} : (tensor<2x8xf32>, tensor<8x4xbf16>) -> tensor<2x4xf32>
//       CHECK: forge.multiply %{{.+}}, %{{.+}} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
//       CHECK: forge.multiply %arg1, %{{.+}} : (tensor<2x8xf32>, tensor<8xbf16>) -> tensor<2x8xf32>
//       CHECK: forge.matmul %{{.+}}, %{{.+}} : (tensor<2x8xf32>, tensor<8x4xf16>) -> tensor<2x4xf32>
func.func @weights_of_16_bits(%x: tensor<2x8xf32>, %y: tensor<2x8xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %w = forge.parameter "w" : tensor<8x4xbf16>
  %s = forge.parameter "s" : tensor<4xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x4xbf16>) -> tensor<2x4xf32>
  %1 = forge.multiply %0, %s : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %v = forge.parameter "v" : tensor<8x4xf16>
  %t = forge.parameter "t" : tensor<8xbf16>
  %2 = forge.multiply %y, %t : (tensor<2x8xf32>, tensor<8xbf16>) -> tensor<2x8xf32>
  %3 = forge.matmul %2, %v : (tensor<2x8xf32>, tensor<8x4xf16>) -> tensor<2x4xf32>
  return %1, %3 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// The product of two scales of bfloat16 would be rounded to it.
// CHECK-LABEL: func.func @scales_of_bfloat16(
// CHECK-COUNT-2: forge.multiply %{{.+}}, %{{.+}} : (tensor<2x8xf32>, tensor<8xbf16>) -> tensor<2x8xf32>
func.func @scales_of_bfloat16(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %a = forge.parameter "a" : tensor<8xbf16>
  %b = forge.parameter "b" : tensor<8xbf16>
  %0 = forge.multiply %x, %a : (tensor<2x8xf32>, tensor<8xbf16>) -> tensor<2x8xf32>
  %1 = forge.multiply %0, %b : (tensor<2x8xf32>, tensor<8xbf16>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// Two consecutive addends of bfloat16 are not added, and no addend of bfloat16 becomes a part of a bias.
// CHECK-LABEL: func.func @addends_of_bfloat16(
// CHECK-COUNT-2: forge.add %{{.+}}, %{{.+}} : (tensor<2x8xf32>, tensor<8xbf16>) -> tensor<2x8xf32>
//       CHECK: forge.matmul %{{.+}}, %{{.+}} : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
func.func @addends_of_bfloat16(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %a = forge.parameter "a" : tensor<8xbf16>
  %b = forge.parameter "b" : tensor<8xbf16>
  %w = forge.parameter "w" : tensor<8x4xf32>
  %0 = forge.relu %x : tensor<2x8xf32>
  %1 = forge.add %0, %a : (tensor<2x8xf32>, tensor<8xbf16>) -> tensor<2x8xf32>
  %2 = forge.add %1, %b : (tensor<2x8xf32>, tensor<8xbf16>) -> tensor<2x8xf32>
  %3 = forge.matmul %2, %w : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}

// -----

// A convolution has operands of one type: an addend of bfloat16 remains.
// CHECK-LABEL: func.func @addend_of_a_convolution(
//       CHECK: forge.add %{{.+}}, %{{.+}} : (tensor<1x4x3x3xf32>, tensor<1x4x1x1xbf16>)
func.func @addend_of_a_convolution(%x: tensor<1x2x3x3xf32>) -> tensor<1x4x3x3xf32> {
  %w = forge.parameter "w" : tensor<4x2x1x1xf32>
  %a = forge.parameter "a" : tensor<1x4x1x1xbf16>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x2x3x3xf32>, tensor<4x2x1x1xf32>) -> tensor<1x4x3x3xf32>
  %1 = forge.add %0, %a : (tensor<1x4x3x3xf32>, tensor<1x4x1x1xbf16>) -> tensor<1x4x3x3xf32>
  return %1 : tensor<1x4x3x3xf32>
}

// -----

// A bias of 0 that makes the result float32 remains.
// CHECK-LABEL: func.func @bias_of_float32(
//       CHECK: forge.matmul %arg0, %{{.+}}, %{{.+}} : (tensor<2x8xbf16>, tensor<8x4xbf16>, tensor<4xf32>) -> tensor<2x4xf32>
func.func @bias_of_float32(%x: tensor<2x8xbf16>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xbf16>
  %b = forge.constant dense<0.0> : tensor<4xf32>
  %0 = forge.matmul %x, %w, %b : (tensor<2x8xbf16>, tensor<8x4xbf16>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// The signs are folded into a table of bfloat16 as numbers of bfloat16: this rounds nothing.
// CHECK-LABEL: func.func @signs_of_a_table_of_bfloat16(
//       CHECK: %[[T:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<3x4xbf16>, tensor<4xbf16>) -> tensor<3x4xbf16>
//       CHECK: forge.multiply %{{.+}}, %[[T]] : (tensor<3x4xf32>, tensor<3x4xbf16>) -> tensor<3x4xf32>
func.func @signs_of_a_table_of_bfloat16(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %sin = forge.parameter "sin" : tensor<3x4xbf16>
  %minus = forge.scalar_constant constant -1.0 dtype f32 : tensor<1xf32>
  %a = forge.index %x dim -1 [0:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
  %b = forge.index %x dim -1 [2:4] : (tensor<3x4xf32>) -> tensor<3x2xf32>
  %0 = forge.multiply %b, %minus : (tensor<3x2xf32>, tensor<1xf32>) -> tensor<3x2xf32>
  %1 = forge.concatenate %0, %a axis -1 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
  %2 = forge.multiply %1, %sin : (tensor<3x4xf32>, tensor<3x4xbf16>) -> tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

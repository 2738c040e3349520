// RUN: forge-opt %s --forge-fold-weights | FileCheck %s

// A matrix product that is zero is +0 also with negated weights, but -2 * 0 is -0, whose reciprocal is another
// infinity.
// CHECK-LABEL: func.func @negated(
//       CHECK: %[[P:.+]] = forge.matmul %arg0
//       CHECK: %[[N:.+]] = forge.multiply %[[P]]
//       CHECK: forge.reciprocal %[[N]]
func.func @negated(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %c = forge.scalar_constant constant -2.0 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = forge.multiply %0, %c : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %2 = forge.reciprocal %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// The elements of a weight may be negative, whichever axis they scale.
// CHECK-LABEL: func.func @of_unknown_sign(
//       CHECK: %[[C:.+]] = forge.conv2d %arg0
//       CHECK: %[[N:.+]] = forge.multiply %[[C]]
//       CHECK: forge.divide %arg1, %[[N]]
func.func @of_unknown_sign(%x: tensor<1x4x8x8xf32>, %y: tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32> {
  %w = forge.parameter "w" : tensor<3x4x1x1xf32>
  %s = forge.parameter "s" : tensor<3x1x1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x8x8xf32>, tensor<3x4x1x1xf32>) -> tensor<1x3x8x8xf32>
  %1 = forge.multiply %0, %s : (tensor<1x3x8x8xf32>, tensor<3x1x1xf32>) -> tensor<1x3x8x8xf32>
  %2 = forge.divide %y, %1 : tensor<1x3x8x8xf32>
  return %2 : tensor<1x3x8x8xf32>
}

// The scale of an operand is not moved after the product, for the same reason.
// CHECK-LABEL: func.func @of_operand(
//       CHECK: %[[S:.+]] = forge.multiply %arg0
//       CHECK: %[[P:.+]] = forge.matmul %[[S]], %arg1
//       CHECK: forge.reciprocal %[[P]]
func.func @of_operand(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %c = forge.scalar_constant constant -2.0 dtype f32 : tensor<1xf32>
  %0 = forge.multiply %x, %c : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %1 = forge.matmul %0, %y : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %2 = forge.reciprocal %1 : tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// A positive factor keeps the sign of a zero, and exp does not depend on it: both are folded.
// CHECK-LABEL: func.func @folded_factors(
//   CHECK-NOT: forge.multiply %{{.+}} : (tensor<4x8xf32>
//       CHECK: return
func.func @folded_factors(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %v = forge.parameter "v" : tensor<8x8xf32>
  %c = forge.scalar_constant constant -2.0 dtype f32 : tensor<1xf32>
  %d = forge.scalar_constant constant 2.0 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = forge.multiply %0, %d : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %2 = forge.reciprocal %1 : tensor<4x8xf32>
  %3 = forge.matmul %x, %v : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %4 = forge.multiply %3, %c : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %5 = forge.exp %4 : tensor<4x8xf32>
  %6 = forge.reciprocal %5 : tensor<4x8xf32>
  return %2, %6 : tensor<4x8xf32>, tensor<4x8xf32>
}

// Another partition may divide by the result of this one.
// CHECK-LABEL: func.func @negated_result_of_a_partition(
//       CHECK: %[[P:.+]] = forge.matmul %arg0
//       CHECK: %[[N:.+]] = forge.multiply %[[P]]
//       CHECK: return %[[N]]
func.func @negated_result_of_a_partition(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {forge.partition = "device"} {
  %w = forge.parameter "w" : tensor<8x8xf32>
  %c = forge.scalar_constant constant -2.0 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = forge.multiply %0, %c : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -0 + 0 is 0. A step function of 0 returns its second operand, of which a quotient shows the sign.
// CHECK-LABEL: func.func @step_of_zero(
//       CHECK: %[[S:.+]] = forge.add %arg1
//       CHECK: forge.heaviside %arg0, %[[S]]
func.func @step_of_zero(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = forge.constant dense<0.0> : tensor<4xf32>
  %0 = forge.add %y, %z : tensor<4xf32>
  %1 = forge.heaviside %x, %0 : tensor<4xf32>
  %2 = forge.divide %x, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// In float16, -1e-20 is -0, to which 0 adds up to 0 and -0 to -0.
// CHECK-LABEL: func.func @rounded_to_zero(
//       CHECK: %[[S:.+]] = forge.add %arg1, %{{.+}} : tensor<4xf16>
//       CHECK: forge.add %[[S]]
func.func @rounded_to_zero(%x: tensor<4xf16>, %y: tensor<4xf16>) -> tensor<4xf16> {
  %z = forge.constant dense<0.0> : tensor<4xf16>
  %0 = forge.add %y, %z : tensor<4xf16>
  %c = forge.scalar_constant constant -1.0e-20 dtype f16 : tensor<1xf16>
  %1 = forge.add %0, %c : (tensor<4xf16>, tensor<1xf16>) -> tensor<4xf16>
  %2 = forge.divide %x, %1 : tensor<4xf16>
  return %2 : tensor<4xf16>
}

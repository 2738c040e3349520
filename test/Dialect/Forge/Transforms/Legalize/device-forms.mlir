// RUN: forge-opt %s --forge-device-forms | FileCheck %s

// A product and a sum per channel, made of the statistics.
// CHECK-LABEL: func.func @batchnorm(
func.func @batchnorm(%x: tensor<2x3x4x5xf32>, %s: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<2x3x4x5xf32> {
  %0 = forge.batchnorm %x, %s, %b, %m, %v {epsilon = 1.0e-5 : f32} : (tensor<2x3x4x5xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// In the 16-bit types in f32.
// CHECK-LABEL: func.func @batchnorm_half(
func.func @batchnorm_half(%x: tensor<2x3xf16>, %s: tensor<3xf16>, %m: tensor<3xf16>) -> tensor<2x3xf16> {
  %0 = forge.batchnorm %x, %s, %s, %m, %m {epsilon = 1.0e-5 : f32} : (tensor<2x3xf16>, tensor<3xf16>, tensor<3xf16>, tensor<3xf16>, tensor<3xf16>) -> tensor<2x3xf16>
  return %0 : tensor<2x3xf16>
}

// A reshape cannot name an empty tensor: left as it is.
// CHECK-LABEL: func.func @batchnorm_empty(
// CHECK: forge.batchnorm
func.func @batchnorm_empty(%x: tensor<2x0xf32>, %s: tensor<0xf32>) -> tensor<2x0xf32> {
  %0 = forge.batchnorm %x, %s, %s, %s, %s {epsilon = 1.0e-5 : f32} : (tensor<2x0xf32>, tensor<0xf32>, tensor<0xf32>, tensor<0xf32>, tensor<0xf32>) -> tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// CHECK-LABEL: func.func @lower_left(
func.func @lower_left(%a: tensor<4x8xf32>, %b: tensor<3x8x5xf32>) -> tensor<3x4x5xf32> {
  %0 = forge.matmul %a, %b : (tensor<4x8xf32>, tensor<3x8x5xf32>) -> tensor<3x4x5xf32>
  return %0 : tensor<3x4x5xf32>
}

// CHECK-LABEL: func.func @vector_left(
func.func @vector_left(%a: tensor<8xf32>, %b: tensor<3x8x5xf32>, %c: tensor<5xf32>) -> tensor<3x5xf32> {
  %0 = forge.matmul %a, %b, %c : (tensor<8xf32>, tensor<3x8x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @both_sides(
func.func @both_sides(%a: tensor<2x1x4x8xf32>, %b: tensor<1x3x8x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = forge.matmul %a, %b : (tensor<2x1x4x8xf32>, tensor<1x3x8x5xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// The right side has fewer axes, and the left one is broadcast too.
// CHECK-LABEL: func.func @both_sides_lower_right(
func.func @both_sides_lower_right(%a: tensor<2x1x4x8xf32>, %b: tensor<3x8x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = forge.matmul %a, %b : (tensor<2x1x4x8xf32>, tensor<3x8x5xf32>) -> tensor<2x3x4x5xf32>
  return %0 : tensor<2x3x4x5xf32>
}

// What the device takes stays.
// CHECK-LABEL: func.func @right_repeats(
func.func @right_repeats(%a: tensor<3x4x8xf32>, %b: tensor<8x5xf32>, %c: tensor<3x5x7xf32>) -> tensor<3x4x7xf32> {
  %0 = forge.matmul %a, %b : (tensor<3x4x8xf32>, tensor<8x5xf32>) -> tensor<3x4x5xf32>
  %1 = forge.matmul %0, %c : (tensor<3x4x5xf32>, tensor<3x5x7xf32>) -> tensor<3x4x7xf32>
  return %1 : tensor<3x4x7xf32>
}

// Scalar factors are merged and folded into weights, but only with --fast-math=reassociate.
// RUN: forge-opt %s --forge-fold-weights | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: forge-opt %s --forge-fold-weights="fast-math=no-nans,no-infs,reciprocal" | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: forge-opt %s --forge-fold-weights="fast-math=reassociate" | FileCheck %s --check-prefixes=CHECK,FAST

// CHECK-LABEL: func.func @factors(
// EXACT-COUNT-2: forge.multiply
//        FAST: %[[S:.+]] = forge.scalar_constant constant 1.500000e+00
//   FAST-NEXT: %[[Y:.+]] = forge.multiply %arg0, %[[S]]
//   FAST-NEXT: return %[[Y]]
func.func @factors(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = forge.scalar_constant constant 0.5 dtype f32 : () -> tensor<1xf32>
  %b = forge.scalar_constant constant 3.0 dtype f32 : () -> tensor<1xf32>
  %0 = forge.multiply %x, %a : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %1 = forge.multiply %b, %0 : (tensor<1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// (x * a + m) * w is x * (a * w) + m * w.
// CHECK-LABEL: func.func @normalisation(
// EXACT-COUNT-2: forge.multiply %{{.+}} : (tensor<4x8xf32>
//        FAST: %[[A:.+]] = forge.multiply {{.+}} : (tensor<1xf32>, tensor<8xf32>) -> tensor<8xf32>
//        FAST: %[[X:.+]] = forge.multiply %arg0, %[[A]]
//        FAST: %[[M:.+]] = forge.multiply {{.+}} : tensor<8xf32>
//        FAST: %[[Y:.+]] = forge.add %[[X]], %[[M]]
//   FAST-NEXT: return %[[Y]]
func.func @normalisation(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = forge.scalar_constant constant 0.1 dtype f32 : () -> tensor<1xf32>
  %m = forge.parameter "m" : tensor<8xf32>
  %w = forge.parameter "w" : tensor<8xf32>
  %0 = forge.multiply %x, %a : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %1 = forge.add %0, %m : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %2 = forge.multiply %1, %w : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// The scale of a quantised activation is folded into the filters.
// CHECK-LABEL: func.func @convolution(
//       EXACT: forge.multiply %arg0
//        FAST: %[[W:.+]] = forge.multiply %{{[^ ]+}}, %{{[^ ]+}} : (tensor<4x3x1x1xf32>, tensor<1xf32>)
//   FAST-NEXT: %[[Y:.+]] = forge.conv2d %arg0, %[[W]]
//   FAST-NEXT: return %[[Y]]
func.func @convolution(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %w = forge.parameter "w" : tensor<4x3x1x1xf32>
  %s = forge.scalar_constant constant 0.1 dtype f32 : () -> tensor<1xf32>
  %0 = forge.multiply %x, %s : (tensor<1x3x8x8xf32>, tensor<1xf32>) -> tensor<1x3x8x8xf32>
  %1 = forge.conv2d %0, %w stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  return %1 : tensor<1x4x8x8xf32>
}

// A scaled value with another user stays.
// CHECK-LABEL: func.func @other_user(
//       CHECK: %[[X:.+]] = forge.multiply %arg0
//       CHECK: forge.matmul %[[X]]
func.func @other_user(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x2xf32>) {
  %w = forge.parameter "w" : tensor<8x2xf32>
  %s = forge.scalar_constant constant 0.1 dtype f32 : () -> tensor<1xf32>
  %0 = forge.multiply %x, %s : (tensor<4x8xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %1 = forge.matmul %0, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x2xf32>
}

// A divisor of rank 0: its reciprocal is computed with one axis, which it loses to scale a factor of rank 0.
// CHECK-LABEL: func.func @rank_0_divisor(
//       EXACT: forge.divide %{{.+}} : (tensor<4xf32>, tensor<f32>)
//        FAST: %[[I:.+]] = forge.divide {{.*}} : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
//   FAST-NEXT: %[[R:.+]] = forge.reshape %[[I]] shape [] : (tensor<1xf32>) -> tensor<f32>
//   FAST-NEXT: %[[C:.+]] = forge.multiply %{{.+}}, %[[R]] : tensor<f32>
//   FAST-NEXT: forge.multiply %arg0, %[[C]]
func.func @rank_0_divisor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = forge.constant dense<2.0> : tensor<f32>
  %0 = forge.multiply %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = forge.divide %0, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Weights before a quantiser, here a cast to integers: addends are never merged.
// CHECK-LABEL: func.func @quantised_factors(
// EXACT-COUNT-2: forge.multiply %{{.+}} : (tensor<2x4xf32>, tensor<4xf32>)
//        FAST: %[[C:.+]] = forge.multiply %{{.+}}, %{{.+}} : tensor<4xf32>
//   FAST-NEXT: %[[Y:.+]] = forge.multiply %arg0, %[[C]]
//  CHECK-NEXT: forge.cast
func.func @quantised_factors(%x: tensor<2x4xf32>) -> tensor<2x4xi32> {
  %a = forge.constant dense<[0.1, 0.3, 0.7, 0.9]> : tensor<4xf32>
  %b = forge.constant dense<[3.1, 3.3, 3.7, 3.9]> : tensor<4xf32>
  %0 = forge.multiply %x, %a : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = forge.multiply %0, %b : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<2x4xf32>) -> tensor<2x4xi32>
  return %2 : tensor<2x4xi32>
}

// CHECK-LABEL: func.func @quantised_addends(
// CHECK-COUNT-2: forge.add %{{.+}} : (tensor<2x4xf32>, tensor<4xf32>)
//  CHECK-NEXT: forge.cast
func.func @quantised_addends(%x: tensor<2x4xf32>) -> tensor<2x4xi32> {
  %a = forge.constant dense<[0.1, 0.3, 0.7, 0.9]> : tensor<4xf32>
  %b = forge.constant dense<[3.1, 3.3, 3.7, 3.9]> : tensor<4xf32>
  %0 = forge.add %x, %a : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = forge.add %0, %b : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %2 = forge.cast %1 dtype i32 : (tensor<2x4xf32>) -> tensor<2x4xi32>
  return %2 : tensor<2x4xi32>
}

// A scale also remains before a quantiser if the elements are moved, selected or negated between them.
// CHECK-LABEL: func.func @scale_before_moved_quantiser(
//       EXACT: forge.multiply %{{.+}} : (tensor<1x2x4xf32>, tensor<1xf32>)
//        FAST: forge.multiply %{{.+}} -> tensor<8x4xf32>
//    FAST-NOT: forge.multiply
//       CHECK: return
func.func @scale_before_moved_quantiser(%x: tensor<1x2x8xf32>) -> tensor<1x4x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %s = forge.scalar_constant constant 0.3 dtype f32 : tensor<1xf32>
  %c = forge.scalar_constant constant 12582912.0 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<1x2x8xf32>, tensor<8x4xf32>) -> tensor<1x2x4xf32>
  %1 = forge.multiply %0, %s : (tensor<1x2x4xf32>, tensor<1xf32>) -> tensor<1x2x4xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<1x2x4xf32>) -> tensor<1x4x2xf32>
  %3 = forge.concatenate %2, %2 axis -1 : (tensor<1x4x2xf32>, tensor<1x4x2xf32>) -> tensor<1x4x4xf32>
  %4 = forge.add %3, %c : (tensor<1x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  %5 = forge.subtract %4, %c : (tensor<1x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4xf32>
  return %5 : tensor<1x4x4xf32>
}

// CHECK-LABEL: func.func @scale_before_pooled_quantiser(
//       EXACT: forge.multiply %{{.+}} : (tensor<1x4x4x4xf32>, tensor<1xf32>)
//        FAST: forge.multiply %{{.+}} -> tensor<4x4x1x1xf32>
//       CHECK: forge.max_pool2d
func.func @scale_before_pooled_quantiser(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x2x2xi32> {
  %w = forge.parameter "w" : tensor<4x4x1x1xf32>
  %s = forge.scalar_constant constant 0.3 dtype f32 : tensor<1xf32>
  %0 = forge.conv2d %x, %w stride [1, 1] padding [0, 0, 0, 0] dilation [1, 1] groups 1
    : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = forge.multiply %0, %s : (tensor<1x4x4x4xf32>, tensor<1xf32>) -> tensor<1x4x4x4xf32>
  %2 = forge.max_pool2d %1 kernel_size [2, 2] stride [2, 2] padding [0, 0, 0, 0] dilation 1
    : (tensor<1x4x4x4xf32>) -> tensor<1x4x2x2xf32>
  %3 = forge.cast %2 dtype i32 : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xi32>
  return %3 : tensor<1x4x2x2xi32>
}

// Floor and Ceil: the sum of x and the remainder of a division by 1.
// CHECK-LABEL: func.func @scale_before_ceil(
//       EXACT: forge.multiply %{{.+}} : (tensor<2x4xf32>, tensor<1xf32>)
//        FAST: forge.multiply %{{.+}} -> tensor<8x4xf32>
//       CHECK: return
func.func @scale_before_ceil(%x: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<8x4xf32>
  %s = forge.scalar_constant constant 0.3 dtype f32 : tensor<1xf32>
  %minus = forge.scalar_constant constant -1.0 dtype f32 : tensor<1xf32>
  %one = forge.scalar_constant constant 1.0 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = forge.multiply %0, %s : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %2 = forge.multiply %1, %minus : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %3 = forge.remainder %2, %one : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  %4 = forge.add %1, %3 : tensor<2x4xf32>
  return %4 : tensor<2x4xf32>
}

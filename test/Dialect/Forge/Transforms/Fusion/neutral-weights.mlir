// RUN: forge-opt %s --forge-fold-weights | FileCheck %s

// Additions of zeros, also of integers, and multiplications by ones are removed, before another fold computes weights
// from them. A zero weight that broadcasts the result to a larger shape stays.
// CHECK-LABEL: func.func @neutral_weights(
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %[[C:.+]] = forge.conv2d %arg1, %{{[^,]+}} stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x5x5xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x5x5xf32>
// CHECK-NEXT: %[[L:.+]] = forge.add %arg2, %{{.+}} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: return %[[P]], %[[C]], %[[L]], %arg3
func.func @neutral_weights(%x: tensor<2x4xf32>, %image: tensor<1x4x5x5xf32>, %row: tensor<1x4xf32>, %ids: tensor<2x4xi32>)
    -> (tensor<2x4xf32>, tensor<1x4x5x5xf32>, tensor<2x4xf32>, tensor<2x4xi32>) {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %filters = forge.parameter "filters" : tensor<4x4x1x1xf32>
  %zeros = forge.constant dense<0.0> : tensor<4xf32>
  %negative_zeros = forge.constant dense<-0.0> : tensor<4xf32>
  %ones = forge.constant dense<1.0> : tensor<4xf32>
  %rows = forge.constant dense<0.0> : tensor<2x4xf32>
  %whole = forge.constant dense<0> : tensor<4xi32>
  %0 = forge.multiply %ones, %x : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %1 = forge.matmul %0, %w, %zeros : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %2 = forge.add %1, %negative_zeros : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %3 = forge.conv2d %image, %filters, %zeros stride [1, 1] padding [0, 0, 0, 0] : (tensor<1x4x5x5xf32>, tensor<4x4x1x1xf32>, tensor<4xf32>) -> tensor<1x4x5x5xf32>
  %4 = forge.add %row, %rows : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %5 = forge.add %ids, %whole : (tensor<2x4xi32>, tensor<4xi32>) -> tensor<2x4xi32>
  return %2, %3, %4, %5 : tensor<2x4xf32>, tensor<1x4x5x5xf32>, tensor<2x4xf32>, tensor<2x4xi32>
}

// The neutral weights are reshaped to other shapes.
// CHECK-LABEL: func.func @neutral_channels(
//       CHECK: %[[Y:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
//  CHECK-NEXT: return %[[Y]], %arg1
func.func @neutral_channels(%x: tensor<2x4xf32>, %image: tensor<1x4x5x5xf32>) -> (tensor<2x4xf32>, tensor<1x4x5x5xf32>) {
  %w = forge.parameter "w" : tensor<4x4xf32>
  %zeros = forge.constant dense<0.0> : tensor<4xf32>
  %row = forge.reshape %zeros shape [1, 4] : (tensor<4xf32>) -> tensor<1x4xf32>
  %ones = forge.constant dense<1.0> : tensor<4xf32>
  %column = forge.reshape %ones shape [4, 1] : (tensor<4xf32>) -> tensor<4x1xf32>
  %channels = forge.reshape %column shape [1, 4, 1, 1] : (tensor<4x1xf32>) -> tensor<1x4x1x1xf32>
  %0 = forge.matmul %x, %w, %row : (tensor<2x4xf32>, tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %1 = forge.multiply %image, %channels : (tensor<1x4x5x5xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x5x5xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<1x4x5x5xf32>
}

// The addition of zeros stays where the sign of a zero shows: -0 + 0 is 0, and 1 / 0 is another infinity than 1 / -0.
// CHECK-LABEL: func.func @divided_by(
//  CHECK-NEXT: %[[ZEROS:.+]] = forge.constant
//  CHECK-NEXT: %[[SUM:.+]] = forge.add %arg0, %[[ZEROS]]
//  CHECK-NEXT: forge.reciprocal %[[SUM]]
func.func @divided_by(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zeros = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.add %x, %zeros : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = forge.reciprocal %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// The sign of a zero also shows through ops that keep it.
// CHECK-LABEL: func.func @divided_by_later(
//       CHECK: forge.add
//       CHECK: forge.reshape
func.func @divided_by_later(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zeros = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.add %x, %zeros : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = forge.reshape %0 shape [8, 4] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %2 = forge.divide %y, %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// x + -0 is x for every x.
// CHECK-LABEL: func.func @negative_zeros(
//  CHECK-NEXT: forge.reciprocal %arg0
func.func @negative_zeros(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zeros = forge.constant dense<-0.0> : tensor<8xf32>
  %0 = forge.add %x, %zeros : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = forge.reciprocal %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// exp(0) is exp(-0), so that the reciprocal does not depend on the sign of the zero.
// CHECK-LABEL: func.func @sign_has_no_effect(
//  CHECK-NEXT: forge.exp %arg0
func.func @sign_has_no_effect(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zeros = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.add %x, %zeros : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = forge.exp %0 : tensor<4x8xf32>
  %2 = forge.reciprocal %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

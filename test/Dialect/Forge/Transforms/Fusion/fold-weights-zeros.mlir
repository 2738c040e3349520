// RUN: forge-opt %s --forge-fold-weights | FileCheck %s

// -0 + 0 is 0, and 1 / 0 is another infinity than 1 / -0.
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

// Also through ops that keep the sign of a zero.
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

// exp(0) is exp(-0), whatever is divided by that.
// CHECK-LABEL: func.func @hidden(
//  CHECK-NEXT: forge.exp %arg0
func.func @hidden(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zeros = forge.constant dense<0.0> : tensor<8xf32>
  %0 = forge.add %x, %zeros : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = forge.exp %0 : tensor<4x8xf32>
  %2 = forge.reciprocal %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// RUN: forge-opt %s --forge-kernel-forms --split-input-file | FileCheck %s

// A transpose before a flattened image is replaced by a permutation of the rows of the weights.

// CHECK-LABEL: func @rows(
//  CHECK-SAME:     %[[X:.+]]: tensor<2x3x5x7xf32>
//       CHECK:   %[[W:.+]] = forge.parameter "w"
//       CHECK:   %[[F:.+]] = forge.reshape %[[X]] shape [2, 105] : (tensor<2x3x5x7xf32>)
//       CHECK:   %[[A:.+]] = forge.reshape %[[W]] shape [7, 3, 5, 4]
//       CHECK:   %[[B:.+]] = forge.transpose %[[A]] dims -4, -3 {{.*}} -> tensor<3x7x5x4xf32>
//       CHECK:   %[[C:.+]] = forge.transpose %[[B]] dims -3, -2 {{.*}} -> tensor<3x5x7x4xf32>
//       CHECK:   %[[R:.+]] = forge.reshape %[[C]] shape [105, 4]
//       CHECK:   forge.matmul %[[F]], %[[R]], %{{.+}} :
func.func @rows(%x: tensor<2x3x5x7xf32>) -> tensor<2x4xf32> {
  %w = forge.parameter "w" : tensor<105x4xf32>
  %b = forge.parameter "b" : tensor<4xf32>
  %0 = forge.transpose %x dims -2, -1 : (tensor<2x3x5x7xf32>) -> tensor<2x3x7x5xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<2x3x7x5xf32>) -> tensor<2x7x3x5xf32>
  %2 = forge.reshape %1 shape [2, 105] : (tensor<2x7x3x5xf32>) -> tensor<2x105xf32>
  %3 = forge.matmul %2, %w, %b : (tensor<2x105xf32>, tensor<105x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}

// -----

// Two products read the flattened image. The weights of one are a splat, which no permutation changes.

// CHECK-LABEL: func @two_products(
//       CHECK:   %[[S:.+]] = forge.constant dense<2.000000e+00> : tensor<15x4xf32>
//       CHECK:   %[[F:.+]] = forge.reshape %{{.+}} shape [2, 15] : (tensor<2x3x5xf32>)
//       CHECK:   %[[R:.+]] = forge.reshape %{{.+}} shape [15, 4]
//       CHECK:   forge.matmul %[[F]], %[[R]]
//       CHECK:   forge.matmul %[[F]], %[[S]]
func.func @two_products(%x: tensor<2x3x5xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %w = forge.parameter "w" : tensor<15x4xf32>
  %s = forge.constant dense<2.0> : tensor<15x4xf32>
  %0 = forge.transpose %x dims -2, -1 : (tensor<2x3x5xf32>) -> tensor<2x5x3xf32>
  %1 = forge.reshape %0 shape [2, 15] : (tensor<2x5x3xf32>) -> tensor<2x15xf32>
  %2 = forge.matmul %1, %w : (tensor<2x15xf32>, tensor<15x4xf32>) -> tensor<2x4xf32>
  %3 = forge.matmul %1, %s : (tensor<2x15xf32>, tensor<15x4xf32>) -> tensor<2x4xf32>
  return %2, %3 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// The flattened image has another user, which needs its original order.

// CHECK-LABEL: func @other_user(
//       CHECK:   forge.transpose
//       CHECK:   forge.matmul %{{.+}}, %{{.+}} :
//   CHECK-NOT:   forge.transpose
func.func @other_user(%x: tensor<2x3x5xf32>) -> (tensor<2x4xf32>, tensor<2x15xf32>) {
  %w = forge.parameter "w" : tensor<15x4xf32>
  %0 = forge.transpose %x dims -2, -1 : (tensor<2x3x5xf32>) -> tensor<2x5x3xf32>
  %1 = forge.reshape %0 shape [2, 15] : (tensor<2x5x3xf32>) -> tensor<2x15xf32>
  %2 = forge.matmul %1, %w : (tensor<2x15xf32>, tensor<15x4xf32>) -> tensor<2x4xf32>
  return %2, %1 : tensor<2x4xf32>, tensor<2x15xf32>
}

// -----

// Unchanged: the right operand is an input, the flattened image is both operands of a product, or the transpose moves
// an axis that is not flattened.

// CHECK-LABEL: func @input(
//       CHECK:   forge.transpose %{{.+}} dims -2, -1 : (tensor<2x3x5xf32>)
func.func @input(%x: tensor<2x3x5xf32>, %w: tensor<15x4xf32>) -> tensor<2x4xf32> {
  %0 = forge.transpose %x dims -2, -1 : (tensor<2x3x5xf32>) -> tensor<2x5x3xf32>
  %1 = forge.reshape %0 shape [2, 15] : (tensor<2x5x3xf32>) -> tensor<2x15xf32>
  %2 = forge.matmul %1, %w : (tensor<2x15xf32>, tensor<15x4xf32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// CHECK-LABEL: func @both_operands(
//       CHECK:   forge.transpose %{{.+}} dims -2, -1 : tensor<4x2x2xf32>
func.func @both_operands(%x: tensor<4x2x2xf32>) -> tensor<4x4xf32> {
  %0 = forge.transpose %x dims -2, -1 : (tensor<4x2x2xf32>) -> tensor<4x2x2xf32>
  %1 = forge.reshape %0 shape [4, 4] : (tensor<4x2x2xf32>) -> tensor<4x4xf32>
  %2 = forge.matmul %1, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// CHECK-LABEL: func @leading(
//       CHECK:   forge.transpose %{{.+}} dims -3, -2 : (tensor<2x3x5xf32>)
func.func @leading(%x: tensor<2x3x5xf32>) -> tensor<3x4xf32> {
  %w = forge.parameter "w" : tensor<10x4xf32>
  %0 = forge.transpose %x dims -3, -2 : (tensor<2x3x5xf32>) -> tensor<3x2x5xf32>
  %1 = forge.reshape %0 shape [3, 10] : (tensor<3x2x5xf32>) -> tensor<3x10xf32>
  %2 = forge.matmul %1, %w : (tensor<3x10xf32>, tensor<10x4xf32>) -> tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}

// -----

// The columns of a product become an image that is transposed after an elementwise op: the columns of the weights and
// of the bias are permuted instead.

// CHECK-LABEL: func @columns(
//       CHECK:   %[[A:.+]] = forge.reshape %{{.+}} shape [4, 7, 3, 5]
//       CHECK:   %[[B:.+]] = forge.transpose %[[A]] dims -3, -2
//       CHECK:   %[[C:.+]] = forge.transpose %[[B]] dims -2, -1 {{.*}} -> tensor<4x3x5x7xf32>
//       CHECK:   %[[W:.+]] = forge.reshape %[[C]] shape [4, 105]
//       CHECK:   %[[D:.+]] = forge.reshape %{{.+}} shape [7, 3, 5]
//       CHECK:   %[[T:.+]] = forge.reshape %{{.+}} shape [105]
//       CHECK:   %[[P:.+]] = forge.matmul %arg0, %[[W]], %[[T]]
//       CHECK:   %[[F:.+]] = forge.relu %[[P]]
//       CHECK:   %[[Y:.+]] = forge.reshape %[[F]] shape [2, 3, 5, 7]
//       CHECK:   return %[[Y]]
func.func @columns(%x: tensor<2x4xf32>) -> tensor<2x3x5x7xf32> {
  %w = forge.parameter "w" : tensor<4x105xf32>
  %b = forge.parameter "b" : tensor<105xf32>
  %0 = forge.matmul %x, %w, %b : (tensor<2x4xf32>, tensor<4x105xf32>, tensor<105xf32>) -> tensor<2x105xf32>
  %1 = forge.relu %0 : tensor<2x105xf32>
  %2 = forge.reshape %1 shape [2, 7, 3, 5] : (tensor<2x105xf32>) -> tensor<2x7x3x5xf32>
  %3 = forge.transpose %2 dims -3, -2 : (tensor<2x7x3x5xf32>) -> tensor<2x3x7x5xf32>
  %4 = forge.transpose %3 dims -2, -1 : (tensor<2x3x7x5xf32>) -> tensor<2x3x5x7xf32>
  return %4 : tensor<2x3x5x7xf32>
}

// -----

// Unchanged: the product is an output as well, or the transpose exchanges an axis of the rows with one of the columns.

// CHECK-LABEL: func @columns_with_two_users(
//       CHECK:   forge.transpose %{{.+}} dims -2, -1 : (tensor<2x3x5xf32>)
func.func @columns_with_two_users(%x: tensor<2x4xf32>) -> (tensor<2x15xf32>, tensor<2x5x3xf32>) {
  %w = forge.parameter "w" : tensor<4x15xf32>
  %0 = forge.matmul %x, %w : (tensor<2x4xf32>, tensor<4x15xf32>) -> tensor<2x15xf32>
  %1 = forge.reshape %0 shape [2, 3, 5] : (tensor<2x15xf32>) -> tensor<2x3x5xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<2x3x5xf32>) -> tensor<2x5x3xf32>
  return %0, %2 : tensor<2x15xf32>, tensor<2x5x3xf32>
}

// CHECK-LABEL: func @columns_with_rows(
//       CHECK:   forge.transpose %{{.+}} dims -3, -2 : (tensor<2x3x5xf32>)
func.func @columns_with_rows(%x: tensor<2x4xf32>) -> tensor<3x2x5xf32> {
  %w = forge.parameter "w" : tensor<4x15xf32>
  %0 = forge.matmul %x, %w : (tensor<2x4xf32>, tensor<4x15xf32>) -> tensor<2x15xf32>
  %1 = forge.reshape %0 shape [2, 3, 5] : (tensor<2x15xf32>) -> tensor<2x3x5xf32>
  %2 = forge.transpose %1 dims -3, -2 : (tensor<2x3x5xf32>) -> tensor<3x2x5xf32>
  return %2 : tensor<3x2x5xf32>
}

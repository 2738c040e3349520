// RUN: forge-opt %s --forge-join-movement=chains | FileCheck %s

// Pixels flattened with channels last are transposed, reshaped to an image and transposed back: one reshape.
// CHECK-LABEL: func.func @flattened_image(
// CHECK-NEXT: %[[V0:.+]] = forge.reshape %arg0 shape [1, 3, 4, 8] : (tensor<1x12x8xf32>) -> tensor<1x3x4x8xf32>
// CHECK-NEXT: return %[[V0]] : tensor<1x3x4x8xf32>
func.func @flattened_image(%x: tensor<1x12x8xf32>) -> tensor<1x3x4x8xf32> {
  %0 = forge.transpose %x dims -2, -1 : (tensor<1x12x8xf32>) -> tensor<1x8x12xf32>
  %1 = forge.reshape %0 shape [1, 8, 3, 4] : (tensor<1x8x12xf32>) -> tensor<1x8x3x4xf32>
  %2 = forge.transpose %1 dims -3, -2 : (tensor<1x8x3x4xf32>) -> tensor<1x3x8x4xf32>
  %3 = forge.transpose %2 dims -2, -1 : (tensor<1x3x8x4xf32>) -> tensor<1x3x4x8xf32>
  return %3 : tensor<1x3x4x8xf32>
}

// Two adjacent axes that are moved together are treated as one axis.
// CHECK-LABEL: func.func @axes_moved_together(
// CHECK-NEXT: %[[V0:.+]] = forge.reshape %arg0 shape [2, 12, 5] : (tensor<2x3x4x5xf32>) -> tensor<2x12x5xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.transpose %[[V0]] dims -2, -1 : (tensor<2x12x5xf32>) -> tensor<2x5x12xf32>
// CHECK-NEXT: return %[[V1]] : tensor<2x5x12xf32>
func.func @axes_moved_together(%x: tensor<2x3x4x5xf32>) -> tensor<2x5x12xf32> {
  %0 = forge.transpose %x dims -2, -1 : (tensor<2x3x4x5xf32>) -> tensor<2x3x5x4xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<2x3x5x4xf32>) -> tensor<2x5x3x4xf32>
  %2 = forge.reshape %1 shape [2, 5, 12] : (tensor<2x5x3x4xf32>) -> tensor<2x5x12xf32>
  return %2 : tensor<2x5x12xf32>
}

// A reshape that groups transposed axes differently cannot be expressed as a permutation of axes: the chain stays.
// CHECK-LABEL: func.func @other_grouping(
// CHECK-NEXT: %[[V0:.+]] = forge.transpose %arg0 dims 0, 1 : (tensor<6x4xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %[[V0]] shape [3, 8] : (tensor<4x6xf32>) -> tensor<3x8xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.transpose %[[V1]] dims 0, 1 : (tensor<3x8xf32>) -> tensor<8x3xf32>
// CHECK-NEXT: return %[[V2]] : tensor<8x3xf32>
func.func @other_grouping(%x: tensor<6x4xf32>) -> tensor<8x3xf32> {
  %0 = forge.transpose %x dims 0, 1 : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %1 = forge.reshape %0 shape [3, 8] : (tensor<4x6xf32>) -> tensor<3x8xf32>
  %2 = forge.transpose %1 dims 0, 1 : (tensor<3x8xf32>) -> tensor<8x3xf32>
  return %2 : tensor<8x3xf32>
}

// The heads of keys keep both transposes, because --forge-kernel-forms merges the first of them with that of other
// heads.
// CHECK-LABEL: func.func @heads(
// CHECK-NEXT: %[[V0:.+]] = forge.reshape %arg0 shape [2, 5, 3, 4] : (tensor<2x5x12xf32>) -> tensor<2x5x3x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.transpose %[[V0]] dims -3, -2 : (tensor<2x5x3x4xf32>) -> tensor<2x3x5x4xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.transpose %[[V1]] dims -2, -1 : (tensor<2x3x5x4xf32>) -> tensor<2x3x4x5xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x3x4x5xf32>
func.func @heads(%x: tensor<2x5x12xf32>) -> tensor<2x3x4x5xf32> {
  %0 = forge.reshape %x shape [2, 5, 3, 4] : (tensor<2x5x12xf32>) -> tensor<2x5x3x4xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<2x5x3x4xf32>) -> tensor<2x3x5x4xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<2x3x5x4xf32>) -> tensor<2x3x4x5xf32>
  return %2 : tensor<2x3x4x5xf32>
}

// The same heads after a size-1 axis was removed, as in BLOOM, which selects keys from [H, 3, D].
// CHECK-LABEL: func.func @heads_with_removed_axis(
// CHECK-NEXT: %[[V0:.+]] = forge.reshape %arg0 shape [2, 5, 3, 4] : (tensor<2x5x12xf32>) -> tensor<2x5x3x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.transpose %[[V0]] dims -3, -2 : (tensor<2x5x3x4xf32>) -> tensor<2x3x5x4xf32>
// CHECK-NEXT: %[[V2:.+]] = forge.transpose %[[V1]] dims -2, -1 : (tensor<2x3x5x4xf32>) -> tensor<2x3x4x5xf32>
// CHECK-NEXT: return %[[V2]] : tensor<2x3x4x5xf32>
func.func @heads_with_removed_axis(%x: tensor<2x5x12xf32>) -> tensor<2x3x4x5xf32> {
  %0 = forge.reshape %x shape [2, 5, 3, 1, 4] : (tensor<2x5x12xf32>) -> tensor<2x5x3x1x4xf32>
  %1 = forge.reshape %0 shape [2, 5, 3, 4] : (tensor<2x5x3x1x4xf32>) -> tensor<2x5x3x4xf32>
  %2 = forge.transpose %1 dims -3, -2 : (tensor<2x5x3x4xf32>) -> tensor<2x3x5x4xf32>
  %3 = forge.transpose %2 dims -2, -1 : (tensor<2x3x5x4xf32>) -> tensor<2x3x4x5xf32>
  return %3 : tensor<2x3x4x5xf32>
}

// An intermediate value has another user and stays. The end of the chain becomes a reshape of its source.
// CHECK-LABEL: func.func @intermediate_with_another_user(
// CHECK-NEXT: %[[V0:.+]] = forge.transpose %arg0 dims -2, -1 : (tensor<1x12x8xf32>) -> tensor<1x8x12xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %arg0 shape [1, 3, 4, 8] : (tensor<1x12x8xf32>) -> tensor<1x3x4x8xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]] : tensor<1x8x12xf32>, tensor<1x3x4x8xf32>
func.func @intermediate_with_another_user(%x: tensor<1x12x8xf32>) -> (tensor<1x8x12xf32>, tensor<1x3x4x8xf32>) {
  %0 = forge.transpose %x dims -2, -1 : (tensor<1x12x8xf32>) -> tensor<1x8x12xf32>
  %1 = forge.reshape %0 shape [1, 8, 3, 4] : (tensor<1x8x12xf32>) -> tensor<1x8x3x4xf32>
  %2 = forge.transpose %1 dims -3, -2 : (tensor<1x8x3x4xf32>) -> tensor<1x3x8x4xf32>
  %3 = forge.transpose %2 dims -2, -1 : (tensor<1x3x8x4xf32>) -> tensor<1x3x4x8xf32>
  return %0, %3 : tensor<1x8x12xf32>, tensor<1x3x4x8xf32>
}

// Computing the last value from the source would need as many calls: it remains a transpose of the first transpose.
// CHECK-LABEL: func.func @transpose_of_transpose(
// CHECK-NEXT: %[[V0:.+]] = forge.transpose %arg0 dims 0, 1 : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.transpose %[[V0]] dims 1, 2 : (tensor<3x2x4xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT: return %[[V0]], %[[V1]], %arg0
func.func @transpose_of_transpose(%x: tensor<2x3x4xf32>) -> (tensor<3x2x4xf32>, tensor<3x4x2xf32>, tensor<2x3x4xf32>) {
  %0 = forge.transpose %x dims 0, 1 : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
  %1 = forge.transpose %0 dims 1, 2 : (tensor<3x2x4xf32>) -> tensor<3x4x2xf32>
  %2 = forge.transpose %0 dims 0, 1 : (tensor<3x2x4xf32>) -> tensor<2x3x4xf32>
  return %0, %1, %2 : tensor<3x2x4xf32>, tensor<3x4x2xf32>, tensor<2x3x4xf32>
}

// The reshape groups transposed axes differently, so that the chain as a whole stays; the two transposes at its end
// cancel.
// CHECK-LABEL: func.func @other_grouping_and_inverse(
// CHECK-NEXT: %[[V0:.+]] = forge.transpose %arg0 dims 0, 1 : (tensor<6x4xf32>) -> tensor<4x6xf32>
// CHECK-NEXT: %[[V1:.+]] = forge.reshape %[[V0]] shape [3, 8] : (tensor<4x6xf32>) -> tensor<3x8xf32>
// CHECK-NEXT: return %[[V1]] : tensor<3x8xf32>
func.func @other_grouping_and_inverse(%x: tensor<6x4xf32>) -> tensor<3x8xf32> {
  %0 = forge.transpose %x dims 0, 1 : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %1 = forge.reshape %0 shape [3, 8] : (tensor<4x6xf32>) -> tensor<3x8xf32>
  %2 = forge.transpose %1 dims 0, 1 : (tensor<3x8xf32>) -> tensor<8x3xf32>
  %3 = forge.transpose %2 dims 0, 1 : (tensor<8x3xf32>) -> tensor<3x8xf32>
  return %3 : tensor<3x8xf32>
}

// Reshape and transpose would be two calls, but on [1, 3481, 96, 1], whose trailing axis is padded to a tile: the three
// calls stay.
// CHECK-LABEL: func.func @padded_column(
//  CHECK-NEXT: forge.transpose %arg0 dims -2, -1
//  CHECK-NEXT: forge.transpose
//  CHECK-NEXT: forge.reshape {{.*}} shape [1, 96, 3481, 1]
func.func @padded_column(%x: tensor<1x59x59x96xf32>) -> tensor<1x96x3481x1xf32> {
  %0 = forge.transpose %x dims -2, -1 : (tensor<1x59x59x96xf32>) -> tensor<1x59x96x59xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<1x59x96x59xf32>) -> tensor<1x96x59x59xf32>
  %2 = forge.reshape %1 shape [1, 96, 3481, 1] : (tensor<1x96x59x59xf32>) -> tensor<1x96x3481x1xf32>
  return %2 : tensor<1x96x3481x1xf32>
}

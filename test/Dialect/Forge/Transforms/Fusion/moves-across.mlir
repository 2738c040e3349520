// RUN: forge-opt %s --forge-join-movement=chains --split-input-file | FileCheck %s

// A row is written into a cache as torch's newer exporter does it, between transposes of the cache. These are removed,
// and the ops between them work on the cache as it is.

// CHECK-LABEL: func @cache(
//   CHECK-DAG:   %[[ROWS:.+]] = forge.parameter "rows"
//   CHECK-DAG:   %[[R:.+]] = forge.reshape %[[ROWS]] shape [1, 1, 48, 1]
//   CHECK-DAG:   %[[E:.+]] = forge.equal %arg2, %[[R]] : (tensor<1x1x1x1xi32>, tensor<1x1x48x1xi32>) -> tensor<1x1x48x1xi32>
//       CHECK:   %[[W:.+]] = forge.where %[[E]], %arg1, %arg0 : (tensor<1x1x48x1xi32>, tensor<3x4x1x16xf32>, tensor<3x4x48x16xf32>) -> tensor<3x4x48x16xf32>
//  CHECK-NEXT:   return %[[W]]
func.func @cache(%cache: tensor<3x4x48x16xf32>, %new: tensor<3x4x1x16xf32>, %at: tensor<1x1x1x1xi32>) -> tensor<3x4x48x16xf32> {
  %rows = forge.parameter "rows" : tensor<48x1x1x1xi32>
  %0 = forge.transpose %cache dims -4, -2 : (tensor<3x4x48x16xf32>) -> tensor<48x4x3x16xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<48x4x3x16xf32>) -> tensor<48x3x4x16xf32>
  %2 = forge.transpose %new dims -4, -2 : (tensor<3x4x1x16xf32>) -> tensor<1x4x3x16xf32>
  %3 = forge.transpose %2 dims -3, -2 : (tensor<1x4x3x16xf32>) -> tensor<1x3x4x16xf32>
  %4 = forge.equal %at, %rows : (tensor<1x1x1x1xi32>, tensor<48x1x1x1xi32>) -> tensor<48x1x1x1xi32>
  %5 = forge.where %4, %3, %1 : (tensor<48x1x1x1xi32>, tensor<1x3x4x16xf32>, tensor<48x3x4x16xf32>) -> tensor<48x3x4x16xf32>
  %6 = forge.transpose %5 dims -3, -2 : (tensor<48x3x4x16xf32>) -> tensor<48x4x3x16xf32>
  %7 = forge.transpose %6 dims -4, -2 : (tensor<48x4x3x16xf32>) -> tensor<3x4x48x16xf32>
  return %7 : tensor<3x4x48x16xf32>
}

// -----

// Several ops are between the transposes, one of which broadcasts an operand along another axis.

// CHECK-LABEL: func @several_ops(
//   CHECK-NOT:   forge.transpose %arg0
//       CHECK:   %[[E:.+]] = forge.exp %arg0 : tensor<2x40x64xf32>
//       CHECK:   %[[M:.+]] = forge.multiply %[[E]], %{{.+}} : (tensor<2x40x64xf32>, tensor<1x40x1xf32>) -> tensor<2x40x64xf32>
//       CHECK:   return %[[M]]
func.func @several_ops(%x: tensor<2x40x64xf32>) -> tensor<2x40x64xf32> {
  %row = forge.parameter "row" : tensor<40xf32>
  %0 = forge.transpose %x dims -2, -1 : (tensor<2x40x64xf32>) -> tensor<2x64x40xf32>
  %1 = forge.exp %0 : tensor<2x64x40xf32>
  %2 = forge.multiply %1, %row : (tensor<2x64x40xf32>, tensor<40xf32>) -> tensor<2x64x40xf32>
  %3 = forge.transpose %2 dims -2, -1 : (tensor<2x64x40xf32>) -> tensor<2x40x64xf32>
  return %3 : tensor<2x40x64xf32>
}

// -----

// Unchanged: the op between the transposes has another user, or the transposes are not inverses.

// CHECK-LABEL: func @other_user(
//       CHECK:   forge.exp %{{.+}} : tensor<2x64x40xf32>
func.func @other_user(%x: tensor<2x40x64xf32>) -> (tensor<2x40x64xf32>, tensor<2x64x40xf32>) {
  %0 = forge.transpose %x dims -2, -1 : (tensor<2x40x64xf32>) -> tensor<2x64x40xf32>
  %1 = forge.exp %0 : tensor<2x64x40xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<2x64x40xf32>) -> tensor<2x40x64xf32>
  return %2, %1 : tensor<2x40x64xf32>, tensor<2x64x40xf32>
}

// CHECK-LABEL: func @other_axes(
//       CHECK:   forge.exp %{{.+}} : tensor<2x64x40xf32>
func.func @other_axes(%x: tensor<2x40x64xf32>) -> tensor<64x2x40xf32> {
  %0 = forge.transpose %x dims -2, -1 : (tensor<2x40x64xf32>) -> tensor<2x64x40xf32>
  %1 = forge.exp %0 : tensor<2x64x40xf32>
  %2 = forge.transpose %1 dims -3, -2 : (tensor<2x64x40xf32>) -> tensor<64x2x40xf32>
  return %2 : tensor<64x2x40xf32>
}

// The other operand has to be transposed instead: one transpose replaces two.

// CHECK-LABEL: func @one_transpose_for_two(
//       CHECK:   %[[T:.+]] = forge.transpose %arg1 dims -2, -1 : (tensor<2x64x40xf32>) -> tensor<2x40x64xf32>
//       CHECK:   %[[S:.+]] = forge.add %arg0, %[[T]] : tensor<2x40x64xf32>
//       CHECK:   return %[[S]]
func.func @one_transpose_for_two(%x: tensor<2x40x64xf32>, %y: tensor<2x64x40xf32>) -> tensor<2x40x64xf32> {
  %0 = forge.transpose %x dims -2, -1 : (tensor<2x40x64xf32>) -> tensor<2x64x40xf32>
  %1 = forge.add %0, %y : tensor<2x64x40xf32>
  %2 = forge.transpose %1 dims -2, -1 : (tensor<2x64x40xf32>) -> tensor<2x40x64xf32>
  return %2 : tensor<2x40x64xf32>
}

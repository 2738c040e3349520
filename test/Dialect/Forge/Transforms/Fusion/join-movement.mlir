// RUN: forge-opt %s --forge-join-movement | FileCheck %s
// RUN: forge-opt %s --forge-join-movement --forge-fold-weights | FileCheck %s --check-prefix=FOLD

// Queries, keys and values are indexed by an axis that is transposed to the front: they become slices of the axis of
// heads. A scale of the scores is folded into the weight columns of the queries.
// CHECK-LABEL: func.func @qkv_axis_first(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "w" : tensor<12x24xf32>
// CHECK-DAG: %[[V1:.+]] = forge.scalar_constant constant 5.000000e-01 dtype f32 : tensor<1xf32>
// CHECK-DAG: %[[V2:.+]] = forge.matmul %arg0, %[[V0]] : (tensor<2x5x12xf32>, tensor<12x24xf32>) -> tensor<2x5x24xf32>
// CHECK-DAG: %[[V3:.+]] = forge.reshape %[[V2]] shape [2, 5, 6, 4] : (tensor<2x5x24xf32>) -> tensor<2x5x6x4xf32>
// CHECK-DAG: %[[V4:.+]] = forge.transpose %[[V3]] dims -3, -2 : (tensor<2x5x6x4xf32>) -> tensor<2x6x5x4xf32>
// CHECK-DAG: %[[V5:.+]] = forge.index %[[V4]] dim -3 [0:2] : (tensor<2x6x5x4xf32>) -> tensor<2x2x5x4xf32>
// CHECK-DAG: %[[V6:.+]] = forge.index %[[V4]] dim -3 [2:4] : (tensor<2x6x5x4xf32>) -> tensor<2x2x5x4xf32>
// CHECK-DAG: %[[V9:.+]] = forge.transpose %[[V6]] dims -2, -1 : (tensor<2x2x5x4xf32>) -> tensor<2x2x4x5xf32>
// CHECK-DAG: %[[V10:.+]] = forge.matmul %[[V5]], %[[V9]] : (tensor<2x2x5x4xf32>, tensor<2x2x4x5xf32>) -> tensor<2x2x5x5xf32>
// CHECK-DAG: %[[V11:.+]] = forge.multiply %[[V10]], %[[V1]] : (tensor<2x2x5x5xf32>, tensor<1xf32>) -> tensor<2x2x5x5xf32>
// CHECK: return %[[V11]] : tensor<2x2x5x5xf32>
func.func @qkv_axis_first(%x: tensor<2x5x12xf32>) -> tensor<2x2x5x5xf32> {
  %w = forge.parameter "w" : tensor<12x24xf32>
  %s = forge.scalar_constant constant 5.000000e-01 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<2x5x12xf32>, tensor<12x24xf32>) -> tensor<2x5x24xf32>
  %1 = forge.reshape %0 shape [2, 5, 3, 2, 4] : (tensor<2x5x24xf32>) -> tensor<2x5x3x2x4xf32>
  %2 = forge.transpose %1 dims -5, -3 : (tensor<2x5x3x2x4xf32>) -> tensor<3x5x2x2x4xf32>
  %3 = forge.transpose %2 dims -4, -3 : (tensor<3x5x2x2x4xf32>) -> tensor<3x2x5x2x4xf32>
  %4 = forge.transpose %3 dims -3, -2 : (tensor<3x2x5x2x4xf32>) -> tensor<3x2x2x5x4xf32>
  %q = forge.index %4 dim 0 [0:1] : (tensor<3x2x2x5x4xf32>) -> tensor<1x2x2x5x4xf32>
  %k = forge.index %4 dim 0 [1:2] : (tensor<3x2x2x5x4xf32>) -> tensor<1x2x2x5x4xf32>
  %q1 = forge.reshape %q shape [2, 2, 5, 4] : (tensor<1x2x2x5x4xf32>) -> tensor<2x2x5x4xf32>
  %k1 = forge.squeeze %k dim 0 : (tensor<1x2x2x5x4xf32>) -> tensor<2x2x5x4xf32>
  %k2 = forge.transpose %k1 dims -2, -1 : (tensor<2x2x5x4xf32>) -> tensor<2x2x4x5xf32>
  %p = forge.matmul %q1, %k2 : (tensor<2x2x5x4xf32>, tensor<2x2x4x5xf32>) -> tensor<2x2x5x5xf32>
  %y = forge.multiply %p, %s : (tensor<2x2x5x5xf32>, tensor<1xf32>) -> tensor<2x2x5x5xf32>
  return %y : tensor<2x2x5x5xf32>
}

// FOLD-LABEL: func.func @qkv_axis_first(
//       FOLD: %[[W:.+]] = forge.parameter "w"
//       FOLD: %[[S:.+]] = forge.scalar_constant constant 5.000000e-01
//       FOLD: %[[Q:.+]] = forge.repeat %[[S]] repeats [8] : (tensor<1xf32>) -> tensor<8xf32>
//       FOLD: %[[REST:.+]] = forge.constant dense<1.000000e+00> : tensor<16xf32>
//       FOLD: %[[ROW:.+]] = forge.concatenate %[[Q]], %[[REST]] axis -1
//       FOLD: %[[V:.+]] = forge.multiply %[[W]], %[[ROW]]
//       FOLD: forge.matmul %arg0, %[[V]] :
//   FOLD-NOT: forge.multiply
//       FOLD: return

// The queries have a second user, which would receive the scale too if it were folded into their weights.
// FOLD-LABEL: func.func @read_twice(
//       FOLD: forge.matmul %{{.+}}, %{{.+}} : (tensor<1x2x5x4xf32>, tensor<1x2x4x5xf32>)
//  FOLD-NEXT: forge.multiply
func.func @read_twice(%x: tensor<1x5x12xf32>) -> (tensor<1x2x5x5xf32>, tensor<1x2x5x4xf32>) {
  %w = forge.parameter "w" : tensor<12x16xf32>
  %s = forge.scalar_constant constant 5.000000e-01 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<1x5x12xf32>, tensor<12x16xf32>) -> tensor<1x5x16xf32>
  %1 = forge.reshape %0 shape [1, 5, 4, 4] : (tensor<1x5x16xf32>) -> tensor<1x5x4x4xf32>
  %2 = forge.transpose %1 dims 1, 2 : (tensor<1x5x4x4xf32>) -> tensor<1x4x5x4xf32>
  %q = forge.index %2 dim 1 [0:2] : (tensor<1x4x5x4xf32>) -> tensor<1x2x5x4xf32>
  %k = forge.index %2 dim 1 [1:3] : (tensor<1x4x5x4xf32>) -> tensor<1x2x5x4xf32>
  %k2 = forge.transpose %k dims -2, -1 : (tensor<1x2x5x4xf32>) -> tensor<1x2x4x5xf32>
  %p = forge.matmul %q, %k2 : (tensor<1x2x5x4xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x5x5xf32>
  %y = forge.multiply %p, %s : (tensor<1x2x5x5xf32>, tensor<1xf32>) -> tensor<1x2x5x5xf32>
  return %y, %q : tensor<1x2x5x5xf32>, tensor<1x2x5x4xf32>
}

// Keys that are an input have no weights: their scale is moved to the scores, and from there into the weights of the
// queries.
// FOLD-LABEL: func.func @scale_of_input_keys(
//       FOLD: %[[V:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<12x4xf32>, tensor<1xf32>) -> tensor<12x4xf32>
//       FOLD: forge.matmul %arg0, %[[V]]
//   FOLD-NOT: tensor<5x7xf32>, tensor<1xf32>
//       FOLD: return
func.func @scale_of_input_keys(%x: tensor<5x12xf32>, %k: tensor<4x7xf32>) -> tensor<5x7xf32> {
  %w = forge.parameter "w" : tensor<12x4xf32>
  %s = forge.scalar_constant constant 5.000000e-01 dtype f32 : tensor<1xf32>
  %q = forge.matmul %x, %w : (tensor<5x12xf32>, tensor<12x4xf32>) -> tensor<5x4xf32>
  %t = forge.multiply %k, %s : (tensor<4x7xf32>, tensor<1xf32>) -> tensor<4x7xf32>
  %p = forge.matmul %q, %t : (tensor<5x4xf32>, tensor<4x7xf32>) -> tensor<5x7xf32>
  return %p : tensor<5x7xf32>
}

// Height and width of an image are flattened into rows when the channels are split into heads.
// FOLD-LABEL: func.func @heads_of_images(
//       FOLD: %[[V:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<12x16xf32>, tensor<16xf32>) -> tensor<12x16xf32>
//       FOLD: forge.matmul %arg0, %[[V]]
//   FOLD-NOT: forge.multiply
//       FOLD: return
func.func @heads_of_images(%x: tensor<1x2x3x12xf32>) -> tensor<2x6x6xf32> {
  %w = forge.parameter "w" : tensor<12x16xf32>
  %s = forge.scalar_constant constant 5.000000e-01 dtype f32 : tensor<1xf32>
  %0 = forge.matmul %x, %w : (tensor<1x2x3x12xf32>, tensor<12x16xf32>) -> tensor<1x2x3x16xf32>
  %1 = forge.reshape %0 shape [6, 4, 4] : (tensor<1x2x3x16xf32>) -> tensor<6x4x4xf32>
  %2 = forge.transpose %1 dims 0, 1 : (tensor<6x4x4xf32>) -> tensor<4x6x4xf32>
  %q = forge.index %2 dim 0 [0:2] : (tensor<4x6x4xf32>) -> tensor<2x6x4xf32>
  %k = forge.index %2 dim 0 [2:4] : (tensor<4x6x4xf32>) -> tensor<2x6x4xf32>
  %q1 = forge.multiply %q, %s : (tensor<2x6x4xf32>, tensor<1xf32>) -> tensor<2x6x4xf32>
  %k1 = forge.transpose %k dims -2, -1 : (tensor<2x6x4xf32>) -> tensor<2x4x6xf32>
  %p = forge.matmul %q1, %k1 : (tensor<2x6x4xf32>, tensor<2x4x6xf32>) -> tensor<2x6x6xf32>
  return %p : tensor<2x6x6xf32>
}

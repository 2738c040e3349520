// RUN: forge-opt %s --forge-fold-weights | FileCheck %s

// Each head has its queries, keys and values concatenated along the channels, and is transposed before it is sliced.
// One slice reads only some channels of the queries.
// CHECK-LABEL: func.func @concatenated_in_each_head(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "w" : tensor<12x24xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "b" : tensor<24xf32>
// CHECK-DAG: %[[V2:.+]] = forge.reshape %[[V0]] shape [12, 2, 3, 4] : (tensor<12x24xf32>) -> tensor<12x2x3x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.transpose %[[V2]] dims -3, -2 : (tensor<12x2x3x4xf32>) -> tensor<12x3x2x4xf32>
// CHECK-DAG: %[[V4:.+]] = forge.reshape %[[V3]] shape [12, 24] : (tensor<12x3x2x4xf32>) -> tensor<12x24xf32>
// CHECK-DAG: %[[V5:.+]] = forge.reshape %[[V1]] shape [2, 3, 4] : (tensor<24xf32>) -> tensor<2x3x4xf32>
// CHECK-DAG: %[[V6:.+]] = forge.transpose %[[V5]] dims -3, -2 : (tensor<2x3x4xf32>) -> tensor<3x2x4xf32>
// CHECK-DAG: %[[V7:.+]] = forge.reshape %[[V6]] shape [24] : (tensor<3x2x4xf32>) -> tensor<24xf32>
// CHECK-DAG: %[[V8:.+]] = forge.matmul %arg0, %[[V4]] : (tensor<2x5x12xf32>, tensor<12x24xf32>) -> tensor<2x5x24xf32>
// CHECK-DAG: %[[V9:.+]] = forge.add %[[V8]], %[[V7]] : (tensor<2x5x24xf32>, tensor<24xf32>) -> tensor<2x5x24xf32>
// CHECK-DAG: %[[V10:.+]] = forge.index %[[V9]] dim -1 [0:8] : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
// CHECK-DAG: %[[V11:.+]] = forge.reshape %[[V10]] shape [2, 5, 2, 4] : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
// CHECK-DAG: %[[V12:.+]] = forge.transpose %[[V11]] dims -3, -2 : (tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
// CHECK-DAG: %[[V13:.+]] = forge.index %[[V9]] dim -1 [8:16] : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
// CHECK-DAG: %[[V14:.+]] = forge.reshape %[[V13]] shape [2, 5, 2, 4] : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
// CHECK-DAG: %[[V15:.+]] = forge.transpose %[[V14]] dims -3, -2 : (tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
// CHECK-DAG: %[[V16:.+]] = forge.index %[[V9]] dim -1 [16:24] : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
// CHECK-DAG: %[[V17:.+]] = forge.reshape %[[V16]] shape [2, 5, 2, 4] : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
// CHECK-DAG: %[[V18:.+]] = forge.transpose %[[V17]] dims -3, -2 : (tensor<2x5x2x4xf32>) -> tensor<2x2x5x4xf32>
// CHECK-DAG: %[[V19:.+]] = forge.index %[[V12]] dim -1 [1:4] : (tensor<2x2x5x4xf32>) -> tensor<2x2x5x3xf32>
// CHECK: return %[[V12]], %[[V19]], %[[V15]], %[[V18]] : tensor<2x2x5x4xf32>, tensor<2x2x5x3xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x4xf32>
func.func @concatenated_in_each_head(%x: tensor<2x5x12xf32>) -> (tensor<2x2x5x4xf32>, tensor<2x2x5x3xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x4xf32>) {
  %w = forge.parameter "w" : tensor<12x24xf32>
  %b = forge.parameter "b" : tensor<24xf32>
  %0 = forge.matmul %x, %w : (tensor<2x5x12xf32>, tensor<12x24xf32>) -> tensor<2x5x24xf32>
  %1 = forge.add %b, %0 : (tensor<24xf32>, tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
  %2 = forge.reshape %1 shape [2, 5, 2, 12] : (tensor<2x5x24xf32>) -> tensor<2x5x2x12xf32>
  %3 = forge.transpose %2 dims -3, -2 : (tensor<2x5x2x12xf32>) -> tensor<2x2x5x12xf32>
  %q = forge.index %3 dim -1 [0:4] : (tensor<2x2x5x12xf32>) -> tensor<2x2x5x4xf32>
  %few = forge.index %3 dim -1 [1:4] : (tensor<2x2x5x12xf32>) -> tensor<2x2x5x3xf32>
  %k = forge.index %3 dim -1 [4:8] : (tensor<2x2x5x12xf32>) -> tensor<2x2x5x4xf32>
  %v = forge.index %3 dim -1 [8:12] : (tensor<2x2x5x12xf32>) -> tensor<2x2x5x4xf32>
  return %q, %few, %k, %v : tensor<2x2x5x4xf32>, tensor<2x2x5x3xf32>, tensor<2x2x5x4xf32>, tensor<2x2x5x4xf32>
}

// Keys and values are indexed by an axis of their own.
// CHECK-LABEL: func.func @parts_as_an_axis(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "w" : tensor<12x16xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "b" : tensor<16xf32>
// CHECK-DAG: %[[V2:.+]] = forge.reshape %[[V0]] shape [12, 2, 2, 4] : (tensor<12x16xf32>) -> tensor<12x2x2x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.transpose %[[V2]] dims -3, -2 : tensor<12x2x2x4xf32>
// CHECK-DAG: %[[V4:.+]] = forge.reshape %[[V3]] shape [12, 16] : (tensor<12x2x2x4xf32>) -> tensor<12x16xf32>
// CHECK-DAG: %[[V5:.+]] = forge.reshape %[[V1]] shape [2, 2, 4] : (tensor<16xf32>) -> tensor<2x2x4xf32>
// CHECK-DAG: %[[V6:.+]] = forge.transpose %[[V5]] dims -3, -2 : tensor<2x2x4xf32>
// CHECK-DAG: %[[V7:.+]] = forge.reshape %[[V6]] shape [16] : (tensor<2x2x4xf32>) -> tensor<16xf32>
// CHECK-DAG: %[[V8:.+]] = forge.matmul %arg0, %[[V4]], %[[V7]] : (tensor<5x12xf32>, tensor<12x16xf32>, tensor<16xf32>) -> tensor<5x16xf32>
// CHECK-DAG: %[[V9:.+]] = forge.index %[[V8]] dim -1 [0:8] : (tensor<5x16xf32>) -> tensor<5x8xf32>
// CHECK-DAG: %[[V10:.+]] = forge.reshape %[[V9]] shape [5, 2, 1, 4] : (tensor<5x8xf32>) -> tensor<5x2x1x4xf32>
// CHECK-DAG: %[[V11:.+]] = forge.index %[[V8]] dim -1 [8:16] : (tensor<5x16xf32>) -> tensor<5x8xf32>
// CHECK-DAG: %[[V12:.+]] = forge.reshape %[[V11]] shape [5, 2, 1, 4] : (tensor<5x8xf32>) -> tensor<5x2x1x4xf32>
// CHECK: return %[[V10]], %[[V12]] : tensor<5x2x1x4xf32>, tensor<5x2x1x4xf32>
func.func @parts_as_an_axis(%x: tensor<5x12xf32>) -> (tensor<5x2x1x4xf32>, tensor<5x2x1x4xf32>) {
  %w = forge.parameter "w" : tensor<12x16xf32>
  %b = forge.parameter "b" : tensor<16xf32>
  %0 = forge.matmul %x, %w, %b : (tensor<5x12xf32>, tensor<12x16xf32>, tensor<16xf32>) -> tensor<5x16xf32>
  %1 = forge.reshape %0 shape [5, 2, 2, 4] : (tensor<5x16xf32>) -> tensor<5x2x2x4xf32>
  %k = forge.index %1 dim 2 [0:1] : (tensor<5x2x2x4xf32>) -> tensor<5x2x1x4xf32>
  %v = forge.index %1 dim 2 [1:2] : (tensor<5x2x2x4xf32>) -> tensor<5x2x1x4xf32>
  return %k, %v : tensor<5x2x1x4xf32>, tensor<5x2x1x4xf32>
}

// Unchanged: a slice that spans two parts, a single part, the two halves of a rotary embedding, and a projection with
// another user.
// CHECK-LABEL: func.func @unchanged(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "w" : tensor<12x24xf32>
// CHECK-DAG: %[[V1:.+]] = forge.matmul %arg0, %[[V0]] : (tensor<5x12xf32>, tensor<12x24xf32>) -> tensor<5x24xf32>
// CHECK-DAG: %[[V2:.+]] = forge.reshape %[[V1]] shape [5, 2, 12] : (tensor<5x24xf32>) -> tensor<5x2x12xf32>
// CHECK-DAG: %[[V3:.+]] = forge.index %[[V2]] dim -1 [0:8] : (tensor<5x2x12xf32>) -> tensor<5x2x8xf32>
// CHECK-DAG: %[[V4:.+]] = forge.index %[[V2]] dim -1 [8:12] : (tensor<5x2x12xf32>) -> tensor<5x2x4xf32>
// CHECK-DAG: %[[V5:.+]] = forge.parameter "a" : tensor<12x24xf32>
// CHECK-DAG: %[[V6:.+]] = forge.matmul %arg0, %[[V5]] : (tensor<5x12xf32>, tensor<12x24xf32>) -> tensor<5x24xf32>
// CHECK-DAG: %[[V7:.+]] = forge.reshape %[[V6]] shape [5, 2, 12] : (tensor<5x24xf32>) -> tensor<5x2x12xf32>
// CHECK-DAG: %[[V8:.+]] = forge.index %[[V7]] dim -1 [4:8] : (tensor<5x2x12xf32>) -> tensor<5x2x4xf32>
// CHECK-DAG: %[[V9:.+]] = forge.parameter "c" : tensor<12x24xf32>
// CHECK-DAG: %[[V10:.+]] = forge.matmul %arg0, %[[V9]] : (tensor<5x12xf32>, tensor<12x24xf32>) -> tensor<5x24xf32>
// CHECK-DAG: %[[V11:.+]] = forge.reshape %[[V10]] shape [5, 2, 12] : (tensor<5x24xf32>) -> tensor<5x2x12xf32>
// CHECK-DAG: %[[V12:.+]] = forge.index %[[V11]] dim -1 [0:6] : (tensor<5x2x12xf32>) -> tensor<5x2x6xf32>
// CHECK-DAG: %[[V13:.+]] = forge.index %[[V11]] dim -1 [6:12] : (tensor<5x2x12xf32>) -> tensor<5x2x6xf32>
// CHECK-DAG: %[[V14:.+]] = forge.parameter "d" : tensor<12x24xf32>
// CHECK-DAG: %[[V15:.+]] = forge.matmul %arg0, %[[V14]] : (tensor<5x12xf32>, tensor<12x24xf32>) -> tensor<5x24xf32>
// CHECK-DAG: %[[V16:.+]] = forge.reshape %[[V15]] shape [5, 2, 12] : (tensor<5x24xf32>) -> tensor<5x2x12xf32>
// CHECK-DAG: %[[V17:.+]] = forge.index %[[V16]] dim -1 [0:4] : (tensor<5x2x12xf32>) -> tensor<5x2x4xf32>
// CHECK-DAG: %[[V18:.+]] = forge.index %[[V16]] dim -1 [4:8] : (tensor<5x2x12xf32>) -> tensor<5x2x4xf32>
// CHECK: return %[[V3]], %[[V4]], %[[V8]], %[[V12]], %[[V13]], %[[V17]], %[[V18]], %[[V15]] : tensor<5x2x8xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x6xf32>, tensor<5x2x6xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x24xf32>
func.func @unchanged(%x: tensor<5x12xf32>) -> (tensor<5x2x8xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x6xf32>, tensor<5x2x6xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x24xf32>) {
  %w = forge.parameter "w" : tensor<12x24xf32>
  %0 = forge.matmul %x, %w : (tensor<5x12xf32>, tensor<12x24xf32>) -> tensor<5x24xf32>
  %1 = forge.reshape %0 shape [5, 2, 12] : (tensor<5x24xf32>) -> tensor<5x2x12xf32>
  %two = forge.index %1 dim -1 [0:8] : (tensor<5x2x12xf32>) -> tensor<5x2x8xf32>
  %third = forge.index %1 dim -1 [8:12] : (tensor<5x2x12xf32>) -> tensor<5x2x4xf32>
  %a = forge.parameter "a" : tensor<12x24xf32>
  %2 = forge.matmul %x, %a : (tensor<5x12xf32>, tensor<12x24xf32>) -> tensor<5x24xf32>
  %3 = forge.reshape %2 shape [5, 2, 12] : (tensor<5x24xf32>) -> tensor<5x2x12xf32>
  %alone = forge.index %3 dim -1 [4:8] : (tensor<5x2x12xf32>) -> tensor<5x2x4xf32>
  %c = forge.parameter "c" : tensor<12x24xf32>
  %4 = forge.matmul %x, %c : (tensor<5x12xf32>, tensor<12x24xf32>) -> tensor<5x24xf32>
  %5 = forge.reshape %4 shape [5, 2, 12] : (tensor<5x24xf32>) -> tensor<5x2x12xf32>
  %half = forge.index %5 dim -1 [0:6] : (tensor<5x2x12xf32>) -> tensor<5x2x6xf32>
  %other = forge.index %5 dim -1 [6:12] : (tensor<5x2x12xf32>) -> tensor<5x2x6xf32>
  %d = forge.parameter "d" : tensor<12x24xf32>
  %6 = forge.matmul %x, %d : (tensor<5x12xf32>, tensor<12x24xf32>) -> tensor<5x24xf32>
  %7 = forge.reshape %6 shape [5, 2, 12] : (tensor<5x24xf32>) -> tensor<5x2x12xf32>
  %q = forge.index %7 dim -1 [0:4] : (tensor<5x2x12xf32>) -> tensor<5x2x4xf32>
  %k = forge.index %7 dim -1 [4:8] : (tensor<5x2x12xf32>) -> tensor<5x2x4xf32>
  return %two, %third, %alone, %half, %other, %q, %k, %6 : tensor<5x2x8xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x2x6xf32>, tensor<5x2x6xf32>, tensor<5x2x4xf32>, tensor<5x2x4xf32>, tensor<5x24xf32>
}

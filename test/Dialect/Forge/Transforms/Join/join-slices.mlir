// RUN: forge-opt %s --forge-join-projections --forge-join-slices | FileCheck %s

// Queries and keys are adjacent slices of one projection, followed by the values: their rotary embedding is computed
// once.
// CHECK-LABEL: func.func @rotary(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "cos" : tensor<5x4xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "sin" : tensor<5x4xf32>
// CHECK-DAG: %[[V2:.+]] = forge.index %arg0 dim -3 [0:6] : (tensor<1x7x5x4xf32>) -> tensor<1x6x5x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.index %arg0 dim 1 [6:7] : (tensor<1x7x5x4xf32>) -> tensor<1x1x5x4xf32>
// CHECK-DAG: %[[V4:.+]] = forge.multiply %[[V2]], %[[V0]] : (tensor<1x6x5x4xf32>, tensor<5x4xf32>) -> tensor<1x6x5x4xf32>
// CHECK-DAG: %[[V5:.+]] = forge.index %[[V2]] dim -1 [0:2] : (tensor<1x6x5x4xf32>) -> tensor<1x6x5x2xf32>
// CHECK-DAG: %[[V6:.+]] = forge.index %[[V2]] dim -1 [2:4] : (tensor<1x6x5x4xf32>) -> tensor<1x6x5x2xf32>
// CHECK-DAG: %[[V7:.+]] = forge.concatenate %[[V6]], %[[V5]] axis -1 : (tensor<1x6x5x2xf32>, tensor<1x6x5x2xf32>) -> tensor<1x6x5x4xf32>
// CHECK-DAG: %[[V8:.+]] = forge.multiply %[[V7]], %[[V1]] : (tensor<1x6x5x4xf32>, tensor<5x4xf32>) -> tensor<1x6x5x4xf32>
// CHECK-DAG: %[[V9:.+]] = forge.add %[[V4]], %[[V8]] : tensor<1x6x5x4xf32>
// CHECK-DAG: %[[V10:.+]] = forge.index %[[V9]] dim -3 [0:4] : (tensor<1x6x5x4xf32>) -> tensor<1x4x5x4xf32>
// CHECK-DAG: %[[V11:.+]] = forge.index %[[V9]] dim -3 [4:6] : (tensor<1x6x5x4xf32>) -> tensor<1x2x5x4xf32>
// CHECK: return %[[V10]], %[[V11]], %[[V3]] : tensor<1x4x5x4xf32>, tensor<1x2x5x4xf32>, tensor<1x1x5x4xf32>
func.func @rotary(%heads: tensor<1x7x5x4xf32>) -> (tensor<1x4x5x4xf32>, tensor<1x2x5x4xf32>, tensor<1x1x5x4xf32>) {
  %cos = forge.parameter "cos" : tensor<5x4xf32>
  %sin = forge.parameter "sin" : tensor<5x4xf32>
  %q = forge.index %heads dim -3 [0:4] : (tensor<1x7x5x4xf32>) -> tensor<1x4x5x4xf32>
  %k = forge.index %heads dim 1 [4:6] : (tensor<1x7x5x4xf32>) -> tensor<1x2x5x4xf32>
  %v = forge.index %heads dim 1 [6:7] : (tensor<1x7x5x4xf32>) -> tensor<1x1x5x4xf32>
  %q0 = forge.multiply %q, %cos : (tensor<1x4x5x4xf32>, tensor<5x4xf32>) -> tensor<1x4x5x4xf32>
  %q1 = forge.index %q dim -1 [0:2] : (tensor<1x4x5x4xf32>) -> tensor<1x4x5x2xf32>
  %q2 = forge.index %q dim -1 [2:4] : (tensor<1x4x5x4xf32>) -> tensor<1x4x5x2xf32>
  %q3 = forge.concatenate %q2, %q1 axis -1 : (tensor<1x4x5x2xf32>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x4xf32>
  %q4 = forge.multiply %q3, %sin : (tensor<1x4x5x4xf32>, tensor<5x4xf32>) -> tensor<1x4x5x4xf32>
  %q5 = forge.add %q0, %q4 : tensor<1x4x5x4xf32>
  %k0 = forge.multiply %k, %cos : (tensor<1x2x5x4xf32>, tensor<5x4xf32>) -> tensor<1x2x5x4xf32>
  %k1 = forge.index %k dim -1 [0:2] : (tensor<1x2x5x4xf32>) -> tensor<1x2x5x2xf32>
  %k2 = forge.index %k dim -1 [2:4] : (tensor<1x2x5x4xf32>) -> tensor<1x2x5x2xf32>
  %k3 = forge.concatenate %k2, %k1 axis -1 : (tensor<1x2x5x2xf32>, tensor<1x2x5x2xf32>) -> tensor<1x2x5x4xf32>
  %k4 = forge.multiply %k3, %sin : (tensor<1x2x5x4xf32>, tensor<5x4xf32>) -> tensor<1x2x5x4xf32>
  %k5 = forge.add %k0, %k4 : tensor<1x2x5x4xf32>
  return %q5, %k5, %v : tensor<1x4x5x4xf32>, tensor<1x2x5x4xf32>, tensor<1x1x5x4xf32>
}

// Norms of heads with different scales: the scales are concatenated to one weight, and one transpose follows.
// CHECK-LABEL: func.func @scales(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "g" : tensor<4xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "h" : tensor<4xf32>
// CHECK-DAG: %[[V2:.+]] = forge.reshape %[[V0]] shape [1, 4] : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.repeat %[[V2]] repeats [2, 1] : (tensor<1x4xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V4:.+]] = forge.reshape %[[V1]] shape [1, 4] : (tensor<4xf32>) -> tensor<1x4xf32>
// CHECK-DAG: %[[V6:.+]] = forge.concatenate %[[V3]], %[[V4]] axis -2 : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
// CHECK-DAG: %[[V7:.+]] = forge.multiply %arg0, %[[V6]] : (tensor<1x5x3x4xf32>, tensor<3x4xf32>) -> tensor<1x5x3x4xf32>
// CHECK-DAG: %[[V8:.+]] = forge.transpose %[[V7]] dims 1, 2 : (tensor<1x5x3x4xf32>) -> tensor<1x3x5x4xf32>
// CHECK-DAG: %[[V9:.+]] = forge.index %[[V8]] dim -3 [0:2] : (tensor<1x3x5x4xf32>) -> tensor<1x2x5x4xf32>
// CHECK-DAG: %[[V10:.+]] = forge.index %[[V8]] dim -3 [2:3] : (tensor<1x3x5x4xf32>) -> tensor<1x1x5x4xf32>
// CHECK: return %[[V9]], %[[V10]] : tensor<1x2x5x4xf32>, tensor<1x1x5x4xf32>
func.func @scales(%heads: tensor<1x5x3x4xf32>) -> (tensor<1x2x5x4xf32>, tensor<1x1x5x4xf32>) {
  %g = forge.parameter "g" : tensor<4xf32>
  %h = forge.parameter "h" : tensor<4xf32>
  %q = forge.index %heads dim -2 [0:2] : (tensor<1x5x3x4xf32>) -> tensor<1x5x2x4xf32>
  %k = forge.index %heads dim -2 [2:3] : (tensor<1x5x3x4xf32>) -> tensor<1x5x1x4xf32>
  %q0 = forge.multiply %q, %g : (tensor<1x5x2x4xf32>, tensor<4xf32>) -> tensor<1x5x2x4xf32>
  %k0 = forge.multiply %k, %h : (tensor<1x5x1x4xf32>, tensor<4xf32>) -> tensor<1x5x1x4xf32>
  %q1 = forge.transpose %q0 dims 1, 2 : (tensor<1x5x2x4xf32>) -> tensor<1x2x5x4xf32>
  %k1 = forge.transpose %k0 dims 1, 2 : (tensor<1x5x1x4xf32>) -> tensor<1x1x5x4xf32>
  return %q1, %k1 : tensor<1x2x5x4xf32>, tensor<1x1x5x4xf32>
}

// Three slices, one of which has another user.
// CHECK-LABEL: func.func @slice_with_two_users(
// CHECK-DAG: %[[V0:.+]] = forge.index %arg0 dim 1 [3:6] : (tensor<2x9xf32>) -> tensor<2x3xf32>
// CHECK-DAG: %[[V1:.+]] = forge.sigmoid %arg0 : tensor<2x9xf32>
// CHECK-DAG: %[[V2:.+]] = forge.index %[[V1]] dim -1 [0:3] : (tensor<2x9xf32>) -> tensor<2x3xf32>
// CHECK-DAG: %[[V3:.+]] = forge.index %[[V1]] dim -1 [3:6] : (tensor<2x9xf32>) -> tensor<2x3xf32>
// CHECK-DAG: %[[V4:.+]] = forge.index %[[V1]] dim -1 [6:9] : (tensor<2x9xf32>) -> tensor<2x3xf32>
// CHECK: return %[[V2]], %[[V0]], %[[V3]], %[[V4]] : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
func.func @slice_with_two_users(%x: tensor<2x9xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %a = forge.index %x dim 1 [0:3] : (tensor<2x9xf32>) -> tensor<2x3xf32>
  %b = forge.index %x dim 1 [3:6] : (tensor<2x9xf32>) -> tensor<2x3xf32>
  %c = forge.index %x dim 1 [6:9] : (tensor<2x9xf32>) -> tensor<2x3xf32>
  %a0 = forge.sigmoid %a : tensor<2x3xf32>
  %c0 = forge.sigmoid %c : tensor<2x3xf32>
  %b0 = forge.sigmoid %b : tensor<2x3xf32>
  return %a0, %b, %b0, %c0 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// Not merged: different ops, different input operands, an operand with an element for each position of the sliced axis,
// and a softmax over that axis.
// CHECK-LABEL: func.func @different(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "w" : tensor<4xf32>
// CHECK-DAG: %[[V1:.+]] = forge.index %arg0 dim 1 [0:4] : (tensor<2x8xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V2:.+]] = forge.index %arg0 dim 1 [4:8] : (tensor<2x8xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.relu %[[V1]] : tensor<2x4xf32>
// CHECK-DAG: %[[V4:.+]] = forge.tanh %[[V2]] : tensor<2x4xf32>
// CHECK-DAG: %[[V5:.+]] = forge.multiply %[[V1]], %arg1 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V6:.+]] = forge.multiply %[[V2]], %arg2 : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V7:.+]] = forge.multiply %[[V1]], %[[V0]] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V8:.+]] = forge.multiply %[[V2]], %[[V0]] : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V9:.+]] = forge.softmax %[[V1]] dim -1 stable : tensor<2x4xf32>
// CHECK-DAG: %[[V10:.+]] = forge.softmax %[[V2]] dim -1 stable : tensor<2x4xf32>
// CHECK: return %[[V3]], %[[V4]], %[[V5]], %[[V6]], %[[V7]], %[[V8]], %[[V9]], %[[V10]] : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
func.func @different(%x: tensor<2x8xf32>, %y: tensor<2x1xf32>, %z: tensor<2x1xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %w = forge.parameter "w" : tensor<4xf32>
  %a = forge.index %x dim 1 [0:4] : (tensor<2x8xf32>) -> tensor<2x4xf32>
  %b = forge.index %x dim 1 [4:8] : (tensor<2x8xf32>) -> tensor<2x4xf32>
  %a0 = forge.relu %a : tensor<2x4xf32>
  %b0 = forge.tanh %b : tensor<2x4xf32>
  %a1 = forge.multiply %a, %y : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %b1 = forge.multiply %b, %z : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %a2 = forge.multiply %a, %w : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %b2 = forge.multiply %b, %w : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %a3 = forge.softmax %a dim -1 stable : tensor<2x4xf32>
  %b3 = forge.softmax %b dim -1 stable : tensor<2x4xf32>
  return %a0, %b0, %a1, %b1, %a2, %b2, %a3, %b3 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}

// The elements between the slices are more than the slices have.
// CHECK-LABEL: func.func @gap(
// CHECK-DAG: %[[V0:.+]] = forge.index %arg0 dim 1 [0:2] : (tensor<2x9xf32>) -> tensor<2x2xf32>
// CHECK-DAG: %[[V1:.+]] = forge.index %arg0 dim 1 [7:9] : (tensor<2x9xf32>) -> tensor<2x2xf32>
// CHECK-DAG: %[[V2:.+]] = forge.relu %[[V0]] : tensor<2x2xf32>
// CHECK-DAG: %[[V3:.+]] = forge.relu %[[V1]] : tensor<2x2xf32>
// CHECK: return %[[V2]], %[[V3]] : tensor<2x2xf32>, tensor<2x2xf32>
func.func @gap(%x: tensor<2x9xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %a = forge.index %x dim 1 [0:2] : (tensor<2x9xf32>) -> tensor<2x2xf32>
  %b = forge.index %x dim 1 [7:9] : (tensor<2x9xf32>) -> tensor<2x2xf32>
  %a0 = forge.relu %a : tensor<2x2xf32>
  %b0 = forge.relu %b : tensor<2x2xf32>
  return %a0, %b0 : tensor<2x2xf32>, tensor<2x2xf32>
}

// The integers between the slices are not computed with: as divisors they may be 0, and sums with them may overflow.
// CHECK-LABEL: func.func @gap_of_integers(
// CHECK-COUNT-2: forge.remainder %{{.+}} : (tensor<i32>, tensor<1x4xi32>) -> tensor<1x4xi32>
// CHECK-COUNT-2: forge.add %{{.+}} : (tensor<1x4xi32>, tensor<i32>) -> tensor<1x4xi32>
func.func @gap_of_integers(%x: tensor<1x10xi32>) -> (tensor<1x4xi32>, tensor<1x4xi32>) {
  %c = forge.constant dense<100> : tensor<i32>
  %a = forge.index %x dim -1 [0:4] : (tensor<1x10xi32>) -> tensor<1x4xi32>
  %b = forge.index %x dim -1 [6:10] : (tensor<1x10xi32>) -> tensor<1x4xi32>
  %a0 = forge.remainder %c, %a : (tensor<i32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %b0 = forge.remainder %c, %b : (tensor<i32>, tensor<1x4xi32>) -> tensor<1x4xi32>
  %a1 = forge.add %a0, %c : (tensor<1x4xi32>, tensor<i32>) -> tensor<1x4xi32>
  %b1 = forge.add %b0, %c : (tensor<1x4xi32>, tensor<i32>) -> tensor<1x4xi32>
  return %a1, %b1 : tensor<1x4xi32>, tensor<1x4xi32>
}

// An op uses the result of one slice before the other slice is computed: each merged op is placed where the first of
// its two ops was.
// CHECK-LABEL: func.func @interleaved(
// CHECK-DAG: %[[V0:.+]] = forge.exp %arg0 : tensor<2x8xf32>
// CHECK-DAG: %[[V1:.+]] = forge.relu %[[V0]] : tensor<2x8xf32>
// CHECK-DAG: %[[V2:.+]] = forge.index %[[V1]] dim -1 [0:4] : (tensor<2x8xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.index %[[V1]] dim -1 [4:8] : (tensor<2x8xf32>) -> tensor<2x4xf32>
// CHECK-DAG: %[[V4:.+]] = forge.tanh %[[V3]] : tensor<2x4xf32>
// CHECK: return %[[V2]], %[[V4]] : tensor<2x4xf32>, tensor<2x4xf32>
func.func @interleaved(%x: tensor<2x8xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %b = forge.index %x dim 1 [4:8] : (tensor<2x8xf32>) -> tensor<2x4xf32>
  %b0 = forge.exp %b : tensor<2x4xf32>
  %b1 = forge.relu %b0 : tensor<2x4xf32>
  %c = forge.tanh %b1 : tensor<2x4xf32>
  %a = forge.index %x dim 1 [0:4] : (tensor<2x8xf32>) -> tensor<2x4xf32>
  %a0 = forge.exp %a : tensor<2x4xf32>
  %a1 = forge.relu %a0 : tensor<2x4xf32>
  return %a1, %c : tensor<2x4xf32>, tensor<2x4xf32>
}

// After the transposes the slices would be along the trailing axis and cut tiles.
// CHECK-LABEL: func.func @to_the_last_axis(
// CHECK-DAG: %[[V0:.+]] = forge.index %arg0 dim 0 [0:5] : (tensor<8x2x3xf32>) -> tensor<5x2x3xf32>
// CHECK-DAG: %[[V1:.+]] = forge.index %arg0 dim 0 [5:8] : (tensor<8x2x3xf32>) -> tensor<3x2x3xf32>
// CHECK-DAG: %[[V2:.+]] = forge.transpose %[[V0]] dims 0, 2 : (tensor<5x2x3xf32>) -> tensor<3x2x5xf32>
// CHECK-DAG: %[[V3:.+]] = forge.transpose %[[V1]] dims 0, 2 : tensor<3x2x3xf32>
// CHECK: return %[[V2]], %[[V3]] : tensor<3x2x5xf32>, tensor<3x2x3xf32>
func.func @to_the_last_axis(%x: tensor<8x2x3xf32>) -> (tensor<3x2x5xf32>, tensor<3x2x3xf32>) {
  %a = forge.index %x dim 0 [0:5] : (tensor<8x2x3xf32>) -> tensor<5x2x3xf32>
  %b = forge.index %x dim 0 [5:8] : (tensor<8x2x3xf32>) -> tensor<3x2x3xf32>
  %a0 = forge.transpose %a dims 0, 2 : (tensor<5x2x3xf32>) -> tensor<3x2x5xf32>
  %b0 = forge.transpose %b dims 0, 2 : tensor<3x2x3xf32>
  return %a0, %b0 : tensor<3x2x5xf32>, tensor<3x2x3xf32>
}

// Each slice is multiplied by two tables: the products with the same table are paired, and both results are multiplied
// by one matrix.
// CHECK-LABEL: func.func @two_tables_one_matrix(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "cos" : tensor<1x4xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "sin" : tensor<1x4xf32>
// CHECK-DAG: %[[V2:.+]] = forge.parameter "m" : tensor<4x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.multiply %arg0, %[[V1]] : (tensor<3x6x4xf32>, tensor<1x4xf32>) -> tensor<3x6x4xf32>
// CHECK-DAG: %[[V4:.+]] = forge.multiply %arg0, %[[V0]] : (tensor<3x6x4xf32>, tensor<1x4xf32>) -> tensor<3x6x4xf32>
// CHECK-DAG: %[[V5:.+]] = forge.matmul %[[V3]], %[[V2]], %[[V4]] : (tensor<3x6x4xf32>, tensor<4x4xf32>, tensor<3x6x4xf32>) -> tensor<3x6x4xf32>
// CHECK-DAG: %[[V6:.+]] = forge.index %[[V5]] dim -2 [0:4] : (tensor<3x6x4xf32>) -> tensor<3x4x4xf32>
// CHECK-DAG: %[[V7:.+]] = forge.index %[[V5]] dim -2 [4:6] : (tensor<3x6x4xf32>) -> tensor<3x2x4xf32>
// CHECK: return %[[V6]], %[[V7]] : tensor<3x4x4xf32>, tensor<3x2x4xf32>
func.func @two_tables_one_matrix(%x: tensor<3x6x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x2x4xf32>) {
  %cos = forge.parameter "cos" : tensor<1x4xf32>
  %sin = forge.parameter "sin" : tensor<1x4xf32>
  %m = forge.parameter "m" : tensor<4x4xf32>
  %q = forge.index %x dim 1 [0:4] : (tensor<3x6x4xf32>) -> tensor<3x4x4xf32>
  %k = forge.index %x dim 1 [4:6] : (tensor<3x6x4xf32>) -> tensor<3x2x4xf32>
  %q0 = forge.multiply %q, %sin : (tensor<3x4x4xf32>, tensor<1x4xf32>) -> tensor<3x4x4xf32>
  %q1 = forge.multiply %q, %cos : (tensor<3x4x4xf32>, tensor<1x4xf32>) -> tensor<3x4x4xf32>
  %q2 = forge.matmul %q0, %m, %q1 : (tensor<3x4x4xf32>, tensor<4x4xf32>, tensor<3x4x4xf32>) -> tensor<3x4x4xf32>
  %k1 = forge.multiply %k, %cos : (tensor<3x2x4xf32>, tensor<1x4xf32>) -> tensor<3x2x4xf32>
  %k0 = forge.multiply %k, %sin : (tensor<3x2x4xf32>, tensor<1x4xf32>) -> tensor<3x2x4xf32>
  %k2 = forge.matmul %k0, %m, %k1 : (tensor<3x2x4xf32>, tensor<4x4xf32>, tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  return %q2, %k2 : tensor<3x4x4xf32>, tensor<3x2x4xf32>
}

// CHECK-LABEL: func.func @two_matrices(
// CHECK-DAG: %[[V0:.+]] = forge.parameter "m" : tensor<4x4xf32>
// CHECK-DAG: %[[V1:.+]] = forge.parameter "n" : tensor<4x4xf32>
// CHECK-DAG: %[[V2:.+]] = forge.index %arg0 dim 0 [0:4] : (tensor<6x3x4xf32>) -> tensor<4x3x4xf32>
// CHECK-DAG: %[[V3:.+]] = forge.index %arg0 dim 0 [4:6] : (tensor<6x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-DAG: %[[V4:.+]] = forge.matmul %[[V2]], %[[V0]] : (tensor<4x3x4xf32>, tensor<4x4xf32>) -> tensor<4x3x4xf32>
// CHECK-DAG: %[[V5:.+]] = forge.matmul %[[V3]], %[[V1]] : (tensor<2x3x4xf32>, tensor<4x4xf32>) -> tensor<2x3x4xf32>
// CHECK: return %[[V4]], %[[V5]] : tensor<4x3x4xf32>, tensor<2x3x4xf32>
func.func @two_matrices(%x: tensor<6x3x4xf32>) -> (tensor<4x3x4xf32>, tensor<2x3x4xf32>) {
  %m = forge.parameter "m" : tensor<4x4xf32>
  %n = forge.parameter "n" : tensor<4x4xf32>
  %q = forge.index %x dim 0 [0:4] : (tensor<6x3x4xf32>) -> tensor<4x3x4xf32>
  %k = forge.index %x dim 0 [4:6] : (tensor<6x3x4xf32>) -> tensor<2x3x4xf32>
  %q0 = forge.matmul %q, %m : (tensor<4x3x4xf32>, tensor<4x4xf32>) -> tensor<4x3x4xf32>
  %k0 = forge.matmul %k, %n : (tensor<2x3x4xf32>, tensor<4x4xf32>) -> tensor<2x3x4xf32>
  return %q0, %k0 : tensor<4x3x4xf32>, tensor<2x3x4xf32>
}

// Equal constants count as one operand. The constant of the first slice may be defined after the merged op.
// CHECK-LABEL: func.func @equal_constants(
// CHECK-DAG: %[[V0:.+]] = forge.constant dense<2.500000e-01> : tensor<4x1xf32>
// CHECK-DAG: %[[V1:.+]] = forge.matmul %arg0, %[[V0]] : (tensor<6x3x4xf32>, tensor<4x1xf32>) -> tensor<6x3x1xf32>
// CHECK-DAG: %[[V2:.+]] = forge.index %[[V1]] dim -3 [0:4] : (tensor<6x3x1xf32>) -> tensor<4x3x1xf32>
// CHECK-DAG: %[[V3:.+]] = forge.index %[[V1]] dim -3 [4:6] : (tensor<6x3x1xf32>) -> tensor<2x3x1xf32>
// CHECK: return %[[V2]], %[[V3]] : tensor<4x3x1xf32>, tensor<2x3x1xf32>
func.func @equal_constants(%x: tensor<6x3x4xf32>) -> (tensor<4x3x1xf32>, tensor<2x3x1xf32>) {
  %k = forge.index %x dim 0 [4:6] : (tensor<6x3x4xf32>) -> tensor<2x3x4xf32>
  %c0 = forge.constant dense<0.25> : tensor<4x1xf32>
  %k0 = forge.matmul %k, %c0 : (tensor<2x3x4xf32>, tensor<4x1xf32>) -> tensor<2x3x1xf32>
  %q = forge.index %x dim 0 [0:4] : (tensor<6x3x4xf32>) -> tensor<4x3x4xf32>
  %c1 = forge.constant dense<0.25> : tensor<4x1xf32>
  %q0 = forge.matmul %q, %c1 : (tensor<4x3x4xf32>, tensor<4x1xf32>) -> tensor<4x3x1xf32>
  return %q0, %k0 : tensor<4x3x1xf32>, tensor<2x3x1xf32>
}

// The norms of queries and keys use constants of their own, which are equal.
// CHECK-LABEL: func.func @norms(
//       CHECK: %[[BOTH:.+]] = forge.index %arg0 dim -2 [0:8]
// CHECK-DAG: %[[SQUARES:.+]] = forge.multiply %[[BOTH]], %[[BOTH]]
// CHECK-DAG: %[[MEAN:.+]] = forge.matmul %[[SQUARES]], %{{.+}}, %{{.+}} : (tensor<1x16x8x16xf32>, tensor<16x1xf32>, tensor<1xf32>)
// CHECK-DAG: %[[NORM:.+]] = forge.divide %[[BOTH]], %[[MEAN]]
// CHECK-DAG: %[[Q:.+]] = forge.index %[[NORM]] dim -2 [0:4]
// CHECK-DAG: %[[K:.+]] = forge.index %[[NORM]] dim -2 [4:8]
// CHECK: return %[[Q]], %[[K]]
func.func @norms(%x: tensor<1x16x12x16xf32>) -> (tensor<1x16x4x16xf32>, tensor<1x16x4x16xf32>) {
  %q = forge.index %x dim -2 [0:4] : (tensor<1x16x12x16xf32>) -> tensor<1x16x4x16xf32>
  %k = forge.index %x dim -2 [4:8] : (tensor<1x16x12x16xf32>) -> tensor<1x16x4x16xf32>
  %e = forge.scalar_constant constant 1.0E-5 dtype f32 : tensor<1xf32>
  %column = forge.constant dense<6.250000e-02> : tensor<16x1xf32>
  %0 = forge.multiply %q, %q : tensor<1x16x4x16xf32>
  %1 = forge.matmul %0, %column, %e : (tensor<1x16x4x16xf32>, tensor<16x1xf32>, tensor<1xf32>) -> tensor<1x16x4x1xf32>
  %2 = forge.divide %q, %1 : (tensor<1x16x4x16xf32>, tensor<1x16x4x1xf32>) -> tensor<1x16x4x16xf32>
  %e2 = forge.scalar_constant constant 1.0E-5 dtype f32 : tensor<1xf32>
  %column2 = forge.constant dense<6.250000e-02> : tensor<16x1xf32>
  %3 = forge.multiply %k, %k : tensor<1x16x4x16xf32>
  %4 = forge.matmul %3, %column2, %e2 : (tensor<1x16x4x16xf32>, tensor<16x1xf32>, tensor<1xf32>) -> tensor<1x16x4x1xf32>
  %5 = forge.divide %k, %4 : (tensor<1x16x4x16xf32>, tensor<1x16x4x1xf32>) -> tensor<1x16x4x16xf32>
  return %2, %5 : tensor<1x16x4x16xf32>, tensor<1x16x4x16xf32>
}

// The first slice is an operand of both products: the merged product uses that slice of the merged operand.
// CHECK-LABEL: func.func @slice_in_both_products(
// CHECK-DAG: %[[E:.+]] = forge.exp %arg0 : tensor<4x2xf32>
// CHECK-DAG: %[[A:.+]] = forge.index %[[E]] dim -1 [0:1] : (tensor<4x2xf32>) -> tensor<4x1xf32>
// CHECK-DAG: %[[M:.+]] = forge.multiply %[[E]], %[[A]] : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
// CHECK-DAG: %[[S:.+]] = forge.sigmoid %[[M]] : tensor<4x2xf32>
// CHECK-DAG: %[[X:.+]] = forge.index %[[S]] dim -1 [0:1]
// CHECK-DAG: %[[Y:.+]] = forge.index %[[S]] dim -1 [1:2]
// CHECK: return %[[X]], %[[Y]]
func.func @slice_in_both_products(%x: tensor<4x2xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>) {
  %a = forge.index %x dim -1 [0:1] : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %b = forge.index %x dim -1 [1:2] : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %a0 = forge.exp %a : tensor<4x1xf32>
  %b0 = forge.exp %b : tensor<4x1xf32>
  %a1 = forge.multiply %a0, %a0 : tensor<4x1xf32>
  %b1 = forge.multiply %b0, %a0 : tensor<4x1xf32>
  %a2 = forge.sigmoid %a1 : tensor<4x1xf32>
  %b2 = forge.sigmoid %b1 : tensor<4x1xf32>
  return %a2, %b2 : tensor<4x1xf32>, tensor<4x1xf32>
}

// A concatenation of the merged slices in their order is the merged value.
// CHECK-LABEL: func.func @concatenated(
//  CHECK-NEXT: %[[R:.+]] = forge.relu %arg0 : tensor<4x6xf32>
//  CHECK-NEXT: %[[C:.+]] = forge.concatenate %arg1, %[[R]] axis -1
//  CHECK-NEXT: return %[[C]]
func.func @concatenated(%x: tensor<4x6xf32>, %y: tensor<4x1xf32>) -> tensor<4x7xf32> {
  %a = forge.index %x dim -1 [0:2] : (tensor<4x6xf32>) -> tensor<4x2xf32>
  %b = forge.index %x dim -1 [2:6] : (tensor<4x6xf32>) -> tensor<4x4xf32>
  %a0 = forge.relu %a : tensor<4x2xf32>
  %b0 = forge.relu %b : tensor<4x4xf32>
  %c = forge.concatenate %y, %a0, %b0 axis -1 : (tensor<4x1xf32>, tensor<4x2xf32>, tensor<4x4xf32>) -> tensor<4x7xf32>
  return %c : tensor<4x7xf32>
}

// In another order, the slices are concatenated.
// CHECK-LABEL: func.func @concatenated_in_another_order(
//       CHECK: forge.concatenate %{{.+}}, %{{.+}} axis -1 : (tensor<4x4xf32>, tensor<4x2xf32>)
func.func @concatenated_in_another_order(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %a = forge.index %x dim -1 [0:2] : (tensor<4x6xf32>) -> tensor<4x2xf32>
  %b = forge.index %x dim -1 [2:6] : (tensor<4x6xf32>) -> tensor<4x4xf32>
  %a0 = forge.relu %a : tensor<4x2xf32>
  %b0 = forge.relu %b : tensor<4x4xf32>
  %c = forge.concatenate %b0, %a0 axis -1 : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x6xf32>
  return %c : tensor<4x6xf32>
}

// Slices of a concatenation of the merged slices: the concatenation is the merged value, and so is an equal
// concatenation.
// CHECK-LABEL: func.func @slices_of_concatenation(
// CHECK-DAG: %[[R:.+]] = forge.relu %arg0 : tensor<3x4xf32>
// CHECK-DAG: %[[A:.+]] = forge.index %[[R]] dim -1 [0:2]
// CHECK-DAG: %[[B:.+]] = forge.index %[[R]] dim -1 [2:4]
// CHECK-DAG: %[[S:.+]] = forge.exp %[[R]] : tensor<3x4xf32>
// CHECK-DAG: %[[T:.+]] = forge.sigmoid %[[B]]
// CHECK: return %[[S]], %[[T]], %[[A]], %[[R]]
func.func @slices_of_concatenation(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x4xf32>) {
  %0 = forge.index %x dim -1 [0:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
  %1 = forge.index %x dim -1 [2:4] : (tensor<3x4xf32>) -> tensor<3x2xf32>
  %2 = forge.relu %0 : tensor<3x2xf32>
  %3 = forge.relu %1 : tensor<3x2xf32>
  %4 = forge.concatenate %2, %3 axis -1 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
  %again = forge.concatenate %2, %3 axis -1 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
  %5 = forge.index %4 dim -1 [0:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
  %6 = forge.index %4 dim -1 [2:4] : (tensor<3x4xf32>) -> tensor<3x2xf32>
  %7 = forge.exp %5 : tensor<3x2xf32>
  %8 = forge.exp %6 : tensor<3x2xf32>
  %9 = forge.concatenate %7, %8 axis -1 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
  %10 = forge.sigmoid %6 : tensor<3x2xf32>
  return %9, %10, %5, %again : tensor<3x4xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x4xf32>
}

// Slices of two merged projections are merged with them: the slices of the second projection are unused afterwards, and
// not merged again.
// CHECK-LABEL: func.func @slices_of_products(
//       CHECK: %[[HEADS:.+]] = forge.reshape %{{.+}} shape [1, 9, 4, 4]
//  CHECK-NEXT: %[[A:.+]] = forge.index %[[HEADS]] dim -1 [0:2]
//  CHECK-NEXT: %[[B:.+]] = forge.index %[[HEADS]] dim -1 [2:4]
//  CHECK-NEXT: %[[R:.+]] = forge.concatenate %[[B]], %[[A]] axis -1
//  CHECK-NEXT: %[[P:.+]] = forge.index %[[R]] dim -2 [0:2]
//  CHECK-NEXT: %[[Q:.+]] = forge.index %[[R]] dim -2 [2:4]
//  CHECK-NEXT: return %[[P]], %[[Q]]
func.func @slices_of_products(%x: tensor<1x9x4xf32>) -> (tensor<1x9x2x4xf32>, tensor<1x9x2x4xf32>) {
  %w1 = forge.parameter "w1" : tensor<4x8xf32>
  %w2 = forge.parameter "w2" : tensor<4x8xf32>
  %p = forge.matmul %x, %w1 : (tensor<1x9x4xf32>, tensor<4x8xf32>) -> tensor<1x9x8xf32>
  %ph = forge.reshape %p shape [1, 9, 2, 4] : (tensor<1x9x8xf32>) -> tensor<1x9x2x4xf32>
  %q = forge.matmul %x, %w2 : (tensor<1x9x4xf32>, tensor<4x8xf32>) -> tensor<1x9x8xf32>
  %qh = forge.reshape %q shape [1, 9, 2, 4] : (tensor<1x9x8xf32>) -> tensor<1x9x2x4xf32>
  %pa = forge.index %ph dim -1 [0:2] : (tensor<1x9x2x4xf32>) -> tensor<1x9x2x2xf32>
  %pb = forge.index %ph dim -1 [2:4] : (tensor<1x9x2x4xf32>) -> tensor<1x9x2x2xf32>
  %qa = forge.index %qh dim -1 [0:2] : (tensor<1x9x2x4xf32>) -> tensor<1x9x2x2xf32>
  %qb = forge.index %qh dim -1 [2:4] : (tensor<1x9x2x4xf32>) -> tensor<1x9x2x2xf32>
  %pr = forge.concatenate %pb, %pa axis -1 : (tensor<1x9x2x2xf32>, tensor<1x9x2x2xf32>) -> tensor<1x9x2x4xf32>
  %qr = forge.concatenate %qb, %qa axis -1 : (tensor<1x9x2x2xf32>, tensor<1x9x2x2xf32>) -> tensor<1x9x2x4xf32>
  return %pr, %qr : tensor<1x9x2x4xf32>, tensor<1x9x2x4xf32>
}

// Queries and keys of one token: their projections are merged, although that of the values has other users. The last
// reshapes remain, because the product and the cache write read them.
// CHECK-LABEL: func.func @token(
// CHECK: %[[W:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -1 : {{.+}} -> tensor<64x96xf32>
// CHECK: %[[P:.+]] = forge.matmul %arg0, %[[W]] :
// CHECK: %[[V:.+]] = forge.matmul %arg0, %{{.+}} : {{.+}} -> tensor<1x1x32xf32>
// CHECK: %[[H:.+]] = forge.reshape %[[P]] shape [1, 1, 6, 16]
// CHECK: forge.multiply %[[H]], %arg4
// CHECK: forge.concatenate
// CHECK-NOT: forge.concatenate
// CHECK: %[[A:.+]] = forge.add
// CHECK: %[[Q:.+]] = forge.index %[[A]] dim -2 [0:4]
// CHECK: %[[K:.+]] = forge.index %[[A]] dim -2 [4:6]
// CHECK: forge.reshape %[[Q]] shape [1, 4, 1, 16]
// CHECK: %[[N:.+]] = forge.reshape %[[K]] shape [1, 2, 1, 16]
// CHECK: forge.update_cache %arg1, %[[N]]
func.func @token(%x: tensor<1x1x64xf32>, %keys: tensor<1x2x32x16xf32>, %values: tensor<1x2x32x16xf32>, %at: tensor<1xi32>, %cos: tensor<1x1x1x16xf32>, %sin: tensor<1x1x1x16xf32>) -> (tensor<1x2x2x16xf32>, tensor<1x2x32x16xf32>, tensor<1x2x32x16xf32>) {
  %wq = forge.parameter "q" : tensor<64x64xf32>
  %wk = forge.parameter "k" : tensor<64x32xf32>
  %wv = forge.parameter "v" : tensor<64x32xf32>
  %q = forge.matmul %x, %wq : (tensor<1x1x64xf32>, tensor<64x64xf32>) -> tensor<1x1x64xf32>
  %k = forge.matmul %x, %wk : (tensor<1x1x64xf32>, tensor<64x32xf32>) -> tensor<1x1x32xf32>
  %v = forge.matmul %x, %wv : (tensor<1x1x64xf32>, tensor<64x32xf32>) -> tensor<1x1x32xf32>
  %q4 = forge.reshape %q shape [1, 1, 4, 16] : (tensor<1x1x64xf32>) -> tensor<1x1x4x16xf32>
  %k4 = forge.reshape %k shape [1, 1, 2, 16] : (tensor<1x1x32xf32>) -> tensor<1x1x2x16xf32>
  %v4 = forge.reshape %v shape [1, 2, 1, 16] : (tensor<1x1x32xf32>) -> tensor<1x2x1x16xf32>
  %qc = forge.multiply %q4, %cos : (tensor<1x1x4x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x4x16xf32>
  %q0 = forge.index %q4 dim -1 [0:8] : (tensor<1x1x4x16xf32>) -> tensor<1x1x4x8xf32>
  %q1 = forge.index %q4 dim -1 [8:16] : (tensor<1x1x4x16xf32>) -> tensor<1x1x4x8xf32>
  %qr = forge.concatenate %q1, %q0 axis -1 : (tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) -> tensor<1x1x4x16xf32>
  %qs = forge.multiply %qr, %sin : (tensor<1x1x4x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x4x16xf32>
  %qa = forge.add %qc, %qs : tensor<1x1x4x16xf32>
  %kc = forge.multiply %k4, %cos : (tensor<1x1x2x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x2x16xf32>
  %k0 = forge.index %k4 dim -1 [0:8] : (tensor<1x1x2x16xf32>) -> tensor<1x1x2x8xf32>
  %k1 = forge.index %k4 dim -1 [8:16] : (tensor<1x1x2x16xf32>) -> tensor<1x1x2x8xf32>
  %kr = forge.concatenate %k1, %k0 axis -1 : (tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>) -> tensor<1x1x2x16xf32>
  %ks = forge.multiply %kr, %sin : (tensor<1x1x2x16xf32>, tensor<1x1x1x16xf32>) -> tensor<1x1x2x16xf32>
  %ka = forge.add %kc, %ks : tensor<1x1x2x16xf32>
  %qh = forge.reshape %qa shape [1, 4, 1, 16] : (tensor<1x1x4x16xf32>) -> tensor<1x4x1x16xf32>
  %kh = forge.reshape %ka shape [1, 2, 1, 16] : (tensor<1x1x2x16xf32>) -> tensor<1x2x1x16xf32>
  %kw = forge.update_cache %keys, %kh, %at batch_offset 0 : (tensor<1x2x32x16xf32>, tensor<1x2x1x16xf32>, tensor<1xi32>) -> tensor<1x2x32x16xf32>
  %vw = forge.update_cache %values, %v4, %at batch_offset 0 : (tensor<1x2x32x16xf32>, tensor<1x2x1x16xf32>, tensor<1xi32>) -> tensor<1x2x32x16xf32>
  %rows = forge.reshape %qh shape [1, 2, 2, 16] : (tensor<1x4x1x16xf32>) -> tensor<1x2x2x16xf32>
  return %rows, %kw, %vw : tensor<1x2x2x16xf32>, tensor<1x2x32x16xf32>, tensor<1x2x32x16xf32>
}

// The device's compiler merges a reshape with the convolution that reads it, so that slices of flattened pixels cost
// less than slices of an image.
// CHECK-LABEL: func.func @windows(
// CHECK: %[[T:.+]] = forge.tanh
// CHECK-DAG: forge.index %[[T]] dim -1 [0:32] : (tensor<1x1x49x96xf32>)
// CHECK-DAG: forge.index %[[T]] dim -1 [32:64] : (tensor<1x1x49x96xf32>)
// CHECK-DAG: forge.index %[[T]] dim -1 [64:96] : (tensor<1x1x49x96xf32>)
func.func @windows(%x: tensor<1x1x49x96xf32>) -> (tensor<1x7x7x32xf32>, tensor<1x7x7x32xf32>, tensor<1x7x7x32xf32>) {
  %w3 = forge.parameter "w3" : tensor<32x32x3x3xf32>
  %w5 = forge.parameter "w5" : tensor<32x32x5x5xf32>
  %w7 = forge.parameter "w7" : tensor<32x32x7x7xf32>
  %t = forge.tanh %x : tensor<1x1x49x96xf32>
  %0 = forge.index %t dim -1 [0:32] : (tensor<1x1x49x96xf32>) -> tensor<1x1x49x32xf32>
  %1 = forge.index %t dim -1 [32:64] : (tensor<1x1x49x96xf32>) -> tensor<1x1x49x32xf32>
  %2 = forge.index %t dim -1 [64:96] : (tensor<1x1x49x96xf32>) -> tensor<1x1x49x32xf32>
  %3 = forge.reshape %0 shape [1, 7, 7, 32] : (tensor<1x1x49x32xf32>) -> tensor<1x7x7x32xf32>
  %4 = forge.reshape %1 shape [1, 7, 7, 32] : (tensor<1x1x49x32xf32>) -> tensor<1x7x7x32xf32>
  %5 = forge.reshape %2 shape [1, 7, 7, 32] : (tensor<1x1x49x32xf32>) -> tensor<1x7x7x32xf32>
  %6 = forge.conv2d %3, %w3 stride [1, 1] padding [1, 1, 1, 1] channel_last : (tensor<1x7x7x32xf32>, tensor<32x32x3x3xf32>) -> tensor<1x7x7x32xf32>
  %7 = forge.conv2d %4, %w5 stride [1, 1] padding [2, 2, 2, 2] channel_last : (tensor<1x7x7x32xf32>, tensor<32x32x5x5xf32>) -> tensor<1x7x7x32xf32>
  %8 = forge.conv2d %5, %w7 stride [1, 1] padding [3, 3, 3, 3] channel_last : (tensor<1x7x7x32xf32>, tensor<32x32x7x7xf32>) -> tensor<1x7x7x32xf32>
  return %6, %7, %8 : tensor<1x7x7x32xf32>, tensor<1x7x7x32xf32>, tensor<1x7x7x32xf32>
}
// The branches occur twice in one concatenation: once without the other branch beside it. Only the two adjacent
// operands are replaced.
// CHECK-LABEL: func.func @branch_twice_in_concatenation(
//       CHECK: %[[M:.+]] = forge.relu %{{.+}} : tensor<8x3xf32>
//       CHECK: %[[A:.+]] = forge.index %[[M]] dim -2 [0:4]
//       CHECK: %[[R:.+]] = forge.concatenate %[[A]], %arg1, %[[M]] axis 0
//       CHECK: return %[[R]]
func.func @branch_twice_in_concatenation(%x: tensor<8x3xf32>, %y: tensor<4x3xf32>) -> tensor<16x3xf32> {
  %0 = forge.index %x dim 0 [0:4] : (tensor<8x3xf32>) -> tensor<4x3xf32>
  %1 = forge.index %x dim 0 [4:8] : (tensor<8x3xf32>) -> tensor<4x3xf32>
  %a = forge.relu %0 : tensor<4x3xf32>
  %b = forge.relu %1 : tensor<4x3xf32>
  %r = forge.concatenate %a, %y, %a, %b axis 0 : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<16x3xf32>
  return %r : tensor<16x3xf32>
}

// Many columns, such as those of categories, are merged at once.

// CHECK-LABEL: func.func @many_columns(
// CHECK-NEXT:    %[[S:.+]] = forge.sigmoid %arg0 : tensor<64x12xf32>
// CHECK-NOT:     forge.sigmoid
func.func @many_columns(%x: tensor<64x12xf32>) -> (tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>) {
  %s0 = forge.index %x dim -1 [0:1] : (tensor<64x12xf32>) -> tensor<64x1xf32>
  %y0 = forge.sigmoid %s0 : tensor<64x1xf32>
  %s1 = forge.index %x dim -1 [1:2] : (tensor<64x12xf32>) -> tensor<64x1xf32>
  %y1 = forge.sigmoid %s1 : tensor<64x1xf32>
  %s2 = forge.index %x dim -1 [2:3] : (tensor<64x12xf32>) -> tensor<64x1xf32>
  %y2 = forge.sigmoid %s2 : tensor<64x1xf32>
  %s3 = forge.index %x dim -1 [3:4] : (tensor<64x12xf32>) -> tensor<64x1xf32>
  %y3 = forge.sigmoid %s3 : tensor<64x1xf32>
  %s4 = forge.index %x dim -1 [4:5] : (tensor<64x12xf32>) -> tensor<64x1xf32>
  %y4 = forge.sigmoid %s4 : tensor<64x1xf32>
  %s5 = forge.index %x dim -1 [5:6] : (tensor<64x12xf32>) -> tensor<64x1xf32>
  %y5 = forge.sigmoid %s5 : tensor<64x1xf32>
  %s6 = forge.index %x dim -1 [6:7] : (tensor<64x12xf32>) -> tensor<64x1xf32>
  %y6 = forge.sigmoid %s6 : tensor<64x1xf32>
  %s7 = forge.index %x dim -1 [7:8] : (tensor<64x12xf32>) -> tensor<64x1xf32>
  %y7 = forge.sigmoid %s7 : tensor<64x1xf32>
  %s8 = forge.index %x dim -1 [8:9] : (tensor<64x12xf32>) -> tensor<64x1xf32>
  %y8 = forge.sigmoid %s8 : tensor<64x1xf32>
  %s9 = forge.index %x dim -1 [9:10] : (tensor<64x12xf32>) -> tensor<64x1xf32>
  %y9 = forge.sigmoid %s9 : tensor<64x1xf32>
  %s10 = forge.index %x dim -1 [10:11] : (tensor<64x12xf32>) -> tensor<64x1xf32>
  %y10 = forge.sigmoid %s10 : tensor<64x1xf32>
  %s11 = forge.index %x dim -1 [11:12] : (tensor<64x12xf32>) -> tensor<64x1xf32>
  %y11 = forge.sigmoid %s11 : tensor<64x1xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9, %y10, %y11 : tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>, tensor<64x1xf32>
}

// RUN: forge-opt %s --forge-join-projections --forge-join-slices | FileCheck %s
// RUN: forge-opt %s --forge-join-projections=keep-tiles --forge-join-slices=keep-tiles | FileCheck %s --check-prefix=KEEP

// Queries and keys that are projections of one value, or slices of one value: they are reshaped and transposed to heads
// together.
// CHECK-LABEL: func.func @projections(
//      CHECK: %[[W:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -1 : (tensor<8x12xf32>, tensor<8x6xf32>) -> tensor<8x18xf32>
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %[[W]]
//      CHECK: %[[R:.+]] = forge.reshape %[[P]] shape [2, 5, 6, 3]
//      CHECK: %[[T:.+]] = forge.transpose %[[R]] dims -3, -2
//      CHECK: %[[Q:.+]] = forge.index %[[T]] dim -3 [0:4]
//      CHECK: %[[K:.+]] = forge.index %[[T]] dim -3 [4:6]
//      CHECK: return %[[Q]], %[[K]]
func.func @projections(%x: tensor<2x5x8xf32>) -> (tensor<2x4x5x3xf32>, tensor<2x2x5x3xf32>) {
  %wq = forge.parameter "wq" : tensor<8x12xf32>
  %q = forge.matmul %x, %wq : (tensor<2x5x8xf32>, tensor<8x12xf32>) -> tensor<2x5x12xf32>
  %q1 = forge.reshape %q shape [2, 5, 4, 3] : (tensor<2x5x12xf32>) -> tensor<2x5x4x3xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<2x5x4x3xf32>) -> tensor<2x4x5x3xf32>
  %wk = forge.parameter "wk" : tensor<8x6xf32>
  %k = forge.matmul %x, %wk : (tensor<2x5x8xf32>, tensor<8x6xf32>) -> tensor<2x5x6xf32>
  %k1 = forge.reshape %k shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<2x5x2x3xf32>) -> tensor<2x2x5x3xf32>
  return %q2, %k2 : tensor<2x4x5x3xf32>, tensor<2x2x5x3xf32>
}

// CHECK-LABEL: func.func @slices(
//      CHECK: %[[R:.+]] = forge.reshape %arg0 shape [2, 5, 3, 3]
//      CHECK: %[[T:.+]] = forge.transpose %[[R]] dims -3, -2
//      CHECK: %[[A:.+]] = forge.index %[[T]] dim -3 [0:1]
//      CHECK: %[[B:.+]] = forge.index %[[T]] dim -3 [1:3]
//      CHECK: return %[[A]], %[[B]]
func.func @slices(%x: tensor<2x5x9xf32>) -> (tensor<2x1x5x3xf32>, tensor<2x2x5x3xf32>) {
  %a = forge.index %x dim -1 [0:3] : (tensor<2x5x9xf32>) -> tensor<2x5x3xf32>
  %a1 = forge.reshape %a shape [2, 5, 1, 3] : (tensor<2x5x3xf32>) -> tensor<2x5x1x3xf32>
  %a2 = forge.transpose %a1 dims -3, -2 : (tensor<2x5x1x3xf32>) -> tensor<2x1x5x3xf32>
  %b = forge.index %x dim -1 [3:9] : (tensor<2x5x9xf32>) -> tensor<2x5x6xf32>
  %b1 = forge.reshape %b shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32>
  %b2 = forge.transpose %b1 dims -3, -2 : (tensor<2x5x2x3xf32>) -> tensor<2x2x5x3xf32>
  return %a2, %b2 : tensor<2x1x5x3xf32>, tensor<2x2x5x3xf32>
}

// Projections of one value with weights of any float type and biases of any rank are merged.
// CHECK-LABEL: func.func @projected_heads(
//      CHECK: %[[W:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -1 : (tensor<4x3xf16>, tensor<4x6xf16>) -> tensor<4x9xf16>
//      CHECK: %[[B:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -1 : (tensor<3xf16>, tensor<6xf16>) -> tensor<9xf16>
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %[[W]], %[[B]]
//      CHECK: %[[R:.+]] = forge.reshape %[[P]] shape [2, 5, 3, 3]
//      CHECK: %[[T:.+]] = forge.tanh %[[R]]
//      CHECK: forge.index %[[T]] dim -2 [0:1]
//      CHECK: forge.index %[[T]] dim -2 [1:3]
func.func @projected_heads(%x: tensor<2x5x4xf16>) -> (tensor<2x5x1x3xf16>, tensor<2x5x2x3xf16>) {
  %w = forge.parameter "w" : tensor<4x3xf16>
  %v = forge.parameter "v" : tensor<4x6xf16>
  %b = forge.parameter "b" : tensor<3xf16>
  %c = forge.parameter "c" : tensor<1x6xf16>
  %0 = forge.matmul %x, %w, %b : (tensor<2x5x4xf16>, tensor<4x3xf16>, tensor<3xf16>) -> tensor<2x5x3xf16>
  %1 = forge.reshape %0 shape [2, 5, 1, 3] : (tensor<2x5x3xf16>) -> tensor<2x5x1x3xf16>
  %2 = forge.tanh %1 : tensor<2x5x1x3xf16>
  %3 = forge.matmul %x, %v, %c : (tensor<2x5x4xf16>, tensor<4x6xf16>, tensor<1x6xf16>) -> tensor<2x5x6xf16>
  %4 = forge.reshape %3 shape [2, 5, 2, 3] : (tensor<2x5x6xf16>) -> tensor<2x5x2x3xf16>
  %5 = forge.tanh %4 : tensor<2x5x2x3xf16>
  return %2, %5 : tensor<2x5x1x3xf16>, tensor<2x5x2x3xf16>
}

// Not merged: two slices would replace the two products, and nothing would be saved.
// CHECK-LABEL: func.func @nothing_saved(
// CHECK-COUNT-2: forge.matmul
func.func @nothing_saved(%x: tensor<2x5x4xf32>) -> (tensor<2x5x1x3xf32>, tensor<2x5x2x3xf32>) {
  %w = forge.parameter "w" : tensor<4x3xf32>
  %v = forge.parameter "v" : tensor<4x6xf32>
  %0 = forge.matmul %x, %w : (tensor<2x5x4xf32>, tensor<4x3xf32>) -> tensor<2x5x3xf32>
  %1 = forge.reshape %0 shape [2, 5, 1, 3] : (tensor<2x5x3xf32>) -> tensor<2x5x1x3xf32>
  %2 = forge.matmul %x, %v : (tensor<2x5x4xf32>, tensor<4x6xf32>) -> tensor<2x5x6xf32>
  %3 = forge.reshape %2 shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32>
  return %1, %3 : tensor<2x5x1x3xf32>, tensor<2x5x2x3xf32>
}

// A bias of one element cannot be concatenated with another bias per column.
// CHECK-LABEL: func.func @heads_with_scalar_bias(
//      CHECK: forge.matmul %arg0, %{{.+}}, %{{.+}} : (tensor<2x5x4xf32>, tensor<4x3xf32>, tensor<1xf32>)
//      CHECK: forge.matmul %arg0, %{{.+}}, %{{.+}} : (tensor<2x5x4xf32>, tensor<4x6xf32>, tensor<1xf32>)
func.func @heads_with_scalar_bias(%x: tensor<2x5x4xf32>) -> (tensor<2x5x1x3xf32>, tensor<2x5x2x3xf32>) {
  %w = forge.parameter "w" : tensor<4x3xf32>
  %v = forge.parameter "v" : tensor<4x6xf32>
  %b = forge.parameter "b" : tensor<1xf32>
  %0 = forge.matmul %x, %w, %b : (tensor<2x5x4xf32>, tensor<4x3xf32>, tensor<1xf32>) -> tensor<2x5x3xf32>
  %1 = forge.reshape %0 shape [2, 5, 1, 3] : (tensor<2x5x3xf32>) -> tensor<2x5x1x3xf32>
  %2 = forge.matmul %x, %v, %b : (tensor<2x5x4xf32>, tensor<4x6xf32>, tensor<1xf32>) -> tensor<2x5x6xf32>
  %3 = forge.reshape %2 shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32>
  return %1, %3 : tensor<2x5x1x3xf32>, tensor<2x5x2x3xf32>
}

// One of the slices is used without the transpose, so that the other keeps a transpose of its own.
// CHECK-LABEL: func.func @separate_transposes(
//      CHECK: %[[R:.+]] = forge.reshape %arg0 shape [2, 5, 3, 3]
//      CHECK: %[[A:.+]] = forge.index %[[R]] dim -2 [0:1]
//      CHECK: %[[B:.+]] = forge.index %[[R]] dim -2 [1:3]
//      CHECK: %[[T:.+]] = forge.transpose %[[A]] dims -3, -2
//      CHECK: return %[[T]], %[[B]]
func.func @separate_transposes(%x: tensor<2x5x9xf32>) -> (tensor<2x1x5x3xf32>, tensor<2x5x2x3xf32>) {
  %a = forge.index %x dim -1 [0:3] : (tensor<2x5x9xf32>) -> tensor<2x5x3xf32>
  %a1 = forge.reshape %a shape [2, 5, 1, 3] : (tensor<2x5x3xf32>) -> tensor<2x5x1x3xf32>
  %a2 = forge.transpose %a1 dims -3, -2 : (tensor<2x5x1x3xf32>) -> tensor<2x1x5x3xf32>
  %b = forge.index %x dim -1 [3:9] : (tensor<2x5x9xf32>) -> tensor<2x5x6xf32>
  %b1 = forge.reshape %b shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32>
  return %a2, %b1 : tensor<2x1x5x3xf32>, tensor<2x5x2x3xf32>
}

// Keys are split into heads together with queries and values, and transposed afterwards for their product.
// CHECK-LABEL: func.func @transposed_keys(
//      CHECK: %[[R:.+]] = forge.reshape %arg0 shape [2, 5, 6, 3]
//      CHECK: %[[T:.+]] = forge.transpose %[[R]] dims -3, -2
//      CHECK: %[[Q:.+]] = forge.index %[[T]] dim -3 [0:2]
//      CHECK: %[[K:.+]] = forge.index %[[T]] dim -3 [2:4]
//      CHECK: %[[V:.+]] = forge.index %[[T]] dim -3 [4:6]
//      CHECK: %[[K1:.+]] = forge.transpose %[[K]] dims -2, -1
//      CHECK: return %[[Q]], %[[K1]], %[[V]]
func.func @transposed_keys(%x: tensor<2x5x18xf32>) -> (tensor<2x2x5x3xf32>, tensor<2x2x3x5xf32>, tensor<2x2x5x3xf32>) {
  %q = forge.index %x dim -1 [0:6] : (tensor<2x5x18xf32>) -> tensor<2x5x6xf32>
  %q1 = forge.reshape %q shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<2x5x2x3xf32>) -> tensor<2x2x5x3xf32>
  %k = forge.index %x dim -1 [6:12] : (tensor<2x5x18xf32>) -> tensor<2x5x6xf32>
  %k1 = forge.reshape %k shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32>
  %k2 = forge.transpose %k1 dims -3, -2 : (tensor<2x5x2x3xf32>) -> tensor<2x2x5x3xf32>
  %k3 = forge.transpose %k2 dims -2, -1 : (tensor<2x2x5x3xf32>) -> tensor<2x2x3x5xf32>
  %v = forge.index %x dim -1 [12:18] : (tensor<2x5x18xf32>) -> tensor<2x5x6xf32>
  %v1 = forge.reshape %v shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<2x5x2x3xf32>) -> tensor<2x2x5x3xf32>
  return %q2, %k3, %v2 : tensor<2x2x5x3xf32>, tensor<2x2x3x5xf32>, tensor<2x2x5x3xf32>
}

// The operand has a batch of one, the heads have no batch axis.
// CHECK-LABEL: func.func @heads_without_batch(
//      CHECK: %[[P:.+]] = forge.matmul %arg0, %{{.+}} : (tensor<1x5x4xf32>, tensor<4x12xf32>) -> tensor<1x5x12xf32>
//      CHECK: %[[R:.+]] = forge.reshape %[[P]] shape [5, 4, 3]
//      CHECK: %[[T:.+]] = forge.transpose %[[R]] dims -3, -2
//      CHECK: %[[A:.+]] = forge.index %[[T]] dim -3 [0:2]
//      CHECK: %[[B:.+]] = forge.index %[[T]] dim -3 [2:4]
//      CHECK: return %[[A]], %[[B]]
func.func @heads_without_batch(%x: tensor<1x5x4xf32>) -> (tensor<2x5x3xf32>, tensor<2x5x3xf32>) {
  %w = forge.parameter "w" : tensor<4x6xf32>
  %v = forge.parameter "v" : tensor<4x6xf32>
  %a = forge.matmul %x, %w : (tensor<1x5x4xf32>, tensor<4x6xf32>) -> tensor<1x5x6xf32>
  %a1 = forge.reshape %a shape [5, 2, 3] : (tensor<1x5x6xf32>) -> tensor<5x2x3xf32>
  %a2 = forge.transpose %a1 dims -3, -2 : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
  %b = forge.matmul %x, %v : (tensor<1x5x4xf32>, tensor<4x6xf32>) -> tensor<1x5x6xf32>
  %b1 = forge.reshape %b shape [5, 2, 3] : (tensor<1x5x6xf32>) -> tensor<5x2x3xf32>
  %b2 = forge.transpose %b1 dims -3, -2 : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
  return %a2, %b2 : tensor<2x5x3xf32>, tensor<2x5x3xf32>
}

// Slices of whole tiles are not split into heads, unless --tiles has produced them.
// KEEP-LABEL: func.func @whole_tiles(
//       KEEP: forge.index %arg0 dim -1 [0:32]
//       KEEP: forge.index %arg0 dim -1 [32:64]
// CHECK-LABEL: func.func @whole_tiles(
//  CHECK-NEXT: %[[SPLIT:.+]] = forge.reshape %arg0 shape [2, 5, 2, 32]
//  CHECK-NEXT: %[[TURNED:.+]] = forge.transpose %[[SPLIT]] dims -3, -2
//  CHECK-NEXT: forge.index %[[TURNED]] dim -3 [0:1]
//  CHECK-NEXT: forge.index %[[TURNED]] dim -3 [1:2]
func.func @whole_tiles(%x: tensor<2x5x64xf32>) -> (tensor<2x1x5x32xf32>, tensor<2x1x5x32xf32>) {
  %a = forge.index %x dim -1 [0:32] : (tensor<2x5x64xf32>) -> tensor<2x5x32xf32>
  %a1 = forge.reshape %a shape [2, 5, 1, 32] : (tensor<2x5x32xf32>) -> tensor<2x5x1x32xf32>
  %a2 = forge.transpose %a1 dims -3, -2 : (tensor<2x5x1x32xf32>) -> tensor<2x1x5x32xf32>
  %b = forge.index %x dim -1 [32:64] : (tensor<2x5x64xf32>) -> tensor<2x5x32xf32>
  %b1 = forge.reshape %b shape [2, 5, 1, 32] : (tensor<2x5x32xf32>) -> tensor<2x5x1x32xf32>
  %b2 = forge.transpose %b1 dims -3, -2 : (tensor<2x5x1x32xf32>) -> tensor<2x1x5x32xf32>
  return %a2, %b2 : tensor<2x1x5x32xf32>, tensor<2x1x5x32xf32>
}

// Queries and values are split into heads together, although the keys between them are used in another shape.
// CHECK-LABEL: func.func @with_a_gap(
// CHECK-DAG: %[[R:.+]] = forge.reshape %arg0 shape [2, 5, 6, 3] : (tensor<2x5x18xf32>)
// CHECK-DAG: %[[T:.+]] = forge.transpose %[[R]] dims -3, -2
// CHECK-DAG: %[[Q:.+]] = forge.index %[[T]] dim -3 [0:2]
// CHECK-DAG: %[[V:.+]] = forge.index %[[T]] dim -3 [4:6]
// CHECK-DAG: %[[K:.+]] = forge.index %arg0 dim -1 [6:12]
// CHECK: return %[[Q]], %[[K]], %[[V]]
func.func @with_a_gap(%x: tensor<2x5x18xf32>) -> (tensor<2x2x5x3xf32>, tensor<2x5x6xf32>, tensor<2x2x5x3xf32>) {
  %q = forge.index %x dim -1 [0:6] : (tensor<2x5x18xf32>) -> tensor<2x5x6xf32>
  %q1 = forge.reshape %q shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<2x5x2x3xf32>) -> tensor<2x2x5x3xf32>
  %k = forge.index %x dim -1 [6:12] : (tensor<2x5x18xf32>) -> tensor<2x5x6xf32>
  %v = forge.index %x dim -1 [12:18] : (tensor<2x5x18xf32>) -> tensor<2x5x6xf32>
  %v1 = forge.reshape %v shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<2x5x2x3xf32>) -> tensor<2x2x5x3xf32>
  return %q2, %k, %v2 : tensor<2x2x5x3xf32>, tensor<2x5x6xf32>, tensor<2x2x5x3xf32>
}

// Not merged: the gap between the slices is not a whole number of heads.
// CHECK-LABEL: func.func @with_another_gap(
// CHECK-COUNT-2: forge.index %arg0 dim -1
func.func @with_another_gap(%x: tensor<2x5x16xf32>) -> (tensor<2x2x5x3xf32>, tensor<2x2x5x3xf32>) {
  %q = forge.index %x dim -1 [0:6] : (tensor<2x5x16xf32>) -> tensor<2x5x6xf32>
  %q1 = forge.reshape %q shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32>
  %q2 = forge.transpose %q1 dims -3, -2 : (tensor<2x5x2x3xf32>) -> tensor<2x2x5x3xf32>
  %v = forge.index %x dim -1 [10:16] : (tensor<2x5x16xf32>) -> tensor<2x5x6xf32>
  %v1 = forge.reshape %v shape [2, 5, 2, 3] : (tensor<2x5x6xf32>) -> tensor<2x5x2x3xf32>
  %v2 = forge.transpose %v1 dims -3, -2 : (tensor<2x5x2x3xf32>) -> tensor<2x2x5x3xf32>
  return %q2, %v2 : tensor<2x2x5x3xf32>, tensor<2x2x5x3xf32>
}

// Weights of different formats, which a product accepts, are not concatenated.
// CHECK-LABEL: func.func @formats(
// CHECK-COUNT-2: forge.matmul %arg0
func.func @formats(%x: tensor<1x16x64xf32>) -> (tensor<2x32x16xf32>, tensor<2x32x16xf32>) {
  %wq = forge.parameter "wq" : tensor<64x64xf32>
  %wk = forge.parameter "wk" : tensor<64x64xbf16>
  %q = forge.matmul %x, %wq : (tensor<1x16x64xf32>, tensor<64x64xf32>) -> tensor<1x16x64xf32>
  %q1 = forge.transpose %q dims -2, -1 : (tensor<1x16x64xf32>) -> tensor<1x64x16xf32>
  %q2 = forge.reshape %q1 shape [2, 32, 16] : (tensor<1x64x16xf32>) -> tensor<2x32x16xf32>
  %q3 = forge.tanh %q2 : tensor<2x32x16xf32>
  %k = forge.matmul %x, %wk : (tensor<1x16x64xf32>, tensor<64x64xbf16>) -> tensor<1x16x64xf32>
  %k1 = forge.transpose %k dims -2, -1 : (tensor<1x16x64xf32>) -> tensor<1x64x16xf32>
  %k2 = forge.reshape %k1 shape [2, 32, 16] : (tensor<1x64x16xf32>) -> tensor<2x32x16xf32>
  %k3 = forge.tanh %k2 : tensor<2x32x16xf32>
  return %q3, %k3 : tensor<2x32x16xf32>, tensor<2x32x16xf32>
}

// Products with one matrix of a single column and different biases: the matrix is concatenated with itself, because a
// product does not broadcast columns.
// CHECK-LABEL: func.func @one_matrix_of_one_column(
// CHECK-DAG: %[[W:.+]] = forge.concatenate %[[P:.+]], %[[P]] axis -1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x2xf32>
// CHECK-DAG: %[[B:.+]] = forge.concatenate %{{.+}}, %{{.+}} axis -1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
//     CHECK: forge.matmul %arg0, %[[W]], %[[B]] : (tensor<4x8xf32>, tensor<8x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
func.func @one_matrix_of_one_column(%x: tensor<4x8xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>) {
  %w = forge.parameter "w" : tensor<8x1xf32>
  %b = forge.parameter "b" : tensor<1xf32>
  %c = forge.parameter "c" : tensor<1xf32>
  %p = forge.matmul %x, %w, %b : (tensor<4x8xf32>, tensor<8x1xf32>, tensor<1xf32>) -> tensor<4x1xf32>
  %p1 = forge.sigmoid %p : tensor<4x1xf32>
  %p2 = forge.exp %p1 : tensor<4x1xf32>
  %p3 = forge.tanh %p2 : tensor<4x1xf32>
  %q = forge.matmul %x, %w, %c : (tensor<4x8xf32>, tensor<8x1xf32>, tensor<1xf32>) -> tensor<4x1xf32>
  %q1 = forge.sigmoid %q : tensor<4x1xf32>
  %q2 = forge.exp %q1 : tensor<4x1xf32>
  %q3 = forge.tanh %q2 : tensor<4x1xf32>
  return %p3, %q3 : tensor<4x1xf32>, tensor<4x1xf32>
}

// Reshapes to rank 0 have no tiles to be kept.
// KEEP-LABEL: func.func @scalars(
// KEEP-COUNT-2: forge.reshape %{{.+}} shape [] : (tensor<1xf32>) -> tensor<f32>
func.func @scalars(%x: tensor<2xf32>) -> (tensor<f32>, tensor<f32>) {
  %p = forge.index %x dim -1 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %p1 = forge.reshape %p shape [] : (tensor<1xf32>) -> tensor<f32>
  %p2 = forge.sigmoid %p1 : tensor<f32>
  %q = forge.index %x dim -1 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
  %q1 = forge.reshape %q shape [] : (tensor<1xf32>) -> tensor<f32>
  %q2 = forge.sigmoid %q1 : tensor<f32>
  return %p2, %q2 : tensor<f32>, tensor<f32>
}

// RUN: forge-opt %s -forge-join-movement -mlir-print-local-scope | FileCheck %s

// One decoding step of grouped-query attention: the queries that share a head of keys become rows of one matrix
// product, and the caches are read without a repeat.
// CHECK-LABEL: func.func @decoding_step(
// CHECK-DAG: %[[Q:.+]] = forge.reshape %arg0 shape [1, 2, 4, 64]
// CHECK-DAG: %[[K:.+]] = forge.transpose %arg1 dims -2, -1
// CHECK-DAG: %[[S:.+]] = forge.matmul %[[Q]], %[[K]] : {{.*}} -> tensor<1x2x4x128xf32>
// CHECK-DAG: %[[B:.+]] = forge.add %[[S]], %arg3 : (tensor<1x2x4x128xf32>, tensor<1x1x1x128xf32>)
// CHECK-DAG: %[[W:.+]] = forge.softmax %[[B]] dim -1
// CHECK-DAG: %[[Y:.+]] = forge.matmul %[[W]], %arg2 : {{.*}} -> tensor<1x2x4x64xf32>
// CHECK-DAG: %[[R:.+]] = forge.reshape %[[Y]] shape [1, 8, 1, 64]
// CHECK: return %[[R]]
func.func @decoding_step(%q: tensor<1x8x1x64xf32>, %k: tensor<1x2x128x64xf32>, %v: tensor<1x2x128x64xf32>, %mask: tensor<1x1x1x128xf32>) -> tensor<1x8x1x64xf32> {
  %keys = forge.repeat_interleave %k repeats 4 dim -3 : (tensor<1x2x128x64xf32>) -> tensor<1x8x128x64xf32>
  %values = forge.repeat_interleave %v repeats 4 dim -3 : (tensor<1x2x128x64xf32>) -> tensor<1x8x128x64xf32>
  %t = forge.transpose %keys dims -2, -1 : (tensor<1x8x128x64xf32>) -> tensor<1x8x64x128xf32>
  %s = forge.matmul %q, %t : (tensor<1x8x1x64xf32>, tensor<1x8x64x128xf32>) -> tensor<1x8x1x128xf32>
  %b = forge.add %s, %mask : (tensor<1x8x1x128xf32>, tensor<1x1x1x128xf32>) -> tensor<1x8x1x128xf32>
  %w = forge.softmax %b dim -1 stable : tensor<1x8x1x128xf32>
  %y = forge.matmul %w, %values : (tensor<1x8x1x128xf32>, tensor<1x8x128x64xf32>) -> tensor<1x8x1x64xf32>
  return %y : tensor<1x8x1x64xf32>
}

// A mask that differs by head does not broadcast to the grouped scores, which are reshaped before it is added.
// CHECK-LABEL: func.func @mask_by_head(
// CHECK: %[[S:.+]] = forge.matmul {{.*}} -> tensor<1x2x4x128xf32>
// CHECK-NEXT: %[[R:.+]] = forge.reshape %[[S]] shape [1, 8, 1, 128]
// CHECK-NEXT: forge.add %[[R]], %arg2
func.func @mask_by_head(%q: tensor<1x8x1x64xf32>, %k: tensor<1x2x64x128xf32>, %mask: tensor<1x8x1x128xf32>) -> tensor<1x8x1x128xf32> {
  %keys = forge.repeat_interleave %k repeats 4 dim -3 : (tensor<1x2x64x128xf32>) -> tensor<1x8x64x128xf32>
  %s = forge.matmul %q, %keys : (tensor<1x8x1x64xf32>, tensor<1x8x64x128xf32>) -> tensor<1x8x1x128xf32>
  %b = forge.add %s, %mask : (tensor<1x8x1x128xf32>, tensor<1x8x1x128xf32>) -> tensor<1x8x1x128xf32>
  return %b : tensor<1x8x1x128xf32>
}

// The repeated keys have a second user: the repeat stays for it.
// CHECK-LABEL: func.func @single_head_with_two_users(
// CHECK-NEXT: %[[ALL:.+]] = forge.repeat %arg1
// CHECK: forge.matmul {{.*}} -> tensor<1x1x4x128xf32>
// CHECK: forge.relu %[[ALL]]
func.func @single_head_with_two_users(%q: tensor<1x4x1x64xf32>, %k: tensor<1x1x64x128xf32>) -> (tensor<1x4x1x128xf32>, tensor<1x4x64x128xf32>) {
  %keys = forge.repeat %k repeats [1, 4, 1, 1] : (tensor<1x1x64x128xf32>) -> tensor<1x4x64x128xf32>
  %s = forge.matmul %q, %keys : (tensor<1x4x1x64xf32>, tensor<1x4x64x128xf32>) -> tensor<1x4x1x128xf32>
  %r = forge.relu %keys : tensor<1x4x64x128xf32>
  return %s, %r : tensor<1x4x1x128xf32>, tensor<1x4x64x128xf32>
}

// Unchanged: `repeat` orders the heads h0 h1 h0 h1, so that equal heads are not adjacent rows. Repeated matrices of a
// batch could be grouped, repeated rows within a matrix cannot.
// CHECK-LABEL: func.func @unchanged(
// CHECK-NEXT: forge.repeat %arg1
// CHECK-NEXT: forge.matmul %arg0
// CHECK: %[[ROWS:.+]] = forge.repeat_interleave
// CHECK-NEXT: forge.matmul %arg0, %[[ROWS]]
func.func @unchanged(%q: tensor<1x4x1x64xf32>, %k: tensor<1x2x64x128xf32>, %x: tensor<1x4x1x64xf32>) -> (tensor<1x4x1x128xf32>, tensor<1x4x1x128xf32>) {
  %keys = forge.repeat %k repeats [1, 2, 1, 1] : (tensor<1x2x64x128xf32>) -> tensor<1x4x64x128xf32>
  %s = forge.matmul %q, %keys : (tensor<1x4x1x64xf32>, tensor<1x4x64x128xf32>) -> tensor<1x4x1x128xf32>
  %half = forge.index %k dim 2 [0:32] : (tensor<1x2x64x128xf32>) -> tensor<1x2x32x128xf32>
  %four = forge.reshape %half shape [1, 4, 16, 128] : (tensor<1x2x32x128xf32>) -> tensor<1x4x16x128xf32>
  %rows = forge.repeat_interleave %four repeats 4 dim -2 : (tensor<1x4x16x128xf32>) -> tensor<1x4x64x128xf32>
  %t = forge.matmul %q, %rows : (tensor<1x4x1x64xf32>, tensor<1x4x64x128xf32>) -> tensor<1x4x1x128xf32>
  return %s, %t : tensor<1x4x1x128xf32>, tensor<1x4x1x128xf32>
}

// With two queries per head, the scores would have to be transposed after the product.
// CHECK-LABEL: func.func @two_queries(
// CHECK-NEXT: %[[K:.+]] = forge.repeat_interleave %arg1
// CHECK-NEXT: forge.matmul %arg0, %[[K]]
func.func @two_queries(%q: tensor<1x8x2x64xf32>, %k: tensor<1x2x64x128xf32>) -> tensor<1x8x2x128xf32> {
  %keys = forge.repeat_interleave %k repeats 4 dim -3 : (tensor<1x2x64x128xf32>) -> tensor<1x8x64x128xf32>
  %s = forge.matmul %q, %keys : (tensor<1x8x2x64xf32>, tensor<1x8x64x128xf32>) -> tensor<1x8x2x128xf32>
  return %s : tensor<1x8x2x128xf32>
}

// A product without elements does not change: forge.reshape accepts no empty tensors.
// CHECK-LABEL: func.func @no_queries(
// CHECK: forge.repeat_interleave
// CHECK-NEXT: forge.matmul
func.func @no_queries(%x: tensor<0x4x1x8xf32>, %k: tensor<2x8x16xf32>) -> tensor<0x4x1x16xf32> {
  %0 = forge.repeat_interleave %k repeats 2 dim 0 : (tensor<2x8x16xf32>) -> tensor<4x8x16xf32>
  %1 = forge.matmul %x, %0 : (tensor<0x4x1x8xf32>, tensor<4x8x16xf32>) -> tensor<0x4x1x16xf32>
  return %1 : tensor<0x4x1x16xf32>
}

// RUN: forge-opt %s --forge-join-slices -split-input-file | FileCheck %s

// The windows of a Swin transformer: 9 heads would take the memory of 32 in each slice.
// CHECK-LABEL: func.func @windows(
// CHECK: %[[X:.+]] = forge.tanh %arg0
// CHECK-DAG: %[[Q:.+]] = forge.index %[[X]] dim -1 [0:96] : (tensor<64x49x288xf32>) -> tensor<64x49x96xf32>
// CHECK-DAG: %[[K:.+]] = forge.index %[[X]] dim -1 [96:192] : (tensor<64x49x288xf32>) -> tensor<64x49x96xf32>
// CHECK-DAG: %[[V:.+]] = forge.index %[[X]] dim -1 [192:288] : (tensor<64x49x288xf32>) -> tensor<64x49x96xf32>
// CHECK-DAG: %[[Q1:.+]] = forge.reshape %[[Q]] shape [64, 49, 3, 32] : (tensor<64x49x96xf32>) -> tensor<64x49x3x32xf32>
// CHECK-DAG: %[[K1:.+]] = forge.reshape %[[K]] shape [64, 49, 3, 32] : (tensor<64x49x96xf32>) -> tensor<64x49x3x32xf32>
// CHECK-DAG: %[[V1:.+]] = forge.reshape %[[V]] shape [64, 49, 3, 32] : (tensor<64x49x96xf32>) -> tensor<64x49x3x32xf32>
// CHECK-DAG: %[[Q2:.+]] = forge.transpose %[[Q1]] dims -3, -2 : (tensor<64x49x3x32xf32>) -> tensor<64x3x49x32xf32>
// CHECK-DAG: %[[K2:.+]] = forge.transpose %[[K1]] dims -3, -2 : (tensor<64x49x3x32xf32>) -> tensor<64x3x49x32xf32>
// CHECK-DAG: %[[V2:.+]] = forge.transpose %[[V1]] dims -3, -2 : (tensor<64x49x3x32xf32>) -> tensor<64x3x49x32xf32>
// CHECK: return %[[Q2]], %[[K2]], %[[V2]]
func.func @windows(%arg: tensor<64x49x288xf32>) -> (tensor<64x3x49x32xf32>, tensor<64x3x49x32xf32>, tensor<64x3x49x32xf32>) {
  %x = forge.tanh %arg : tensor<64x49x288xf32>
  %0 = forge.reshape %x shape [64, 49, 9, 32] : (tensor<64x49x288xf32>) -> tensor<64x49x9x32xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<64x49x9x32xf32>) -> tensor<64x9x49x32xf32>
  %q = forge.index %1 dim -3 [0:3] : (tensor<64x9x49x32xf32>) -> tensor<64x3x49x32xf32>
  %k = forge.index %1 dim 1 [3:6] : (tensor<64x9x49x32xf32>) -> tensor<64x3x49x32xf32>
  %v = forge.index %1 dim -3 [6:9] : (tensor<64x9x49x32xf32>) -> tensor<64x3x49x32xf32>
  return %q, %k, %v : tensor<64x3x49x32xf32>, tensor<64x3x49x32xf32>, tensor<64x3x49x32xf32>
}

// -----

// A second reader of the columns reads them as before; the order of slices does not matter, and one may be read twice.
// CHECK-LABEL: func.func @columns_are_read_too(
// CHECK: %[[X:.+]] = forge.tanh %arg0
// CHECK-DAG: %[[A:.+]] = forge.index %[[X]] dim -1 [96:288]
// CHECK-DAG: %[[B:.+]] = forge.index %[[X]] dim -1 [0:96]
// CHECK-DAG: forge.relu %[[X]]
// CHECK-DAG: %[[A1:.+]] = forge.reshape %[[A]] shape [64, 49, 6, 32]
// CHECK-DAG: %[[B1:.+]] = forge.reshape %[[B]] shape [64, 49, 3, 32]
// CHECK-DAG: %[[A2:.+]] = forge.transpose %[[A1]] dims 1, 2
// CHECK-DAG: %[[B2:.+]] = forge.transpose %[[B1]] dims 1, 2
// CHECK: return %[[A2]], %[[B2]], %{{.+}}, %[[B2]]
func.func @columns_are_read_too(%arg: tensor<64x49x288xf32>) -> (tensor<64x6x49x32xf32>, tensor<64x3x49x32xf32>, tensor<64x49x288xf32>, tensor<64x3x49x32xf32>) {
  %x = forge.tanh %arg : tensor<64x49x288xf32>
  %0 = forge.reshape %x shape [64, 49, 9, 32] : (tensor<64x49x288xf32>) -> tensor<64x49x9x32xf32>
  %1 = forge.transpose %0 dims 1, 2 : (tensor<64x49x9x32xf32>) -> tensor<64x9x49x32xf32>
  %a = forge.index %1 dim -3 [3:9] : (tensor<64x9x49x32xf32>) -> tensor<64x6x49x32xf32>
  %b = forge.index %1 dim -3 [0:3] : (tensor<64x9x49x32xf32>) -> tensor<64x3x49x32xf32>
  %r = forge.relu %x : tensor<64x49x288xf32>
  return %a, %b, %r, %b : tensor<64x6x49x32xf32>, tensor<64x3x49x32xf32>, tensor<64x49x288xf32>, tensor<64x3x49x32xf32>
}

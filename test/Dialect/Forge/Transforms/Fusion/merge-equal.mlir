// RUN: forge-opt %s --mlir-print-debuginfo=false --forge-merge-equal | FileCheck %s
// RUN: forge-opt %s --forge-merge-equal --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNT

// COUNT: forge-merge-equal
// COUNT-NEXT: (S) 5 ops-merged

// Equal weights, equal constants, and the ops that compute the same from them are merged.
// CHECK-LABEL: func.func @equal
// CHECK-DAG: %[[W:.+]] = forge.parameter "w" : tensor<2xf32>
// CHECK-DAG: %[[C:.+]] = forge.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[SUM:.+]] = forge.add %[[W]], %arg0
// CHECK-DAG: %[[PRODUCT:.+]] = forge.multiply %[[SUM]], %[[C]]
// CHECK: return %[[PRODUCT]], %[[PRODUCT]]
func.func @equal(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %w = forge.parameter "w" : tensor<2xf32>
  %c = forge.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = forge.add %w, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = forge.multiply %0, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %w2 = forge.parameter "w" : tensor<2xf32>
  %c2 = forge.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %2 = forge.add %w2, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = forge.multiply %2, %c2 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1, %3 : tensor<2xf32>, tensor<2xf32>
}

// Different weights and attributes, and subtractions with swapped operands, are not equal. An unused weight is removed.
// CHECK-LABEL: func.func @different
// CHECK-DAG: %[[A:.+]] = forge.parameter "a"
// CHECK-DAG: %[[B:.+]] = forge.parameter "b"
// CHECK-DAG: %[[FIRST:.+]] = forge.subtract %[[A]], %[[B]]
// CHECK-DAG: %[[SECOND:.+]] = forge.subtract %[[B]], %[[A]]
// CHECK-DAG: %[[LEFT:.+]] = forge.index %[[FIRST]] dim 0 [0:2]
// CHECK-DAG: %[[RIGHT:.+]] = forge.index %[[FIRST]] dim 0 [2:4]
// CHECK: return %[[SECOND]], %[[LEFT]], %[[RIGHT]], %[[LEFT]]
func.func @different() -> (tensor<4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = forge.parameter "a" : tensor<4xf32>
  %b = forge.parameter "b" : tensor<4xf32>
  %unread = forge.parameter "c" : tensor<4xf32>
  %0 = forge.subtract %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = forge.subtract %b, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = forge.index %0 dim 0 [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  %3 = forge.index %0 dim 0 [2:4] : (tensor<4xf32>) -> tensor<2xf32>
  %4 = forge.index %0 dim 0 [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  return %1, %2, %3, %4 : tensor<4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

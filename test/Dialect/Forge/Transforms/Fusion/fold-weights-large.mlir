// RUN: forge-opt %s --forge-fold-weights | FileCheck %s

// Constants are not folded into a weight that could become infinite by them: an infinite weight times 0 is NaN. The
// weight is at most 2^64 before each fold, and a product of factors at most 2^20.
// CHECK-LABEL: func.func @many_factors(
//       CHECK: %[[W:.+]] = forge.multiply %{{.+}}, %{{.+}} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
//       CHECK: forge.matmul %arg0, %[[W]]
//   CHECK-NOT: forge.matmul
//       CHECK: return
func.func @many_factors(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.constant dense<[[1.0e19, 0.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %a = forge.constant dense<[1.0e6, 1000001.0]> : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = forge.multiply %0, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %2 = forge.multiply %1, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %3 = forge.multiply %2, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %4 = forge.multiply %3, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %4 : tensor<2x2xf32>
}

// Elements of the model's file count as 1, so that three factors of 10^6 are folded, and not seven.
// CHECK-LABEL: func.func @stored_weight(
//       CHECK: %[[Y:.+]] = forge.matmul
//       CHECK: %[[Z:.+]] = forge.multiply %[[Y]]
//       CHECK: return
func.func @stored_weight(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = forge.parameter "w" : tensor<2x2xf32>
  %a = forge.constant dense<[1.0e6, 1000001.0]> : tensor<2xf32>
  %0 = forge.matmul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = forge.multiply %0, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %2 = forge.multiply %1, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %3 = forge.multiply %2, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %4 = forge.multiply %3, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %5 = forge.multiply %4, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %6 = forge.multiply %5, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %7 = forge.multiply %6, %a : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %7 : tensor<2x2xf32>
}

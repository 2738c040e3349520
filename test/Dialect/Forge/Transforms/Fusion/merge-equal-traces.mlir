// RUN: forge-opt %s --forge-merge-equal --mlir-print-debuginfo | FileCheck %s

// The op that stays computes the ONNX values of both ops.
// CHECK-LABEL: func.func @both(
//       CHECK: forge.sigmoid %{{.+}} loc([[BOTH:#.+]])
//       CHECK: [[BOTH]] = loc(fused<{{\[\[}}"first", "second"]]>
func.func @both(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = forge.sigmoid %x : tensor<4xf32> loc(#first)
  %1 = forge.sigmoid %x : tensor<4xf32> loc(#second)
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
#first = loc(fused<[["first"]]>["a"])
#second = loc(fused<[["second"]]>["b"])

// RUN: forge-opt %s --split-input-file --forge-channels-last --mlir-print-debuginfo | FileCheck %s

// The ONNX value "y" is a transpose of the sum, [N, H, W, C], and the sum gets channels last: axis i of "y" is axis i of
// the sum. A trace without axes is that of a value with channels first.

// CHECK-LABEL: func.func @transposed_value(
//       CHECK: forge.conv2d {{.+}} loc([[CONV:#.+]])
//       CHECK: forge.add {{.+}} loc([[SUM:#.+]])
//   CHECK-DAG: [[CONV]] = loc(fused<{{\[\[}}"c", array<i64: 0, 3, 1, 2>]]>
//   CHECK-DAG: [[SUM]] = loc(fused<{{\[\[}}"y", array<i64: 0, 1, 2, 3>]]>
func.func @transposed_value(%x: tensor<1x64x32x32xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x32x32xf32> {
  %c = forge.conv2d %x, %w stride [1, 1] padding [1, 1, 1, 1] dilation [1, 1] groups 1 : (tensor<1x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x32x32xf32> loc(#c)
  %s = forge.add %c, %c : tensor<1x64x32x32xf32> loc(#y)
  %d = forge.conv2d %s, %w stride [1, 1] padding [1, 1, 1, 1] dilation [1, 1] groups 1 : (tensor<1x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x32x32xf32>
  return %d : tensor<1x64x32x32xf32>
}
#c = loc(fused<[["c"]]>["c"])
#y = loc(fused<[["y", array<i64: 0, 2, 3, 1>]]>["y"])

// -----

// The permutation to channels first is removed, and its operand holds "y".

// CHECK-LABEL: func.func @removed_permutation(
//  CHECK-NEXT: forge.relu {{.+}} loc([[RELU:#.+]])
//  CHECK-NEXT: forge.conv2d
//       CHECK: [[RELU]] = loc(fused<{{\[\[}}"y", array<i64: 0, 1, 2, 3>]]>
func.func @removed_permutation(%x: tensor<1x32x32x64xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x32x32xf32> {
  %r = forge.relu %x : tensor<1x32x32x64xf32>
  %0 = forge.transpose %r dims -2, -1 : (tensor<1x32x32x64xf32>) -> tensor<1x32x64x32xf32>
  %1 = forge.transpose %0 dims -3, -2 : (tensor<1x32x64x32xf32>) -> tensor<1x64x32x32xf32> loc(#y)
  %d = forge.conv2d %1, %w stride [1, 1] padding [1, 1, 1, 1] dilation [1, 1] groups 1 : (tensor<1x64x32x32xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x32x32xf32>
  return %d : tensor<1x64x32x32xf32>
}
#y = loc(fused<[["y", array<i64: 0, 2, 3, 1>]]>["y"])
